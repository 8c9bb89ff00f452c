//! What strong players do in a corner position that recurs (Pachi 3.2: a joseki follow-up by quadrant hash).
//!
//! The table maps positions of a 9x9 quadrant, whichever corner, colour and side of the diagonal, to the moves
//! chosen there in games. It is built by `jigo joseki build`.

use std::sync::LazyLock;

use jigo_board::{Board, Color, MAX_SIZE, Point};

use crate::quadrant::{QUADRANT_POINTS, Quadrant, QuadrantKey, Spot};
use crate::table_file::{TableError, TableReader, TableWriter};

const KIND: &str = "jigo-joseki";
const VERSION: u32 = 1;

/// A known position: what is played there.
#[derive(Clone, Debug, PartialEq)]
pub struct JosekiPosition {
    pub key: u64,
    /// How often the opponent's last move in the quadrant is answered there at once, 0 to 1.
    pub urgency: f32,
    /// The usual moves, most frequent first, each with its share of all moves played here.
    pub moves: Vec<(Spot, f32)>,
}

/// The joseki table. Shares are kept in 255 parts.
pub struct Joseki {
    /// Sorted; `first_of_prefix` leads to the few keys with the same upper bits.
    keys: Vec<u64>,
    first_of_prefix: Vec<u32>,
    /// Where each position's moves begin; one more at the end.
    starts: Vec<u32>,
    urgencies: Vec<u8>,
    moves: Vec<(Spot, u8)>,
}

const PREFIX_BITS: u32 = 16;
const PARTS: f32 = 255.0;

/// The usual moves in one quadrant, for the player who asked.
#[derive(Clone, Copy)]
pub struct FollowUps<'a> {
    /// How often strong players answer here at once if the last move was here, 0 to 1.
    pub urgency: f32,
    quadrant: Quadrant,
    key: QuadrantKey,
    moves: &'a [(Spot, u8)],
}

impl FollowUps<'_> {
    /// Points with their shares of all moves played in this position. They are empty; ko is not looked at.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (Point, f32)> + '_ {
        self.moves.iter().flat_map(move |&(spot, parts)| {
            let share = f32::from(parts) / PARTS;
            let spot = self.key.turn(spot);
            // In a symmetric position both sides of the diagonal are as good.
            let twin = (self.key.is_symmetric && spot.mirrored() != spot).then(|| spot.mirrored());
            let share = if twin.is_some() { share / 2.0 } else { share };
            std::iter::once(spot).chain(twin).map(move |spot| (self.quadrant.point(spot), share))
        })
    }
}

