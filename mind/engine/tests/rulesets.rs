//! Small finished and nearly finished positions under every ruleset: the count, the move and the lead that the analysis tells.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use jigo_board::{Color, Diagram, Game, Move, Rules};
use jigo_engine::{AnalysisRequest, Decision, Engine, Limits, Outlook, Parameters, SearchReport, StopFlag};
use jigo_net::kernel::Isa;
use jigo_net::{EMBEDDED_WEIGHTS, Net, Weights};
use jigo_search::TreeSearcher;

const VISITS: u32 = 100;

struct Position {
    diagram: &'static str,
    /// Who has just passed, if anybody has; the other player is to move.
    passed: Option<Color>,
    to_move: Color,
}

/// What is right under some rulesets.
struct Right {
    rules: &'static [&'static str],
    komi: f32,
    /// As `final_score` says it; nothing where it is an estimate.
    score: Option<&'static str>,
    /// Moves that are right; none if all are that do no harm.
    moves: &'static [&'static str],
    /// Black's lead with best play, which the analysis must come near to.
    lead: f32,
}

/// The lead of an analysis is a mean over everything it looked at, and may be off by this much ...
const LEAD_MARGIN: f32 = 1.6;
/// ... and where the net does not understand what is on the board, or knows nothing of the rules, by this.
const WIDE_MARGIN: f32 = 4.0;

/// With nothing left to play it is the count.
const COUNTED: f32 = 0.01;

static NET: OnceLock<Arc<Net>> = OnceLock::new();

fn engine(position: &Position, rules: &str, komi: f32) -> Engine {
    let board = Diagram::parse(position.diagram).unwrap().board;
    let first = position.passed.unwrap_or(position.to_move);
    let mut game = Game::from_position(board, first, Rules::by_name(rules).unwrap());
    game.set_komi(komi);
    if let Some(color) = position.passed {
        game.play(color, Move::Pass).unwrap();
    }
    engine_of(game)
}

fn engine_of(game: Game) -> Engine {
    let mut parameters = Parameters::default();
    parameters.engine.most_visits = VISITS;
    parameters.searching.search.tree_megabytes = 16;
    let net = NET.get_or_init(|| Arc::new(Net::new(&Weights::from_bytes(EMBEDDED_WEIGHTS).unwrap(), Isa::best_f32())));
    let searcher = TreeSearcher::new(parameters.searching.clone(), Some(net.clone()), 1, 1);
    Engine::new(game, Box::new(searcher), 1).with_parameters(parameters)
}

fn analysed(engine: &mut Engine, visits: u32) -> SearchReport {
    let request = AnalysisRequest {
        color: engine.game().to_move(),
        limits: Limits { playouts: None, visits: Some(visits.into()), time: None },
        restrictions: &[],
        every: Duration::MAX,
        move_ownership: false,
        fresh: true,
    };
    engine.analyse(&request, &StopFlag::default(), &mut |_| {})
}

fn check(position: &Position, rights: &[Right]) {
    check_within(LEAD_MARGIN, position, rights);
}

fn check_within(margin: f32, position: &Position, rights: &[Right]) {
    check_after(VISITS, margin, position, rights);
}

fn check_after(visits: u32, margin: f32, position: &Position, rights: &[Right]) {
    for right in rights {
        for rules in right.rules {
            let mut engine = engine(position, rules, right.komi);
            if let Some(score) = right.score {
                assert_eq!(engine.final_score().to_string(), score, "{rules}");
            }
            let lead = Outlook(&analysed(&mut engine, visits)).black_lead();
            assert!((lead - right.lead).abs() < margin, "{rules}: Black leads by {lead}, not {}", right.lead);
            let size = engine.game().size();
            let played = match engine.genmove(position.to_move) {
                Decision::Move(mv) => mv.vertex(size).to_string(),
                Decision::Resign => "resign".to_string(),
            };
            let is_right = right.moves.is_empty() || right.moves.contains(&played.as_str());
            assert!(is_right, "{rules}: {played} instead of {:?}", right.moves);
        }
    }
}

// The other names in the table are names of the same rules.
const AREA: &[&str] = &["chinese", "chinese-kgs", "aga", "new-zealand"];
const TERRITORY: &[&str] = &["japanese"];

