//! One of our own nets as a teacher: what it thinks, from all eight sides of the board.

use std::sync::Arc;

use jigo_board::{Game, Symmetry};
use jigo_net::value::Logistic;
use jigo_net::{Evaluation, Evaluator, Net, Position, Value, View};

use super::{Teacher, TeacherOpinion};

pub struct OwnNet {
    name: String,
    evaluator: Evaluator,
}

impl OwnNet {
    pub fn new(name: String, net: Arc<Net>) -> OwnNet {
        OwnNet { name, evaluator: Evaluator::new(net) }
    }
}

impl Teacher for OwnNet {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn opinions(&mut self, games: &[Game]) -> Vec<TeacherOpinion> {
        let looks = games.iter().flat_map(|game| Symmetry::all().map(move |symmetry| (game, symmetry)));
        let requests: Vec<View<'_>> =
            looks.map(|(game, symmetry)| View::of(Position::of_game(game), symmetry)).collect();
        let evaluations = self.evaluator.evaluate_batch(&requests);
        let sides = Symmetry::all().count();
        games.iter().zip(evaluations.chunks_exact(sides)).map(|(game, looks)| mean(game, looks)).collect()
    }
}

fn mean(game: &Game, looks: &[Evaluation]) -> TeacherOpinion {
    let average = |of: &dyn Fn(&Evaluation) -> f32| looks.iter().map(of).sum::<f32>() / looks.len() as f32;
    let mut policy = vec![0.0; game.board().area() + 1];
    for look in looks {
        for (sum, (_, chance)) in policy.iter_mut().zip(look.moves()) {
            *sum += chance / looks.len() as f32;
        }
    }
    let owned = |point| average(&|look| look.black_ownership(point).unwrap_or(0.0));
    TeacherOpinion {
        policy,
        black_win_rate: average(&|look| look.value.black_win_rate(game.komi())),
        even_komi: average(&|look| look.value.fair_komi().unwrap_or(game.komi())),
        spread: average(&|look| spread(&look.value)),
        black_ownership: game.board().points().map(owned).collect(),
    }
}

/// The standard deviation of a mixture; of other forms nothing is known.
fn spread(value: &Value) -> f32 {
    let Value::Mixture(components) = value else { return 0.0 };
    let mean: f32 = components.iter().map(|c| c.weight * c.place).sum();
    // A logistic distribution's variance is its width squared times pi squared over three.
    let square = |c: &Logistic| c.weight * ((c.place - mean).powi(2) + (c.width * std::f32::consts::PI).powi(2) / 3.0);
    components.iter().map(square).sum::<f32>().sqrt()
}
