//! Room card: planes, weights, fast CPU inference, batching, cache.
