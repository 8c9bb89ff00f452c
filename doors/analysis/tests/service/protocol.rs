//! What is asked and what is answered, field by field.

use crate::test_client::{TestClient, service};
use serde_json::{Value, json};

/// A query about a small board, changed by `changes`.
fn query(changes: Value) -> Value {
    let mut query = json!({
        "id": "q", "moves": [["B", "C3"], ["W", "C4"]], "rules": "chinese", "komi": 7.5,
        "boardXSize": 5, "boardYSize": 5, "maxVisits": 60,
    });
    for (name, value) in changes.as_object().unwrap() {
        query[name] = value.clone();
    }
    query
}

fn answers(queries: &[Value]) -> Vec<Value> {
    let service = service(1);
    let client = TestClient::at(&service);
    queries.iter().for_each(|query| client.ask(query));
    client.all_answers()
}

fn only_answer(changes: Value) -> Value {
    let answers = answers(&[query(changes)]);
    assert_eq!(answers.len(), 1, "{answers:?}");
    answers.into_iter().next().unwrap()
}

#[test]
fn a_question_asked_again_is_thought_about_afresh() {
    let asked = ["first", "again"].map(|id| query(json!({"id": id, "maxVisits": 50})));
    let visits: Vec<Value> = answers(&asked).iter().map(|answer| answer["rootInfo"]["visits"].clone()).collect();
    assert_eq!(visits, [50, 50], "what the first one found is not counted in the second");
}

#[test]
fn an_answer_has_everything_clients_read() {
    let answer = only_answer(json!({
        "includeOwnership": true, "includeOwnershipStdev": true, "includeMovesOwnership": true,
        "includePolicy": true, "includePVVisits": true, "includePVEdgeVisits": true, "includeMovesOwnershipStdev": true,
    }));
    assert_eq!((&answer["id"], &answer["turnNumber"]), (&json!("q"), &json!(2)));
    assert_eq!(answer["isDuringSearch"], json!(false));
    let root = &answer["rootInfo"];
    assert!(root["visits"].as_u64().unwrap() >= 60 && root["currentPlayer"] == "B");
    for name in ["winrate", "scoreLead", "scoreStdev", "utility"] {
        assert!(root[name].is_f64(), "{name} of {root}");
    }
    let moves = answer["moveInfos"].as_array().unwrap();
    for (order, info) in moves.iter().enumerate() {
        assert_eq!(info["order"], order);
        for name in ["winrate", "scoreLead", "scoreMean", "scoreStdev", "prior", "lcb", "utilityLcb"] {
            assert!(info[name].is_f64(), "{name} of {info}");
        }
        assert_eq!(info["pv"][0], info["move"]);
        assert_eq!(info["pv"].as_array().unwrap().len(), info["pvVisits"].as_array().unwrap().len());
        assert_eq!(info["pvEdgeVisits"], info["pvVisits"]);
        assert_eq!((&info["edgeWeight"], &info["playSelectionValue"]), (&info["visits"], &info["visits"]));
        assert_eq!(info["ownership"].as_array().unwrap().len(), 25);
        assert_eq!(info["ownershipStdev"].as_array().unwrap().len(), 25);
    }
    let visits: Vec<u64> = moves.iter().map(|info| info["visits"].as_u64().unwrap()).collect();
    assert!(visits.is_sorted_by(|a, b| a >= b) && *visits.last().unwrap() > 0, "{visits:?}");
    assert_eq!(answer["ownership"].as_array().unwrap().len(), 25);
    assert_eq!(answer["ownershipStdev"].as_array().unwrap().len(), 25);
    let policy: Vec<f64> = answer["policy"].as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).collect();
    assert_eq!(policy.len(), 26);
    // C4 and C3 are taken.
    assert_eq!((policy[7], policy[12]), (-1.0, -1.0));
}

#[test]
fn what_is_not_asked_for_is_not_told() {
    let answer = only_answer(json!({}));
    for name in ["ownership", "ownershipStdev", "policy", "noResults"] {
        assert!(answer.get(name).is_none(), "{name}");
    }
    assert!(answer["moveInfos"][0].get("pvVisits").is_none() && answer["moveInfos"][0].get("ownership").is_none());
}

#[test]
fn several_turns_are_answered_once_each() {
    let answers = answers(&[query(json!({"analyzeTurns": [0, 2, 1, 0]}))]);
    let mut turns: Vec<u64> = answers.iter().map(|answer| answer["turnNumber"].as_u64().unwrap()).collect();
    turns.sort_unstable();
    assert_eq!(turns, [0, 1, 2]);
    let players: Vec<&str> = answers.iter().map(|a| a["rootInfo"]["currentPlayer"].as_str().unwrap()).collect();
    assert_eq!(players, ["B", "B", "W"], "one worker keeps the order asked for");
}

