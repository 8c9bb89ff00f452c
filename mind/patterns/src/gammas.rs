//! How likely a strong player is to choose each move, from the shapes and features of all moves.
//!
//! Moves compete as teams of features in a generalised Bradley-Terry model (Coulom 2007): each feature has
//! a strength gamma, a move's strength is the product of its features' gammas, and its probability is its
//! share of the sum over all moves. The gammas are learned from games by `jigo patterns learn`.

use std::sync::LazyLock;

use jigo_board::{Board, Color, GRID, Point};
use jigo_tactics::Reader;

use crate::features::{CLASSES, LEVELS, Levels, MAX_LEVELS, PHASES, Situation};
use crate::shape_tree::{ShapeId, ShapeTree, UNKNOWN};
use crate::surroundings::{Surroundings, core};
use crate::table_file::{TableError, TableReader, TableWriter};

const KIND: &str = "jigo-gammas";
const VERSION: u32 = 1;

/// Boards up to this size use the table learned on 9x9.
const LARGEST_SMALL: usize = 11;

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

fn read(embedded: &[u8]) -> Gammas {
    Gammas::from_bytes(embedded).expect("a test reads the embedded tables")
}

impl Gammas {
    /// `shapes` and `cores` give each shape of the tree its gamma, the unknown shape first; all the 3x3
    /// shapes have to stand before the larger ones.
    pub fn new(tree: ShapeTree, shapes: Vec<f32>, levels: LevelGammas, cores: Vec<f32>) -> Gammas {
        assert_eq!((shapes.len(), cores.len()), (tree.shapes().len(), tree.core_count()));
        Gammas { tree, shapes, levels, cores }
    }

