//! Who breaks a seki dies of it, and nobody else does.

mod referee;

use jigo_board::{Color, Diagram, Point, PointSet};
use jigo_tactics::breaks_seki;
use referee::exact::{Fate, fate};

/// Both colours break a seki at the points `s` and nowhere else.
fn check(text: &str) {
    let d = Diagram::parse(text).unwrap();
    for &point in d.board.empties() {
        for color in Color::BOTH {
            let expected = d.points('s').contains(&point);
            assert_eq!(breaks_seki(&d.board, color, point), expected, "{color} at {point:?} in {text}");
        }
    }
    for shared in d.points('s') {
        for stone in shared.neighbours().into_iter().filter(|&n| d.board.color_at(n).is_some()) {
            assert!(lives(&d, stone), "{stone:?} must live in {text}");
        }
    }
}

/// Reads it out: on the shared liberties, the liberties of both chains, and inside the smaller one.
fn lives(d: &Diagram, stone: Point) -> bool {
    let mut points: PointSet = d.points('s').into_iter().collect();
    for chain in d.points('s').into_iter().flat_map(|s| s.neighbours()).filter(|&n| d.board.color_at(n).is_some()) {
        points = points.union(d.board.liberty_set(chain));
        if d.board.chain_size(chain) <= 4 {
            points.extend(d.board.stones(chain));
        }
    }
    fate(&d.board, stone, &points, 1_000_000) == Some(Fate::Alive)
}

#[test]
fn a_living_shape_inside_with_two_shared_liberties() {
    check(
        "
        s X X X s O X
        O O O O O O X
        X X X X X X X
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .",
    );
    check(
        "
        s X O O O X .
        O X X s O X .
        O O O O O X .
        X X X X X X .
        . . . . . . .
        . . . . . . .
        . . . . . . .",
    );
    // The same in the other colours, away from the edge.
    check(
        "
        . O O O O O O O .
        O O X X X X X O O
        O X X s O s X X O
        O X X X O X X X O
        O O X X O X X O O
        . O X X X X X O .
        . O O O O O O O .
        . . . . . . . . .
        . . . . . . . . .",
    );
}

#[test]
fn an_eye_each_and_one_shared_liberty() {
    check(
        "
        . X s O . O X
        X X O O O O X
        O O O X X X X
        X X X X . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .",
    );
}

#[test]
fn a_dead_shape_inside_is_no_seki() {
    // Black makes three in a row and White has one eye.
    check(
        "
        . X X . O X .
        O O O O O X .
        X X X X X X .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .",
    );
}

#[test]
fn with_liberties_outside_it_is_a_race() {
    check(
        "
        . X X X . O .
        O O O O O O X
        X X X X X X X
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .",
    );
    check(
        "
        . X . O . . X
        X X O O O O X
        O O O X X X X
        X X X X . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .",
    );
}

#[test]
fn two_eyes_are_no_seki() {
    check(
        "
        . X . O . O .
        X X O O O O O
        O O O . O X X
        X X X O O X .
        . . X X X X .
        . . . . . . .
        . . . . . . .",
    );
}
