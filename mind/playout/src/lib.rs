//! Room card: a random game from a leaf to the end: generators, their order, their rates.
