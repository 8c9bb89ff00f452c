//! Room card: 3x3 patterns, larger patterns with learned weights, joseki table.
