//! What is kept of a game: one line of `games.jsonl`, and an SGF file for people.

use jigo_board::Color;
use jigo_sgf::{Collection, GameResult, GameTree, Margin};
use serde::{Deserialize, Serialize};

use crate::game_play::{ChosenMove, PlayedGame, fingerprint};
use crate::schedule::Fixture;
use crate::seed::program_seed;
use crate::spec::MatchSpec;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    Score,
    Resignation,
    Time,
    /// A program died, stalled, talked nonsense or moved illegally.
    Forfeit,
    /// The players' evaluations agreed about the winner.
    Agreement,
    /// Scored as it stood after the longest game allowed.
    MoveLimit,
}

/// A line of `games.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameEntry {
    pub game: u64,
    pub opening: u64,
    pub black: String,
    pub white: String,
    /// As in SGF: `B+3.5`, `W+R`, `B+T`, `W+F`, `0`.
    pub result: String,
    /// Black's points: 1, 1/2 or 0.
    pub black_points: f64,
    /// Black's lead in a game that was scored.
    pub black_lead: Option<f64>,
    pub ending: Ending,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
    pub moves: usize,
    /// Equal for games that are equal move by move; as text, since JSON readers round large numbers.
    pub fingerprint: String,
    pub black_effort: Effort,
    pub white_effort: Effort,
}

/// What one side put into a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    pub moves: u64,
    pub seconds: f64,
    pub slowest: f64,
    /// Playouts, over the moves for which the program told them.
    pub playouts: u64,
    pub moves_with_playouts: u64,
}

impl Effort {
    fn of(color: Color, choices: &[ChosenMove]) -> Self {
        let mut effort = Self::default();
        for choice in choices.iter().filter(|choice| choice.color == color) {
            let seconds = choice.thought.as_secs_f64();
            effort.moves += 1;
            effort.seconds += seconds;
            effort.slowest = effort.slowest.max(seconds);
            if let Some(playouts) = choice.evaluation.and_then(|evaluation| evaluation.playouts) {
                effort.playouts += playouts;
                effort.moves_with_playouts += 1;
            }
        }
        effort
    }

    pub fn add(&mut self, other: &Self) {
        self.moves += other.moves;
        self.seconds += other.seconds;
        self.slowest = self.slowest.max(other.slowest);
        self.playouts += other.playouts;
        self.moves_with_playouts += other.moves_with_playouts;
    }

    pub fn seconds_per_move(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.seconds / self.moves as f64)
    }

    pub fn playouts_per_move(&self) -> Option<f64> {
        (self.moves_with_playouts > 0).then(|| self.playouts as f64 / self.moves_with_playouts as f64)
    }
}

impl GameEntry {
    pub fn new(spec: &MatchSpec, fixture: &Fixture, played: &PlayedGame) -> Self {
        let (black_points, black_lead) = match played.result {
            GameResult::Win { winner, by } => {
                let lead = match by {
                    Margin::Points(points) if winner == Color::Black => Some(f64::from(points)),
                    Margin::Points(points) => Some(-f64::from(points)),
                    _ => None,
                };
                (f64::from(winner == Color::Black), lead)
            }
            GameResult::Draw => (0.5, Some(0.0)),
            GameResult::Void => (0.5, None),
        };
        Self {
            game: fixture.game,
            opening: fixture.opening,
            black: spec.players[fixture.black].name.clone(),
            white: spec.players[fixture.white].name.clone(),
            result: played.result.to_string(),
            black_points,
            black_lead,
            ending: played.ending,
            note: played.note.clone(),
            moves: played.game.moves().len(),
            fingerprint: format!("{:016x}", fingerprint(&played.game)),
            black_effort: Effort::of(Color::Black, &played.choices),
            white_effort: Effort::of(Color::White, &played.choices),
        }
    }

    /// Points of a player in this game; `None` for a game of others.
    pub fn points_of(&self, name: &str) -> Option<f64> {
        if self.black == name {
            Some(self.black_points)
        } else if self.white == name {
            Some(1.0 - self.black_points)
        } else {
            None
        }
    }
}

/// The game as an SGF file: settings and seeds in the root's comment, evaluations at the moves.
pub fn sgf_text(spec: &MatchSpec, fixture: &Fixture, played: &PlayedGame) -> String {
    let mut tree = GameTree::from_game(&played.game);
    let root = tree.root_mut();
    root.set_text("AP", "jigo");
    root.set_text("PB", &spec.players[fixture.black].name);
    root.set_text("PW", &spec.players[fixture.white].name);
    root.set_text("RE", &played.result.to_string());
    root.set_text("C", &root_comment(spec, fixture, played));
    let nodes: Vec<_> = tree.main_line().collect();
    let chosen_nodes = &nodes[nodes.len() - played.choices.len()..];
    for (&node, choice) in chosen_nodes.iter().zip(&played.choices) {
        annotate(tree.node_mut(node), choice);
    }
    Collection { games: vec![tree] }.to_text()
}

fn root_comment(spec: &MatchSpec, fixture: &Fixture, played: &PlayedGame) -> String {
    let mut lines = vec![
        format!("Game {} of a match, match seed {}, opening {}", fixture.game, spec.seed, fixture.opening),
        format!("Rules {}, komi {}, time {}", spec.rules, spec.komi, spec.time),
    ];
    for (role, player) in [("Black", fixture.black), ("White", fixture.white)] {
        let seed = program_seed(spec.seed, fixture.game, player);
        lines.push(format!("{role}: {} (seed {seed})", spec.players[player].command.text()));
    }
    lines.extend(played.note.clone());
    lines.join("\n")
}

/// Sabaki's properties hold Black's win rate in percent and Black's lead; the comment tells the same to people.
fn annotate(node: &mut jigo_sgf::Node, choice: &ChosenMove) {
    let mut told = vec![format!("{:.2} s", choice.thought.as_secs_f64())];
    if let Some(evaluation) = choice.evaluation {
        if let Some(rate) = evaluation.win_rate(choice.color) {
            let percent = 100.0 * rate.share_of(Color::Black);
            node.set_text("SBKV", &format!("{percent:.2}"));
            told.push(format!("Black wins {percent:.1} %"));
        }
        if let Some(score) = evaluation.score(choice.color) {
            let lead = score.lead_of(Color::Black);
            node.set_text("SBKS", &format!("{lead:.2}"));
            told.push(format!("Black leads by {lead:.1}"));
        }
        if let Some(playouts) = evaluation.playouts {
            told.push(format!("{playouts} playouts"));
        }
    }
    node.set_text("C", &told.join(", "));
}
