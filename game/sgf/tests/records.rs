//! Trees seen as records: circumstances, setup, moves.

use jigo_board::Color::{self, Black, White};
use jigo_sgf::{BoardSize, Collection, GameRecord, GameTree, RecordError, Step};

fn tree(text: &str) -> GameTree {
    Collection::from_text(text).expect(text).games.remove(0)
}

fn record(text: &str) -> GameRecord {
    GameRecord::main_line(&tree(text)).expect(text)
}

fn refusal(text: &str) -> RecordError {
    GameRecord::main_line(&tree(text)).expect_err(text)
}

/// `B dd`, `W pass`, and `+dd:B -ee PL:W` for a setup.
fn describe(record: &GameRecord) -> Vec<String> {
    let color = |stone: Option<Color>| stone.map_or('-', Color::letter);
    let describe_step = |step: &Step| match step {
        Step::Move(played) => {
            format!("{} {}", played.color.letter(), played.coord.map_or("pass".into(), |coord| coord.letters()))
        }
        Step::Setup(setup) => {
            let points = setup.points().map(|(coord, stone)| format!("{}={}", coord.letters(), color(stone)));
            let to_play = setup.to_play.map(|player| format!("PL={}", player.letter()));
            points.chain(to_play).collect::<Vec<_>>().join(" ")
        }
    };
    record.steps.iter().map(describe_step).collect()
}

#[test]
fn the_circumstances_of_a_game_are_read() {
    let record = record(
        "(;SZ[13]KM[5.5]HA[3]RU[ Japanese ]PB[Aki]BR[2d]PW[Bo\nB]WR[]RE[W+Resign]DT[2024-05-01];B[aa]PB[too late])",
    );
    assert_eq!(record.size, BoardSize::square(13));
    assert_eq!((record.komi, record.handicap), (Some(5.5), 3));
    assert_eq!(record.rules.as_deref(), Some("Japanese"));
    assert_eq!((record.black.name.as_deref(), record.black.rank.as_deref()), (Some("Aki"), Some("2d")));
    assert_eq!((record.white.name.as_deref(), record.white.rank), (Some("Bo B"), None));
    assert_eq!(record.result.as_deref(), Some("W+Resign"));
    assert_eq!(record.date.as_deref(), Some("2024-05-01"));
}

#[test]
fn what_is_not_stated_has_its_default() {
    let record = record("(;KM[]HA[])");
    assert_eq!((record.size, record.komi, record.handicap, record.rules), (BoardSize::DEFAULT, None, 0, None));
    assert!(record.steps.is_empty());
}

#[test]
fn circumstances_may_stand_below_the_root() {
    let record = record("(;SZ[9];KM[7]PB[x];B[aa])");
    assert_eq!((record.komi, record.black.name.as_deref()), (Some(7.0), Some("x")));
}

#[test]
fn komi_is_understood_in_the_ways_servers_write_it() {
    for (text, komi) in [
        ("6.5", 6.5),
        ("6,5", 6.5),
        ("-3", -3.0),
        ("0", 0.0),
        ("650", 6.5),
        ("3.75", 7.5),
        ("375", 7.5),
        ("2.75", 5.5),
        ("100", 100.0),
    ] {
        assert_eq!(record(&format!("(;KM[{text}])")).komi, Some(komi), "{text}");
    }
}

#[test]
fn setup_and_moves_come_in_order() {
    let record = record("(;SZ[9]AB[aa:ba]AW[cc]PL[W];AE[ba]AB[dd];W[ee];B[]C[pass];W[tt];AE[ee]PL[b];B[ef])");
    assert_eq!(describe(&record), ["aa=B ba=B cc=W ba=- dd=B PL=W", "W ee", "B pass", "W pass", "ee=- PL=B", "B ef"]);
    assert_eq!(record.moves().count(), 4);
    assert_eq!(record.setup().and_then(|setup| setup.to_play), Some(White));
}

#[test]
fn a_node_sets_up_before_it_moves_and_may_move_twice() {
    assert_eq!(describe(&record("(;SZ[5]B[aa]AB[bb]W[cc])")), ["bb=B", "B aa", "W cc"]);
}

#[test]
fn the_main_line_and_any_other_can_be_asked_for() {
    let tree = tree("(;SZ[9];B[aa](;W[bb];B[cc])(;W[dd];B[ee](;W[ff])(;W[gg])))");
    let main = GameRecord::main_line(&tree).unwrap();
    assert_eq!(describe(&main), ["B aa", "W bb", "B cc"]);
    let last = tree.walk().last().unwrap();
    let other = GameRecord::line_to(&tree, last).unwrap();
    assert_eq!(describe(&other), ["B aa", "W dd", "B ee", "W gg"]);
    assert_eq!(other.moves().last().map(|played| (played.color, played.node)), Some((White, last)));
    assert_eq!(other.moves().next().map(|played| played.color), Some(Black));
}

#[test]
fn rectangular_boards_are_read_as_such() {
    let record = record("(;SZ[19:5];B[se])");
    assert_eq!(record.size, BoardSize { columns: 19, rows: 5 });
    refusal("(;SZ[19:5];B[es])");
}

#[test]
fn nonsense_is_refused_in_one_sentence_with_its_place() {
    for (text, sentence) in [
        ("(;GM[2])", "line 1, column 3: the game is not Go: its GM is \"2\", not \"1\""),
        ("(;SZ[0])", "line 1, column 3: \"0\" is no board size"),
        ("(;\nKM[lots])", "line 2, column 1: \"lots\" is no number for KM"),
        ("(;KM[inf])", "line 1, column 3: \"inf\" is no number for KM"),
        ("(;HA[-2])", "line 1, column 3: \"-2\" is no number for HA"),
        ("(;SZ[9];B[ee]\n;W[jj])", "line 2, column 2: \"jj\" in W is not on the 9x9 board"),
        ("(;SZ[9];AB[aa][zz:bb])", "line 1, column 9: \"zz:bb\" in AB is not on the 9x9 board"),
        ("(;PL[green])", "line 1, column 3: \"green\" is no player for PL"),
        ("(;B[aa][bb])", "line 1, column 3: B has several values but is one move"),
        (
            "(;B[a very long value\nindeed])",
            "line 1, column 3: \"a very long value\\nin...\" in B is not on the 19x19 board",
        ),
    ] {
        assert_eq!(refusal(text).to_string(), sentence);
    }
}

#[test]
fn trees_made_by_hand_have_errors_without_a_place() {
    let mut tree = GameTree::new();
    tree.root_mut().set_text("SZ", "many");
    let error = GameRecord::main_line(&tree).unwrap_err();
    assert_eq!(error.to_string(), "\"many\" is no board size");
}
