//! The HTTP side of the protocol: the same games for programs that would rather ask than listen.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::block_in_place;

use crate::games::Games;
use crate::messages::{Event, Hello, Request};
use crate::refusal::Refusal;
use crate::session::Session;

type Body<T> = Result<Json<T>, JsonRejection>;

/// A refusal as a response: the message of the protocol, with a status that says the same.
struct Refused(Refusal);

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Refused {
        Refused(refusal)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let status = match self.0 {
            Refusal::NotFound(_) => StatusCode::NOT_FOUND,
            Refusal::NotNow(_) | Refusal::Illegal { .. } => StatusCode::CONFLICT,
            Refusal::TooMany(_) | Refusal::Storage(_) => StatusCode::SERVICE_UNAVAILABLE,
            Refusal::BadMessage(_) | Refusal::BadSgf(_) | Refusal::NoGame => StatusCode::BAD_REQUEST,
        };
        (status, Json(self.0.to_event(None))).into_response()
    }
}

pub async fn info() -> Response {
    Json(Event::Hello(Hello::new())).into_response()
}

pub async fn list(State(games): State<Arc<Games>>) -> Response {
    Json(Event::Games { games: block_in_place(|| games.list()) }).into_response()
}

pub async fn create(State(games): State<Arc<Games>>, body: Body<Request>) -> Result<Response, Response> {
    let request = understood(body)?;
    let session = block_in_place(|| match request {
        Request::New(settings) => games.begin(settings),
        Request::Load { sgf, name } => games.load(&sgf, name.as_deref()),
        _ => Err(Refusal::BadMessage("a game begins with new or load".to_owned())),
    });
    let session = session.map_err(|refusal| Refused(refusal).into_response())?;
    Ok((StatusCode::CREATED, Json(session.look(|table| Event::Game(table.game_view())))).into_response())
}

pub async fn show(State(games): State<Arc<Games>>, Path(id): Path<String>) -> Result<Response, Response> {
    let shown = block_in_place(|| games.open(&id).map(|session| everything(&session)));
    shown.map(|shown| Json(shown).into_response()).map_err(|refusal| Refused(refusal).into_response())
}

#[derive(Deserialize)]
pub struct Wanted {
    annotated: Option<String>,
}

pub async fn sgf(
    State(games): State<Arc<Games>>,
    Path(id): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Response> {
    let annotated = wanted.annotated.is_some_and(|value| value != "0");
    let event = block_in_place(|| games.open(&id).map(|session| session.look(|table| table.sgf_event(annotated))));
    match event.map_err(|refusal| Refused(refusal).into_response())? {
        Event::Sgf { name, text } => {
            let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
            let file = format!("attachment; filename=\"{plain}.sgf\"");
            let headers = [(CONTENT_TYPE, "application/x-go-sgf".to_owned()), (CONTENT_DISPOSITION, file)];
            Ok((headers, text).into_response())
        }
        other => Ok(Json(other).into_response()),
    }
}

#[derive(Deserialize)]
pub struct NewName {
    name: String,
}

pub async fn rename(
    State(games): State<Arc<Games>>,
    Path(id): Path<String>,
    body: Body<NewName>,
) -> Result<StatusCode, Response> {
    let NewName { name } = understood(body)?;
    block_in_place(|| games.rename(&id, &name)).map_err(|refusal| Refused(refusal).into_response())?;
    Ok(StatusCode::NO_CONTENT)
}

pub async fn remove(State(games): State<Arc<Games>>, Path(id): Path<String>) -> Result<StatusCode, Response> {
    block_in_place(|| games.remove(&id)).map_err(|refusal| Refused(refusal).into_response())?;
    Ok(StatusCode::NO_CONTENT)
}

pub async fn message(
    State(games): State<Arc<Games>>,
    Path(id): Path<String>,
    body: Body<Request>,
) -> Result<Response, Response> {
    let request = understood(body)?;
    let shown = block_in_place(|| {
        let session = games.open(&id)?;
        session.grant(request)?;
        Ok(everything(&session))
    });
    shown.map(|shown| Json(shown).into_response()).map_err(|refusal: Refusal| Refused(refusal).into_response())
}

fn understood<T>(body: Body<T>) -> Result<T, Response> {
    body.map(|Json(value)| value).map_err(|rejection| {
        let refusal = Refusal::BadMessage(rejection.body_text());
        (rejection.status(), Json(refusal.to_event(None))).into_response()
    })
}

/// All that a tab would be told on joining.
fn everything(session: &Session) -> Value {
    let state = session.lock();
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
    })
}
