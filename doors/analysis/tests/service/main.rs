//! The service as a client knows it.

mod hostile;
mod protocol;
mod test_client;
