//! Each heuristic of Pachi 3.2 and Go Intellect VI on a diagram: the move, and the reason for it.
//!
//! In every diagram the last move is the point `z`, made by the side not to move before the question is asked; `a` is the
//! answer that the generator must give, alone among all others switched off.

use jigo_board::{Color, Diagram, Move, Point};
use jigo_playout::{Generator, Outcome, Played, Playout, PlayoutParameters, PolicyName, Simulation, StartPosition};

/// Everything off but what `on` switches on.
fn only(on: impl FnOnce(&mut PlayoutParameters)) -> PlayoutParameters {
    let mut parameters = PlayoutParameters {
        rate_large: 1.0,
        rate_small: 1.0,
        ko: 0.0,
        nakade: 0.0,
        capture: 0.0,
        escape: 0.0,
        two_liberties: 0.0,
        many_liberties: 0.0,
        patterns: 0.0,
        joseki: 0.0,
        self_atari_filter: 1.0,
        ..Default::default()
    };
    on(&mut parameters);
    parameters
}

/// The position of a diagram after `mover` has played at `z`.
fn after_z(diagram: &str, mover: Color) -> (Simulation, Diagram) {
    let diagram = Diagram::parse(diagram).unwrap();
    let mut simulation = Simulation::new();
    simulation.restart(&StartPosition::new(diagram.board.clone(), mover, Vec::new()));
    simulation.play(Move::Play(diagram.point('z')), Generator::Given);
    (simulation, diagram)
}

fn answer(parameters: &PlayoutParameters, simulation: &mut Simulation, seed: u64) -> Option<(Point, Generator)> {
    Playout::new(parameters, simulation.board.size(), seed).choose(simulation)
}

/// The generator answers at `a`, whatever the seed.
fn expect(parameters: PlayoutParameters, diagram: &str, mover: Color, by: Generator) {
    let (mut simulation, diagram) = after_z(diagram, mover);
    for seed in 0..5 {
        assert_eq!(
            answer(&parameters, &mut simulation, seed),
            Some((diagram.point('a'), by)),
            "\n{}",
            simulation.board
        );
    }
}

/// The generator keeps silent and the move is left to chance.
fn expect_nothing(parameters: PlayoutParameters, diagram: &str, mover: Color, by: Generator) {
    let (mut simulation, _) = after_z(diagram, mover);
    for seed in 0..20 {
        let answered = answer(&parameters, &mut simulation, seed);
        assert!(answered.is_none_or(|(_, reason)| reason != by), "{answered:?}\n{}", simulation.board);
    }
}

#[test]
fn the_last_move_is_taken_if_it_stands_in_atari() {
    let diagram = "
        . . . . .
        . . X . .
        . X z a .
        . . X . .
        . . . . .";
    expect(only(|p| p.capture = 1.0), diagram, Color::White, Generator::CaptureLastMove);
}

#[test]
fn a_chain_put_in_atari_runs() {
    let diagram = "
        . . . . . . .
        . . . O . . .
        . . O X z . .
        . . . a . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .";
    expect(only(|p| p.escape = 1.0), diagram, Color::White, Generator::SaveFromAtari);
}

#[test]
fn a_chain_put_in_atari_is_saved_by_taking_a_neighbour() {
    let diagram = "
        . . . . . . .
        . X O O . . .
        X O X X z . .
        . a O . O . .
        . . O O . . .
        . . . . . . .
        . . . . . . .";
    // Running would be suicide, but the white stone at the left is in atari.
    expect(only(|p| p.escape = 1.0), diagram, Color::White, Generator::SaveFromAtari);
}

#[test]
fn a_chain_in_a_working_ladder_is_not_worth_saving() {
    let diagram = "
        . . . . . . .
        . . O . . . .
        . O X z . . .
        . . . . . . .
        . . O . . . .
        . . . . . . .
        . . . . . . .";
    expect_nothing(only(|p| p.escape = 1.0), diagram, Color::White, Generator::SaveFromAtari);
}

#[test]
fn two_liberties_are_attacked_from_the_side_that_leaves_no_way_out() {
    // Atari from below would let White out to the right.
    let diagram = "
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . X X . . .
        . X O z a . .
        . . X . . . .";
    expect(only(|p| p.two_liberties = 1.0), diagram, Color::White, Generator::TwoLiberties);
}

#[test]
fn nakade_takes_the_vital_point_of_the_eyespace_beside_the_last_move() {
    let diagram = "
        . . . . . . .
        O O O O . . .
        . a . z . . .
        O O O O . . .
        . . . . . . .
        . X X X X X .
        . . . . . . .";
    expect(only(|p| p.nakade = 1.0), diagram, Color::White, Generator::Nakade);
}

