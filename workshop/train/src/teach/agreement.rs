//! How far a student is from its teacher, by kind of position.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use jigo_board::{Game, Symmetry};
use jigo_net::{Backend, Evaluate, Evaluation, Manner, Position, Told, View};

use super::label::Lesson;
use crate::positions::{Kind, place_of};
use crate::report::Average;

#[derive(Clone, Copy, Debug, Default)]
pub struct Distance {
    /// Share of positions where both like the same move best.
    pub first_move: Average,
    /// Of the policies, in nats.
    pub divergence: Average,
    /// Mean absolute differences: of Black's win rate at the komi asked, of the even komi in points, and of a point's owner
    /// between -1 and 1.
    pub win_rate: Average,
    pub even_komi: Average,
    pub ownership: Average,
    /// Mean squares of the same differences, of win rates and of owners: a net that is surer than it should be cannot gain by it.
    pub win_rate_square: Average,
    pub ownership_square: Average,
}

#[derive(Clone, Debug, Default)]
pub struct Agreement {
    pub all: Distance,
    pub by_kind: BTreeMap<Kind, Distance>,
    pub by_size: BTreeMap<u8, Distance>,
}

/// A chance below this counts as this, or a single move would decide the divergence.
const LEAST: f32 = 1e-5;

impl Distance {
    fn add(&mut self, game: &Game, lesson: &Lesson, evaluations: &[(f32, f32, Evaluation)]) {
        for (komi, rate, evaluation) in evaluations {
            let off = f64::from(evaluation.value.black_win_rate(*komi) - rate);
            self.win_rate.add(off.abs());
            self.win_rate_square.add(off * off);
        }
        // As the teacher, whose moves and owners are those of the last komi asked.
        let Some((.., evaluation)) = evaluations.last() else { return };
        let (label, size) = (&lesson.label, game.size());
        let best = evaluation.moves().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(mv, _)| place_of(mv, size).into());
        self.first_move.add_truth(best == label.first());
        let chances: Vec<f32> = evaluation.moves().map(|(_, chance)| chance).collect();
        let nats = |(place, chance): (usize, f32)| f64::from(chance * (chance / chances[place].max(LEAST)).ln());
        self.divergence.add(label.policy().filter(|(_, chance)| *chance > 0.0).map(nats).sum());
        if let Some(even) = evaluation.value.fair_komi() {
            self.even_komi.add(f64::from((even - label.even_komi).abs()));
        }
        for (point, owned) in game.board().points().zip(label.black_ownership()) {
            if let Some(seen) = evaluation.black_ownership(point) {
                let off = f64::from(seen - owned);
                self.ownership.add(off.abs());
                self.ownership_square.add(off * off);
            }
        }
    }
}

/// Looks at every lesson as it lies, once for each komi that the teacher was asked about.
pub fn agreement(net: Arc<dyn Backend>, lessons: &[&Lesson]) -> Agreement {
    let mut evaluator = net.evaluator();
    let mut agreement = Agreement::default();
    for lesson in lessons {
        let Some(game) = lesson.game().map(Arc::new) else { continue };
        let at = |(komi, rate): (f32, f32)| (komi, rate, look(&mut *evaluator, &game, komi));
        let evaluations: Vec<_> = lesson.label.win_rates().map(at).collect();
        agreement.all.add(&game, lesson, &evaluations);
        agreement.by_kind.entry(lesson.exercise.kind).or_default().add(&game, lesson, &evaluations);
        agreement.by_size.entry(lesson.exercise.size).or_default().add(&game, lesson, &evaluations);
    }
    agreement
}

fn look(evaluator: &mut dyn Evaluate, game: &Arc<Game>, komi: f32) -> Evaluation {
    let told = Some(Told { game, moves: &[], komi, manner: Manner::PLAIN });
    let view = View { position: Position::of_game(game), symmetry: Symmetry::IDENTITY, told };
    evaluator.evaluate_batch(&[view]).remove(0)
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |average: &Average| average.value().unwrap_or(f64::NAN);
        write!(f, "{:>6}  {:>6.1} %", self.first_move.count(), 100.0 * number(&self.first_move))?;
        write!(f, "  {:>6.3}  {:>6.1} %", number(&self.divergence), 100.0 * number(&self.win_rate))?;
        write!(f, "  {:>6.1}  {:>6.3}", number(&self.even_komi), number(&self.ownership))?;
        write!(f, "  {:>8.4}  {:>8.4}", number(&self.win_rate_square), number(&self.ownership_square))
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<10} count  same move  nats  win rate  points  owner  (win rate)²  (owner)²", "")?;
        for (kind, distance) in &self.by_kind {
            writeln!(f, "{:<9} {distance}", format!("{kind:?}"))?;
        }
        for (size, distance) in &self.by_size {
            writeln!(f, "{:<9} {distance}", format!("{size}x{size}"))?;
        }
        write!(f, "{:<9} {}", "all", self.all)
    }
}
