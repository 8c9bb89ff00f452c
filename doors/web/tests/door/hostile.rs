//! Peers that mean no good, or do not know better.

use std::net::TcpStream;

use serde_json::json;
use tungstenite::Message;
use tungstenite::client::IntoClientRequest;

use crate::tab::{Door, Tab, last};

#[test]
fn other_sites_and_other_names_for_this_machine_are_refused() {
    let door = Door::open();
    let connect = |name: &'static str, value: &str| {
        let mut request = format!("ws://{}/ws", door.address).into_client_request().unwrap();
        request.headers_mut().insert(name, value.parse().unwrap());
        Tab::connect_with(door.address, request).map(|_| ())
    };
    assert!(connect("origin", "http://evil.example").unwrap_err().contains("403"));
    assert!(connect("origin", "null").unwrap_err().contains("403"));
    assert!(connect("host", "evil.example:80").unwrap_err().contains("403"));
    assert_eq!(connect("origin", &format!("http://{}", door.address)), Ok(()));
    for request in [
        "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".to_owned(),
        "GET / HTTP/1.1\r\nConnection: close\r\n\r\n".to_owned(),
        format!(
            "DELETE /api/games/a HTTP/1.1\r\nHost: {}\r\nOrigin: http://evil.example\r\nConnection: close\r\n\r\n",
            door.address
        ),
    ] {
        let answer = door.raw(&request);
        assert!(answer.starts_with("HTTP/1.1 403") || answer.starts_with("HTTP/1.1 400"), "{answer}");
    }
}

#[test]
fn messages_that_make_no_sense_are_answered_and_the_game_goes_on() {
    let door = Door::open();
    let mut tab = door.tab();
    tab.begin(json!({"color": "both"}));
    let deep = format!("{{\"type\":\"play\",\"move\":{}1{}}}", "[".repeat(5000), "]".repeat(5000));
    let nonsense = [
        "",
        "{",
        "[]",
        "null",
        "42",
        "\"play\"",
        "{}",
        "{\"type\":3}",
        "{\"type\":\"play\"}",
        "{\"type\":\"play\",\"move\":7}",
        "{\"type\":\"new\",\"size\":-1}",
        "{\"type\":\"new\",\"size\":1e99}",
        "{\"type\":\"go\",\"node\":4294967296}",
        "\u{0}",
        &deep,
    ];
    for text in nonsense {
        tab.say_raw(Message::text(text));
        let answer = tab.until(|message| message["type"] == "error");
        assert_eq!(answer["code"], "bad_message", "{text:.40}: {answer}");
    }
    tab.say_raw(Message::binary(vec![0xff; 100]));
    assert_eq!(tab.until(|message| message["type"] == "error")["code"], "bad_message");
    for request in [
        json!({"type": "new", "size": 1}),
        json!({"type": "new", "size": 20}),
        json!({"type": "new", "rules": "martian"}),
        json!({"type": "new", "handicap": 10}),
        json!({"type": "new", "size": 2, "handicap": 9}),
        json!({"type": "new", "komi": 1e30}),
        json!({"type": "new", "komi": 0.3}),
        json!({"type": "go"}),
        json!({"type": "toggle", "point": "pass"}),
    ] {
        assert_eq!(tab.refused(request.clone())["code"], "bad_message", "{request}");
    }
    assert_eq!(tab.refused(json!({"type": "go", "node": 99}))["code"], "not_found");
    assert_eq!(tab.refused(json!({"type": "join", "game": "../../etc/passwd"}))["code"], "not_found");
    assert_eq!(last(&tab.play("E5"), "position")["number"], 1);
}

#[test]
fn an_oversize_message_ends_its_own_connection_only() {
    let door = Door::open();
    let mut good = door.tab();
    let id = good.begin(json!({"color": "both"}));
    let mut bad = door.tab();
    bad.please(json!({"type": "join", "game": id}));
    bad.say_raw(Message::text("x".repeat(2 << 20)));
    while bad.receive().is_some() {}
    good.play("E5");
}

#[test]
fn a_thousand_connections_leave_the_players_alone() {
    let door = Door::open();
    let mut player = door.tab();
    player.begin(json!({"color": "both"}));
    // Half of them say nothing at all, the others want a tab each.
    let mut held = Vec::new();
    let mut refused = 0;
    for number in 0..1000 {
        if number % 2 == 0 {
            held.extend(TcpStream::connect(door.address).ok().map(Held::Silent));
        } else {
            match Tab::connect(door.address) {
                Ok(tab) => held.push(Held::Tab(Box::new(tab))),
                Err(text) => {
                    assert!(
                        text.contains("503")
                            || text.contains("eset")
                            || text.contains("ended")
                            || text.contains("closed"),
                        "{text}"
                    );
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 300, "only {refused} were refused");
    player.play("E5");
    drop(held);
    // Once they are gone there is room again.
    let is_welcome = |_: &usize| Tab::connect(door.address).is_ok();
    assert!((0..1000).find(is_welcome).is_some());
}

/// A connection that is only held open.
enum Held {
    Silent(#[expect(dead_code, reason = "held, not used")] TcpStream),
    Tab(#[expect(dead_code, reason = "held, not used")] Box<Tab>),
}

#[test]
fn open_games_are_bounded_and_those_without_anybody_make_room() {
    let door = Door::open();
    let mut tabs: Vec<Tab> = (0..16).map(|_| door.tab()).collect();
    for tab in &mut tabs {
        tab.begin(json!({"color": "both"}));
    }
    let mut late = door.tab();
    assert_eq!(late.refused(json!({"type": "new"}))["code"], "too_many");
    tabs[3].please(json!({"type": "leave"}));
    late.begin(json!({"color": "both"}));
    tabs[4].play("E5");
}
