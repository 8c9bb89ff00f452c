//! A game on our board as a tree, ready for names, results and comments.

use jigo_board::{Color, Game, Move, Point, Rules};

use crate::coord::Coord;
use crate::tree::{GameTree, Property};
use crate::value::Value;

impl GameTree {
    /// The game as a tree: its circumstances and start in the root, then one node for each move.
    ///
    /// Move `n`, counted from one, is the `n`th node of [`GameTree::main_line`] after the root.
    pub fn from_game(game: &Game) -> GameTree {
        let mut tree = GameTree::new();
        let root = tree.root_mut();
        root.set_text("SZ", &game.size().to_string());
        root.set_text("KM", &game.komi().to_string());
        if let Some(name) = rules_name(game.rules()) {
            root.set_text("RU", name);
        }
        if !game.handicap().is_empty() {
            root.set_text("HA", &game.handicap().len().to_string());
        }
        let start = game.start_board();
        for (identifier, color) in [("AB", Color::Black), ("AW", Color::White)] {
            let stones = start.points().filter(|&point| start.color_at(point) == Some(color));
            let values: Vec<Value> = stones.map(point_value).collect();
            if !values.is_empty() {
                root.set(Property::new(identifier, values));
            }
        }
        let first_player = game.moves().first().map_or(game.to_move(), |&(color, _)| color);
        if start.empties().len() < start.area() || first_player == Color::White {
            root.set_text("PL", &first_player.letter().to_string());
        }

        let mut current = tree.root_id();
        for &(color, mv) in game.moves() {
            current = tree.add_child(current);
            let identifier = if color == Color::Black { "B" } else { "W" };
            tree.node_mut(current).set(Property::new(identifier, [move_value(mv)]));
        }
        tree
    }
}

/// The names SGF prescribes where it does, and ours elsewhere; rules of nobody's have none.
fn rules_name(rules: &Rules) -> Option<&'static str> {
    Some(match rules.name()? {
        "japanese" => "Japanese",
        "chinese" => "Chinese",
        "aga" => "AGA",
        "new-zealand" => "NZ",
        name => name,
    })
}

/// A pass is an empty value.
pub(crate) fn move_value(mv: Move) -> Value {
    mv.point().map(point_value).unwrap_or_default()
}

fn point_value(point: Point) -> Value {
    let coord = Coord { row: point.row() as u8, col: point.col() as u8 };
    Value::from_text(&coord.letters())
}
