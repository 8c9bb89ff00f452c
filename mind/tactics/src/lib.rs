//! Room card: questions about stones, one question per file.
