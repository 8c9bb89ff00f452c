//! From the tree to the report on it.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use jigo_board::{Move, WinRate};
use jigo_net::Evaluation;

use crate::criticality::Sample;
use crate::node::Node;
use crate::report::{MoveReport, SearchReport};
use crate::shared::Shared;
use crate::tally::{self, Tally};

/// Longer variations tell nothing.
const VARIATION_LENGTH: usize = 20;
/// A variation goes on while its moves were seen this often.
const VARIATION_VISITS: u32 = 2;

/// Everything the tree and the threads' tallies know by now.
pub(crate) fn make_report(shared: &Shared<'_>, tallies: &[Arc<Tally>], raw_net: Option<Evaluation>) -> SearchReport {
    let root = shared.pool.node(shared.root);
    let to_move = shared.position.to_move;
    let tallies = tallies.iter().map(|tally| &**tally);
    let mut report = SearchReport::new(to_move, shared.real_komi);
    report.playouts = shared.signals.done.load(Relaxed);
    report.visits = root.visits();
    report.elapsed = shared.elapsed();
    report.win_rate = root.win_rate(to_move.opponent()).unwrap_or(WinRate::EVEN);
    report.black_score = root.mean_black_score().unwrap_or(0.0);
    report.extra_komi = shared.komi_at(0) - shared.real_komi;
    report.nodes = shared.pool.used();
    report.ownership = Box::new(shared.images.even_out(tally::ownership(tallies.clone())));
    report.scores = tally::scores(tallies.clone());
    report.raw_net = raw_net;
    let sample = Sample::of_children(shared.pool.children(root));
    let is_open =
        |child: &&Node| !child.is_banned() && !shared.restrictions.iter().any(|r| r.forbids(to_move, 0, child.mv()));
    let mut children: Vec<&Node> = shared.pool.children(root).iter().filter(is_open).collect();
    children.sort_by(|a, b| b.visits().cmp(&a.visits()).then(b.policy.get().total_cmp(&a.policy.get())));
    let spread = report.black_score_stdev();
    report.moves = children
        .into_iter()
        .map(|child| {
            let win_rate = child.win_rate(to_move).unwrap_or(report.win_rate);
            let (variation, variation_visits) = variation(shared, child).into_iter().unzip();
            MoveReport {
                mv: child.mv(),
                image_of: None,
                visits: child.visits(),
                win_rate,
                win_rate_lcb: WinRate::of(to_move, lower_bound(win_rate.share_of(to_move), child.visits())),
                black_score: child.mean_black_score().unwrap_or(report.black_score),
                black_score_stdev: spread,
                policy: child.policy.get(),
                amaf_win_rate: amaf_share(child).map(|share| WinRate::of(to_move, share)),
                criticality: sample.as_ref().map_or(0.0, |sample| sample.criticality_of(child)),
                variation,
                variation_visits,
                ownership: tally::ownership_after(tallies.clone(), child.mv()).filter(|_| shared.move_ownership),
            }
        })
        .flat_map(|found| shared.images.tell(found))
        .collect();
    report
}

/// Of the player who makes the move.
fn amaf_share(child: &Node) -> Option<f32> {
    (child.amaf_visits.get() > 0.0).then(|| child.amaf_wins.get() / child.amaf_visits.get())
}

/// Of a hundred true win rates, about two are below (a normal distribution's two standard deviations).
fn lower_bound(win_rate: f32, visits: u32) -> f32 {
    let deviation = (win_rate * (1.0 - win_rate)).max(0.05) / visits.max(1) as f32;
    (win_rate - 2.0 * deviation.sqrt()).max(0.0)
}

/// The moves most simulated from here on, with their visits.
fn variation(shared: &Shared<'_>, from: &Node) -> Vec<(Move, u32)> {
    let mut line = vec![(from.mv(), from.visits())];
    let mut node = from;
    while let Some(best) = shared.pool.children(node).iter().max_by_key(|child| child.visits()) {
        if best.visits() < VARIATION_VISITS || line.len() >= VARIATION_LENGTH {
            break;
        }
        line.push((best.mv(), best.visits()));
        node = best;
    }
    line
}
