//! The game a query describes: its rules, its first position, its moves.

use jigo_board::{Board, Color, Game, Illegal, LARGEST_KOMI, MAX_SIZE, MIN_SIZE, Move, Point, Rules, acceptable_komi};
use serde_json::{Map, Value};

use crate::fault::{Fault, quoted};
use crate::fields::Fields;

/// Each repetition is compared with all positions before it, so the length of a game must be bounded.
const LONGEST_GAME: usize = 2000;

/// Everything needed to set the game up again; much smaller than a [`Game`], since thousands may wait.
#[derive(Clone, Debug)]
pub struct Start {
    pub size: usize,
    rules: Rules,
    komi: f32,
    stones: Vec<(Color, Point)>,
    first_player: Option<Color>,
    moves: Vec<(Color, Move)>,
}

impl Start {
    pub fn read(fields: Fields<'_>) -> Result<Start, Fault> {
        let size = read_size(fields)?;
        let mut rules = read_rules(fields)?;
        if let Some(value) = fields.get("whiteHandicapBonus") {
            let wrong = |error| Fault::of("whiteHandicapBonus", format!("{error}"));
            rules.set_field("whiteHandicapBonus", &words(value)).map_err(wrong)?;
        }
        let largest = f64::from(LARGEST_KOMI);
        let komi = fields.number("komi", -largest..=largest)?.unwrap_or(rules.default_komi.into());
        let bad_komi = |_| Fault::of("komi", "komi must be a whole or half number of points");
        let komi = acceptable_komi(komi as f32).map_err(bad_komi)?;
        let first_player = fields.text("initialPlayer")?;
        let first_player = first_player.map(|text| read_color("initialPlayer", text)).transpose()?;
        let mut stones = Vec::new();
        for (color, mv) in read_moves(fields, "initialStones", size)?.unwrap_or_default() {
            let point = mv.point().ok_or_else(|| Fault::of("initialStones", "a pass is no stone"))?;
            stones.push((color, point));
        }
        let moves = read_moves(fields, "moves", size)?.ok_or_else(|| Fault::of("moves", "moves must be a list"))?;
        let start = Start { size, rules, komi, stones, first_player, moves };
        start.game_after(start.moves.len())?;
        Ok(start)
    }

    pub fn move_count(&self) -> usize {
        self.moves.len()
    }

    /// The game after this many moves.
    pub fn game_after(&self, moves: usize) -> Result<Game, Fault> {
        let mut game = self.first_position()?;
        for (index, &(color, mv)) in self.moves.iter().take(moves).enumerate() {
            // Records contain repetitions, whatever the rules said; only what no rules allow is refused.
            let played = game.play_despite_superko(color, mv);
            played.map_err(|reason| illegal_move(index, color, mv, self.size, reason))?;
        }
        Ok(game)
    }

    fn first_position(&self) -> Result<Game, Fault> {
        let mut game = Game::new(self.size, self.rules);
        game.set_komi(self.komi);
        if !self.stones.is_empty() {
            let is_handicap = self.stones.len() > 1 && self.stones.iter().all(|&(color, _)| color == Color::Black);
            if is_handicap {
                let points: Vec<Point> = self.stones.iter().map(|&(_, point)| point).collect();
                game.place_handicap(&points).map_err(|reason| bad_stones(&reason.to_string()))?;
            } else {
                let board = Board::with_stones(self.size, self.stones.iter().copied());
                let board = board.map_err(|_| bad_stones("two stand on one point, or a chain has no liberties"))?;
                game = Game::from_position(board, Color::Black, self.rules);
                game.set_komi(self.komi);
            }
        }
        let first_mover = self.moves.first().map(|&(color, _)| color);
        if let Some(color) = self.first_player.or(first_mover) {
            game.set_to_move(color);
        }
        Ok(game)
    }
}

fn illegal_move(index: usize, color: Color, mv: Move, size: usize, reason: Illegal) -> Fault {
    let letter = color.letter();
    Fault::of("moves", format!("Illegal move {index}: {letter} {}: {reason}", mv.vertex(size)))
}

fn bad_stones(reason: &str) -> Fault {
    Fault::of("initialStones", format!("the stones are no position: {reason}"))
}

fn read_size(fields: Fields<'_>) -> Result<usize, Fault> {
    let mut sizes = [0; 2];
    for (size, name) in sizes.iter_mut().zip(["boardXSize", "boardYSize"]) {
        let read = fields.integer(name, MIN_SIZE as i64..=MAX_SIZE as i64)?;
        *size = read.ok_or_else(|| Fault::of(name, format!("{name} is missing")))? as usize;
    }
    if sizes[0] != sizes[1] {
        return Err(Fault::of("boardYSize", "only square boards are supported, boardXSize and boardYSize differ"));
    }
    Ok(sizes[0])
}

fn read_rules(fields: Fields<'_>) -> Result<Rules, Fault> {
    match fields.get("rules") {
        None => Err(Fault::of("rules", "rules are missing: give a name or an object of their fields")),
        Some(Value::String(name)) => {
            Rules::by_name(name).ok_or_else(|| Fault::of("rules", format!("unknown rules {:?}", quoted(name))))
        }
        Some(Value::Object(object)) => rules_of_fields(object),
        Some(_) => Err(Fault::of("rules", "rules must be a name or an object of their fields")),
    }
}

fn rules_of_fields(object: &Map<String, Value>) -> Result<Rules, Fault> {
    let fields: Vec<(&str, String)> = object.iter().map(|(field, value)| (field.as_str(), words(value))).collect();
    let fields = fields.iter().map(|(field, value)| (*field, value.as_str()));
    Rules::from_fields(fields).map_err(|error| Fault::of("rules", error.to_string()))
}

/// A value as the word it stands for: texts without their quotes.
fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

/// A list of [player, vertex] pairs.
fn read_moves(fields: Fields<'_>, name: &str, size: usize) -> Result<Option<Vec<(Color, Move)>>, Fault> {
    let Some(list) = fields.list(name)? else { return Ok(None) };
    if list.len() > LONGEST_GAME {
        return Err(Fault::of(name, format!("{name} has more than {LONGEST_GAME} entries")));
    }
    let read = |value: &Value| {
        let pair = value.as_array().map(Vec::as_slice);
        let Some([Value::String(color), Value::String(vertex)]) = pair else {
            return Err(Fault::of(name, format!("{name} must be a list of [player, vertex] pairs")));
        };
        Ok((read_color(name, color)?, read_vertex(name, vertex, size)?))
    };
    list.iter().map(read).collect::<Result<_, _>>().map(Some)
}

pub fn read_color(field: &str, text: &str) -> Result<Color, Fault> {
    Color::parse(text).ok_or_else(|| Fault::of(field, format!("{:?} is no player", quoted(text))))
}

/// A GTP vertex, `pass`, or `(x,y)` counted from the upper left corner.
pub fn read_vertex(field: &str, text: &str, size: usize) -> Result<Move, Fault> {
    let by_numbers = || {
        let (x, y) = text.strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
        let [x, y]: [usize; 2] = [x.trim().parse().ok()?, y.trim().parse().ok()?];
        (x < size && y < size).then(|| Move::Play(Point::new(x, y)))
    };
    Move::parse(text, size)
        .or_else(by_numbers)
        .ok_or_else(|| Fault::of(field, format!("{:?} is no vertex of a {size}x{size} board", quoted(text))))
}
