//! Groups that are dead, alive or in seki beyond doubt, in the eyes of the engine with the net in the box. GNU Go and KataGo's
//! g170e-b15c192 say the same of fifteen of the diagrams as drawn here.

use std::sync::{Arc, OnceLock};

use jigo_board::{Color, Diagram, Game, Move, PointSet, Rules};
use jigo_engine::{Engine, Parameters, Status};
use jigo_net::kernel::Isa;
use jigo_net::{EMBEDDED_WEIGHTS, Net, Weights};
use jigo_search::TreeSearcher;

static NET: OnceLock<Arc<Net>> = OnceLock::new();

fn engine(board: jigo_board::Board) -> Engine {
    let mut game = Game::from_position(board, Color::Black, Rules::by_name("chinese").unwrap());
    for color in Color::BOTH {
        game.play(color, Move::Pass).unwrap();
    }
    let mut parameters = Parameters::default();
    parameters.searching.search.tree_megabytes = 16;
    let net = NET.get_or_init(|| Arc::new(Net::new(&Weights::from_bytes(EMBEDDED_WEIGHTS).unwrap(), Isa::best_f32())));
    let searcher = TreeSearcher::new(parameters.searching.clone(), Some(net.clone()), 1, 1);
    Engine::new(game, Box::new(searcher), 1).with_parameters(parameters)
}

/// The chains of these vertices, and no others, are dead and in seki.
fn check(diagram: &str, dead: &[&str], seki: &[&str]) {
    let board = Diagram::parse(diagram).unwrap().board;
    let chains = |vertices: &[&str]| -> PointSet {
        let stone = |vertex: &&str| Move::parse(vertex, board.size()).and_then(Move::point).expect("a point");
        vertices.iter().map(stone).flat_map(|stone| board.stones(stone)).collect()
    };
    let judgement = engine(board.clone()).judge();
    let vertices = |points: PointSet| points.iter().map(|point| point.vertex(board.size())).collect::<Vec<_>>();
    assert_eq!(vertices(judgement.stones_with(Status::Dead)), vertices(chains(dead)), "dead in {diagram}");
    assert_eq!(vertices(judgement.stones_with(Status::Seki)), vertices(chains(seki)), "in seki in {diagram}");
}

/// Five rows of White's upper half of a 9x9 board, with a black group in it.
fn check_in_white_half(rows: &str, dead: &[&str]) {
    let below = "
        O O O O O O O O O
        X X X X X X X X X
        . . X . . . X . .
        . . . . . . . . .";
    check(&format!("{}{below}", rows.trim_end()), dead, &[]);
}

/// Nine rows of White's corner of a 19x19 board that is Black's otherwise.
fn check_in_white_corner(rows: &str, dead: &[&str]) {
    let mut board: Vec<String> = rows.lines().map(str::trim).filter(|row| !row.is_empty()).map(String::from).collect();
    for row in &mut board {
        row.push_str(" X . . . . . . . . .");
    }
    board.push("X X X X X X X X X X . . . . . . . . .".to_string());
    for row in 10..19 {
        let star =
            if row == 15 { ". . . X . . . . . X . . . . . X . . ." } else { ". . . . . . . . . . . . . . . . . . ." };
        board.push(star.to_string());
    }
    check(&board.join("\n"), dead, &[]);
}

#[test]
fn one_eye_is_death() {
    let one_eye = "
        . X O . . . . . .
        X X O . . O . . .
        X X O . . . . . .
        X O O . . . . . .
        O . . . . . . O .";
    check_in_white_half(one_eye, &["A8"]);
    let square_four = "
        . . X O . . . . .
        . . X O . . . . .
        X X X O . . . . .
        O O O O . . . . .
        . . . . . . . O .";
    check_in_white_half(square_four, &["A7"]);
    let cut_off = "
        . . . X X . . . .
        . O . X O O . O .
        . . . O O . . . .
        . O . . . . O . .
        . . . . . . . O .";
    check_in_white_half(cut_off, &["D8"]);
}

