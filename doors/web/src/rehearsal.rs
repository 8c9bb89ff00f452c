//! Messages of a tab, granted or refused as they would be, but without threads, sockets, files or anybody who thinks. Fuzzing comes in
//! here.

use std::time::Instant;

use jigo_sgf::Collection;

use crate::messages::{Envelope, LobbyRequest, Request};
use crate::refusal::Refusal;
use crate::table::Table;

/// One message each line. After every one that was granted the game can still be shown, told, written and read again.
pub fn rehearse(messages: &str) {
    let now = Instant::now();
    let mut table: Option<Table> = None;
    for line in messages.lines() {
        let Ok(Envelope { request, .. }) = serde_json::from_str(line) else { continue };
        // Whatever the clock says, nobody waits here.
        let _ = grant(&mut table, request, now);
        if let Some(table) = &mut table {
            table.take_changes();
            show(table, now);
            let again = Table::read("again".to_owned(), &table.to_sgf(), now);
            assert!(again.is_ok(), "a game that cannot be read again: {}", table.to_sgf());
        }
    }
}

fn grant(table: &mut Option<Table>, request: Request, now: Instant) -> Result<(), Refusal> {
    let id = || "rehearsal".to_owned();
    let present = table.as_mut().ok_or(Refusal::NoGame);
    match request {
        Request::Table(request) => present?.grant(request, now)?,
        Request::Lobby(LobbyRequest::New(settings)) => *table = Some(Table::begin(id(), settings, true, now)?),
        Request::Lobby(LobbyRequest::Load { sgf, name }) => {
            let tree = Collection::from_text(&sgf)?.games.swap_remove(0);
            *table = Some(Table::study(id(), tree, name.as_deref(), now)?);
        }
        Request::Lobby(LobbyRequest::Sgf { annotated }) => drop(present?.export(annotated)),
        Request::Lobby(LobbyRequest::Branch { node }) => drop(present?.branch(node)?),
        Request::Lobby(LobbyRequest::Moment { node }) => drop(present?.moment(node)?),
        Request::Lobby(LobbyRequest::Rename { name, .. }) => present?.rename(&name),
        Request::Lobby(_) => {}
    }
    Ok(())
}

/// All that a tab would be told.
fn show(table: &Table, now: Instant) {
    table.game_view();
    table.position_view();
    table.status_view();
    table.clock_view(now);
    table.counting_view();
    table.review_view();
    table.wish(&[]);
}
