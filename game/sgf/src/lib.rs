//! Room card: game trees in and out, tolerant, nothing unknown lost.
