//! Room card: reviews of whole games.
//!
//! For: examining every position of a game record, and telling what each move lost: as plain data ([`Review`]), as the
//! record itself with annotations ([`annotate`]), as a page to read ([`page`]). Examining, annotating and drawing do not
//! know each other; they meet in the data.
//! May use: the engine, game records, the board; JSON for the journal and for what other programs store in records.
//! Never enters: reading or writing files, printing, progress bars, the search tree.

mod annotate;
mod examine;
mod journal;
mod katrain;
mod move_codes;
mod report;
mod review;
mod subject;
mod words;

pub use annotate::annotate;
pub use examine::{Task, examine};
pub use journal::{Dropped, NoJournal, ReviewJournal};
pub use report::page;
pub use review::{Candidate, Opinion, PlayerSummary, Review};
pub use subject::{Subject, SubjectError};
