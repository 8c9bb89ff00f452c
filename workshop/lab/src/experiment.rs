//! What an experiment of the papers is: variants of our program, each playing one match, and the paper's own figures.

/// One table or figure of a paper.
pub struct Experiment {
    /// As the command line knows it.
    pub name: &'static str,
    /// One line for the list.
    pub about: &'static str,
    /// Paper and place, like `Pachi table 3`.
    pub source: &'static str,
    /// What the paper found and under which conditions, for figures that give no numbers.
    pub paper_says: &'static str,
    /// Titles of the paper's figures that each variant may carry.
    pub paper_columns: &'static [&'static str],
    pub measure: Measure,
    pub picture: Picture,
    /// The paper's program as published: what the settings of baseline and variants change.
    pub preset: &'static str,
    /// The preset as it is without what the experiment is about: the opponent where no other program is at hand.
    pub baseline: &'static [(&'static str, &'static str)],
    pub defaults: Defaults,
    /// The rows of the table; boards differ in handicaps and in the length of games.
    pub variants: fn(size: usize) -> Vec<Variant>,
}

/// Small enough to finish within minutes; the command line scales up.
#[derive(Clone, Copy)]
pub struct Defaults {
    pub size: usize,
    /// Of each variant.
    pub games: u64,
    /// A move.
    pub playouts: u64,
    /// As the arena reads it; where there is a clock, playouts do not limit the search.
    pub clock: Option<&'static str>,
}

/// What the paper's figures are, and ours beside them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Share of games won, in percent.
    WinRate,
    /// Elo above the opponent.
    Elo,
    /// Elo above the first variant. Where the opponent is that variant itself, this is Elo above the opponent.
    EloChange,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Picture {
    /// One line for each variant.
    Intervals,
    /// Curves over a number.
    Curves { x: &'static str },
}

/// A row of the table: one match.
#[derive(Clone, Debug)]
pub struct Variant {
    pub label: String,
    pub player: Contestant,
    pub opponent: Contestant,
    pub start: Start,
    /// Under the experiment's `paper_columns`; shorter where the paper is silent.
    pub paper: Vec<Option<Figure>>,
    /// Name of the curve and place on its x axis.
    pub curve: Option<(String, f64)>,
    /// Our own program as the opponent thinks for as long and on as many threads as the player.
    pub on_a_par: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Contestant {
    /// Our program with `--set NAME=VALUE`, at so many times the playouts of the experiment, on so many threads of each of so
    /// many machines, with one of the nets of CGI or none.
    Jigo {
        settings: Vec<(&'static str, String)>,
        /// All machines together.
        effort: f64,
        threads: usize,
        machines: usize,
        name: Option<&'static str>,
        net: Option<&'static str>,
    },
    GnuGo {
        level: u8,
    },
    /// The opponent of all variants alike, chosen when the experiment is run.
    Opponent,
}

/// How the games begin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Start {
    /// Colours swapped on every opening.
    Even,
    /// We are Black with so many stones; one stone is the first move without komi.
    Takes(usize),
    /// We are White and the opponent has the stones.
    Gives(usize),
    /// We are White with this komi.
    White { komi: f32 },
    /// Near the end of games that half a point decides at this komi, each with both colours.
    Endgames { komi: f32 },
}

/// A number of a paper with its 95 % spread, 0 if the paper gives none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    pub value: f64,
    pub spread: f64,
}

impl Figure {
    pub const fn new(value: f64, spread: f64) -> Self {
        Self { value, spread }
    }
}

impl Contestant {
    pub fn jigo(settings: &[(&'static str, &str)]) -> Self {
        let settings = settings.iter().map(|&(name, value)| (name, value.to_string())).collect();
        Self::Jigo { settings, effort: 1.0, threads: 1, machines: 1, name: None, net: None }
    }

    /// The same with a net.
    pub fn with_net(mut self, wanted: &'static str) -> Self {
        if let Self::Jigo { net, .. } = &mut self {
            *net = Some(wanted);
        }
        self
    }

    /// The same with this many times the playouts of the experiment.
    pub fn with_effort(mut self, times: f64) -> Self {
        if let Self::Jigo { effort, .. } = &mut self {
            *effort = times;
        }
        self
    }

    /// The same on this many threads.
    pub fn with_threads(mut self, wanted: usize) -> Self {
        if let Self::Jigo { threads, .. } = &mut self {
            *threads = wanted;
        }
        self
    }

    /// The same on this many machines.
    pub fn with_machines(mut self, wanted: usize) -> Self {
        if let Self::Jigo { machines, .. } = &mut self {
            *machines = wanted;
        }
        self
    }

    /// Several machines that play one game at a time.
    pub fn is_cluster(&self) -> bool {
        matches!(self, Self::Jigo { machines: 2.., .. })
    }

    /// A name for our program when it is the opponent.
    pub fn named(mut self, wanted: &'static str) -> Self {
        if let Self::Jigo { name, .. } = &mut self {
            *name = Some(wanted);
        }
        self
    }
}

impl Variant {
    pub fn new(label: impl Into<String>, player: Contestant, opponent: Contestant) -> Self {
        Self {
            label: label.into(),
            player,
            opponent,
            start: Start::Even,
            paper: Vec::new(),
            curve: None,
            on_a_par: false,
        }
    }

    pub fn on_a_par(self) -> Self {
        Self { on_a_par: true, ..self }
    }

    /// The experiment's program without what is tested, as it meets this variant.
    pub fn baseline(&self, settings: &[(&'static str, &str)]) -> Contestant {
        match self.player {
            Contestant::Jigo { effort, threads, .. } if self.on_a_par => {
                Contestant::jigo(settings).with_effort(effort).with_threads(threads)
            }
            _ => Contestant::jigo(settings),
        }
    }

    pub fn paper(self, figures: &[Option<Figure>]) -> Self {
        Self { paper: figures.to_vec(), ..self }
    }

    pub fn starting(self, start: Start) -> Self {
        Self { start, ..self }
    }

    pub fn on_curve(self, name: &str, x: f64) -> Self {
        Self { curve: Some((name.to_string(), x)), ..self }
    }
}
