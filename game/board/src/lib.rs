//! Room card: the board.