#[test]
fn values_are_seen_from_the_side_that_was_asked_for() {
    // White is to move and far behind.
    let seen = |who: &str| {
        only_answer(json!({
            "moves": [["B", "C3"]], "komi": -20, "maxVisits": 200, "includeOwnership": true,
            "overrideSettings": {"reportAnalysisWinratesAs": who},
        }))
    };
    let [black, white, mover] = ["BLACK", "WHITE", "SIDETOMOVE"].map(seen);
    assert!(
        black["rootInfo"]["winrate"].as_f64().unwrap() > 0.8 && black["rootInfo"]["scoreLead"].as_f64().unwrap() > 0.0
    );
    let near = |a: &Value, b: f64| (a.as_f64().unwrap() - b).abs() < 1e-5;
    for other in [&white, &mover] {
        assert!(near(&other["rootInfo"]["winrate"], 1.0 - black["rootInfo"]["winrate"].as_f64().unwrap()));
        assert!(near(&other["rootInfo"]["scoreLead"], -black["rootInfo"]["scoreLead"].as_f64().unwrap()));
        assert!(near(&other["moveInfos"][0]["lcb"], 1.0 - black["moveInfos"][0]["lcb"].as_f64().unwrap()));
        assert!(near(&other["ownership"][12], -black["ownership"][12].as_f64().unwrap()));
    }
}

#[test]
fn rules_komi_and_handicap_are_those_of_the_query() {
    let lead = |changes| only_answer(changes)["rootInfo"]["scoreLead"].as_f64().unwrap();
    // One simulation ends the same way whatever it is counted against.
    let base = json!({"initialStones": [["B", "B2"], ["B", "D4"]], "moves": [], "komi": 0.5, "maxVisits": 1});
    let plain = lead(base.clone());
    let mut bonus = base.clone();
    bonus["whiteHandicapBonus"] = json!("0");
    assert!((lead(bonus) - plain - 2.0).abs() < 1e-4, "Chinese rules give White a point for each of two stones");
    let mut fields = base.clone();
    fields["rules"] = json!({"ko": "SIMPLE", "scoring": "AREA", "whiteHandicapBonus": "N-1"});
    assert!((lead(fields) - plain - 1.0).abs() < 1e-4, "those here one for all but the first");
    assert_eq!(only_answer(base)["rootInfo"]["currentPlayer"], "W", "after handicap stones White begins");
}

#[test]
fn the_first_player_can_be_named() {
    let answer = only_answer(json!({"initialStones": [["B", "B2"], ["W", "D4"]], "moves": [], "initialPlayer": "W"}));
    assert_eq!(answer["rootInfo"]["currentPlayer"], "W");
}

#[test]
fn moves_can_be_avoided_or_allowed() {
    let tried = |changes: Value| -> Vec<String> {
        let answer = only_answer(changes);
        let moves = answer["moveInfos"].as_array().unwrap();
        moves.iter().map(|info| info["move"].as_str().unwrap().to_string()).collect()
    };
    let some = json!([{"player": "B", "moves": ["B4", "D4", "(1,3)"], "untilDepth": 1}]);
    let avoiding = tried(json!({"avoidMoves": some}));
    assert!(!avoiding.is_empty() && !avoiding.iter().any(|mv| ["B4", "D4", "B2"].contains(&mv.as_str())));
    let allowed = tried(json!({"allowMoves": some}));
    assert!(!allowed.is_empty() && allowed.iter().all(|mv| ["B4", "D4", "B2"].contains(&mv.as_str())), "{allowed:?}");
}

#[test]
fn unknown_fields_and_settings_warn_and_the_query_goes_on() {
    let answers = answers(&[query(json!({
        "colour": "blue", "overrideSettings": {"antiMirror": true, "ignorePreRootHistory": false, "speed": 9},
    }))]);
    let warned: Vec<&str> = answers.iter().filter_map(|a| a.get("warning").and(a["field"].as_str())).collect();
    assert_eq!(warned, ["antiMirror", "speed", "colour"]);
    assert!(answers.iter().all(|answer| answer["id"] == "q") && answers.len() == 4);
}

#[test]
fn who_asks_for_people_where_no_net_knows_them_is_told() {
    let answers = answers(&[query(json!({"overrideSettings": {"humanSLProfile": "rank_5k", "visitCapContempt": 8}}))]);
    let warned: Vec<&str> = answers.iter().filter_map(|a| a.get("warning").and(a["field"].as_str())).collect();
    assert_eq!(warned, ["visitCapContempt", "humanSLProfile"]);
    assert_eq!(answers.len(), 3, "the query goes on");
}

