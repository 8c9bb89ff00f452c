//! Bent fours in the corner are told from what looks like them.

mod referee;

use jigo_board::{Board, Color, Diagram, Point, Symmetry};
use referee::bent_four::is_bent_four_in_the_corner;

/// Black's answer at the first `a`, in all eight symmetries and with the colours exchanged.
fn check(text: &str, expected: bool) {
    let d = Diagram::parse(text).unwrap();
    let size = d.board.size();
    for symmetry in Symmetry::all() {
        for swap in [false, true] {
            let turn = |p: Point| symmetry.apply(p, size);
            let color = |c: Color| if swap { c.opponent() } else { c };
            let stones = d.board.points().filter_map(|p| d.board.color_at(p).map(|c| (color(c), turn(p))));
            let board = Board::with_stones(size, stones).unwrap();
            let inside = turn(d.points('a')[0]);
            assert_eq!(is_bent_four_in_the_corner(&board, color(Color::Black), inside), expected, "{board}");
        }
    }
}

#[test]
fn three_of_four_around_the_corner() {
    check(
        "
        a X X O X .
        X a O O X .
        O O O X X .
        X X X X . .
        . . . . . .
        . . . . . .",
        true,
    );
}

#[test]
fn where_a_dead_shape_can_be_made_no_ko_is_needed() {
    check(
        "
        X X X O X .
        a a O O X .
        O O O X X .
        X X X X . .
        . . . . . .
        . . . . . .",
        false,
    );
}

#[test]
fn once_the_four_stones_stand_it_is_a_ko() {
    check(
        "
        X X X O X .
        X a O O X .
        O O O X X .
        X X X X . .
        . . . . . .
        . . . . . .",
        false,
    );
}

#[test]
fn with_a_safe_move_inside_it_is_alive() {
    // White still has liberties outside and takes the stones.
    check(
        "
        a X X O X .
        X a O O . .
        O O O . X .
        X X X X . .
        . . . . . .
        . . . . . .",
        false,
    );
}

#[test]
fn other_shapes_are_not_bent_four() {
    check(
        "
        a X X X O X
        O O O a O X
        O O O O O X
        X X X X X X
        . . . . . .
        . . . . . .",
        false,
    );
    check(
        "
        a X O X . .
        a O O X . .
        O O X X . .
        X X X . . .
        . . . . . .
        . . . . . .",
        false,
    );
    // Away from the corner four bent points are two eyes.
    check(
        "
        O O O O O X
        O a X X O X
        O X a O O X
        O O O O X X
        X X X X X .
        . . . . . .",
        false,
    );
}
