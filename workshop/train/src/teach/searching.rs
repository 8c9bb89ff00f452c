//! A teacher who thinks before it answers: a search with a net, of so many visits for each position.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jigo_board::{Color, Game};
use jigo_net::Backend;
use jigo_search::{Limits, Parameters, SearchReport, SearchRequest, Searcher, TreeSearcher};

use super::{Teacher, TeacherOpinion};
use crate::positions::place_of;

pub struct SearchingNet {
    name: String,
    searcher: TreeSearcher,
    visits: u64,
}

impl SearchingNet {
    /// `name` is the net's own; what was searched is said behind it.
    pub fn new(name: &str, net: Arc<dyn Backend>, visits: u64) -> SearchingNet {
        let searcher = TreeSearcher::new(Parameters::default(), Some(net), 1, 1);
        SearchingNet { name: format!("{name}, {visits} visits"), searcher, visits }
    }
}

impl Teacher for SearchingNet {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn opinions(&mut self, games: &[Game]) -> Vec<TeacherOpinion> {
        let limits = Limits { visits: Some(self.visits), ..Limits::default() };
        let mut answer = |game: &Game| {
            let stop = AtomicBool::new(false);
            // Each answer stands for itself, whatever was asked before.
            let request = SearchRequest {
                fresh: true,
                plain_komi: true,
                may_settle: false,
                ..SearchRequest::new(game, game.to_move(), limits, &stop)
            };
            opinion(game, &self.searcher.search(&request, None))
        };
        games.iter().map(&mut answer).collect()
    }
}

/// A move is worth what the search gave it; what it gave nothing is not mentioned.
fn opinion(game: &Game, report: &SearchReport) -> TeacherOpinion {
    let looked: u32 = report.moves.iter().map(|found| found.visits).sum();
    let mut policy = vec![0.0; game.board().area() + 1];
    for found in &report.moves {
        // After a single visit there is only what the net thought at first.
        let share = if looked == 0 { found.policy } else { found.visits as f32 / looked as f32 };
        policy[usize::from(place_of(found.mv, game.size()))] = share;
    }
    TeacherOpinion {
        policy,
        black_win_rate: report.win_rate.share_of(Color::Black),
        even_komi: report.black_score,
        spread: report.black_score_stdev(),
        black_ownership: game.board().points().map(|point| report.ownership(point)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use jigo_board::Rules;
    use jigo_net::Net;

    use super::*;

    #[test]
    fn it_answers_with_what_its_search_found_and_each_time_the_same() {
        let mut teacher = SearchingNet::new("ours", Net::embedded(), 20);
        let mut game = Game::new(5, Rules::default());
        game.set_komi(3.5);
        let answers = teacher.opinions(&[game.clone(), game.clone()]);
        assert_eq!(answers[0].policy, answers[1].policy);
        assert_eq!(answers[0].policy.len(), 26);
        assert!((answers[0].policy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        // Nineteen visits are below the root, so shares are nineteenths.
        let best = answers[0].policy.iter().copied().fold(0.0, f32::max) * 19.0;
        assert!((best - best.round()).abs() < 1e-3, "{best}");
        let first = SearchingNet::new("ours", Net::embedded(), 1).opinions(&[game]).remove(0);
        assert!((first.policy.iter().sum::<f32>() - 1.0).abs() < 1e-3);
        assert_eq!(teacher.name(), "ours, 20 visits");
    }
}
