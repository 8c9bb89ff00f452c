//! Moves as numbers in the journal: row by row on the largest board, and -1 for a pass.

use jigo_board::{MAX_SIZE, Move, Point};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

fn code(mv: Move) -> i32 {
    mv.point().map_or(-1, |point| (point.row() * MAX_SIZE + point.col()) as i32)
}

fn decode(code: i32) -> Option<Move> {
    match usize::try_from(code) {
        Ok(code) if code < MAX_SIZE * MAX_SIZE => Some(Move::Play(Point::new(code % MAX_SIZE, code / MAX_SIZE))),
        Ok(_) => None,
        Err(_) => (code == -1).then_some(Move::Pass),
    }
}

pub fn serialize<S: Serializer>(moves: &[Move], serializer: S) -> Result<S::Ok, S::Error> {
    moves.iter().map(|&mv| code(mv)).collect::<Vec<i32>>().serialize(serializer)
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Move>, D::Error> {
    let codes = Vec::<i32>::deserialize(deserializer)?;
    let moves: Option<Vec<Move>> = codes.into_iter().map(decode).collect();
    moves.ok_or_else(|| D::Error::custom("there is no such move"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_reads_back() {
        let points = (0..MAX_SIZE * MAX_SIZE).map(|at| Move::Play(Point::new(at % MAX_SIZE, at / MAX_SIZE)));
        for mv in points.chain([Move::Pass]) {
            assert_eq!(decode(code(mv)), Some(mv));
        }
        assert_eq!((decode(-2), decode(361)), (None, None));
    }
}
