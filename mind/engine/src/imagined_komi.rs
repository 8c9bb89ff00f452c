//! Why the engine plays under another komi than the real one, in terms a person can be told (Dynamic komi 3; Pachi 4.2).

use jigo_board::{Color, Game, Score};
use jigo_search::{KomiMethod, SearchReport};

use crate::parameters::Parameters;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KomiReason {
    /// It plays under the real komi.
    None,
    /// Handicap stones are counted as points, fewer with every move until this one (Dynamic komi 4).
    HandicapFading { until: usize },
    /// It is winning and asks itself for a larger win (Pachi 4.2).
    SureWin,
    /// It is behind and lends itself points to go on fighting (Dynamic komi 5).
    Fighting,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImaginedKomi {
    /// Added to the real komi, as Black sees it.
    pub extra: f32,
    pub reason: KomiReason,
}

impl ImaginedKomi {
    /// The komi of a search about `game`, in which the engine plays `us`.
    pub fn of(game: &Game, us: Color, report: &SearchReport, parameters: &Parameters) -> ImaginedKomi {
        let search = &parameters.searching.search;
        let until = search.komi_moves as usize;
        let fades = !game.handicap().is_empty() && game.moves().len() < until && search.komi_method != KomiMethod::None;
        // Points we add to our own task are a burden; points we take off it are lent.
        let burden = Score::black_lead(report.extra_komi).lead_of(us);
        let reason = match burden {
            0.0 => KomiReason::None,
            _ if fades => KomiReason::HandicapFading { until },
            burden if burden > 0.0 => KomiReason::SureWin,
            _ => KomiReason::Fighting,
        };
        ImaginedKomi { extra: report.extra_komi, reason }
    }
}
