//! Every number the search can be tuned by, with its source.

use jigo_parameters::{Parameter, ParameterSet, SetError, choice, parameters};
use jigo_playout::PlayoutParameters;

use crate::cgi::CgiParameters;
use crate::dynamic_komi::DynamicKomiParameters;
use crate::go_intellect::GoIntellectParameters;

/// Everything the searching mind can be tuned by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    pub search: SearchParameters,
    pub prior: PriorParameters,
    pub playout: PlayoutParameters,
    // What only a paper's program uses.
    pub dynamic_komi: DynamicKomiParameters,
    pub go_intellect: GoIntellectParameters,
    pub cgi: CgiParameters,
}

impl Parameters {
    /// The one table behind the command line, GTP, the tuner and the documentation.
    pub fn table() -> impl Iterator<Item = &'static Parameter> {
        let core = SearchParameters::TABLE.iter().chain(PriorParameters::TABLE).chain(PlayoutParameters::TABLE);
        core.chain(DynamicKomiParameters::TABLE).chain(GoIntellectParameters::TABLE).chain(CgiParameters::TABLE)
    }

    pub fn get(&self, name: &str) -> Option<String> {
        let core = self.search.get(name).or_else(|| self.prior.get(name)).or_else(|| self.playout.get(name));
        core.or_else(|| self.dynamic_komi.get(name))
            .or_else(|| self.go_intellect.get(name))
            .or_else(|| self.cgi.get(name))
    }

    /// Sets one parameter by its full name, such as `search.criticality`.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), SetError> {
        match name.split('.').next() {
            Some("search") => self.search.set(name, text),
            Some("prior") => self.prior.set(name, text),
            Some("dynamic_komi") => self.dynamic_komi.set(name, text),
            Some("go_intellect") => self.go_intellect.set(name, text),
            Some("cgi") => self.cgi.set(name, text),
            _ => self.playout.set(name, text),
        }
    }
}

choice! {
    /// How a child is chosen on the way down.
    pub enum Selection {
        /// Whichever is stronger here: see [`Selection::fitting`].
        Auto = "auto",
        /// Pachi's mean of wins and AMAF wins (Pachi Algorithm 1).
        Rave = "rave",
        /// Exploration guided by the policy of the net, or of learned patterns (CGI II.B).
        Puct = "puct",
        /// The same for a judge at every leaf, with points beside winning: `selection/evaluated.rs`.
        Evaluated = "evaluated",
        /// UCB1 mixed with RAVE: `go_intellect/`.
        UctRave = "uct-rave",
    }
}

impl Selection {
    /// What `auto` means. On a large board playouts differ by so much that a thousand of them hardly tell two moves apart; AMAF,
    /// which learns of nearly every move from each of them, does. A net, or a small board, needs no such help
    /// (docs/experiments/selection.md).
    pub fn fitting(self, size: usize, has_net: bool) -> Selection {
        match self {
            Selection::Auto if has_net => Selection::Evaluated,
            Selection::Auto if size <= 11 => Selection::Puct,
            Selection::Auto => Selection::Rave,
            chosen => chosen,
        }
    }
}

choice! {
    /// Who decides how much komi to imagine (Dynamic komi 3; Pachi 4.2).
    pub enum KomiMethod {
        None = "none",
        /// Jigo's: `adaptive_komi.rs`.
        Adaptive = "adaptive",
        /// From here on those of Dynamic komi: `dynamic_komi/`.
        Linear = "linear",
        Score = "score",
        Value = "value",
        /// From here on those of CGI: `cgi/`.
        ScoreOfRollouts = "ss-r",
        ScoreOfBoard = "ss-b",
        ScoreMixed = "ss-m",
        ValueMixed = "vs-m",
        MultiLabelled = "ml-dk",
    }
}

