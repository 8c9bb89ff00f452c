//! Room card: the board in the browser.
//!
//! For: serving the embedded client, and games over HTTP and WebSocket as `PROTOCOL.md` tells.
//! May use: the engine, the board and game records; tokio, axum and serde.
//! Never enters: rules of Go and thinking, which are the engine's; the search tree; another door; any address but loopback unless asked for.
