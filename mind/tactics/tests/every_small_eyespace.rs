//! Every eyespace of up to six points, away from the edge, read out to the end: the shapes with a vital point are those
//! we say, and the vital point is vital.

mod referee;

use jigo_board::{Board, Color, Point, PointSet};
use jigo_tactics::{Eyespace, nakade_point};
use referee::exact::{Fate, fate};
use std::collections::BTreeSet;

type Cells = BTreeSet<(usize, usize)>;

/// All connected shapes of this many cells, moved to the top left.
fn shapes(size: usize) -> BTreeSet<Cells> {
    let mut found = BTreeSet::from([Cells::from([(0, 0)])]);
    for _ in 1..size {
        let grow = |shape: &Cells| {
            let beside = shape.iter().flat_map(|&(x, y)| [(x + 2, y + 1), (x, y + 1), (x + 1, y + 2), (x + 1, y)]);
            let moved: Cells = shape.iter().map(|&(x, y)| (x + 1, y + 1)).collect();
            beside
                .filter(|cell| !moved.contains(cell))
                .map(|cell| {
                    let grown: Cells = moved.iter().copied().chain([cell]).collect();
                    let (left, top) =
                        (grown.iter().map(|c| c.0).min().unwrap(), grown.iter().map(|c| c.1).min().unwrap());
                    grown.into_iter().map(|(x, y)| (x - left, y - top)).collect()
                })
                .collect::<Vec<Cells>>()
        };
        found = found.iter().flat_map(grow).collect();
    }
    found
}

/// White's group around the shape, without outside liberties, inside a black wall.
fn surrounded(shape: &Cells) -> (Board, PointSet) {
    let space: PointSet = shape.iter().map(|&(x, y)| Point::new(x + 3, y + 3)).collect();
    let ring = |inner: &PointSet| -> PointSet {
        inner.iter().flat_map(|p| p.around()).filter(|p| !inner.contains(*p)).collect()
    };
    let wall = ring(&space);
    let outside = ring(&space.union(&wall));
    let stones = wall.iter().map(|p| (Color::White, p)).chain(outside.iter().map(|p| (Color::Black, p)));
    (Board::with_stones(13, stones).unwrap(), space)
}

#[test]
fn every_shape_of_up_to_six_points() {
    let mut counted = Vec::new();
    for size in 1..=6 {
        let all = shapes(size);
        for shape in &all {
            let (board, space) = surrounded(shape);
            let inside = space.first().unwrap();
            let wall = board.points().find(|&p| board.color_at(p) == Some(Color::White)).unwrap();
            let read = |board: &Board| fate(board, wall, &space, 10_000_000).unwrap();
            let eyespace = Eyespace::enclosed_by(&board, Color::White, inside).unwrap();
            assert_eq!(eyespace.points().len(), size);

            let expected = match (eyespace.is_dead_shape(), eyespace.vital_point()) {
                (true, Some(_)) => Fate::Unsettled,
                (true, None) => Fate::Dead,
                _ => Fate::Alive,
            };
            assert_eq!(read(&board), expected, "{board}");

            let vital = nakade_point(&board, inside, Color::Black);
            assert_eq!(vital, eyespace.vital_point());
            if let Some(vital) = vital {
                for (color, then) in [(Color::Black, Fate::Dead), (Color::White, Fate::Alive)] {
                    let mut played = board.clone();
                    played.play(color, vital);
                    assert_eq!(read(&played), then, "{color} at the vital point of\n{board}");
                }
            }
        }
        counted.push(all.len());
    }
    assert_eq!(counted, [1, 2, 6, 19, 63, 216]);
}
