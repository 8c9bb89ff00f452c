//! A stronger mind labels positions, once; students learn from its answers as often as they like.

mod agreement;
mod demonstration;
mod katago;
mod label;
mod labelling;
mod own_net;
mod proven;
mod searching;

pub use agreement::{Agreement, Distance, agreement};
pub use demonstration::{Demonstration, demonstrate};
pub use katago::KatagoNet;
pub use label::{Answers, Label, Lesson, TeacherOpinion, read_lessons};
pub use labelling::{KeepAnswers, Labelling, TeachError, ask, label_all, label_by};
pub use own_net::OwnNet;
pub use proven::put_right;
pub use searching::SearchingNet;

use jigo_board::Game;

/// Whoever can be asked about positions. A test's fake and a net of ours answer as well as a net of KataGo's.
pub trait Teacher {
    /// Its name, for the net's card.
    fn name(&self) -> String;

    /// What it thinks of each game as it stands, at the game's own komi.
    fn opinions(&mut self, games: &[Game]) -> Vec<TeacherOpinion>;
}