#[test]
fn mistakes_name_their_field_and_the_query() {
    for (field, changes) in [
        ("moves", json!({"moves": [["B", "C3"], ["W", "C3"]]})),
        ("moves", json!({"moves": [["B", "Q9"]]})),
        ("moves", json!({"moves": [["X", "C3"]]})),
        ("moves", json!({"moves": null})),
        ("initialStones", json!({"initialStones": [["B", "pass"]]})),
        ("initialStones", json!({"initialStones": [["B", "A1"], ["W", "A1"]]})),
        ("rules", json!({"rules": "calvinball"})),
        ("rules", json!({"rules": {"ko": "NEVER"}})),
        ("rules", json!({"rules": null})),
        ("komi", json!({"komi": 6.25})),
        ("komi", json!({"komi": 1e9})),
        ("boardXSize", json!({"boardXSize": 20})),
        ("boardYSize", json!({"boardYSize": 4})),
        ("analyzeTurns", json!({"analyzeTurns": [3]})),
        ("priorities", json!({"analyzeTurns": [0, 1], "priorities": [1]})),
        ("maxVisits", json!({"maxVisits": 0})),
        ("includePolicy", json!({"includePolicy": 1})),
        ("avoidMoves", json!({"avoidMoves": [{"player": "B", "moves": ["C5"]}]})),
        ("reportAnalysisWinratesAs", json!({"overrideSettings": {"reportAnalysisWinratesAs": "GREEN"}})),
        ("action", json!({"action": "explode"})),
    ] {
        let answer = only_answer(changes);
        assert_eq!((&answer["field"], &answer["id"]), (&json!(field), &json!("q")), "{answer}");
        assert!(answer["error"].is_string());
    }
    let illegal = only_answer(json!({"moves": [["B", "C3"], ["W", "C3"]]}));
    assert!(illegal["error"].as_str().unwrap().contains("Illegal move"));
}

#[test]
fn actions_are_echoed_with_what_they_tell() {
    let ask = |action: &str| answers(&[json!({"id": "x", "action": action, "note": 7})]).remove(0);
    for action in ["query_version", "query_models", "clear_cache", "terminate_all"] {
        let echo = ask(action);
        assert_eq!((&echo["id"], &echo["action"], &echo["note"]), (&json!("x"), &json!(action), &json!(7)));
    }
    assert!(ask("query_version")["version"].is_string());
    assert!(ask("query_models")["models"].is_array());
}

#[test]
fn a_running_query_tells_about_itself_until_it_is_terminated() {
    let service = service(1);
    let client = TestClient::at(&service);
    client.ask(&query(json!({"maxVisits": 1_000_000_000, "reportDuringSearchEvery": 0.01})));
    client.ask(&query(json!({"id": "behind"})));
    let partial = client.answer();
    assert_eq!((&partial["id"], &partial["isDuringSearch"]), (&json!("q"), &json!(true)));
    client.ask(&json!({"id": "t", "action": "terminate", "terminateId": "q"}));
    let answers = client.all_answers();
    let echo = answers.iter().find(|answer| answer["id"] == "t").unwrap();
    assert_eq!(echo["terminateId"], "q");
    let finals: Vec<_> = answers.iter().filter(|answer| answer["isDuringSearch"] == json!(false)).collect();
    assert_eq!(finals.iter().map(|answer| &answer["id"]).collect::<Vec<_>>(), ["q", "behind"]);
    assert!(finals[0]["rootInfo"]["visits"].as_u64().unwrap() > 0, "it keeps what it found out");
}

#[test]
fn a_waiting_query_is_terminated_without_results() {
    let service = service(1);
    let client = TestClient::at(&service);
    client.ask(&query(json!({"maxVisits": 1_000_000_000, "reportDuringSearchEvery": 0.01})));
    client.answer();
    client.ask(&query(json!({"id": "waits", "analyzeTurns": [0, 1]})));
    client.ask(&json!({"id": "t", "action": "terminate", "terminateId": "waits", "turnNumbers": [1]}));
    client.ask(&json!({"id": "u", "action": "terminate_all"}));
    let unanswered = client.all_answers().into_iter().filter(|answer| answer["noResults"] == json!(true));
    let turns: Vec<(Value, Value)> = unanswered.map(|a| (a["id"].clone(), a["turnNumber"].clone())).collect();
    assert_eq!(turns, [(json!("waits"), json!(1)), (json!("waits"), json!(0))]);
}

#[test]
fn a_client_who_leaves_takes_its_queries_along() {
    let service = service(1);
    let leaver = TestClient::at(&service);
    leaver.ask(&query(json!({"maxVisits": 1_000_000_000, "reportDuringSearchEvery": 0.01})));
    leaver.answer();
    drop(leaver);
    let next = TestClient::at(&service);
    next.ask(&query(json!({})));
    assert_eq!(next.all_answers().len(), 1, "the worker is free again");
}

