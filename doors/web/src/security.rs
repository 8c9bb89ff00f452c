//! Who may speak to us. A browser that visits some other page must not be made to play our games or to read them: neither by a
//! name that points to our address (DNS rebinding) nor by a WebSocket or form from another site.

use std::hint::black_box;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, HeaderName, HeaderValue, LOCATION, ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::timeout;

use crate::connections::Permit;
use crate::games::chance;
use crate::guesses::Guesses;

/// The door's rules of admission.
#[derive(Clone, Debug)]
pub struct Gate {
    address: SocketAddr,
    /// Needed from everybody once the door is open to other machines.
    token: Option<Arc<str>>,
    guesses: Arc<Guesses>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Welcome,
    /// The right token came with the address; the browser is to keep it as a cookie instead.
    WelcomeWithToken,
    Forbidden(&'static str),
    NoToken,
    WrongToken,
}

/// A request, its body included, has to be here and answered in this time. (What a tab says and hears comes after its request.)
const REQUEST_WITHIN: Duration = Duration::from_secs(20);

const TOKEN_COOKIE: &str = "jigo_token";

/// Nothing but our own files and our own connection; pictures of the board are made in the page.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
     connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(&str, &str); 6] = [
    ("content-security-policy", CONTENT_POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

impl Gate {
    /// At an address of other machines a token is needed: the one given, or a fresh one.
    pub fn new(address: SocketAddr, token: Option<String>) -> Gate {
        let is_open = !address.ip().is_loopback();
        let token = token.or_else(|| is_open.then(|| format!("{:016x}{:016x}", chance(), chance())));
        Gate { address, token: token.map(Arc::from), guesses: Arc::default() }
    }

    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    pub fn judge(&self, headers: &HeaderMap, uri: &Uri) -> Access {
        let Some(host) = single(headers, &HOST) else {
            return Access::Forbidden("the request names no host, or several");
        };
        if self.address.ip().is_loopback() && !self.is_loopback_name(host) {
            return Access::Forbidden("the host is not this machine");
        }
        if headers.contains_key(ORIGIN) && !single(headers, &ORIGIN).is_some_and(|origin| is_same_site(origin, host)) {
            return Access::Forbidden("the request comes from another site");
        }
        let Some(token) = &self.token else { return Access::Welcome };
        if tokens_in(headers).any(|given| is_equal(given, token)) {
            return Access::Welcome;
        }
        match token_in_query(uri) {
            Some(given) if is_equal(given, token) => Access::WelcomeWithToken,
            None if tokens_in(headers).next().is_none() => Access::NoToken,
            _ => Access::WrongToken,
        }
    }

    fn is_loopback_name(&self, host: &str) -> bool {
        let Some(name) = host.strip_suffix(&format!(":{}", self.address.port())) else { return false };
        let is_ours = |ip: std::net::IpAddr| ip.is_loopback();
        name.eq_ignore_ascii_case("localhost")
            || name.parse().is_ok_and(is_ours)
            || name
                .strip_prefix('[')
                .and_then(|rest| rest.strip_suffix(']'))
                .is_some_and(|v6| v6.parse().is_ok_and(is_ours))
    }
}

/// The only value of a header, if there is exactly one and it is text.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

fn is_same_site(origin: &str, host: &str) -> bool {
    let site = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    site.is_some_and(|site| site.eq_ignore_ascii_case(host))
}

fn tokens_in(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let in_cookies = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|cookie| {
        let (name, value) = cookie.trim().split_once('=')?;
        (name == TOKEN_COOKIE).then_some(value)
    });
    let bearer = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    in_cookies.chain(bearer)
}

fn token_in_query(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// Takes a time that depends on what was given alone, so that neither the token's letters nor its length can be found out one by one.
fn is_equal(given: &str, token: &str) -> bool {
    let letter = |at: usize| token.as_bytes()[at % token.len().max(1)];
    let differences = given.bytes().enumerate().fold(0, |found, (at, byte)| black_box(found | (byte ^ letter(at))));
    !token.is_empty() && (given.len() ^ token.len()) | usize::from(differences) == 0
}

/// Lets in who may come in, and sends every answer out with the same precautions.
pub async fn guard(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    let mut response = admit(&gate, request, next).await;
    for (name, value) in HEADERS {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

async fn admit(gate: &Gate, request: Request, next: Next) -> Response {
    let place = request.extensions().get::<Arc<Permit>>().cloned();
    let verdict = gate.judge(request.headers(), request.uri());
    let is_wrong = verdict == Access::WrongToken;
    if let Some(place) = &place
        && gate.token.is_some()
        && matches!(verdict, Access::Welcome | Access::WelcomeWithToken | Access::WrongToken)
    {
        if gate.guesses.must_wait(place.address(), Instant::now()) {
            let text = "too many wrong tokens came from your address; wait a little";
            return (StatusCode::TOO_MANY_REQUESTS, text).into_response();
        }
        if is_wrong {
            gate.guesses.was_wrong(place.address(), Instant::now());
        }
    }
    match verdict {
        Access::Forbidden(why) => return (StatusCode::FORBIDDEN, why).into_response(),
        Access::NoToken | Access::WrongToken => {
            return (StatusCode::UNAUTHORIZED, "the token is missing or wrong").into_response();
        }
        Access::WelcomeWithToken if request.uri().path() == "/" => return keep_token(gate),
        Access::Welcome | Access::WelcomeWithToken => {}
    }
    if let Some(place) = place {
        place.admit();
    }
    let late = |_| (StatusCode::REQUEST_TIMEOUT, "the request did not come in time").into_response();
    timeout(REQUEST_WITHIN, next.run(request)).await.unwrap_or_else(late)
}

/// The token moves from the address, which people copy and histories keep, into a cookie.
fn keep_token(gate: &Gate) -> Response {
    let cookie = format!("{TOKEN_COOKIE}={}; HttpOnly; SameSite=Strict; Path=/", gate.token().unwrap_or_default());
    (StatusCode::SEE_OTHER, [(SET_COOKIE, cookie), (LOCATION, "/".to_owned())]).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(gate: &Gate, uri: &str, headers: &[(&'static str, &'static str)]) -> Access {
        let mut map = HeaderMap::new();
        for &(name, value) in headers {
            map.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        gate.judge(&map, &uri.parse().unwrap())
    }

    fn is_forbidden(verdict: Access) -> bool {
        matches!(verdict, Access::Forbidden(_))
    }

    #[test]
    fn loopback_answers_to_its_own_names_only() {
        let gate = Gate::new("127.0.0.1:4000".parse().unwrap(), None);
        for host in ["127.0.0.1:4000", "localhost:4000", "LOCALHOST:4000", "[::1]:4000", "127.0.0.2:4000"] {
            assert_eq!(judge(&gate, "/", &[("host", host)]), Access::Welcome, "{host}");
        }
        for host in
            ["evil.example:4000", "127.0.0.1", "127.0.0.1:80", "127.0.0.1.evil.example:4000", "10.0.0.1:4000", ""]
        {
            assert!(is_forbidden(judge(&gate, "/", &[("host", host)])), "{host}");
        }
        assert!(is_forbidden(judge(&gate, "/", &[])));
        assert!(is_forbidden(judge(&gate, "/", &[("host", "localhost:4000"), ("host", "evil.example:4000")])));
    }

    #[test]
    fn an_origin_must_be_the_host() {
        let gate = Gate::new("127.0.0.1:4000".parse().unwrap(), None);
        let with = |origin| judge(&gate, "/ws", &[("host", "localhost:4000"), ("origin", origin)]);
        assert_eq!(with("http://localhost:4000"), Access::Welcome);
        for origin in
            ["http://evil.example", "http://localhost:4001", "http://127.0.0.1:4000", "null", "localhost:4000"]
        {
            assert!(is_forbidden(with(origin)), "{origin}");
        }
    }

    #[test]
    fn other_addresses_need_the_token() {
        let gate = Gate::new("192.0.2.1:4000".parse().unwrap(), Some("sesame".to_owned()));
        let host = ("host", "go.example:4000");
        assert_eq!(judge(&gate, "/", &[host]), Access::NoToken);
        for wrong in ["/?token=sesam", "/?token=", "/?token=sesamesesame", "/?token=tesame"] {
            assert_eq!(judge(&gate, wrong, &[host]), Access::WrongToken, "{wrong}");
        }
        assert_eq!(judge(&gate, "/ws", &[host, ("cookie", "jigo_token=guess")]), Access::WrongToken);
        assert_eq!(judge(&gate, "/?token=sesame", &[host]), Access::WelcomeWithToken);
        assert_eq!(judge(&gate, "/ws", &[host, ("cookie", "a=b; jigo_token=sesame")]), Access::Welcome);
        assert_eq!(judge(&gate, "/ws", &[host, ("authorization", "Bearer sesame")]), Access::Welcome);
        assert!(is_forbidden(judge(&gate, "/?token=sesame", &[host, ("origin", "http://evil.example")])));
    }

    #[test]
    fn a_token_is_made_where_none_is_given() {
        let open = Gate::new("0.0.0.0:4000".parse().unwrap(), None);
        assert_eq!(open.token().map(str::len), Some(32));
        assert_eq!(Gate::new("[::1]:4000".parse().unwrap(), None).token(), None);
    }
}