#[test]
fn a_ko_is_taken_back_once_it_may_be() {
    let diagram = Diagram::parse(
        ". . . . . . .
         . X O . . . .
         X z X O . . .
         . X O . . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .",
    )
    .unwrap();
    let mut simulation = Simulation::new();
    simulation.restart(&StartPosition::new(diagram.board.clone(), Color::White, Vec::new()));
    simulation.play(Move::Play(diagram.point('z')), Generator::Given);
    let by = Generator::RetakeKo;
    let parameters = only(|p| p.ko = 1.0);
    assert!(answer(&parameters, &mut simulation, 1).is_none_or(|(_, reason)| reason != by), "forbidden at once");
    simulation.play(Move::Play(Point::new(5, 5)), Generator::Given);
    simulation.play(Move::Play(Point::new(5, 6)), Generator::Given);
    assert_eq!(answer(&parameters, &mut simulation, 1), Some((Point::new(2, 2), by)));
}

#[test]
fn shapes_are_answered_around_the_last_two_moves() {
    // A hane at the head of two stones.
    let diagram = "
        . . . . . . .
        . . . . . . .
        . . . X z . .
        . . . X O . .
        . . . . . . .
        . . . . . . .
        . . . . . . .";
    let (mut simulation, _) = after_z(diagram, Color::White);
    for seed in 0..10 {
        let (point, by) = answer(&only(|p| p.patterns = 1.0), &mut simulation, seed).unwrap();
        assert_eq!(by, Generator::PatternAroundLast);
        let near = Point::new(4, 2).around().contains(&point);
        assert!(near, "{point:?}");
    }
}

#[test]
fn every_move_of_a_playout_has_a_reason_and_every_playout_ends() {
    for policy in [PolicyName::Pachi, PolicyName::GoIntellect, PolicyName::Random] {
        for size in [2, 5, 9, 19] {
            let parameters = PlayoutParameters { policy, ..Default::default() };
            let mut playout = Playout::new(&parameters, size, 3);
            let mut simulation = Simulation::new();
            let mut outcome = Outcome::default();
            let start = StartPosition::new(jigo_board::Board::new(size), Color::Black, Vec::new());
            simulation.restart(&start);
            playout.run(&mut simulation, 7.5, &mut outcome);
            let moves: &[Played] = simulation.moves();
            assert!(moves.iter().all(|played| played.by != Generator::Given));
            assert!(moves.len() <= 3 * size * size, "{policy:?} on {size}");
            assert!(outcome.black_score.abs() <= (size * size) as f32);
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_playouts() {
    let run = |seed| {
        let mut playout = Playout::new(&PlayoutParameters::default(), 9, seed);
        let (mut simulation, mut outcome) = (Simulation::new(), Outcome::default());
        let start = StartPosition::new(jigo_board::Board::new(9), Color::Black, Vec::new());
        (0..20)
            .flat_map(|_| {
                simulation.restart(&start);
                playout.run(&mut simulation, 7.5, &mut outcome);
                simulation.moves().to_vec()
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn in_a_position_without_a_past_any_chain_may_be_the_last_moves() {
    let without_past = |text: &str| {
        let diagram = Diagram::parse(text).unwrap();
        let mut simulation = Simulation::new();
        simulation.restart(&StartPosition::new(diagram.board.clone(), Color::Black, Vec::new()));
        (simulation, diagram.point('a'))
    };
    let in_atari = ". . . . .\n. . O . .\n. O X O .\n. . a . .\n. . . . .";
    let (mut simulation, way_out) = without_past(in_atari);
    let saved = answer(&only(|p| p.escape = 1.0), &mut simulation, 1);
    assert_eq!(saved, Some((way_out, Generator::SaveFromAtari)));
    let prey = ". . . . .\n. . X . .\n. X O X .\n. . a . .\n. . . . .";
    let (mut simulation, last_liberty) = without_past(prey);
    let taken = answer(&only(|p| p.capture = 1.0), &mut simulation, 1);
    assert_eq!(taken, Some((last_liberty, Generator::CaptureLastMove)));
    let two_left = ". . . . .\n. . . . .\nO O . . .\nO X a . .\nO O . . .";
    let (mut simulation, _) = without_past(two_left);
    let helped = answer(&only(|p| p.two_liberties = 1.0), &mut simulation, 1);
    assert!(helped.is_none_or(|(_, by)| by != Generator::TwoLiberties), "in atari, not short of liberties: {helped:?}");
    let first_atari =
        ". . . . . . .\n. . X . . . .\n. X O a . . .\n. X . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .";
    let (mut simulation, atari) = without_past(first_atari);
    let attacked = answer(&only(|p| p.two_liberties = 1.0), &mut simulation, 1);
    assert_eq!(attacked, Some((atari, Generator::TwoLiberties)));
}
