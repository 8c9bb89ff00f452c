//! Playing: whole games, refusals, undo, clocks, several tabs, and games that outlive the door.

use serde_json::{Value, json};

use crate::tab::{BROKEN_LEVEL, Door, Tab, first, has, last};

/// Two people at one board play these moves.
fn played(door: &Door, settings: Value, moves: &[&str]) -> (Tab, String) {
    let mut tab = door.tab();
    let mut both = json!({"color": "both"});
    both.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
    let id = tab.begin(both);
    for mv in moves {
        tab.play(mv);
    }
    (tab, id)
}

#[test]
fn a_whole_game_against_the_engine_ends_with_a_count_and_a_rematch() {
    let door = Door::open();
    let mut tab = door.tab();
    tab.begin(json!({"size": 9, "color": "black", "level": 5, "komi": 0.5}));
    let mut position = tab.until(|message| message["type"] == "position");
    let mut move_count = 0;
    let phase = loop {
        let mv = if move_count < 12 { first_legal(&position) } else { "pass".to_owned() };
        tab.play(&mv);
        move_count += 1;
        assert!(move_count < 60, "the game does not end");
        let is_ours = |message: &Value| message["type"] == "position" && message["may_play"] == true;
        let is_end = |message: &Value| message["type"] == "status" && message["phase"] != "playing";
        let next = tab.until(|message| is_ours(message) || is_end(message));
        if is_end(&next) {
            break next["phase"].clone();
        }
        position = next;
    };
    if phase == "counting" {
        let counting = tab.until(|message| message["type"] == "counting" && !message["proposed"].is_null());
        assert_eq!(counting["dead"], counting["proposed"]);
        let over = tab.please(json!({"type": "accept"}));
        let status = last(&over, "status");
        assert_eq!(status["phase"], "over");
        assert_eq!(status["result"]["text"], counting["result"]);
    }
    let again = tab.please(json!({"type": "rematch", "swap": true}));
    let game = last(&again, "game");
    assert_eq!((&game["black"]["engine"], &game["komi"], &game["size"]), (&json!(true), &json!(0.5), &json!(9)));
}

fn first_legal(position: &Value) -> String {
    let stones = position["stones"].as_str().unwrap();
    let size = (stones.len() as f64).sqrt() as usize;
    let vertex = |index: usize| {
        let column = b"ABCDEFGHJKLMNOPQRST"[index % size] as char;
        format!("{column}{}", size - index / size)
    };
    let free = stones.bytes().enumerate().filter(|&(_, stone)| stone == b'.').map(|(index, _)| vertex(index));
    let illegal = position["illegal"].as_object().unwrap();
    free.into_iter().find(|point| !illegal.contains_key(point)).unwrap_or_else(|| "pass".to_owned())
}

#[test]
fn counting_follows_the_chains_that_are_dead() {
    let door = Door::open();
    // Black owns the left, White the right; one white stone is lost on the left.
    let moves = ["C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5", "pass", "A3", "pass"];
    let (mut tab, _) = played(&door, json!({"size": 5, "komi": 0.5, "rules": "chinese"}), &moves);
    tab.play("pass");
    let counting = tab.until(|message| message["type"] == "counting" && !message["proposed"].is_null());
    let proposed = counting["proposed"].as_array().unwrap().clone();
    if !proposed.contains(&json!("A3")) {
        tab.please(json!({"type": "toggle", "point": "A3"}));
    }
    for stone in proposed.iter().filter(|&stone| stone != "A3") {
        tab.ask(json!({"type": "toggle", "point": stone}));
    }
    let heard = tab.please(json!({"type": "toggle", "point": "A3"}));
    assert_eq!(last(&heard, "counting")["dead"], json!([]));
    assert_eq!(tab.refused(json!({"type": "toggle", "point": "B3"}))["code"], "bad_message");
    let heard = tab.please(json!({"type": "toggle", "point": "A3"}));
    let counting = last(&heard, "counting");
    assert_eq!((&counting["dead"], &counting["result"]), (&json!(["A3"]), &json!("B+4.5")));
    assert_eq!((&counting["black_points"], &counting["white_points"]), (&json!(15.0), &json!(10.0)));

    assert_eq!(tab.refused(json!({"type": "play", "move": "A1"}))["reason"], "not_playing");
    let resumed = tab.please(json!({"type": "resume"}));
    assert_eq!(last(&resumed, "status")["phase"], "playing");
}

