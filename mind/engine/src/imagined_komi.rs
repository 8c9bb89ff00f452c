//! Why the engine plays under another komi than the real one, in terms a person can be told (Dynamic komi 3; Pachi 4.2).

use jigo_board::{Color, Game, Score};
use jigo_search::{DynamicKomi, SearchReport};

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
        let searching = &parameters.searching;
        // Points we add to our own task are a burden; points we take off it are lent.
        let burden = Score::black_lead(report.extra_komi).lead_of(us);
        let reason = match burden {
            0.0 => KomiReason::None,
            _ if DynamicKomi::new(searching).counts_handicap(game, us) => {
                KomiReason::HandicapFading { until: searching.search.komi_moves as usize }
            }
            burden if burden > 0.0 => KomiReason::SureWin,
            _ => KomiReason::Fighting,
        };
        ImaginedKomi { extra: report.extra_komi, reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Move, Rules};
    use jigo_search::KomiMethod;

    /// White, with four stones against it, plays under four points less, as all methods may let it.
    fn reason(method: KomiMethod, moves: usize) -> KomiReason {
        let mut game = Game::new(19, Rules::default());
        game.place_fixed_handicap(4).unwrap();
        while game.moves().len() < moves {
            let color = game.to_move();
            let point = game.legal_points(color)[0];
            game.play(color, Move::Play(point)).unwrap();
        }
        let mut parameters = Parameters::default();
        parameters.searching.search.komi_method = method;
        let mut report = SearchReport::new(Color::White, 0.5);
        report.extra_komi = 4.0;
        ImaginedKomi::of(&game, Color::White, &report, &parameters).reason
    }

    #[test]
    fn handicap_stones_are_the_reason_only_while_the_method_counts_them() {
        let fading = KomiReason::HandicapFading { until: 200 };
        for (method, early, later) in [
            (KomiMethod::Adaptive, fading, fading),
            (KomiMethod::Linear, fading, fading),
            // Playouts decide as soon as they see more than noise.
            (KomiMethod::Score, fading, KomiReason::Fighting),
            (KomiMethod::Value, fading, KomiReason::Fighting),
            // The net sees something from the first move on.
            (KomiMethod::ValueMixed, KomiReason::Fighting, KomiReason::Fighting),
        ] {
            assert_eq!((reason(method, 2), reason(method, 22)), (early, later), "{method:?}");
        }
    }
}