#[test]
fn a_stone_on_the_vital_point_is_death() {
    let three = "
        . O . X O . . . .
        X X X X O . . . .
        X X X O O . . . .
        O O O O . . . . .
        . . . . . . . O .";
    check_in_white_half(three, &["A8"]);
    let rabbity_six = "
        . . X O O . . . .
        . O . X O . . . .
        X . X X O . . . .
        X X X O O . . . .
        O O O O . . . O .";
    check_in_white_half(rabbity_six, &["A7", "C9", "D8"]);
    // Black can take a stone, for a false eye.
    let with_a_stone_to_take = rabbity_six.replace("X O O .", "X O . .");
    assert_ne!(with_a_stone_to_take, rabbity_six);
    check_in_white_half(&with_a_stone_to_take, &["A7", "C9", "D8"]);
}

#[test]
fn two_eyes_and_four_in_a_row_are_life() {
    let two_eyes = "
        . X . X O . . . .
        X X X X O . . . .
        X X X O O . . . .
        O O O O . . . . .
        . . . . . . . O .";
    check_in_white_half(two_eyes, &[]);
    let three_eyes = "
        . X . X X O . . .
        X . X X X O . . .
        X X O O O O . . .
        O O O . . . . . .
        . . . . . . . O .";
    check_in_white_half(three_eyes, &[]);
    let straight_four = "
        . . . . X O . . .
        X X X X X O . . .
        O O O O O O . . .
        . . . . . . . . .
        . . . . . . . O .";
    check_in_white_half(straight_four, &[]);
}

#[test]
fn a_lost_race_is_death() {
    let race = "
        . O . O X . X . .
        O O O O X X . X .
        X X X X O O X X X
        X . X . O O O O X
        X X X O O . . O X
        O O O O . . . O X
        . . . O O O O O X
        O O O X X X X X X
        X X X X . X . . .";
    check(race, &["A7"], &[]);
}

#[test]
fn sekis_are_told_from_dead_stones_inside() {
    let seki = "
        . X X X . O X
        O O O O O O X
        X X X X X X X
        . . . . . . .
        X X X X X X X
        . . . X . . .
        . . . . . . .";
    check(seki, &[], &["B7", "A6"]);
    let with_an_eye = "
        . X X X . O .
        O O O O O O O
        X X X X X X X
        . . . . . . .
        X X X X X X X
        . . . X . . .
        . . . . . . .";
    check(with_an_eye, &["B7"], &[]);
    let corner = "
        O O . X O . O
        O O . X O O .
        O O X X O . O
        X X O O O O O
        X X X X X X X
        X X X X X X X
        . X . X X X X";
    check(corner, &[], &["A7", "D7"]);
}

#[test]
fn groups_in_a_large_area_of_a_large_board() {
    let one_eye = "
        . X X O . . . . O
        X X X O . . . . O
        X X O O . . . . O
        X X O . . . . . O
        X O O . . . . . O
        X O . . . . . . O
        O O . . . . . . O
        . . . . . . . . O
        O O O O O O O O O";
    check_in_white_corner(one_eye, &["A18"]);
    let six_points = "
        . O . X O . . . O
        . O . X O . . . O
        X X X X O . . . O
        X X O O O . . . O
        X O . . . . . . O
        O O . . . . . . O
        . . . . . . . . O
        . . . . . . . . O
        O O O O O O O O O";
    check_in_white_corner(six_points, &["A17"]);
    let five_points = "
        . . X O . . . . O
        O . X O . . . . O
        X X X O . . . . O
        X X O O . . . . O
        X X O . . . . . O
        X O O . . . . . O
        O O . . . . . . O
        . . . . . . . . O
        O O O O O O O O O";
    check_in_white_corner(five_points, &["A17"]);
    let two_eyes = "
        . X . X O . . . O
        X X X X O . . . O
        X X X O O . . . O
        X O O O . . . . O
        O . . . . . . . O
        . . O . . . . . O
        . . . . . . . . O
        . . . . . . . . O
        O O O O O O O O O";
    check_in_white_corner(two_eyes, &[]);
}
