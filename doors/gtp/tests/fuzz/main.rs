//! A million lines that nobody should send. Every one is answered or ignored, none panics, and after every error the
//! game is what it was before.

mod analysis;
mod lines;
mod state;

use std::collections::BTreeSet;

use jigo_board::{Game, Rng, Rules};
use jigo_engine::Engine;
use jigo_gtp::{Session, commands, parse};
use jigo_search::RandomMover;

use lines::Lines;
use state::{State, check_wire};

const LINES: usize = 1_000_000;

/// After so many lines thoughts are cut short: nine tenths of the time would go into judging positions, and this test is
/// about the door.
const LINES_WITH_THOUGHT: usize = LINES / 20;

#[test]
fn a_million_random_and_mutated_lines_never_harm_the_game() {
    let mut lines = Lines { rng: Rng::new(20_240_229) };
    let mut session = Session::new(Engine::new(Game::new(5, Rules::default()), Box::new(RandomMover::new(1)), 1));
    let mut before = State::of(&session);
    let (mut accepted, mut refused) = (0, 0);
    let mut commands_accepted = BTreeSet::new();
    for number in 0..LINES {
        if number == LINES_WITH_THOUGHT {
            session.engine().stop_flag().raise();
        }
        let line = lines.next();
        let Some(reply) = session.respond(&line) else { continue };
        check_wire(&line, &reply);
        if reply.outcome.is_ok() {
            accepted += 1;
            commands_accepted.extend(parse(&line).map(|request| request.command));
            before = State::of(&session);
        } else {
            refused += 1;
            let line = String::from_utf8_lossy(&line);
            assert!(State::of(&session) == before, "line {number}, {line:?}, was refused but changed the game");
        }
    }
    // Neither half of the test may be empty.
    assert!(accepted > LINES / 10 && refused > LINES / 10, "{accepted} lines accepted, {refused} refused");
    // Records are not loaded from files that exist only by chance, and this player does not search.
    let expected =
        commands().map(|command| command.name).filter(|&name| name != "loadsgf" && !analysis::needs_search(name));
    let never: Vec<&str> = expected.filter(|&name| !commands_accepted.contains(name)).collect();
    assert!(never.is_empty(), "never accepted: {never:?}");
}
