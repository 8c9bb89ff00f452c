//! The whole door, on a real loopback address, with real connections. Nothing here sleeps: a test waits for the message it expects.

mod games;
mod hostile;
mod http;
mod nets;
mod study;
mod tab;
mod words;