#[test]
fn an_illegal_move_is_refused_with_its_reason() {
    let door = Door::open();
    let (mut tab, _) = played(&door, json!({"size": 5}), &["C3"]);
    let occupied = tab.refused(json!({"type": "play", "move": "C3"}));
    assert_eq!((&occupied["type"], &occupied["reason"]), (&json!("illegal"), &json!("occupied")));
    assert_eq!(tab.refused(json!({"type": "play", "move": "Z9"}))["reason"], "off_board");

    // White's stone in the corner is taken, and the corner then has no liberty for White.
    let corner = ["A2", "A1", "B2", "C1"];
    let (mut tab, _) = played(&door, json!({"size": 5}), &corner);
    let heard = tab.play("B1");
    let position = last(&heard, "position");
    assert_eq!(position["captures"]["black"], 1);
    assert_eq!(position["illegal"]["A1"], "suicide");
    assert_eq!(tab.refused(json!({"type": "play", "move": "A1"}))["reason"], "suicide");
}

#[test]
fn ko_and_superko_are_told_apart() {
    let door = Door::open();
    // White's C3 takes the stone at D3, and Black may not take back at once.
    let shape = ["B3", "E3", "C2", "D2", "C4", "D4", "D3", "C3"];
    for (rules, reason) in [("chinese", "ko"), ("tromp-taylor", "positional_superko"), ("aga", "situational_superko")] {
        let (mut tab, _) = played(&door, json!({"size": 5, "rules": rules}), &shape);
        let answer = tab.refused(json!({"type": "play", "move": "D3"}));
        assert_eq!((answer["reason"].as_str(), answer["text"].is_string()), (Some(reason), true), "{rules}");
    }
}

#[test]
fn the_engine_answers_and_undo_takes_both_moves_back_into_a_variation() {
    let door = Door::open();
    let mut tab = door.tab();
    tab.begin(json!({"color": "black"}));
    let heard = tab.play("E5");
    // The first of each: the engine may have answered before the door said that our move was taken.
    assert_eq!(first(&heard, "status")["turn"], "engine");
    assert_eq!(first(&heard, "position")["may_play"], false);
    assert_eq!(tab.refused(json!({"type": "resume"}))["code"], "not_now");
    let thought = tab.until(|message| message["type"] == "thought");
    assert_eq!(thought["color"], "white");
    let undone = tab.please(json!({"type": "undo"}));
    let position = last(&undone, "position");
    assert_eq!((&position["number"], &position["is_live"]), (&json!(0), &json!(true)));
    assert!(!position["stones"].as_str().unwrap().contains('X'));
    assert_eq!(tab.refused(json!({"type": "undo"}))["code"], "not_now");
    tab.play("D4");
    let reply = tab.until(|message| message["type"] == "nodes" && message["live"] == 4);
    let root = reply["nodes"].as_array().unwrap().iter().find(|node| node["id"] == 3).unwrap();
    assert_eq!((&root["move"], &root["number"]), (&json!("D4"), &json!(1)));
    // The game is the main line; what was undone stands beside it.
    let (_, sgf) = door.http("GET", &format!("/api/games/{}/sgf", name_of(&mut tab)), None);
    assert!(sgf.contains("(;B[df]") && sgf.find("(;B[df]") < sgf.find("(;B[ee]"), "{sgf}");
}

fn name_of(tab: &mut Tab) -> String {
    let heard = tab.ask(json!({"type": "games"}));
    last(&heard, "games")["games"][0]["id"].as_str().unwrap().to_owned()
}

#[test]
fn resigning_ends_the_game_and_trying_on_is_a_variation() {
    let door = Door::open();
    let (mut tab, _) = played(&door, json!({}), &["E5", "C3"]);
    let over = tab.please(json!({"type": "resign"}));
    let result = &last(&over, "status")["result"];
    assert_eq!((&result["text"], &result["by"]), (&json!("W+R"), &json!("resignation")));
    let heard = tab.play("G7");
    assert_eq!(last(&heard, "position")["is_live"], false);
    assert_eq!(tab.refused(json!({"type": "resign"}))["code"], "not_now");
}

#[test]
fn a_game_without_people_plays_and_counts_by_itself() {
    let door = Door::open();
    let mut tab = door.tab();
    tab.begin(json!({"size": 4, "color": "none", "level": 5}));
    let status = tab.until(|message| message["type"] == "status" && message["phase"] == "over");
    assert!(status["result"]["text"].is_string());
}

#[test]
fn handicap_games_tell_the_komi_the_engine_plays_under() {
    let door = Door::open();
    let mut tab = door.tab();
    let heard =
        tab.please(json!({"type": "new", "size": 19, "handicap": 4, "color": "black", "level": 6, "pace": "instant"}));
    let game = last(&heard, "game");
    assert_eq!((&game["handicap"], &game["komi"]), (&json!(4), &json!(0.5)));
    let komi = tab.until(|message| message["type"] == "komi");
    assert_eq!((&komi["why"], &komi["numbers"]["stones"]), (&json!("handicap_fading"), &json!(4)));
    assert!(komi["extra"].as_f64().unwrap() > 0.0, "{komi}");
}