impl Joseki {
    /// The table that comes with the program.
    pub fn embedded() -> &'static Joseki {
        static TABLE: LazyLock<Joseki> = LazyLock::new(|| {
            Joseki::from_bytes(include_bytes!("../tables/joseki.bin")).expect("a test reads the embedded table")
        });
        &TABLE
    }

    /// The usual moves of `to_play` in a quadrant. None outside 19x19 or in an unknown position.
    #[inline]
    pub fn follow_ups(&self, board: &Board, to_play: Color, quadrant: Quadrant) -> Option<FollowUps<'_>> {
        if board.size() != MAX_SIZE {
            return None;
        }
        let key = QuadrantKey::of(board, to_play, quadrant);
        let at = self.find(key.key)?;
        let moves = &self.moves[self.starts[at] as usize..self.starts[at + 1] as usize];
        Some(FollowUps { urgency: f32::from(self.urgencies[at]) / PARTS, quadrant, key, moves })
    }

    /// The usual answers to the opponent's last move, in its quadrant.
    #[inline]
    pub fn answers(&self, board: &Board, to_play: Color, last: Point) -> Option<FollowUps<'_>> {
        self.follow_ups(board, to_play, Quadrant::of(last)?)
    }

    #[inline]
    fn find(&self, key: u64) -> Option<usize> {
        let prefix = (key >> (64 - PREFIX_BITS)) as usize;
        let (from, to) = (self.first_of_prefix[prefix] as usize, self.first_of_prefix[prefix + 1] as usize);
        self.keys[from..to].iter().position(|&k| k == key).map(|at| from + at)
    }

    /// The number of known positions.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// A table of these positions; of two with the same key the first counts.
    pub fn new(mut positions: Vec<JosekiPosition>) -> Joseki {
        positions.sort_by_key(|position| position.key);
        positions.dedup_by_key(|position| position.key);
        let parts = |share: f32| (share * PARTS).round().clamp(0.0, PARTS) as u8;
        let mut joseki = Joseki {
            keys: Vec::new(),
            first_of_prefix: Vec::new(),
            starts: vec![0],
            urgencies: Vec::new(),
            moves: Vec::new(),
        };
        for position in positions {
            let moves = position.moves.iter().map(|&(spot, share)| (spot, parts(share)));
            joseki.push(position.key, parts(position.urgency), moves);
        }
        joseki.index();
        joseki
    }

    fn push(&mut self, key: u64, urgency: u8, moves: impl IntoIterator<Item = (Spot, u8)>) {
        self.keys.push(key);
        self.urgencies.push(urgency);
        self.moves.extend(moves);
        self.starts.push(self.moves.len() as u32);
    }

    fn index(&mut self) {
        let first_above = |prefix: u64| self.keys.partition_point(|key| key >> (64 - PREFIX_BITS) < prefix) as u32;
        self.first_of_prefix = (0..=1 << PREFIX_BITS).map(first_above).collect();
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Joseki, TableError> {
        let mut reader = TableReader::new(bytes, KIND, VERSION)?;
        let count = reader.count()?;
        let mut joseki = Joseki::new(Vec::new());
        for _ in 0..count {
            let key = reader.key()?;
            if joseki.keys.last().is_some_and(|&last| last >= key) {
                return Err(TableError::OutOfRange);
            }
            let urgency = reader.byte()?;
            let mut moves = Vec::new();
            for _ in 0..reader.count()? {
                let spot = reader.byte()?;
                if usize::from(spot) >= QUADRANT_POINTS {
                    return Err(TableError::OutOfRange);
                }
                moves.push((Spot(spot), reader.byte()?));
            }
            joseki.push(key, urgency, moves);
        }
        reader.finish()?;
        joseki.index();
        Ok(joseki)
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = TableWriter::new(KIND, VERSION);
        writer.number(self.keys.len() as u32);
        for (at, &key) in self.keys.iter().enumerate() {
            let moves = &self.moves[self.starts[at] as usize..self.starts[at + 1] as usize];
            writer.key(key);
            writer.byte(self.urgencies[at]);
            writer.number(moves.len() as u32);
            for &(spot, parts) in moves {
                writer.byte(spot.0);
                writer.byte(parts);
            }
        }
        writer.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Symmetry;

    fn point(vertex: &str) -> Point {
        Point::parse(vertex, MAX_SIZE).unwrap()
    }

    fn position(board: &Board, to_play: Color, answer: &str, share: f32) -> JosekiPosition {
        let quadrant = Quadrant::of(point(answer)).unwrap();
        let key = QuadrantKey::of(board, to_play, quadrant);
        JosekiPosition { key: key.key, urgency: 0.8, moves: vec![(key.turn(quadrant.spot(point(answer))), share)] }
    }

    /// Black 4-4, White's low approach; Black answers with the knight's move. Before that, the empty corner.
    fn opening() -> (Board, Joseki) {
        let mut board = Board::new(MAX_SIZE);
        let empty = position(&board, Color::Black, "Q17", 0.4);
        board.play(Color::Black, point("Q16"));
        board.play(Color::White, point("R14"));
        let approached = position(&board, Color::Black, "O17", 0.6);
        (board, Joseki::new(vec![approached, empty]))
    }

    fn found(joseki: &Joseki, board: &Board, to_play: Color, quadrant: Quadrant) -> Vec<(String, u32)> {
        let Some(follow_ups) = joseki.follow_ups(board, to_play, quadrant) else { return Vec::new() };
        follow_ups.iter().map(|(p, share)| (p.vertex(MAX_SIZE), (share * 100.0).round() as u32)).collect()
    }

    #[test]
    fn an_opening_finds_its_continuation() {
        let (board, joseki) = opening();
        let corner = Quadrant::of(point("Q16")).unwrap();
        assert_eq!(found(&joseki, &board, Color::Black, corner), [("O17".to_string(), 60)]);
        assert_eq!(found(&joseki, &board, Color::White, corner), [], "it is Black's move");
        let answers = joseki.answers(&board, Color::Black, point("R14")).unwrap();
        assert!((answers.urgency - 0.8).abs() < 0.01);
        assert!(joseki.answers(&board, Color::Black, point("K10")).is_none());
        assert!(joseki.follow_ups(&Board::new(9), Color::Black, corner).is_none());
    }

    #[test]
    fn a_symmetric_corner_offers_both_sides() {
        let (board, joseki) = opening();
        let bottom_left = Quadrant::of(point("A1")).unwrap();
        for color in Color::BOTH {
            let mut moves = found(&joseki, &board, color, bottom_left);
            moves.sort();
            assert_eq!(moves, [("C4".to_string(), 20), ("D3".to_string(), 20)]);
        }
    }

    #[test]
    fn lookups_do_not_depend_on_corner_orientation_or_colour() {
        let (_, joseki) = opening();
        for symmetry in Symmetry::all() {
            for first in Color::BOTH {
                let turned = |vertex: &str| symmetry.apply(point(vertex), MAX_SIZE);
                let mut board = Board::new(MAX_SIZE);
                board.play(first, turned("Q16"));
                board.play(first.opponent(), turned("R14"));
                let answers = joseki.answers(&board, first, turned("R14")).expect("known in every orientation");
                let points: Vec<Point> = answers.iter().map(|(p, _)| p).collect();
                assert_eq!(points, [turned("O17")]);
            }
        }
    }

    #[test]
    fn the_embedded_table_knows_common_openings() {
        let joseki = Joseki::embedded();
        let after = |moves: &str| {
            let mut board = Board::new(MAX_SIZE);
            let mut to_play = Color::Black;
            for vertex in moves.split_whitespace() {
                board.play(to_play, point(vertex));
                to_play = to_play.opponent();
            }
            let last = moves.split_whitespace().last().unwrap();
            let answers = joseki.answers(&board, to_play, point(last)).expect("every player knows this");
            let moves: Vec<String> = answers.iter().map(|(p, _)| p.vertex(MAX_SIZE)).collect();
            (moves, answers.urgency)
        };
        let (to_the_approach, urgency) = after("Q16 R14");
        assert!(to_the_approach.contains(&"O17".to_string()) && urgency > 0.5, "{to_the_approach:?}");
        let (to_the_invasion, urgency) = after("D4 C3");
        assert!(to_the_invasion.contains(&"C4".to_string()) && to_the_invasion.contains(&"D3".to_string()));
        assert!(urgency > 0.9);
    }

    #[test]
    fn tables_read_back_and_damage_is_an_error() {
        let (board, joseki) = opening();
        let bytes = joseki.to_bytes();
        let again = Joseki::from_bytes(&bytes).unwrap();
        let corner = Quadrant::of(point("Q16")).unwrap();
        assert_eq!(found(&again, &board, Color::Black, corner), found(&joseki, &board, Color::Black, corner));
        for length in 0..bytes.len() {
            assert!(Joseki::from_bytes(&bytes[..length]).is_err());
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x41;
            assert!(Joseki::from_bytes(&damaged).is_err());
        }
    }

    #[test]
    fn a_well_signed_table_of_nonsense_is_an_error() {
        let table = |write: &dyn Fn(&mut TableWriter)| {
            let mut writer = TableWriter::new(KIND, VERSION);
            write(&mut writer);
            Joseki::from_bytes(&writer.finish()).err()
        };
        let position = |writer: &mut TableWriter, key: u64, spot: u8| {
            writer.key(key);
            writer.byte(200);
            writer.number(1);
            writer.byte(spot);
            writer.byte(100);
        };
        assert_eq!(table(&|w| w.number(0)), None);
        assert_eq!(table(&|w| w.number(1_000_000)), Some(TableError::TooShort));
        let off_the_quadrant = |w: &mut TableWriter| {
            w.number(1);
            position(w, 5, 81);
        };
        assert_eq!(table(&off_the_quadrant), Some(TableError::OutOfRange));
        let unsorted = |w: &mut TableWriter| {
            w.number(2);
            position(w, 5, 1);
            position(w, 5, 2);
        };
        assert_eq!(table(&unsorted), Some(TableError::OutOfRange));
    }
}
