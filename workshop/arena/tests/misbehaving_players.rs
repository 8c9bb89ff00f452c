//! Programs that die, stall, talk nonsense or cheat lose their games, with the reason, and the match goes on.

use jigo_arena::{
    Agreement, ArenaError, CommandLine, Ending, GameEntry, MatchResult, MatchSpec, PlayerSpec, RunOptions, run_match,
};

fn player(name: &str, arguments: &str) -> PlayerSpec {
    let command = format!("{} {arguments}", env!("CARGO_BIN_EXE_fake-gtp"));
    PlayerSpec { name: name.to_string(), command: CommandLine::parse(&command).unwrap() }
}

fn try_match(manner: &str, change: impl Fn(&mut MatchSpec)) -> Result<MatchResult, ArenaError> {
    let folder = tempfile::tempdir().unwrap();
    let mut spec = MatchSpec::new(vec![player("bad", &format!("{manner} 1")), player("good", "random 2")], 9, 4);
    change(&mut spec);
    let options = RunOptions { folder: folder.path().join("match"), jobs: 2 };
    run_match(&spec, &options, &mut |_| ())
}

fn play(manner: &str) -> MatchResult {
    try_match(manner, |_| ()).unwrap()
}

/// All games are there, the bad player lost every one of them in this way, and the reason says so.
fn assert_all_lost(result: &MatchResult, ending: Ending, reason: &str) {
    assert_eq!(result.records.len(), 4);
    for record in &result.records {
        assert_eq!(record.points_of("bad"), Some(0.0), "{record:?}");
        assert_eq!(record.ending, ending, "{record:?}");
        let note = record.note.as_deref().unwrap_or_default();
        assert!(note.contains(reason), "{note:?} does not say {reason:?}");
    }
    assert_eq!(result.standings.players[1].total().wins, 4);
}

#[test]
fn a_crash_at_move_ten_loses_each_game_but_not_the_match() {
    let result = play("crash");
    assert_all_lost(
        &result,
        Ending::Forfeit,
        "died during genmove (exit status: 3), saying: segmentation fault, sort of",
    );
    assert!(result.records.iter().all(|record| record.moves == 9 || record.moves == 10), "{:?}", result.records);
    assert_eq!(result.standings.players[0].losses_by_failure.len(), 4);
    assert_eq!(result.standings.failures(), 4);
}

#[test]
fn a_program_that_hangs_is_given_up_after_the_stall_limit() {
    let result = try_match("hang", |spec| spec.limits.stall = 0.2).unwrap();
    assert_all_lost(&result, Ending::Forfeit, "gave no answer to genmove within 0.2 s");
}

#[test]
fn with_a_clock_a_program_that_hangs_loses_on_time() {
    let result = try_match("hang", |spec| {
        spec.time = "0.5".parse().unwrap();
        spec.limits.lag = 0.0;
    });
    let result = result.unwrap();
    assert_all_lost(&result, Ending::Time, "");
    assert!(result.records.iter().all(|record| record.result.contains("+T")), "{:?}", result.records);
}

#[test]
fn an_illegal_move_loses() {
    assert_all_lost(&play("illegal"), Ending::Forfeit, "(the point is occupied)");
}

#[test]
fn garbage_loses() {
    assert_all_lost(&play("garbage"), Ending::Forfeit, "answered genmove with garbage: \"well, let me think\"");
    assert_all_lost(&play("nonsense"), Ending::Forfeit, "answered genmove with garbage: \"Z99\"");
}

#[test]
fn a_flood_without_a_line_end_loses() {
    assert_all_lost(&play("flood"), Ending::Forfeit, "answered genmove with garbage: \"xxx");
}

#[test]
fn a_refused_board_size_loses() {
    assert_all_lost(&play("refuse"), Ending::Forfeit, "refused boardsize 9: unacceptable size");
}

#[test]
fn a_resignation_is_honoured() {
    assert_all_lost(&play("resign"), Ending::Resignation, "");
}

fn assert_no_failures(records: &[GameEntry]) {
    assert_eq!(records.len(), 4);
    assert!(records.iter().all(|record| record.ending == Ending::Score), "{records:?}");
}

#[test]
fn speaking_slowly_or_noisily_is_no_crime() {
    for manner in ["dribble", "noisy"] {
        let result = play(manner);
        assert_no_failures(&result.records);
        assert_eq!(result.standings.failures(), 0);
    }
}

#[test]
fn a_typing_mistake_is_told_before_the_match_begins() {
    for (manner, reason) in [
        ("stillborn", "the player \"bad\" cannot take part: it died during list_commands"),
        ("mute", "the player \"bad\" cannot take part: it does not know the command genmove"),
    ] {
        let error = try_match(manner, |_| ()).err().unwrap().to_string();
        assert!(error.starts_with(reason), "{error}");
    }
    let error = try_match("random", |spec| spec.players[0].command = CommandLine::parse("/no/such/program").unwrap());
    assert!(error.err().unwrap().to_string().contains("could not be started"));
}

#[test]
fn players_that_agree_about_the_winner_need_not_play_on() {
    let against = |good: &'static str| {
        try_match("optimist", move |spec| {
            spec.limits.agreement = Some(Agreement { points: 10.0, moves: 3 });
            spec.players[1] = player("good", good);
        })
    };
    let agreed = against("pessimist 2").unwrap();
    for record in &agreed.records {
        assert_eq!((record.moves, record.ending), (3, Ending::Agreement));
        assert_eq!(record.points_of("bad"), Some(1.0), "the optimist wins");
    }
    // Two optimists never agree, and one opinion alone is not enough.
    assert_no_failures(&against("optimist 2").unwrap().records);
    assert_no_failures(&against("random 2").unwrap().records);
}

#[test]
fn games_are_cut_off_at_the_move_limit_and_scored() {
    let result = try_match("random", |spec| spec.limits.max_moves = 20).unwrap();
    assert!(result.records.iter().all(|record| record.moves == 20 && record.ending == Ending::MoveLimit));
}

#[test]
fn playouts_and_times_are_counted() {
    let result = try_match("optimist", |_| ()).unwrap();
    let [bad, good] = &result.standings.players[..] else { panic!("two players") };
    assert_eq!(bad.effort.playouts_per_move(), Some(100.0));
    assert_eq!(good.effort.playouts_per_move(), None);
    assert!(bad.effort.seconds_per_move().unwrap() > 0.0);
}

#[test]
fn equal_seeds_give_equal_games_and_duplicates_are_counted() {
    let fixed = |spec: &mut MatchSpec| {
        spec.players = vec![player("a", "random 5 /dev/null --{game}"), player("b", "random 6 /dev/null --{game}")];
        spec.games = 6;
    };
    let result = try_match("random", fixed).unwrap();
    // Each game has fresh processes with the same seeds: three equal games with each colour.
    assert_eq!(result.standings.duplicates, 4);
    let seeded = |spec: &mut MatchSpec| {
        spec.players = vec![player("a", "random {seed}"), player("b", "random {seed}")];
        spec.games = 6;
    };
    let result = try_match("random", seeded).unwrap();
    assert_eq!(result.standings.duplicates, 0);
}
