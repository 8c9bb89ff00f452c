//! When a search has seen enough (Pachi 4.1).

use std::time::Duration;

use jigo_board::{Color, Move, WinRate};

use crate::node::Node;
use crate::parameters::SearchParameters;

/// How long to think about one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// t_d: what to spend if the best move is clear.
    pub desired: Duration,
    /// t_m: what to spend at most.
    pub maximum: Duration,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Simulations of this search; those kept in the tree from before do not count.
    pub playouts: Option<u64>,
    /// Simulations in the tree, kept ones counted.
    pub visits: Option<u64>,
    pub time: Option<TimeBudget>,
}

/// Before this many simulations no early stop is trusted.
const FIRST_LOOK: u64 = 100;

/// May the search end now? Hard limits are checked elsewhere, after every simulation; this looks at the tree.
pub(crate) fn is_enough(
    limits: &Limits,
    parameters: &SearchParameters,
    mover: Color,
    root: &[Node],
    reply: impl Fn(&Node) -> Option<WinRate>,
    playouts: u64,
    elapsed: Duration,
) -> bool {
    if playouts < FIRST_LOOK {
        return false;
    }
    let Some(top) = TopMoves::of(root, mover) else { return true };
    // Only a clock makes simulations worth saving: what is simulated beyond need is found again in the next search.
    let Some(budget) = limits.time else { return false };
    if parameters.stop_when_settled && top.lead as u64 > playouts_left(limits, budget, playouts, elapsed) {
        return true;
    }
    if top.best_share.unwrap_or(0.0) >= parameters.stop_win_rate && elapsed * 4 >= budget.desired {
        return true;
    }
    elapsed >= budget.desired && !is_unclear(parameters, &top, reply(top.best).map(|reply| reply.share_of(mover)))
}

/// The two most simulated moves.
struct TopMoves<'a> {
    best: &'a Node,
    /// The mover's share of the win after it.
    best_share: Option<f32>,
    second_visits: u32,
    lead: u32,
    best_valued: Move,
}

impl TopMoves<'_> {
    fn of(root: &[Node], mover: Color) -> Option<TopMoves<'_>> {
        let best = root.iter().max_by_key(|child| child.visits())?;
        let others = root.iter().filter(|child| child.mv() != best.mv());
        let second_visits = others.map(|child| child.visits()).max().unwrap_or(0);
        let share = |child: &Node| child.win_rate(mover).map(|rate| rate.share_of(mover));
        // A rate from a handful of simulations is no rate.
        let trusted = |child: &&Node| child.visits() * 20 >= best.visits();
        let best_valued = root
            .iter()
            .filter(trusted)
            .max_by(|a, b| share(a).unwrap_or(0.0).total_cmp(&share(b).unwrap_or(0.0)))?
            .mv();
        let lead = best.visits() - second_visits;
        Some(TopMoves { best, best_share: share(best), second_visits, lead, best_valued })
    }
}

/// The tree asks for more time (Pachi 4.1). The mover's share after the best reply is compared with that after the best move.
fn is_unclear(parameters: &SearchParameters, top: &TopMoves<'_>, after_reply: Option<f32>) -> bool {
    let best_share = top.best_share.unwrap_or(0.5);
    let surprising = after_reply.is_some_and(|share| (best_share - share).abs() > parameters.unclear_reply);
    let close = (top.best.visits() as f32) < parameters.unclear_second * top.second_visits as f32;
    let doubtful = parameters.unclear_value && top.best_valued != top.best.mv();
    surprising || close || doubtful
}

/// How many more simulations there can be at the present speed.
fn playouts_left(limits: &Limits, budget: TimeBudget, playouts: u64, elapsed: Duration) -> u64 {
    let speed = playouts as f64 / elapsed.as_secs_f64().max(1e-6);
    let by_time = (speed * budget.maximum.saturating_sub(elapsed).as_secs_f64()) as u64;
    limits.playouts.map_or(by_time, |limit| limit.saturating_sub(playouts).min(by_time))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Point;

    fn children(visits_and_rates: &[(u32, f32)]) -> Vec<Node> {
        visits_and_rates
            .iter()
            .enumerate()
            .map(|(i, &(visits, rate))| {
                let node = Node::default();
                node.reset(Move::Play(Point::new(i, 0)));
                for _ in 0..visits {
                    node.add_simulation(rate, 0.0);
                }
                node
            })
            .collect()
    }

    fn enough(children: &[Node], reply: Option<f32>, seconds: f64) -> bool {
        enough_by(&SearchParameters::default(), children, reply, seconds)
    }

    fn enough_by(parameters: &SearchParameters, children: &[Node], reply: Option<f32>, seconds: f64) -> bool {
        let time = TimeBudget { desired: Duration::from_secs(10), maximum: Duration::from_secs(20) };
        let limits = Limits { playouts: None, visits: None, time: Some(time) };
        let playouts = children.iter().map(|child| child.visits() as u64).sum();
        let elapsed = Duration::from_secs_f64(seconds);
        let reply = reply.map(|share| WinRate::of(Color::White, share));
        is_enough(&limits, parameters, Color::Black, children, |_| reply, playouts, elapsed)
    }

    #[test]
    fn a_clear_best_move_ends_the_search_at_the_desired_time() {
        let clear = children(&[(1000, 0.55), (300, 0.5)]);
        assert!(!enough(&clear, Some(0.45), 9.0));
        assert!(enough(&clear, Some(0.45), 10.0));
    }

    #[test]
    fn an_unclear_tree_gets_more_time() {
        assert!(!enough(&children(&[(1000, 0.55), (700, 0.5)]), Some(0.45), 11.0), "two close moves");
        assert!(!enough(&children(&[(1000, 0.55), (300, 0.5)]), Some(0.40), 11.0), "a reply that surprises");
        assert!(!enough(&children(&[(1000, 0.5), (300, 0.55)]), Some(0.5), 11.0), "best valued is not most simulated");
    }

    /// What `jigo lab time-reply` compares with.
    #[test]
    fn with_all_three_conditions_off_no_tree_gets_more_time() {
        let never = SearchParameters {
            unclear_reply: 1.0,
            unclear_second: 1.0,
            unclear_value: false,
            ..SearchParameters::default()
        };
        let unclear = children(&[(1000, 0.5), (700, 0.55)]);
        assert!(!enough(&unclear, Some(0.1), 11.0));
        assert!(enough_by(&never, &unclear, Some(0.1), 11.0));
        let by_value = SearchParameters { unclear_value: true, ..never };
        assert!(!enough_by(&by_value, &unclear, Some(0.1), 11.0));
    }

    #[test]
    fn a_settled_or_surely_won_search_ends_early() {
        assert!(enough(&children(&[(9000, 0.55), (100, 0.5)]), Some(0.45), 12.0), "the second cannot catch up");
        assert!(enough(&children(&[(1000, 0.95), (700, 0.5)]), Some(0.05), 3.0), "surely won");
    }
}
