//! What only Go Intellect's program uses in the tree (Go Intellect): its selection and that selection's parameters.

mod parameters;
mod uct_rave;

pub use parameters::GoIntellectParameters;
pub(crate) use uct_rave::UctRave;