#[test]
fn a_dead_stone_is_left_where_it_is_agreed_on_and_taken_where_not() {
    // White's stone at B6 is dead. Areas are 28 and 21; Black has played 10 stones and White 12.
    let position = Position {
        diagram: "
            . . . X O . .
            . O . X O . .
            . . . X O O O
            X X X X O . .
            . . . X O O O
            . . . X O . .
            . . . X O . .",
        passed: Some(Color::White),
        to_move: Color::Black,
    };
    check_within(
        COUNTED,
        &position,
        &[
            Right { rules: AREA, komi: 6.5, score: Some("B+0.5"), moves: &[], lead: 0.5 },
            Right { rules: TERRITORY, komi: 8.5, score: Some("B+0.5"), moves: &["pass"], lead: 0.5 },
        ],
    );
    // As it stands the stone makes everything around it nobody's: Black must not pass.
    let mut engine = engine(&position, "tromp-taylor", 6.5);
    assert_eq!(engine.final_score().to_string(), "W+9.5");
    assert_ne!(engine.genmove(Color::Black), Decision::Move(Move::Pass));
}

#[test]
fn a_dame_decides_where_stones_are_counted() {
    let diagram = "
        . . . X O . .
        . . . X O . .
        . . . X O O O
        X X X X O . .
        . . . X O O O
        . . X X O . .
        . . X . O . .";
    const COUNTED: &[&str] = &["chinese", "aga", "new-zealand", "tromp-taylor"];
    check(
        &Position { diagram, passed: None, to_move: Color::Black },
        &[
            Right { rules: COUNTED, komi: 6.5, score: None, moves: &["D1"], lead: 0.5 },
            Right { rules: TERRITORY, komi: 6.5, score: None, moves: &["D1", "pass"], lead: -0.5 },
        ],
    );
    check(
        &Position { diagram, passed: None, to_move: Color::White },
        &[
            Right { rules: COUNTED, komi: 5.5, score: None, moves: &["D1"], lead: -0.5 },
            Right { rules: TERRITORY, komi: 5.5, score: None, moves: &["D1", "pass"], lead: 0.5 },
        ],
    );
}

#[test]
fn a_point_comes_before_a_dame_where_only_points_count() {
    // At D7 White would enter with tempo and take a point; D1 is nobody's.
    check(
        &Position {
            diagram: "
                . . . . O . .
                . . . X O . .
                . . . X O O O
                X X X X O . .
                . . . X O O O
                . . X X O . .
                . . X . O . .",
            passed: None,
            to_move: Color::Black,
        },
        &[
            Right { rules: TERRITORY, komi: 5.5, score: None, moves: &["D7"], lead: 0.5 },
            Right { rules: AREA, komi: 4.5, score: None, moves: &["D7", "D1"], lead: 0.5 },
        ],
    );
}

#[test]
fn the_last_ko_is_filled_under_all_rules() {
    check(
        &Position {
            diagram: "
                . . . X O . .
                . . . X O . .
                . . . X O . .
                . . X . X O .
                . . . X O . .
                . . . X O O O
                . . . X O . .",
            passed: None,
            to_move: Color::Black,
        },
        &[
            Right { rules: &["chinese", "aga", "tromp-taylor"], komi: 0.5, score: None, moves: &["D4"], lead: 8.5 },
            Right { rules: TERRITORY, komi: 0.5, score: None, moves: &["D4"], lead: 8.5 },
        ],
    );
}

#[test]
fn eyes_in_seki_count_by_the_rules_and_nobody_breaks_it() {
    let diagram = "
        . X . O . O X
        X X X O O O X
        O O O X X X X
        O O O X X X X
        . O O X X . X
        O O O X X X X
        . O O X X . X";
    const COUNTED: &[&str] = &["chinese", "aga", "tromp-taylor"];
    check(
        &Position { diagram, passed: None, to_move: Color::Black },
        &[
            Right { rules: TERRITORY, komi: 0.0, score: Some("0"), moves: &["pass"], lead: 0.0 },
            Right { rules: COUNTED, komi: 5.5, score: Some("B+0.5"), moves: &["pass"], lead: 0.5 },
        ],
    );
    check(
        &Position { diagram, passed: Some(Color::Black), to_move: Color::White },
        &[
            Right { rules: TERRITORY, komi: 0.0, score: Some("0"), moves: &["pass"], lead: 0.0 },
            Right { rules: COUNTED, komi: 6.5, score: Some("W+0.5"), moves: &["pass"], lead: -0.5 },
        ],
    );
}

#[test]
fn a_seki_is_left_alone_though_the_net_would_rather_play() {
    // Whoever plays at C7 or C6 loses the stones beside. Areas are 27 and 20, territories 2 and 3. The mean of a short search is spoilt
    // by the losing moves it has tried.
    check_after(
        4 * VISITS,
        WIDE_MARGIN,
        &Position {
            diagram: "
                O O . X O . O
                O O . X O O .
                O O X X O . O
                X X O O O O O
                X X X X X X X
                X X X X X X X
                . X . X X X X",
            passed: None,
            to_move: Color::Black,
        },
        &[
            Right { rules: AREA, komi: 0.5, score: Some("B+6.5"), moves: &["pass"], lead: 6.5 },
            Right { rules: TERRITORY, komi: 0.0, score: Some("W+1"), moves: &["pass"], lead: -1.0 },
        ],
    );
}