parameters! {
    pub struct SearchParameters in "search" {
        selection: Selection = Selection::Auto, "how a child is chosen, see docs/experiments/selection.md", "Pachi Algorithm 1, CGI II.B";
        expand_at: u32 = 0, (0.0, 64.0, 1.0), "visits before a leaf gets children; 0 is 8 by RAVE and 2 otherwise; with a net always 1", "Pachi 3, Dynamic komi footnote 3";
        net_share: f32 = 1.0, (0.0, 1.0, 0.05), "lambda: how much the net's value counts beside the playout's; 1 plays no playouts", "CGI II.B (0.5 there)";
        net_exploration: f32 = 0.6, (0.05, 5.0, 0.05), "weight of the policy in selection with a net", "KataGo's documents";
        net_exploration_growth: f32 = 0.45, (0.0, 3.0, 0.05), "how fast exploration with a net grows with the logarithm of visits", "KataGo's documents";
        net_reduction: f32 = 0.1, (0.0, 1.0, 0.02), "how much worse than its parent an unvisited child is taken to be once all the policy was tried", "KataGo's documents";
        root_temperature: f32 = 1.0, (0.01, 100.0, 0.1), "how much flatter than the policy the root is looked at: 1 is as it is, more is flatter", "KataGo's documents";
        analysis_noise: f32 = 0.0, (0.0, 5.0, 0.02), "luck of the moves at the root, so that an analysis looks at more of them", "KataGo's documents";
        join_images: bool = false, "an analysis searches moves once that are images of each other in a symmetric position", "KataGo's documents";
        score_share: f32 = 0.05, (0.0, 0.5, 0.01), "what a large lead is worth beside winning, with a net", "KataGo's documents";
        score_share_near: f32 = 0.15, (0.0, 0.5, 0.01), "what points around the expected score are worth beside winning, with a net", "KataGo's documents";
        net_cache: u32 = 32, (0.0, 65536.0, 8.0), "megabytes for what the net said before; 0 is off", "ours";
        net_batch: u32 = 16, (1.0, 256.0, 1.0), "most positions the net looks at together when there are more threads than cores", "CGI III.A";
        rave_equivalence: f32 = 3000.0, (100.0, 20000.0, 250.0), "simulations at which AMAF and wins weigh alike", "Dynamic komi 2.1";
        amaf_distance: bool = true, "weigh AMAF moves by their distance from the node", "Pachi footnote 7";
        virtual_loss: u32 = 2, (0.0, 20.0, 1.0), "simulations added while a thread is below a node: lost ones, unless a net judges every leaf", "Pachi 5.2";
        virtual_wins_root: u32 = 30, (0.0, 200.0, 5.0), "won simulations nobody played, in a cluster, for root moves that are one machine's to look at", "Pachi 5.2";
        virtual_wins: u32 = 5, (0.0, 200.0, 1.0), "the same for deeper moves", "Pachi 5.2";
        criticality: f32 = 1.1, (0.0, 4.0, 0.1), "how strongly criticality scales AMAF; 0 is off", "Pachi 4.3";
        criticality_visits: u32 = 192, (8.0, 5000.0, 32.0), "visits before criticality is trusted", "Pachi 4.3";
        puct_exploration: f32 = 1.1, (0.1, 10.0, 0.1), "weight of the policy in PUCT", "CGI II.B";
        puct_reduction: f32 = 0.1, (0.0, 1.0, 0.05), "how much worse than its parent an unvisited child is taken to be", "ours";
        komi_method: KomiMethod = KomiMethod::Adaptive, "dynamic komi", "Pachi 4.2";
        komi_online: bool = true, "adjust dynamic komi during the search, not only between moves", "Dynamic komi 5.2";
        komi_interval: u32 = 1000, (50.0, 100000.0, 100.0), "simulations between adjustments", "Dynamic komi footnote 12";
        komi_slices: u32 = 0, (0.0, 100.0, 1.0), "adjustments that a search of limited playouts makes at least, whatever the interval; 0 is the interval alone", "ours";
        komi_stone: f32 = 7.0, (0.0, 20.0, 0.5), "h: points a handicap stone is worth", "Dynamic komi 4";
        komi_moves: u32 = 200, (1.0, 400.0, 10.0), "M: moves over which linear komi fades", "Dynamic komi 4";
        komi_sure_win: f32 = 0.85, (0.5, 1.0, 0.01), "win rate above which adaptive komi asks for more", "Pachi 4.2";
        komi_too_much: f32 = 0.5, (0.0, 1.0, 0.01), "win rate below which adaptive komi gives back what it asked for", "Pachi 4.2";
        komi_favour: f32 = 30.0, (0.0, 100.0, 1.0), "most points imagined in our own favour", "Dynamic komi 5.2";
        komi_favour_until: f32 = 0.95, (0.0, 1.0, 0.01), "share of the game after which nothing is imagined in our favour", "Dynamic komi 5.2";
        tree_megabytes: u32 = 512, (8.0, 65536.0, 64.0), "memory for the tree", "ours";
        stop_when_settled: bool = true, "under a clock, stop when the best move cannot change any more", "Pachi 4.1";
        stop_win_rate: f32 = 0.9, (0.5, 1.0, 0.01), "expectation of winning at which timed search stops early", "Pachi 4.1";
        unclear_reply: f32 = 0.02, (0.0, 1.0, 0.01), "difference of best move and best reply that asks for more time", "Pachi 4.1";
        unclear_second: f32 = 2.5, (1.0, 10.0, 0.1), "ratio of visits of the two best moves that asks for more time", "Pachi 4.1";
        unclear_value: bool = true, "more time while the most simulated move is not the most valued one", "Pachi 4.1";
    }
}

