//! Room card: the Go Text Protocol: parse, call the engine, render.
