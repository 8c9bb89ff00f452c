//! The HTTP side of the protocol: the same games for programs that would rather ask than listen.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::block_in_place;

use crate::games::Games;
use crate::messages::{Event, LobbyRequest, Request, TableRequest, Wanted};
use crate::records::Reading;
use crate::refusal::Refusal;
use crate::session::Session;
use crate::table::PROGRAMS;

type Body<T> = Result<Json<T>, JsonRejection>;

/// A refusal as a response: the message of the protocol, with a status that says the same.
pub struct Refused {
    refusal: Refusal,
    status: StatusCode,
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Refused {
        let status = match refusal {
            Refusal::NotFound(_) => StatusCode::NOT_FOUND,
            Refusal::NotNow { .. } | Refusal::Illegal { .. } => StatusCode::CONFLICT,
            Refusal::TooMany { .. } | Refusal::Storage { .. } => StatusCode::SERVICE_UNAVAILABLE,
            Refusal::BadMessage(_) | Refusal::BadSgf { .. } | Refusal::NoGame => StatusCode::BAD_REQUEST,
        };
        Refused { refusal, status }
    }
}

impl From<JsonRejection> for Refused {
    fn from(rejection: JsonRejection) -> Refused {
        Refused { refusal: Refusal::BadMessage(rejection.body_text()), status: rejection.status() }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.status, Json(self.refusal.to_event(None))).into_response()
    }
}

pub async fn info(State(games): State<Arc<Games>>) -> Response {
    Json(Event::Hello(games.hello())).into_response()
}

pub async fn cluster(State(games): State<Arc<Games>>) -> Result<Response, Refused> {
    let view = block_in_place(|| games.cluster());
    Ok(Json(Event::Cluster(view?)).into_response())
}

pub async fn list(State(games): State<Arc<Games>>, Query(wanted): Query<Wanted>) -> Response {
    Json(block_in_place(|| games.list(&wanted, None))).into_response()
}

/// A file from outside.
pub async fn record(
    State(games): State<Arc<Games>>,
    Query(reading): Query<Reading>,
    body: Bytes,
) -> Result<Response, Refused> {
    let taken = block_in_place(|| games.take_in(&body, &reading));
    Ok(Json(taken?).into_response())
}

pub async fn create(State(games): State<Arc<Games>>, body: Body<Request>) -> Result<Response, Refused> {
    let request = body?.0;
    let session = block_in_place(|| match request {
        Request::Lobby(LobbyRequest::New(settings)) => games.begin(settings),
        Request::Lobby(LobbyRequest::Load { sgf, name }) => games.load(&sgf, name.as_deref()),
        _ => Err(Refusal::BadMessage("a game begins with new or load".to_owned())),
    });
    let session = session?;
    Ok((StatusCode::CREATED, Json(session.look(|table| Event::Game(table.game_view())))).into_response())
}

pub async fn show(State(games): State<Arc<Games>>, Path(id): Path<String>) -> Result<Response, Refused> {
    let shown = block_in_place(|| games.open(&id).map(|session| everything(&session)));
    Ok(Json(shown?).into_response())
}

#[derive(Deserialize)]
pub struct Export {
    annotated: Option<String>,
}

pub async fn sgf(
    State(games): State<Arc<Games>>,
    Path(id): Path<String>,
    Query(export): Query<Export>,
) -> Result<Response, Refused> {
    let annotated = export.annotated.is_some_and(|value| value != "0");
    let exported = block_in_place(|| games.open(&id).map(|session| session.look(|table| table.export(annotated))));
    let (name, text) = exported?;
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let file = format!("attachment; filename=\"{plain}.sgf\"");
    Ok(([(CONTENT_TYPE, "application/x-go-sgf".to_owned()), (CONTENT_DISPOSITION, file)], text).into_response())
}

#[derive(Deserialize)]
pub struct NewName {
    name: String,
}

pub async fn rename(
    State(games): State<Arc<Games>>,
    Path(id): Path<String>,
    body: Body<NewName>,
) -> Result<StatusCode, Refused> {
    let NewName { name } = body?.0;
    block_in_place(|| games.rename(&id, &name))?;
    Ok(StatusCode::NO_CONTENT)
}

pub async fn remove(State(games): State<Arc<Games>>, Path(id): Path<String>) -> Result<StatusCode, Refused> {
    block_in_place(|| games.remove(&id))?;
    Ok(StatusCode::NO_CONTENT)
}

pub async fn message(
    State(games): State<Arc<Games>>,
    Path(id): Path<String>,
    body: Body<TableRequest>,
) -> Result<Response, Refused> {
    let request = body?.0;
    let granted = block_in_place(|| {
        let session = games.open(&id)?;
        session.ask_table(PROGRAMS, request)?;
        Ok::<_, Refusal>(everything(&session))
    });
    Ok(Json(granted?).into_response())
}

/// All that a tab would be told on joining.
fn everything(session: &Session) -> Value {
    let mut state = session.lock();
    state.table.turn_to(PROGRAMS);
    let table = &state.table;
    let analysis: Option<Value> = state.analysis().and_then(|message| serde_json::from_str(message).ok());
    json!({
        "game": Event::Game(table.game_view()),
        "position": Event::Position(table.position_view()),
        "status": Event::Status(table.status_view()),
        "clock": table.clock_view(Instant::now()).map(Event::Clock),
        "counting": table.counting_view().map(Event::Counting),
        "komi": table.komi_view().cloned().map(Event::Komi),
        "analysis": analysis,
        "review": table.review_view().map(Event::Review),
        "storage": state.storage_event(),
    })
}
