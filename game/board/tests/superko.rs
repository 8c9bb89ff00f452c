//! The famous repetitions, under every ruleset: refused exactly where its ko rule says so, by name.

use jigo_board::{Color, Diagram, Game, Illegal, KoRule, Move, Point, RULESETS, Rules};

use Color::{Black, White};

fn game(diagram: &str, to_move: Color, rules: Rules) -> Game {
    let board = Diagram::parse(diagram).expect("the diagram is sound").board;
    Game::from_position(board, to_move, rules)
}

fn play_all(game: &mut Game, moves: &[(Color, &str)]) {
    for &(color, vertex) in moves {
        game.play(color, play(game, vertex)).unwrap_or_else(|reason| panic!("{color} {vertex}: {reason}"));
    }
}

fn play(game: &Game, vertex: &str) -> Move {
    Move::Play(Point::parse(vertex, game.size()).expect("the vertex is on the board"))
}

/// White plays A5 and gives two stones, Black takes them at C5, White takes one back at B5: the
/// position of the beginning, but now it is Black's turn.
const SENDING_TWO: &str = "
    . O . O .
    X X O O .
    . X X O .
    . . X O .
    . . X O .";

#[test]
fn sending_two_returning_one() {
    for (name, rules) in RULESETS {
        let mut game = game(SENDING_TWO, White, *rules);
        play_all(&mut game, &[(White, "A5"), (Black, "C5")]);
        let returning = play(&game, "B5");
        match rules.ko {
            KoRule::Simple => assert_eq!(game.play(White, returning), Ok(()), "{name}"),
            KoRule::Positional => {
                assert_eq!(game.play(White, returning), Err(Illegal::PositionalSuperko), "{name}");
                continue;
            }
            // The position came back, but with the other player to move.
            KoRule::Situational => assert_eq!(game.play(White, returning), Ok(()), "{name}"),
        }
        // After Black's pass White would send two stones a second time.
        game.play(Black, Move::Pass).expect("a pass is legal");
        let again = game.play(White, play(&game, "A5"));
        let refused = rules.ko == KoRule::Situational;
        assert_eq!(again, if refused { Err(Illegal::SituationalSuperko) } else { Ok(()) }, "{name}");
    }
}

/// Three kos: Black can take the first and the third, White the second.
const TRIPLE_KO: &str = "
    . X O . . . . . .
    X O . O . . . . .
    . X O . . . . . .
    . X O . . . . . .
    X . X O . . . . .
    . X O . . . . . .
    . X O . . . . . .
    X O . O . . . . .
    . X O . . . . . .";

#[test]
fn triple_ko() {
    for (name, rules) in RULESETS {
        let mut game = game(TRIPLE_KO, Black, *rules);
        play_all(&mut game, &[(Black, "C8"), (White, "B5"), (Black, "C2"), (White, "B8"), (Black, "C5")]);
        // The sixth capture restores the position of the beginning with Black to move.
        let closing = game.play(White, play(&game, "B2"));
        let expected = match rules.ko {
            KoRule::Simple => Ok(()),
            KoRule::Positional => Err(Illegal::PositionalSuperko),
            KoRule::Situational => Err(Illegal::SituationalSuperko),
        };
        assert_eq!(closing, expected, "{name}");
        assert_eq!(game.moves().len(), if expected.is_ok() { 6 } else { 5 }, "{name}");
    }
}

#[test]
fn the_reason_names_the_rule() {
    assert!(Illegal::Ko.to_string().starts_with("ko"));
    assert!(Illegal::PositionalSuperko.to_string().starts_with("positional superko"));
    assert!(Illegal::SituationalSuperko.to_string().starts_with("situational superko"));
}

/// A superko refusal looks at the whole history, not only at the last few positions.
#[test]
fn a_position_from_long_ago_is_remembered() {
    let rules = Rules::by_name("tromp-taylor").expect("a known ruleset");
    let mut game = game(SENDING_TWO, White, rules);
    play_all(&mut game, &[(White, "A5"), (Black, "C5")]);
    for _ in 0..500 {
        game.play(White, Move::Pass).expect("a pass is legal");
        game.play(Black, Move::Pass).expect("a pass is legal");
    }
    assert_eq!(game.check(White, play(&game, "B5")), Err(Illegal::PositionalSuperko));
}
