//! Room card: supervised, reinforcement and value training.
