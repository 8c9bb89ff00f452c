//! Room card: patterns.
//!
//! For: 3x3 shapes for playouts, move weights learned from games, and the joseki table. All are tables:
//! the shapes are drawn in the source, the learned ones lie in `tables/` and are made by our own commands.
//! May use: the board, and questions of tactics that are cheap enough to ask for every point.
//! Never enters: search, learning, files, printing, `unsafe`. A damaged table is an error, never a panic.

pub mod three_by_three;
