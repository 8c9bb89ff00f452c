//! Opponents and the analyst think with the nets that are chosen.

use serde_json::{Value, json};

use crate::tab::{Door, Tab, last};

#[test]
fn an_opponent_like_a_five_kyu_replies() {
    let door = Door::open();
    let mut tab = door.tab();
    let heard = tab.please(json!({
        "type": "new", "size": 5, "color": "black", "level": 1, "pace": "instant", "net": "people", "like": "rank_5k"
    }));
    let game = last(&heard, "game");
    assert_eq!((&game["net"], &game["like"]), (&json!("people"), &json!("rank_5k")));
    assert_eq!(game["white"]["rank"], "5k");
    tab.play("C3");
    assert_eq!(tab.until(|message| message["type"] == "thought")["color"], "white");
}

#[test]
fn an_opponent_that_does_not_exist_is_refused() {
    let door = Door::open();
    let mut tab = door.tab();
    for (request, word) in [
        (json!({"type": "new", "net": "nobody"}), "no net of this name"),
        (json!({"type": "new", "net": "embedded", "like": "rank_5k"}), "knows no players"),
        (json!({"type": "new", "net": "people", "like": "rank_99k"}), "rank_99k"),
        (json!({"type": "net", "net": "nobody"}), "no net of this name"),
    ] {
        let refusal = tab.refused(request);
        assert!(refusal.to_string().contains(word), "{refusal}");
    }
}

fn black_wins(tab: &mut Tab) -> Value {
    tab.please(json!({"type": "analyse", "on": true, "visits": 2}));
    let found = tab.until(|message| message["type"] == "analysis" && message["is_running"] == false);
    tab.please(json!({"type": "analyse", "on": false}));
    found["black_win"].clone()
}

#[test]
fn the_analyst_changes_its_net_without_a_restart() {
    let door = Door::open();
    let mut tab = door.tab();
    tab.begin(json!({"size": 5, "color": "both"}));
    let usual = black_wins(&mut tab);
    let heard = tab.please(json!({"type": "net", "net": "people"}));
    assert_eq!(last(&heard, "hello")["net"], "people");
    assert_ne!(black_wins(&mut tab), usual);
    tab.please(json!({"type": "net", "net": null}));
    assert_eq!(black_wins(&mut tab), usual);
}