#[test]
fn time_runs_out() {
    let door = Door::open();
    let mut tab = door.tab();
    tab.begin(json!({"color": "black", "clock": {"kind": "absolute", "main": 0.05}}));
    let status = tab.until(|message| message["type"] == "status" && message["phase"] == "over");
    assert_eq!((&status["result"]["by"], &status["result"]["winner"]), (&json!("time"), &json!("white")));
}

#[test]
fn clocks_are_told_and_kept_with_the_game() {
    let door = Door::open();
    let clock = json!({"kind": "byoyomi", "main": 600, "period": 30, "periods": 5});
    let (mut tab, id) = played(&door, json!({"clock": clock}), &[]);
    let heard = tab.play("E5");
    let told = last(&heard, "clock");
    assert_eq!((&told["running"], &told["setting"]["kind"]), (&json!("white"), &json!("byoyomi")));
    let main = told["black"]["main"].as_f64().unwrap();
    assert!(main < 600.0 && main > 500.0, "{told}");
    drop(tab);
    let door = door.reopen();
    let mut tab = door.tab();
    let heard = tab.please(json!({"type": "join", "game": id}));
    let kept = last(&heard, "clock")["black"]["main"].as_f64().unwrap();
    assert!((kept - main).abs() < 0.01);
    assert_eq!(
        tab.refused(json!({"type": "new", "clock": {"kind": "fischer", "main": -5, "increment": 0}}))["code"],
        "bad_message"
    );
}

#[test]
fn two_tabs_share_the_game_and_not_the_cursor() {
    let door = Door::open();
    let (mut one, id) = played(&door, json!({}), &["E5"]);
    let mut other = door.tab();
    let joined = other.please(json!({"type": "join", "game": id}));
    assert_eq!(last(&joined, "position")["number"], 1);
    one.play("C3");
    let seen = other.until(|message| message["type"] == "position" && message["number"] == 2);
    assert_eq!(seen["last"], "C3");
    // Each looks where it likes; whoever looks at the game itself is taken along.
    let back = other.please(json!({"type": "go", "to": "first"}));
    assert_eq!(last(&back, "position")["is_live"], false);
    assert!(!has(&one.ask(json!({"type": "ping"})), "position"));
    one.play("G7");
    let heard = other.ask(json!({"type": "ping"}));
    assert!(heard.iter().all(|message| message["type"] != "position" || message["number"] == 0), "{heard:#?}");
    let again = other.please(json!({"type": "go", "to": "live"}));
    assert_eq!(last(&again, "position")["last"], "G7");
    // What one tab is refused does not bother the other.
    other.refused(json!({"type": "play", "move": "nonsense"}));
    assert!(!has(&one.ask(json!({"type": "ping"})), "illegal"));
}

#[test]
fn a_restart_finds_the_game_where_it_was() {
    let door = Door::open();
    let (tab, id) = played(&door, json!({"name": "the long one"}), &["E5", "C3", "G7", "pass"]);
    drop(tab);
    let door = door.reopen();
    let mut tab = door.tab();
    let heard = tab.ask(json!({"type": "games"}));
    let listed = &last(&heard, "games")["games"][0];
    assert_eq!((&listed["name"], &listed["moves"], &listed["id"]), (&json!("the long one"), &json!(4), &json!(id)));
    let joined = tab.please(json!({"type": "join", "game": id}));
    assert_eq!(last(&joined, "position")["number"], 4);
    assert_eq!(last(&joined, "status")["phase"], "playing");
    tab.play("D4");
    tab.please(json!({"type": "rename", "game": id, "name": "shorter"}));
    let mut other = door.tab();
    other.please(json!({"type": "remove", "game": id}));
    assert_eq!(tab.until(|message| message["type"] == "gone")["type"], "gone");
    assert_eq!(other.refused(json!({"type": "join", "game": id}))["code"], "not_found");
    // A tab that was on it cannot bring it back.
    assert_eq!(tab.refused(json!({"type": "play", "move": "A1"}))["code"], "not_found");
    assert_eq!(other.refused(json!({"type": "join", "game": id}))["code"], "not_found");
}

#[test]
fn an_engine_that_fails_closes_the_game_but_does_not_lose_it() {
    let door = Door::open();
    let mut tab = door.tab();
    let id = tab.begin(json!({"color": "black", "level": BROKEN_LEVEL}));
    tab.please(json!({"type": "play", "move": "E5"}));
    tab.until(|message| message["type"] == "gone");
    let joined = tab.please(json!({"type": "join", "game": id}));
    assert_eq!(last(&joined, "position")["number"], 1);
    // The other games go on.
    let mut other = door.tab();
    other.begin(json!({"color": "both"}));
    other.play("E5");
}
