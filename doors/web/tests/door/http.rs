//! The HTTP side: pages and the small API.

use serde_json::{Value, json};
use tungstenite::Message;

use crate::tab::{Door, Tab, last};

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn the_page_comes_with_its_precautions_and_is_not_sent_twice() {
    let door = Door::open();
    let get =
        |more: &str| door.raw(&format!("GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{more}\r\n", door.address));
    let page = get("");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<!doctype html>"), "{page}");
    for header in
        ["content-security-policy: default-src 'none'", "x-content-type-options: nosniff", "cache-control: no-cache"]
    {
        assert!(page.contains(header), "{header}");
    }
    let tag = page.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    assert!(get(&format!("If-None-Match: {tag}\r\n")).starts_with("HTTP/1.1 304"));
    assert_eq!(door.http("GET", "/no/such/page", None).0, 404);
    assert_eq!(door.http("GET", "/../Cargo.toml", None).0, 404);
    assert_eq!(door.http("GET", "/..%2fCargo.toml", None).0, 404);
}

#[test]
fn a_program_plays_a_game_by_asking() {
    let door = Door::open();
    let info = read(&door.http("GET", "/api/info", None).1);
    assert_eq!((&info["type"], &info["sizes"]), (&json!("hello"), &json!([2, 19])));
    let (status, made) = door.http("POST", "/api/games", Some(&json!({"type": "new", "size": 9, "color": "both"})));
    let id = read(&made)["id"].as_str().unwrap().to_owned();
    assert_eq!(status, 201);
    let messages = format!("/api/games/{id}/messages");
    let (status, shown) = door.http("POST", &messages, Some(&json!({"type": "play", "move": "E5"})));
    assert_eq!((status, &read(&shown)["position"]["number"]), (200, &json!(1)));
    let (status, refused) = door.http("POST", &messages, Some(&json!({"type": "play", "move": "E5"})));
    assert_eq!((status, &read(&refused)["reason"]), (409, &json!("occupied")));
    assert_eq!(door.http("PATCH", &format!("/api/games/{id}"), Some(&json!({"name": "mine"}))).0, 204);
    assert_eq!(read(&door.http("GET", "/api/games", None).1)["games"][0]["name"], "mine");
    let (_, sgf) = door.http("GET", &format!("/api/games/{id}/sgf"), None);
    assert!(sgf.contains("GN[mine]") && sgf.contains(";B[ee]"), "{sgf}");
    assert_eq!(door.http("DELETE", &format!("/api/games/{id}"), None).0, 204);
    assert_eq!(door.http("GET", &format!("/api/games/{id}"), None).0, 404);
}

#[test]
fn the_machines_that_think_along_are_shown_to_programs_and_tabs_but_not_to_other_sites() {
    let door = Door::open();
    let (status, shown) = door.http("GET", "/api/cluster", None);
    assert_eq!((status, &read(&shown)["playouts"]), (200, &json!(17)));
    let heard = door.tab().please(json!({"type": "cluster"}));
    assert_eq!(last(&heard, "cluster")["playouts"], 17);
    let foreign = format!(
        "GET /api/cluster HTTP/1.1\r\nHost: {}\r\nOrigin: http://evil.example\r\nConnection: close\r\n\r\n",
        door.address
    );
    assert!(door.raw(&foreign).starts_with("HTTP/1.1 403"));
}

#[test]
fn analysis_lines_go_to_and_fro() {
    let door = Door::open();
    let mut guest = Tab::analysis(door.address);
    guest.send(Message::text("{\"id\":\"1\"}\n{\"id\":\"2\"}")).unwrap();
    let heard = [guest.read().unwrap(), guest.read().unwrap()].map(|message| message.into_text().unwrap().to_string());
    assert_eq!(heard, ["heard {\"id\":\"1\"}\n", "heard {\"id\":\"2\"}\n"]);
}

#[test]
fn a_hundred_thousand_answers_at_once_do_not_end_the_connection() {
    let door = Door::open();
    let mut guest = Tab::analysis(door.address);
    // As many as `terminate_all` has for a full queue.
    guest.send(Message::text("x\n".repeat(100_000))).unwrap();
    for number in 0..100_000 {
        assert_eq!(guest.read().unwrap().into_text().unwrap().as_str(), "heard x\n", "{number}");
    }
    guest.send(Message::text("still there?")).unwrap();
    assert_eq!(guest.read().unwrap().into_text().unwrap().as_str(), "heard still there?\n");
}

#[test]
fn bodies_that_are_no_request_are_refused() {
    let door = Door::open();
    assert_eq!(door.http("POST", "/api/games", Some(&json!({"type": "dance"}))).0, 422);
    assert_eq!(door.http("POST", "/api/games", Some(&json!({"type": "undo"}))).0, 400);
    let long = json!({"type": "load", "sgf": "x".repeat(2 << 20)});
    assert_eq!(door.http("POST", "/api/games", Some(&long)).0, 413);
    let form = format!(
        "POST /api/games HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: 14\r\n\r\n{{\"type\":\"new\"}}",
        door.address
    );
    assert!(door.raw(&form).starts_with("HTTP/1.1 415"));
}
