//! Room card: the game in progress: clock, search, decide, ponder, dead stones, final score.
