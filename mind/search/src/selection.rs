//! Which child the next simulation descends to: by evaluations, by PUCT or by RAVE, one file each.

mod evaluated;
mod puct;
mod rave;
mod root_width;

use jigo_board::{Color, Rng, WinRate};

use crate::exchange::Rank;
use crate::go_intellect::UctRave;
use crate::node::Node;
use crate::parameters::{Parameters, SearchParameters, Selection};
use crate::restriction::Restriction;

pub(crate) use evaluated::ScoreUtility;
pub(crate) use root_width::RootWidth;

/// Virtual wins are at most this share of the parent's visits each: the paper's searches were long, and a short one must not
/// be spent on them.
const VIRTUAL_SHARE: f32 = 0.01;

/// The way down the tree that fits a board and a mind.
pub(crate) enum Selector {
    Evaluated,
    Puct,
    Rave,
    GoIntellect(UctRave),
}

impl Selector {
    pub fn new(parameters: &Parameters, size: usize, has_net: bool) -> Selector {
        match parameters.search.selection.fitting(size, has_net) {
            Selection::Rave => Selector::Rave,
            Selection::UctRave => Selector::GoIntellect(UctRave::new(&parameters.go_intellect)),
            Selection::Evaluated => Selector::Evaluated,
            // `fitting` has put another in the place of auto.
            Selection::Puct | Selection::Auto => Selector::Puct,
        }
    }

    /// Does it count the virtual simulations that new nodes start with? The others only ask for the policy.
    pub fn counts_priors(&self) -> bool {
        matches!(self, Selector::Rave)
    }

    /// Does it read AMAF, at every node?
    pub fn reads_amaf(&self) -> bool {
        matches!(self, Selector::Rave | Selector::GoIntellect(_))
    }

    /// The index of the chosen child; none if all are banned or forbidden.
    #[inline]
    pub fn select(&self, choice: &Choice<'_>, rng: &mut Rng) -> Option<usize> {
        match self {
            Selector::Evaluated => evaluated::select(choice, choice.score_utility, rng),
            Selector::Puct => puct::select(choice, rng),
            Selector::Rave => rave::select(choice, rng),
            Selector::GoIntellect(uct_rave) => uct_rave.select(choice, rng),
        }
    }
}

/// What a selection may look at.
pub(crate) struct Choice<'a> {
    pub parameters: &'a SearchParameters,
    pub node: &'a Node,
    pub children: &'a [Node],
    /// Plies below the root.
    pub depth: usize,
    /// The player who chooses.
    pub mover: Color,
    pub restrictions: &'a [Restriction],
    /// Our number among the machines of a cluster.
    pub rank: Option<Rank>,
    pub score_utility: &'a ScoreUtility,
    /// At the root, if it is looked at more widely than other nodes.
    pub root_width: Option<&'a RootWidth>,
}

impl Choice<'_> {
    /// What the simulations through the node say, if there were any. Its own wins are those of the player who moved into it.
    #[inline(always)]
    pub fn win_rate(&self) -> Option<WinRate> {
        self.node.win_rate(self.mover.opponent())
    }

    /// The same for the player who chooses.
    #[inline(always)]
    pub fn mover_share(&self) -> f32 {
        self.win_rate().unwrap_or(WinRate::EVEN).share_of(self.mover)
    }

    /// Won simulations that nobody played: every machine has moves of its own to look at more closely (Pachi 5.2).
    #[inline(always)]
    pub fn virtual_wins(&self, child: &Node) -> f32 {
        match self.rank {
            Some(rank) if rank.favours(self.node.mv(), child.mv()) => {
                let parameters = self.parameters;
                let full = if self.depth == 0 { parameters.virtual_wins_root } else { parameters.virtual_wins };
                (full as f32).min(VIRTUAL_SHARE * self.node.visits() as f32)
            }
            _ => 0.0,
        }
    }

    /// How much the policy trusts a child.
    #[inline(always)]
    pub fn policy(&self, child: &Node) -> f32 {
        let policy = child.policy.get();
        self.root_width.map_or(policy, |width| width.flattened(policy))
    }

    /// How much it trusts the first of them, which is the most.
    #[inline(always)]
    pub fn most_trusted(&self) -> f32 {
        self.children.first().map_or(1.0, |child| self.policy(child)).max(f32::MIN_POSITIVE)
    }

    fn is_open(&self, child: &Node) -> bool {
        let forbidden = |restriction: &Restriction| restriction.forbids(self.mover, self.depth, child.mv());
        !child.is_banned() && !self.restrictions.iter().any(forbidden)
    }
}

/// The child with the largest value, the first of equals. `children` are those considered.
#[inline(always)]
pub(crate) fn best_of(
    choice: &Choice<'_>,
    children: &[Node],
    rng: &mut Rng,
    value: impl Fn(&Node) -> f32,
) -> Option<usize> {
    match choice.root_width.filter(|width| width.brings_luck()) {
        Some(width) => largest(choice, children, |child| value(child) + width.luck(rng)),
        None => largest(choice, children, value),
    }
}

#[inline(always)]
fn largest(choice: &Choice<'_>, children: &[Node], mut value: impl FnMut(&Node) -> f32) -> Option<usize> {
    let mut best = None;
    let mut best_value = f32::NEG_INFINITY;
    for (index, child) in children.iter().enumerate() {
        if !choice.is_open(child) {
            continue;
        }
        let value = value(child);
        if value > best_value {
            best_value = value;
            best = Some(index);
        }
    }
    best
}
