//! The service as a client knows it.

mod desk;
mod hostile;
mod protocol;
