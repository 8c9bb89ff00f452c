//! Each heuristic of Pachi 3.1 alone: which moves get virtual simulations, how many, and how they end.

use jigo_board::Diagram;
use jigo_playout::{Generator, StartPosition};

use super::*;

/// Everything off but what `on` switches on.
fn only(on: impl FnOnce(&mut PriorParameters)) -> PriorParameters {
    let mut parameters = PriorParameters {
        even: 0.0,
        eye: 0.0,
        ko: 0.0,
        lines: 0.0,
        distance: 0.0,
        joseki: 0.0,
        policy: 0.0,
        patterns: 0.0,
        net: 0.0,
        self_atari: 0.0,
        ..Default::default()
    };
    on(&mut parameters);
    parameters
}

/// Black to move in a diagram, after White's `z` if there is one.
fn position(diagram: &Diagram, last: Option<char>) -> Simulation {
    let mut simulation = Simulation::new();
    let first = if last.is_some() { Color::White } else { Color::Black };
    simulation.restart(&StartPosition::new(diagram.board.clone(), first, Vec::new()));
    if let Some(letter) = last {
        simulation.play(Move::Play(diagram.point(letter)), Generator::Given);
    }
    simulation
}

/// Virtual simulations of a point, and how many of them are won.
fn known(parameters: &PriorParameters, simulation: &Simulation, point: Point) -> (f32, f32) {
    let mut priors = Priors::new(parameters, true);
    let candidates = priors.candidates(simulation, None);
    let found = candidates.iter().find(|candidate| candidate.mv == Move::Play(point)).expect("a legal move");
    (found.prior_visits, found.prior_wins)
}

const SMALL: f32 = 14.0;
const LARGE: f32 = 20.0;

#[test]
fn every_move_begins_even_and_a_pass_lost() {
    let diagram = Diagram::parse(". . .\n. a .\n. . .").unwrap();
    let (parameters, simulation) = (only(|p| p.even = 1.0), position(&diagram, None));
    assert_eq!(known(&parameters, &simulation, diagram.point('a')), (SMALL, SMALL / 2.0));
    let mut priors = Priors::new(&parameters, true);
    let candidates = priors.candidates(&simulation, None);
    let pass = candidates.last().expect("a pass is always there");
    assert_eq!((pass.mv, pass.prior_visits, pass.prior_wins), (Move::Pass, 2.0 * SMALL, SMALL / 2.0));
    assert!((candidates.iter().map(|candidate| candidate.policy).sum::<f32>() - 1.0).abs() < 1e-5);
}

#[test]
fn ones_own_eye_is_lost_and_the_enemys_is_not() {
    let diagram = Diagram::parse(
        "a X . O b
         X X . O O
         . . c . .
         . . . . .
         . . . . .",
    )
    .unwrap();
    let (parameters, simulation) = (only(|p| p.eye = 1.0), position(&diagram, None));
    assert_eq!(known(&parameters, &simulation, diagram.point('a')), (SMALL, 0.0));
    assert_eq!(known(&parameters, &simulation, diagram.point('c')), (0.0, 0.0));
}

#[test]
fn the_first_line_is_bad_and_the_third_good_where_nothing_is_near() {
    let diagram = Diagram::parse(&". . . . . . . . . . . . . . . . . . .\n".repeat(19)).unwrap();
    let mut simulation = position(&diagram, None);
    let parameters = only(|p| p.lines = 1.0);
    let (first, second, third) = (Point::new(9, 0), Point::new(9, 1), Point::new(9, 2));
    assert_eq!(known(&parameters, &simulation, first), (LARGE, 0.0));
    assert_eq!(known(&parameters, &simulation, second), (0.0, 0.0));
    assert_eq!(known(&parameters, &simulation, third), (LARGE, LARGE));
    simulation.play(Move::Play(Point::new(10, 3)), Generator::Given);
    assert_eq!(known(&parameters, &simulation, third), (0.0, 0.0), "a stone is near");
}

#[test]
fn what_is_near_the_last_move_comes_first() {
    let diagram = Diagram::parse(
        ". . . . . . .
         . . . . . . .
         . . z a b c d
         . . . . . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .",
    )
    .unwrap();
    let (parameters, simulation) = (only(|p| p.distance = 1.0), position(&diagram, Some('z')));
    let wins = "abcd".chars().map(|letter| known(&parameters, &simulation, diagram.point(letter)).1);
    assert_eq!(wins.collect::<Vec<f32>>(), [45.0, 40.0, 15.0, 0.0], "Pachi table 2, small boards");
}

#[test]
fn a_ko_just_taken_is_worth_a_thought() {
    let diagram = Diagram::parse(
        ". . . . . . .
         . O X . . . .
         O X z X . . .
         . O X . . . .
         . . . . . . .
         . . . . . a b
         . . . . . . .",
    )
    .unwrap();
    let mut simulation = position(&diagram, Some('z'));
    let taken = Point::new(1, 2);
    // A threat and its answer; then the ko may be taken back.
    simulation.play(Move::Play(diagram.point('a')), Generator::Given);
    simulation.play(Move::Play(diagram.point('b')), Generator::Given);
    assert_eq!(known(&only(|p| p.ko = 1.0), &simulation, taken), (SMALL, SMALL));
}

#[test]
fn bad_self_atari_is_lost() {
    let diagram = Diagram::parse(
        ". . . . .
         . . . . .
         . . . O .
         . O O . .
         . O a X O",
    )
    .unwrap();
    let (parameters, simulation) = (only(|p| p.self_atari = 1.0), position(&diagram, None));
    let free = Point::new(1, 1);
    assert_eq!(known(&parameters, &simulation, free), (0.0, 0.0));
    assert_eq!(known(&parameters, &simulation, diagram.point('a')), (SMALL, 0.0));
}

#[test]
fn what_the_playouts_would_play_is_won() {
    let diagram = Diagram::parse(
        ". . . . .
         . . X . .
         . X O a .
         . . X . .
         . . . . b",
    )
    .unwrap();
    let (parameters, simulation) = (only(|p| p.policy = 1.0), position(&diagram, None));
    let (visits, wins) = known(&parameters, &simulation, diagram.point('a'));
    assert!(visits >= SMALL / 2.0 && wins == visits, "taking a stone: {visits} {wins}");
    assert_eq!(known(&parameters, &simulation, diagram.point('b')), (0.0, 0.0));
}

#[test]
fn learned_patterns_prefer_what_strong_players_play() {
    let diagram = Diagram::parse(&". . . . . . . . . . . . . . . . . . .\n".repeat(19)).unwrap();
    let (parameters, simulation) = (only(|p| p.patterns = 1.0), position(&diagram, None));
    let (star, corner) = (Point::new(3, 3), Point::new(0, 0));
    let (star, corner) = (known(&parameters, &simulation, star), known(&parameters, &simulation, corner));
    assert!(star.1 > 2.0 * corner.1 && star.0 <= LARGE, "{star:?} {corner:?}");
}