#[test]
fn groups_are_taxed_where_the_rules_tax_them() {
    // Two black groups around a white one.
    check_within(
        WIDE_MARGIN,
        &Position {
            diagram: "
                . X O . O X .
                . X O . O X .
                . X O O O X .
                . X O . O X .
                . X O . O X .
                . X O . O X .
                . X O . O X .",
            passed: Some(Color::White),
            to_move: Color::Black,
        },
        &[
            Right { rules: AREA, komi: 6.5, score: Some("B+0.5"), moves: &["pass"], lead: 0.5 },
            Right { rules: TERRITORY, komi: 7.5, score: Some("B+0.5"), moves: &["pass"], lead: 0.5 },
            Right {
                rules: &["stone-scoring", "ancient-area"],
                komi: 4.5,
                score: Some("B+0.5"),
                moves: &["pass"],
                lead: 0.5,
            },
            Right { rules: &["ancient-territory"], komi: 5.5, score: Some("B+0.5"), moves: &["pass"], lead: 0.5 },
        ],
    );
}

#[test]
fn the_first_to_pass_gets_the_button() {
    check(
        &Position {
            diagram: "
                . X O . O X .
                . X O . O X .
                . X O O O X .
                . X O . O X .
                . X O . O X .
                . X O . O X .
                . X O . O X .",
            passed: None,
            to_move: Color::Black,
        },
        &[Right { rules: &["aga-button"], komi: 7.0, score: None, moves: &["pass"], lead: 0.5 }],
    );
}

#[test]
fn bent_four_in_the_corner_is_dead() {
    // White's six stones in the corner can do nothing; Black can begin a ko whenever White has no threats left.
    check_within(
        WIDE_MARGIN,
        &Position {
            diagram: "
                . X X O X . X X X
                X . O O X X X X .
                O O O X X . X X X
                X X X X X X X X X
                X X X . X X X X X
                X X X X X X X X X
                O O O O O O O O O
                . O . O . O O O .
                O O O O O O O O O",
            passed: None,
            to_move: Color::White,
        },
        &[
            Right { rules: TERRITORY, komi: 0.5, score: Some("B+13.5"), moves: &["pass"], lead: 13.5 },
            Right { rules: AREA, komi: 0.5, score: Some("B+26.5"), moves: &[], lead: 26.5 },
        ],
    );
}

#[test]
fn own_territory_is_not_filled_when_nothing_is_left() {
    let diagram = "
        . . . X O . .
        . . . X O . .
        . . . X O O O
        X X X X O . .
        . . . X O O O
        . . . X O . .
        . . . X O . .";
    check(
        &Position { diagram, passed: Some(Color::Black), to_move: Color::White },
        &[
            Right { rules: TERRITORY, komi: 8.5, score: Some("W+0.5"), moves: &["pass"], lead: -0.5 },
            Right { rules: AREA, komi: 7.5, score: Some("W+0.5"), moves: &["pass"], lead: -0.5 },
        ],
    );
    check(
        &Position { diagram, passed: None, to_move: Color::Black },
        &[
            Right { rules: TERRITORY, komi: 7.5, score: Some("B+0.5"), moves: &["pass"], lead: 0.5 },
            Right { rules: AREA, komi: 6.5, score: Some("B+0.5"), moves: &[], lead: 0.5 },
        ],
    );
}

#[test]
fn an_opening_is_not_counted() {
    let openings = [(9, ""), (9, "E5"), (9, "E5 C3"), (9, "C3 pass G7 pass E5"), (13, "D4 pass K10 pass D10 pass K4")];
    for rules in ["japanese", "chinese"] {
        for (size, played) in openings {
            let mut game = Game::new(size, Rules::by_name(rules).unwrap());
            for (number, vertex) in played.split_whitespace().enumerate() {
                game.play(Color::BOTH[number % 2], Move::parse(vertex, size).unwrap()).unwrap();
            }
            let mut engine = engine_of(game);
            let lead = Outlook(&analysed(&mut engine, VISITS)).black_lead();
            let estimate = engine.final_score().lead_of(Color::Black);
            assert!((estimate - lead).abs() < 9.0, "{rules}, after {played:?}: {estimate} and {lead}");
            // Neither is nobody's land left out, nor is the whole board Black's for having stones alone on it.
            let most = (size * size) as f32 - 12.0;
            assert!(lead > -4.0 && lead < most, "{rules}, after {played:?} Black leads by {lead}");
        }
    }
}