    /// The table that comes with the program for boards of this size: on a small board the edge is near everywhere, and
    /// what is played on 19x19 foresees less (docs/experiments/patterns.md).
    pub fn embedded(size: usize) -> &'static Gammas {
        static SMALL: LazyLock<Gammas> = LazyLock::new(|| read(include_bytes!("../tables/gammas-9.bin")));
        static LARGE: LazyLock<Gammas> = LazyLock::new(|| read(include_bytes!("../tables/gammas-19.bin")));
        if size <= LARGEST_SMALL { &SMALL } else { &LARGE }
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

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Rng, Symmetry, random_game::random_point};

    fn small_table() -> Gammas {
        let tree = ShapeTree::new([(UNKNOWN, 0), (UNKNOWN, 5), (1, 0), (3, 7)]).unwrap();
        let mut levels = [[[1.0; MAX_LEVELS]; CLASSES]; PHASES];
        levels[0][0][1] = 8.0;
        levels[PHASES - 1][CLASSES - 1][LEVELS[CLASSES - 1].len() - 1] = 0.25;
        Gammas::new(tree, vec![1.0, 0.5, 2.0, 4.0, 8.0], levels, vec![1.0, 0.25, 0.125])
    }

    fn weights(board: &Board, to_play: Color, recent: [Option<Point>; 2]) -> [f32; GRID] {
        let mut out = [f32::NAN; GRID];
        Gammas::embedded(board.size()).weights(board, to_play, recent, &mut Reader::new(), &mut out);
        out
    }

    #[test]
    fn weights_do_not_depend_on_orientation_or_colour() {
        let mut rng = Rng::new(17);
        for size in [9, 13, 19] {
            let mut moves: Vec<Point> = Vec::new();
            let mut board = Board::new(size);
            let mut turned: Vec<Board> = vec![Board::new(size); 8];
            let mut swapped = Board::new(size);
            let mut to_play = Color::Black;
            for number in 0..size * size / 2 {
                let Some(point) = random_point(&board, to_play, &mut rng) else { break };
                board.play(to_play, point);
                swapped.play(to_play.opponent(), point);
                for (symmetry, turned) in Symmetry::all().zip(&mut turned) {
                    turned.play(to_play, symmetry.apply(point, size));
                }
                moves.push(point);
                to_play = to_play.opponent();
                if number % 7 > 0 {
                    continue;
                }
                let recent = [moves.last().copied(), moves.iter().rev().nth(1).copied()];
                let expected = weights(&board, to_play, recent);
                assert_eq!(expected, weights(&swapped, to_play.opponent(), recent));
                for (symmetry, turned) in Symmetry::all().zip(&turned) {
                    let there = recent.map(|point| point.map(|point| symmetry.apply(point, size)));
                    let found = weights(turned, to_play, there);
                    for point in board.points() {
                        assert_eq!(expected[point.index()], found[symmetry.apply(point, size).index()]);
                    }
                }
            }
        }
    }

    #[test]
    fn only_sensible_moves_have_weight() {
        let diagram = jigo_board::Diagram::parse(
            "a X . . .
             X . . . .
             . . O O .
             . O . . O
             . O O O b",
        )
        .unwrap();
        let found = weights(&diagram.board, Color::Black, [None, None]);
        assert_eq!(found[diagram.point('a').index()], 0.0, "an own eye");
        assert_eq!(found[diagram.point('b').index()], 0.0, "suicide");
        let playable = found.iter().filter(|&&weight| weight > 0.0).count();
        assert!(found.iter().all(|weight| weight.is_finite()) && playable == diagram.board.empties().len() - 2);
    }

    #[test]
    fn strong_players_start_in_a_corner_and_answer_an_atari() {
        let best = |found: [f32; GRID], board: &Board| {
            board.points().max_by(|a, b| found[a.index()].total_cmp(&found[b.index()])).unwrap()
        };
        let empty = Board::new(19);
        let first = best(weights(&empty, Color::Black, [None, None]), &empty);
        assert!(first.line(19) >= 2 && first.col().min(18 - first.col()) < 5, "{}", first.vertex(19));

        let diagram = jigo_board::Diagram::parse(
            ". . . . . . . . .
             . . . . . . . . .
             . . X . . . O . .
             . . . O . . . . .
             . . O X O . . . .
             . . . a . . . . .
             . . . . . . . . .
             . . X . . . X . .
             . . . . . . . . .",
        )
        .unwrap();
        let last = Point::new(4, 4);
        let found = weights(&diagram.board, Color::Black, [Some(last), None]);
        assert_eq!(best(found, &diagram.board), diagram.point('a'));
    }

    #[test]
    fn tables_read_back() {
        let table = small_table();
        let again = Gammas::from_bytes(&table.to_bytes()).unwrap();
        assert_eq!(again.tree.shapes(), table.tree.shapes());
        assert_eq!((&again.shapes, &again.cores), (&table.shapes, &table.cores));
        assert_eq!(again.levels, table.levels);
    }

    #[test]
    fn damaged_tables_are_errors() {
        let bytes = small_table().to_bytes();
        for length in 0..bytes.len() {
            assert!(Gammas::from_bytes(&bytes[..length]).is_err());
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x41;
            assert!(Gammas::from_bytes(&damaged).is_err());
        }
    }

    #[test]
    fn a_well_signed_table_of_nonsense_is_an_error() {
        let mut rng = Rng::new(23);
        for _ in 0..2000 {
            let mut writer = TableWriter::new(KIND, VERSION);
            let count = rng.below(200);
            (0..count).for_each(|_| writer.byte(rng.below(256) as u8 & rng.below(256) as u8));
            assert!(Gammas::from_bytes(&writer.finish()).is_err());
        }
        // A larger shape among the 3x3 ones.
        let mut writer = TableWriter::new(KIND, VERSION);
        [2, 2, 0, 0, 1, 0].into_iter().for_each(|number| writer.number(number));
        (0..1000).for_each(|_| writer.gamma(1.0));
        assert_eq!(Gammas::from_bytes(&writer.finish()).err(), Some(TableError::OutOfRange));
    }
}
