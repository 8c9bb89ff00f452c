//! Room card: patterns.
//!
//! For: 3x3 shapes for playouts, move weights learned from games, and the joseki table. All are tables:
//! the shapes are drawn in the source, the learned ones lie in `tables/` and are made by our own commands.
//! May use: the board, and questions of tactics that are cheap enough to ask for every point.
//! Never enters: search, learning, files, printing, `unsafe`. A damaged table is an error, never a panic.

mod features;
mod gammas;
mod joseki;
mod quadrant;
mod shape_tree;
mod surroundings;
mod table_file;
pub mod three_by_three;

pub use features::{CLASSES, LEVELS, Levels, MAX_LEVELS, PHASES, Situation};
pub use gammas::{Gammas, LevelGammas};
pub use joseki::{FollowUps, Joseki, JosekiPosition};
pub use quadrant::{Quadrant, QuadrantKey, Spot};
pub use shape_tree::{Shape, ShapeError, ShapeId, ShapeTree, UNKNOWN, Walk};
pub use surroundings::{RINGS, Surroundings, canonical_codes, canonical_core, core};
pub use table_file::TableError;
