//! The fast board against a slow one. The slow one is written from the rules of Go, with plain lists and
//! flood fill and without looking at the fast one's tricks, so that both are wrong together only where
//! we misread the rules.

mod differential;
mod game;
mod perft;
mod position;
mod scoring;
