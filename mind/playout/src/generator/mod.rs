//! The generators: each proposes moves for one reason, in one file. Their order and rates are the policy's.

mod capture_last_move;
mod joseki;
mod many_liberties;
mod nakade;
mod pattern;
pub(crate) mod random;
mod retake_ko;
mod save_from_atari;
mod two_liberties;

use jigo_tactics::MoveList;

use crate::go_intellect;
use crate::playout::Tools;
use crate::simulation::Simulation;

/// Why a move was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Generator {
    /// A move of the game or of the tree.
    Given,
    RetakeKo,
    Nakade,
    CaptureLastMove,
    SaveFromAtari,
    TwoLiberties,
    ManyLiberties,
    PatternAroundLast,
    PatternAroundSecondLast,
    Joseki,
    Random,
    Pass,
    GoIntellect(go_intellect::GoIntellectGenerator),
}

impl Generator {
    /// Leaves the simulation as it is; reading may play on its board and take back.
    #[inline]
    pub(crate) fn propose(self, simulation: &mut Simulation, tools: &mut Tools, moves: &mut MoveList) {
        match self {
            Generator::RetakeKo => retake_ko::propose(simulation, moves),
            Generator::Nakade => nakade::propose(simulation, moves),
            Generator::CaptureLastMove => capture_last_move::propose(simulation, moves),
            Generator::SaveFromAtari => save_from_atari::propose(simulation, tools, moves),
            Generator::TwoLiberties => two_liberties::propose(simulation, moves),
            Generator::ManyLiberties => many_liberties::propose(simulation, moves),
            Generator::PatternAroundLast => pattern::propose(simulation, 1, tools, moves),
            Generator::PatternAroundSecondLast => pattern::propose(simulation, 2, tools, moves),
            Generator::Joseki => joseki::propose(simulation, tools, moves),
            Generator::Random => random::propose(simulation, tools, moves),
            Generator::GoIntellect(generator) => generator.propose(simulation, tools, moves),
            Generator::Given | Generator::Pass => {}
        }
    }

    /// Random moves have passed their own filter already.
    #[inline]
    pub(crate) fn checks_for_itself(self) -> bool {
        match self {
            Generator::GoIntellect(generator) => generator.checks_for_itself(),
            own => own == Generator::Random,
        }
    }
}

impl std::fmt::Display for Generator {
    /// The name in words: `capture last move`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = match self {
            Generator::GoIntellect(generator) => format!("{generator:?}"),
            own => format!("{own:?}"),
        };
        let mut words = String::new();
        for letter in name.chars() {
            if letter.is_uppercase() && !words.is_empty() {
                words.push(' ');
            }
            words.push(letter.to_ascii_lowercase());
        }
        f.pad(&words)
    }
}
