//! What each generator proposes, on a diagram: some of the draws, and nothing but the points that its rule names.

use std::collections::BTreeSet;

use jigo_board::{Diagram, Move, Point, Trail};
use jigo_patterns::three_by_three::ThreeByThree;

use super::*;
use crate::parameters::PlayoutParameters;
use crate::simulation::StartPosition;

fn tools(seed: u64) -> Tools {
    Tools {
        rng: Rng::new(seed),
        trail: Trail::new(),
        shapes: ThreeByThree::get(),
        parameters: PlayoutParameters::default(),
        go_intellect: Some(GoIntellect::new(GeneratorOrder::Fixed)),
    }
}

fn simulation(diagram: &Diagram, to_move: Color) -> Simulation {
    let mut simulation = Simulation::new();
    simulation.restart(&StartPosition::new(diagram.board.clone(), to_move, Vec::new()));
    simulation
}

/// Everything that a generator ever proposes for Black here. They look at random places, so it takes many draws.
fn proposed(generator: GoIntellectGenerator, diagram: &str) -> (BTreeSet<Point>, Diagram) {
    let diagram = Diagram::parse(diagram).unwrap();
    let simulation = simulation(&diagram, Color::Black);
    let mut points = BTreeSet::new();
    for seed in 0..300 {
        let mut moves = MoveList::new();
        generator.propose(&simulation, &mut tools(seed), &mut moves);
        points.extend(moves.as_slice().iter().copied());
    }
    (points, diagram)
}

fn points(diagram: &Diagram, letters: &str) -> BTreeSet<Point> {
    letters.chars().map(|letter| diagram.point(letter)).collect()
}

#[test]
fn any_enemy_chain_in_atari_is_taken() {
    let (found, diagram) = proposed(
        GoIntellectGenerator::CaptureAnything,
        "
        . . . . . . .
        . X . . . X X
        X O a . X O O
        . X . . . X b
        . . . . . . .
        . O X . . O .
        . X . . O X .",
    );
    // Black's own stone in atari at the bottom is nothing to take, and White's there have two liberties or more.
    assert_eq!(found, points(&diagram, "ab"));
}

#[test]
fn the_open_board_is_filled_first() {
    let (found, diagram) = proposed(
        GoIntellectGenerator::FillBoard,
        "
        . . . . . . .
        . X . . . . .
        . . . . . . .
        . . . . a . .
        . . . . . . .
        . . O . b . .
        . . . . . . .",
    );
    let open = |point: &Point| diagram.board.around(*point).is_open();
    assert!(found.iter().all(open) && points(&diagram, "ab").is_subset(&found), "{found:?}");
    assert_eq!(
        found.len(),
        diagram.board.points().filter(|point| diagram.board.is_empty(*point) && open(point)).count()
    );
}

#[test]
fn chains_with_two_liberties_are_blocked_or_helped() {
    let (found, diagram) = proposed(
        GoIntellectGenerator::TwoLibertyBlock,
        "
        . . . . . . .
        . . X X . . .
        . X O a . . .
        . . b X . . .
        . . . . . . O
        . . . . . O X
        . . . . O X c",
    );
    // White's stone has two liberties; Black's chain in the corner has one, and everything else has more.
    assert!(points(&diagram, "ab").is_subset(&found), "{found:?}");
    let beside_two = |point: &Point| {
        let board = &diagram.board;
        point.neighbours().iter().any(|&n| board.color_at(n).is_some() && board.liberty_count(n) == 2)
    };
    assert!(found.iter().all(beside_two), "{found:?}");
}

#[test]
fn a_reply_that_won_is_tried_again_and_one_that_lost_is_forgotten() {
    let empty = Diagram::parse(
        ". . . . .
         . . . . .
         . . a . .
         . . b c .
         . . . . .",
    )
    .unwrap();
    let (asked, reply, other) = (empty.point('a'), empty.point('b'), empty.point('c'));
    let played = |answer: Point| {
        let mut simulation = simulation(&empty, Color::White);
        simulation.play(Move::Play(asked), AnyGenerator::Given);
        simulation.play(Move::Play(answer), AnyGenerator::Given);
        simulation
    };
    let mut own = GoIntellect::new(GeneratorOrder::Fixed);
    let proposes = |own: &GoIntellect| {
        let mut now = simulation(&empty, Color::White);
        now.play(Move::Play(asked), AnyGenerator::Given);
        let mut moves = MoveList::new();
        own.replies.propose(&now, &mut moves);
        moves.as_slice().to_vec()
    };
    let ended = |black_score: f32| {
        let mut outcome = Outcome::default();
        outcome.black_score = black_score;
        outcome
    };
    assert_eq!(proposes(&own), []);
    own.after_playout(&played(reply), &ended(7.0), 6.5);
    assert_eq!(proposes(&own), [reply]);
    own.after_playout(&played(other), &ended(6.0), 6.5);
    assert_eq!(proposes(&own), [reply], "another reply lost, which says nothing about this one");
    own.after_playout(&played(reply), &ended(6.0), 6.5);
    assert_eq!(proposes(&own), [], "komi decides who won");
}

#[test]
fn random_moves_fill_no_eye_of_ones_own() {
    let (found, diagram) = proposed(
        GoIntellectGenerator::RandomWithReplacement,
        "
        a X b X .
        X X X X .
        O O O O .
        . O . O .
        O O O O .",
    );
    assert!(found.is_disjoint(&points(&diagram, "ab")) && found.len() >= 5, "{found:?}");
}

fn names(steps: &[Step]) -> Vec<AnyGenerator> {
    steps.iter().map(|step| step.generators[0]).collect()
}

#[test]
fn shuffling_stays_within_the_classes() {
    let fixed = names(&steps());
    let (own, mut steps) = (GoIntellect::new(GeneratorOrder::ShuffledEveryMove), steps());
    let mut rng = Rng::new(1);
    let mut changed = [false; 10];
    for _ in 0..100 {
        own.before_move(&mut steps, &mut rng);
        let shuffled = names(&steps);
        for class in [0..3, 3..6, 6..8, 8..10] {
            for &generator in &shuffled[class.clone()] {
                assert!(fixed[class.clone()].contains(&generator));
            }
        }
        for (i, changed) in changed.iter_mut().enumerate() {
            *changed |= shuffled[i] != fixed[i];
        }
    }
    assert_eq!(changed, [true; 10]);
}
