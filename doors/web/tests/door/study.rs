//! Studying: records, walking about, analysis, review, trying it yourself.

use serde_json::{Value, json};

use crate::tab::{Door, Tab, last};

const RECORD: &str = "(;GM[1]SZ[9]KM[7]PB[Ann]PW[Bob]RE[B+R];B[ee]C[centre];W[cc](;B[gc];W[cg];B[gg])(;B[cg];W[gc]))";

fn load(door: &Door) -> (Tab, Value) {
    let mut tab = door.tab();
    let heard = tab.please(json!({"type": "load", "sgf": RECORD}));
    let game = last(&heard, "game").clone();
    (tab, game)
}

#[test]
fn a_record_is_loaded_walked_and_changed() {
    let door = Door::open();
    let (mut tab, game) = load(&door);
    assert_eq!((&game["mode"], &game["name"], &game["live"]), (&json!("study"), &json!("Ann - Bob"), &Value::Null));
    assert_eq!(game["nodes"].as_array().unwrap().len(), 8);
    assert_eq!(game["nodes"][1]["comment"], "centre");

    let at = |tab: &mut Tab, request: Value| last(&tab.please(request), "position")["number"].clone();
    assert_eq!(at(&mut tab, json!({"type": "go", "to": "last"})), 5);
    assert_eq!(at(&mut tab, json!({"type": "go", "by": -3})), 2);
    assert_eq!(at(&mut tab, json!({"type": "go", "to": "next"})), 3);
    let beside = tab.please(json!({"type": "go", "to": "down"}));
    assert_eq!(last(&beside, "position")["last"], "C3");

    // Both go to the same place: a known move is followed, another is added.
    let added = tab.play("H8");
    let node = last(&added, "position")["node"].clone();
    let commented = tab.please(json!({"type": "comment", "node": node, "text": "why not?"}));
    assert_eq!(last(&commented, "nodes")["nodes"][0]["comment"], "why not?");
    let promoted = tab.please(json!({"type": "promote", "node": node}));
    assert_eq!(last(&promoted, "game")["nodes"][3]["move"], "C3");
    let deleted = tab.please(json!({"type": "delete", "node": node}));
    assert_eq!(last(&deleted, "position")["last"], "C3");
    assert_eq!(tab.refused(json!({"type": "go", "node": node}))["code"], "not_found");
    assert_eq!(tab.refused(json!({"type": "delete", "node": 0}))["code"], "not_now");
    assert_eq!(tab.refused(json!({"type": "rematch"}))["code"], "not_now");
}

#[test]
fn what_is_no_record_is_refused_in_one_sentence() {
    let door = Door::open();
    let mut tab = door.tab();
    for sgf in ["", "hello", "(;GM[2])", "(;SZ[25])", "(;SZ[9];B[zz]", "(;SZ[9]AB[aa]AW[ab][ba])"] {
        let answer = tab.refused(json!({"type": "load", "sgf": sgf}));
        assert_eq!(
            (answer["code"].as_str(), answer["text"].as_str().unwrap().contains('\n')),
            (Some("bad_sgf"), false)
        );
    }
    let long = format!("(;SZ[9]{})", ";B[];W[]".repeat(15_000));
    assert_eq!(tab.refused(json!({"type": "load", "sgf": long}))["code"], "too_many");
    assert_eq!(tab.refused(json!({"type": "play", "move": "A1"}))["code"], "no_game");
}

#[test]
fn live_analysis_streams_rests_goes_deeper_and_stops() {
    let door = Door::open();
    let (mut tab, _) = load(&door);
    tab.please(json!({"type": "analyse", "on": true, "visits": 300}));
    let rest = tab.until(|message| message["type"] == "analysis" && message["is_running"] == false);
    assert_eq!((&rest["node"], &rest["until"], &rest["to_move"]), (&json!(0), &json!(300), &json!("black")));
    assert!(rest["visits"].as_u64().unwrap() >= 300, "{rest}");
    for field in ["ownership", "policy", "criticality"] {
        let values = rest[field].as_array().unwrap();
        assert_eq!(values.len(), 81);
        assert!(values.iter().all(|value| (-1.0..=1.0).contains(&value.as_f64().unwrap())), "{field}: {values:?}");
    }
    let best = &rest["moves"][0];
    assert_eq!((&best["lost"], &best["pv"][0]), (&json!(0.0), &best["move"]));
    let curve: Vec<f64> =
        rest["komi"]["curve"].as_array().unwrap().iter().map(|pair| pair[1].as_f64().unwrap()).collect();
    assert!(curve.len() > 10 && curve.windows(2).all(|pair| pair[0] >= pair[1]), "{curve:?}");
    assert!(rest["komi"]["even"].is_number());

    tab.please(json!({"type": "deeper"}));
    tab.until(|message| message["type"] == "analysis" && message["is_running"] == false && message["until"] == 1200);
    tab.please(json!({"type": "go", "to": "next"}));
    let next = tab.until(|message| message["type"] == "analysis" && message["node"] == 1);
    assert_eq!(next["until"], 300);
    // A second tab sees what the first one sees.
    let id = door.http("GET", "/api/games", None).1;
    let id = serde_json::from_str::<Value>(&id).unwrap()["games"][0]["id"].clone();
    let mut other = door.tab();
    let joined = other.please(json!({"type": "join", "game": id}));
    assert_eq!(last(&joined, "status")["analysing"], true);
    assert_eq!(last(&joined, "analysis")["node"], 1);

    let off = tab.please(json!({"type": "analyse", "on": false}));
    assert_eq!(last(&off, "analysis")["node"], Value::Null);
    assert_eq!(tab.refused(json!({"type": "deeper"}))["code"], "not_now");
}