impl SearchParameters {
    /// Visits before a leaf gets children. A tree that grows later is quicker and, where
    /// AMAF guides it, no weaker (docs/experiments/priors.md).
    pub(crate) fn visits_to_expand(&self, size: usize, has_net: bool) -> u32 {
        match (has_net, self.expand_at) {
            (true, _) => 1,
            (false, 0) if self.selection.fitting(size, has_net) == Selection::Rave => 8,
            (false, 0) => 2,
            (false, visits) => visits,
        }
    }
}

parameters! {
    /// Virtual simulations given to new nodes (Pachi 3.1); 0 switches a heuristic off.
    pub struct PriorParameters in "prior" {
        equivalent_large: f32 = 20.0, (0.0, 200.0, 1.0), "virtual simulations of one heuristic on boards above 11x11", "Pachi 3.1";
        equivalent_small: f32 = 14.0, (0.0, 200.0, 1.0), "the same on smaller boards", "Pachi 3.1";
        even: f32 = 1.0, (0.0, 5.0, 0.1), "weight of the even 0.5", "Pachi 3.1";
        eye: f32 = 1.0, (0.0, 5.0, 0.1), "weight against filling own eyes", "Pachi 3.1";
        ko: f32 = 1.0, (0.0, 5.0, 0.1), "weight for retaking a ko at most ten moves old", "Pachi 3.1";
        lines: f32 = 1.0, (0.0, 5.0, 0.1), "weight of first-line malus and third-line bonus on 19x19", "Pachi 3.1";
        distance: f32 = 0.3, (0.0, 5.0, 0.1), "weight of nearness to the last move; the paper has 1, see docs/experiments/priors.md", "Pachi table 2";
        joseki: f32 = 2.0, (0.0, 5.0, 0.1), "weight of joseki moves", "Pachi 3.1";
        policy: f32 = 1.0, (0.0, 5.0, 0.1), "weight of the playout policy's suggestions", "Pachi 3.1";
        patterns: f32 = 4.0, (0.0, 20.0, 0.5), "weight of the learned pattern weights, see docs/experiments/priors.md", "Coulom 2007";
        net: f32 = 4.0, (0.0, 20.0, 0.5), "weight of the net's policy in virtual simulations", "CGI II.B";
        self_atari: f32 = 1.0, (0.0, 5.0, 0.1), "weight against bad self-atari", "Pachi 3.2";
    }
}