#[test]
fn a_search_keeps_its_time() {
    let answer = only_answer(json!({"maxVisits": 1_000_000_000_u64, "overrideSettings": {"maxTime": 0.05}}));
    assert!(answer["rootInfo"]["visits"].as_u64().unwrap() > 0);
}

#[test]
fn a_service_ends_with_queries_under_way() {
    let service = service(2);
    let client = TestClient::at(&service);
    client.ask(&query(json!({"maxVisits": 1_000_000_000, "analyzeTurns": [0, 1, 2], "reportDuringSearchEvery": 0.01})));
    client.answer();
    drop(service);
}

#[test]
fn turned_positions_share_one_of_their_hashes() {
    let root = |vertex: &str| only_answer(json!({"moves": [["B", vertex]]}))["rootInfo"].clone();
    let (one, turned, other) = (root("B2"), root("D4"), root("C2"));
    assert_ne!(one["thisHash"], turned["thisHash"]);
    assert_eq!(one["symHash"], turned["symHash"]);
    assert_ne!(one["symHash"], other["symHash"]);
}

#[test]
fn variations_are_as_long_as_the_query_wants_them() {
    let longest = |changes: Value| {
        let answer = only_answer(changes);
        answer["moveInfos"].as_array().unwrap().iter().map(|info| info["pv"].as_array().unwrap().len()).max().unwrap()
    };
    // The first move is not counted.
    assert_eq!(longest(json!({"analysisPVLen": 0})), 1);
    assert_eq!(longest(json!({"overrideSettings": {"analysisPVLen": 1}})), 2);
    assert!(longest(json!({})) > 2);
}

#[test]
fn the_first_partial_result_may_come_before_the_others() {
    // Nobody waits an hour for the second.
    let answers = answers(&[query(json!({
        "maxVisits": 5000, "reportDuringSearchEvery": 3600, "firstReportDuringSearchAfter": 0.01,
    }))]);
    let during: Vec<bool> = answers.iter().map(|answer| answer["isDuringSearch"] == true).collect();
    assert_eq!(during, [true, false]);
}

#[test]
fn moves_left_out_for_symmetry_say_whose_numbers_theirs_are() {
    let told = |settings: Value| only_answer(json!({"moves": [], "overrideSettings": settings}));
    let (pruned, whole) = (told(json!({"rootSymmetryPruning": true})), told(json!({})));
    let moves = pruned["moveInfos"].as_array().unwrap();
    let images: Vec<&Value> = moves.iter().filter(|info| !info["isSymmetryOf"].is_null()).collect();
    assert!(!images.is_empty());
    for image in images {
        let original = moves.iter().find(|info| info["move"] == image["isSymmetryOf"]).unwrap();
        assert!(original["isSymmetryOf"].is_null());
        assert_eq!((&image["visits"], &image["scoreLead"]), (&original["visits"], &original["scoreLead"]));
        assert_eq!(image["pv"][0], image["move"]);
    }
    assert!(whole["moveInfos"].as_array().unwrap().iter().all(|info| info["isSymmetryOf"].is_null()));
}

#[test]
fn settings_of_the_search_have_their_effect_for_their_query_only() {
    let told = |settings: Value| {
        let mut changes = json!({"maxVisits": 200, "id": settings.to_string()});
        changes["overrideSettings"] = settings;
        query(changes)
    };
    // One worker, one seed: what differs is the settings' doing.
    let plain = json!({});
    let answers = answers(&[
        told(plain.clone()),
        told(json!({"cpuctExploration": 4})),
        told(json!({"rootFpuReductionMax": 1.0})),
        told(json!({"rootPolicyTemperature": 3})),
        told(json!({"wideRootNoise": 1})),
        told(plain),
    ]);
    let visits = |answer: &Value| {
        answer["moveInfos"].as_array().unwrap().iter().map(|info| info["visits"].clone()).collect::<Vec<_>>()
    };
    let shares: Vec<Vec<Value>> = answers.iter().map(visits).collect();
    for changed in &shares[1..5] {
        assert_ne!(changed, &shares[0]);
    }
    // As many moves as ever seem worth a look when the noise is larger than all differences.
    assert!(shares[4].len() > shares[0].len(), "{shares:?}");
    let absurd = [json!({"overrideSettings": {"cpuctExploration": 1000}}), json!({"rootPolicyTemperature": -1})];
    for absurd in absurd {
        let refused = only_answer(absurd);
        assert!(refused["error"].as_str().unwrap().contains("must lie between"), "{refused}");
    }
}
