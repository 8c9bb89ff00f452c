//! Taking back and copying: afterwards nothing can tell that anything happened.

use jigo_board::{Board, Color, Neighbourhood, Point, Rng, Trail};

/// Everything that can be asked of a board, the order of lists included.
#[derive(Debug, PartialEq)]
struct Everything {
    size: usize,
    hash: u64,
    ko: [Option<Point>; 2],
    lost: [u32; 2],
    empties: Vec<Point>,
    points: Vec<(Option<Color>, Neighbourhood)>,
    chains: Vec<(Point, Vec<Point>, Vec<Point>)>,
}

fn everything(board: &Board) -> Everything {
    let stones = board.points().filter(|&p| board.color_at(p).is_some());
    Everything {
        size: board.size(),
        hash: board.hash(),
        ko: Color::BOTH.map(|color| board.ko_point(color)),
        lost: Color::BOTH.map(|color| board.stones_lost(color)),
        empties: board.empties().to_vec(),
        points: board.points().map(|p| (board.color_at(p), board.around(p))).collect(),
        chains: stones.map(|s| (board.chain(s), board.stones(s).collect(), board.liberties(s).collect())).collect(),
    }
}

/// Any empty point that is not simple ko or the suicide of one stone: larger suicides are welcome.
fn random_point(board: &Board, color: Color, rng: &mut Rng) -> Option<Point> {
    let allowed = |&point: &Point| board.ko_point(color) != Some(point) && !board.is_single_stone_suicide(color, point);
    let candidates: Vec<Point> = board.empties().iter().copied().filter(allowed).collect();
    rng.pick(&candidates)
}

fn play_some(board: &mut Board, moves: usize, rng: &mut Rng) {
    for _ in 0..moves {
        let color = rng.pick(&Color::BOTH).expect("two colours");
        match random_point(board, color, rng) {
            Some(point) => drop(board.play(color, point)),
            None => board.pass(),
        }
    }
}

#[test]
fn undo_restores_everything() {
    let mut rng = Rng::new(7);
    let mut trail = Trail::new();
    let mut captures = 0;
    for round in 0..360 {
        let size = 2 + round % 18;
        let mut board = Board::new(size);
        play_some(&mut board, rng.below(size * size), &mut rng);
        // Marks with the board as it stood there; walk forward and back at random.
        let mut marks = vec![(trail.mark(), everything(&board))];
        for _ in 0..3 * size * size {
            let color = rng.pick(&Color::BOTH).expect("two colours");
            match random_point(&board, color, &mut rng) {
                Some(point) if rng.chance(0.7) => {
                    captures += board.play_recorded(color, point, &mut trail);
                    marks.push((trail.mark(), everything(&board)));
                }
                _ => {
                    marks.truncate(1 + rng.below(marks.len()));
                    let (mark, before) = &marks[marks.len() - 1];
                    board.undo_to(*mark, &mut trail);
                    assert_eq!(everything(&board), *before, "{board}");
                }
            }
        }
        board.undo_to(marks[0].0, &mut trail);
        assert_eq!(everything(&board), marks[0].1, "{board}");
    }
    assert!(captures > 1000, "only {captures} stones were captured");
}

#[test]
fn a_copy_over_another_board_is_equal_and_stays_equal() {
    let mut rng = Rng::new(11);
    for round in 0..600 {
        let (from_size, to_size) = (2 + round % 18, 2 + rng.below(18));
        let (mut from, mut to) = (Board::new(from_size), Board::new(to_size));
        play_some(&mut from, rng.below(2 * from_size * from_size), &mut rng);
        play_some(&mut to, rng.below(2 * to_size * to_size), &mut rng);
        to.copy_from(&from);
        assert_eq!(everything(&to), everything(&from));
        // What the copy did not touch must not matter later either.
        let mut same_rng = rng.clone();
        play_some(&mut from, from_size * from_size, &mut rng);
        play_some(&mut to, from_size * from_size, &mut same_rng);
        assert_eq!(everything(&to), everything(&from));
    }
}