#[test]
fn a_review_judges_every_move_and_its_numbers_stay_in_the_record() {
    let door = Door::open();
    let mut tab = door.tab();
    // Black fills its own corner while White takes the rest: mistakes to be found.
    let record = "(;SZ[5]KM[0.5];B[cc];W[cb];B[dd];W[bc];B[aa];W[cd];B[ee];W[dc])";
    let heard = tab.please(json!({"type": "load", "sgf": record}));
    let id = last(&heard, "game")["id"].clone();
    tab.please(json!({"type": "review", "on": true, "visits": 150}));
    let review = tab.until(|message| message["type"] == "review" && message["is_running"] == false);
    assert_eq!((&review["done"], &review["total"]), (&json!(9), &json!(9)));
    let mistakes = review["mistakes"].as_array().unwrap();
    assert!(!mistakes.is_empty());
    assert!(mistakes.iter().all(|mistake| mistake["lost"].as_f64().unwrap() >= 1.5), "{mistakes:?}");
    assert_eq!(review["summary"]["black"]["moves"], 4);

    let first = tab.please(json!({"type": "go", "to": "next_mistake"}));
    assert_eq!(last(&first, "position")["node"], mistakes[0]["node"]);
    let annotated = tab.please(json!({"type": "sgf", "annotated": true}));
    let text = last(&annotated, "sgf")["text"].as_str().unwrap();
    assert!(text.contains("SBKV[") && text.contains("points.") && text.contains("was better"), "{text}");

    drop(tab);
    let door = door.reopen();
    let mut tab = door.tab();
    let joined = tab.please(json!({"type": "join", "game": id}));
    let nodes = last(&joined, "game")["nodes"].as_array().unwrap();
    assert!(nodes.iter().all(|node| node["eval"]["visits"].as_u64().unwrap() >= 150));
    // Nothing is left to do for a second review.
    let again = tab.please(json!({"type": "review", "on": true, "visits": 150}));
    assert_eq!(last(&again, "review")["is_running"], false);
}

#[test]
fn trying_it_yourself_is_answered_by_the_engine_in_a_variation() {
    let door = Door::open();
    let (mut tab, _) = load(&door);
    tab.please(json!({"type": "go", "by": 2}));
    let begun = tab.please(json!({"type": "try", "on": true, "level": 5}));
    assert_eq!(last(&begun, "status")["trial"], json!({"from": 2, "color": "black", "level": 5}));
    tab.play("G3");
    let thought = tab.until(|message| message["type"] == "thought");
    assert_eq!(thought["color"], "white");
    let ended = tab.please(json!({"type": "try", "on": false}));
    let position = last(&ended, "position");
    assert_eq!((&position["number"], &last(&ended, "status")["trial"]), (&json!(4), &Value::Null));
}

#[test]
fn a_changed_position_is_judged_afresh_and_a_told_game_is_told_whole() {
    let door = Door::open();
    let mut tab = door.tab();
    tab.please(json!({"type": "load", "sgf": "(;SZ[5]KM[0.5];B[cc];W[cb];B[aa];W[cd])"}));
    tab.please(json!({"type": "review", "on": true, "visits": 30}));
    tab.until(|message| message["type"] == "review" && message["is_running"] == false);
    tab.please(json!({"type": "analyse", "on": true, "visits": 20}));
    tab.until(|message| message["type"] == "analysis" && message["is_running"] == false);
    // A fact changes nothing, and everything that is known is told again after the game.
    let told = tab.please(json!({"type": "tell", "facts": {"event": "Club evening"}}));
    assert_eq!(last(&told, "game")["record"]["event"], "Club evening");
    assert_eq!((&last(&told, "review")["done"], &last(&told, "analysis")["visits"]), (&json!(5), &json!(20)));
    // A stone more makes other positions of all that follow.
    let set = tab.please(json!({"type": "setup", "point": "E1", "stone": "white"}));
    assert_eq!(last(&set, "analysis")["node"], Value::Null);
    let nodes = last(&set, "game")["nodes"].as_array().unwrap();
    assert!(nodes.iter().all(|node| node["eval"].is_null() && node["lost"].is_null()), "{nodes:?}");
    let turned = tab.please(json!({"type": "turn", "color": "white"}));
    assert!(last(&turned, "game")["nodes"].is_array());
    assert_eq!(tab.refused(json!({"type": "mark", "point": "C3", "kind": "arrow"}))["code"], "bad_message");
}
