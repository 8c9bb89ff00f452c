//! How likely a strong player is to choose each move, from the shapes and features of all moves.
//!
//! Moves compete as teams of features in a generalised Bradley-Terry model (Coulom 2007): each feature has
//! a strength gamma, a move's strength is the product of its features' gammas, and its probability is its
//! share of the sum over all moves. The gammas are learned from games by `jigo patterns learn`.

use jigo_board::{Board, Color, GRID, Point};
use jigo_tactics::Reader;

use crate::features::{CLASSES, LEVELS, Levels, MAX_LEVELS, PHASES, Situation};
use crate::shape_tree::{ShapeId, ShapeTree, UNKNOWN};
use crate::surroundings::{Surroundings, core};
use crate::table_file::{TableError, TableReader, TableWriter};

const KIND: &str = "jigo-gammas";
const VERSION: u32 = 1;

/// A gamma for each level of each class in each phase.
pub type LevelGammas = [[[f32; MAX_LEVELS]; CLASSES]; PHASES];

pub struct Gammas {
    tree: ShapeTree,
    /// By shape id.
    shapes: Vec<f32>,
    levels: LevelGammas,
    /// By the id of a 3x3 shape, learned without larger shapes: what a 3x3 shape is worth by itself.
    cores: Vec<f32>,
}

impl Gammas {
    /// `shapes` and `cores` give each shape of the tree its gamma, the unknown shape first; all the 3x3
    /// shapes have to stand before the larger ones.
    pub fn new(tree: ShapeTree, shapes: Vec<f32>, levels: LevelGammas, cores: Vec<f32>) -> Gammas {
        assert_eq!((shapes.len(), cores.len()), (tree.shapes().len(), tree.core_count()));
        Gammas { tree, shapes, levels, cores }
    }

    pub fn tree(&self) -> &ShapeTree {
        &self.tree
    }

    pub fn shape_gamma(&self, shape: ShapeId) -> f32 {
        self.shapes[shape as usize]
    }

    pub fn level_gammas(&self) -> &LevelGammas {
        &self.levels
    }

    /// The strength of every sensible move; 0 for all other points. Divide by the sum for probabilities.
    pub fn weights(
        &self,
        board: &Board,
        to_play: Color,
        recent: [Option<Point>; 2],
        reader: &mut Reader,
        out: &mut [f32; GRID],
    ) {
        out.fill(0.0);
        let situation = Situation { board, to_play, recent };
        let surroundings = Surroundings::of(board, to_play);
        let phase = &self.levels[situation.phase()];
        for &point in board.empties() {
            if situation.is_candidate(point) {
                let shape = self.tree.walk(&surroundings, board, to_play, point).shape;
                let levels = situation.levels(point, reader);
                out[point.index()] = self.shape_gamma(shape) * product(phase, levels);
            }
        }
    }

    /// What the 3x3 shape of a move is worth by itself, with stones in atari told apart: for playouts.
    #[inline]
    pub fn three_by_three(&self, board: &Board, to_play: Color, point: Point) -> f32 {
        let (own, ataris) = core(board, to_play, point);
        self.cores[self.tree.core(own, ataris) as usize]
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Gammas, TableError> {
        let mut reader = TableReader::new(bytes, KIND, VERSION)?;
        let core_count = reader.count()?;
        let shape_count = reader.count()?;
        let mut children = Vec::with_capacity(shape_count);
        let mut parent: ShapeId = 0;
        for _ in 0..shape_count {
            parent = parent.checked_add(reader.number()?).ok_or(TableError::OutOfRange)?;
            children.push((parent, reader.number()?));
        }
        let tree = ShapeTree::new(children)?;
        let cores_come_first =
            tree.shapes().iter().enumerate().all(|(id, s)| (s.parent == UNKNOWN) == (id <= core_count));
        if !cores_come_first {
            return Err(TableError::OutOfRange);
        }
        let shapes = (0..=shape_count).map(|_| reader.gamma()).collect::<Result<_, _>>()?;
        let cores = (0..=core_count).map(|_| reader.gamma()).collect::<Result<_, _>>()?;
        let mut levels = [[[1.0; MAX_LEVELS]; CLASSES]; PHASES];
        for phase in &mut levels {
            for (class, names) in phase.iter_mut().zip(LEVELS) {
                for gamma in &mut class[..names.len()] {
                    *gamma = reader.gamma()?;
                }
            }
        }
        reader.finish()?;
        Ok(Gammas { tree, shapes, levels, cores })
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = TableWriter::new(KIND, VERSION);
        let shapes = &self.tree.shapes()[1..];
        writer.number(self.cores.len() as u32 - 1);
        writer.number(shapes.len() as u32);
        let mut parent = 0;
        for shape in shapes {
            writer.number(shape.parent - parent);
            writer.number(shape.code);
            parent = shape.parent;
        }
        self.shapes.iter().chain(&self.cores).for_each(|&gamma| writer.gamma(gamma));
        for phase in &self.levels {
            for (class, names) in phase.iter().zip(LEVELS) {
                class[..names.len()].iter().for_each(|&gamma| writer.gamma(gamma));
            }
        }
        writer.finish()
    }
}

#[inline]
fn product(phase: &[[f32; MAX_LEVELS]; CLASSES], levels: Levels) -> f32 {
    phase.iter().zip(levels.0).map(|(gammas, level)| gammas[usize::from(level) % MAX_LEVELS]).product()
}
