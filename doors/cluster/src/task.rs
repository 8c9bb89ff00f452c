//! A search as plain data: the game with all that led to it, and what is asked about it.

use std::time::Duration;

use jigo_board::{Board, Color, Game, HandicapBonus, KoRule, MAX_SIZE, MIN_SIZE, Move, Point, Rules, Scoring, Tax};
use jigo_search::{Limits, Parameters, Restriction, RestrictionKind, SearchRequest, TimeBudget};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::wire::{move_code, move_of};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    size: u8,
    rules: WireRules,
    komi: f32,
    /// Colours of the first position, row by row: 0 empty, 1 Black, 2 White.
    start: Vec<u8>,
    start_black: bool,
    handicap: Vec<u16>,
    /// Whether Black moved, and where.
    moves: Vec<(bool, u16)>,
    black_to_move: bool,
    restrictions: Vec<WireRestriction>,
    /// The simulations at which one machine would play.
    pub playouts: Option<u64>,
    /// The simulations of all machines together.
    pub playouts_of_all: Option<u64>,
    desired_and_maximum_ms: Option<(u64, u64)>,
    pub may_settle: bool,
    pub plain_komi: bool,
    /// Parameters that differ from those everybody has.
    settings: Vec<(String, String)>,
    pub levels: u8,
    /// What the coordinator's position is; ours must be the same.
    pub position: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct WireRules {
    ko: u8,
    scoring: u8,
    tax: u8,
    handicap_bonus: u8,
    suicide: bool,
    has_button: bool,
    friendly_pass_ok: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct WireRestriction {
    black: bool,
    avoid: bool,
    until_depth: u32,
    moves: Vec<u16>,
}

/// Why a worker cannot do a task.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unfit {
    #[error("it does not know these rules")]
    Rules,
    #[error("it does not know the parameter {0}")]
    Parameter(String),
    #[error("the game it received is not a game")]
    Game,
    #[error("it comes to another position by the same moves")]
    OtherPosition,
}

impl Task {
    pub fn new(request: &SearchRequest<'_>, parameters: &Parameters, levels: usize) -> Task {
        let game = request.game;
        let codes = |moves: &[Move]| moves.iter().map(|&mv| move_code(mv)).collect();
        let first_mover = game.moves().first().map_or(game.to_move(), |&(color, _)| color);
        let usual = Parameters::default();
        let value = |name: &str| parameters.get(name).filter(|value| usual.get(name).as_ref() != Some(value));
        let ms = |time: Duration| time.as_millis() as u64;
        Task {
            size: game.size() as u8,
            rules: WireRules::new(game.rules()),
            komi: game.komi(),
            start: game.start_board().points().map(|p| game.start_board().color_at(p).map_or(0, |c| c as u8)).collect(),
            start_black: first_mover == Color::Black,
            handicap: codes(&game.handicap().iter().map(|&point| Move::Play(point)).collect::<Vec<_>>()),
            moves: game.moves().iter().map(|&(color, mv)| (color == Color::Black, move_code(mv))).collect(),
            black_to_move: request.to_move == Color::Black,
            restrictions: request
                .restrictions
                .iter()
                .map(|restriction| WireRestriction {
                    black: restriction.color == Color::Black,
                    avoid: restriction.kind == RestrictionKind::Avoid,
                    until_depth: restriction.until_depth,
                    moves: codes(&restriction.moves),
                })
                .collect(),
            playouts: request.limits.playouts,
            playouts_of_all: None,
            desired_and_maximum_ms: request.limits.time.map(|time| (ms(time.desired), ms(time.maximum))),
            may_settle: request.may_settle,
            plain_komi: request.plain_komi,
            settings: Parameters::table().filter_map(|p| Some((p.name.to_string(), value(p.name)?))).collect(),
            levels: levels as u8,
            position: digest(game, request.to_move),
        }
    }

    /// The game, if it can be played here.
    pub fn game(&self) -> Result<Game, Unfit> {
        let size = usize::from(self.size);
        let area = size * size;
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) || self.start.len() != area || !self.komi.is_finite() {
            return Err(Unfit::Game);
        }
        let mut game = self.start(size)?;
        game.set_komi(self.komi);
        for &(black, code) in &self.moves {
            let mv = move_of(code).ok_or(Unfit::Game)?;
            // Clients may let a colour move twice, and old records repeat positions.
            game.play_despite_superko(color(black), mv).map_err(|_| Unfit::Game)?;
        }
        if game.to_move() != self.to_move() {
            game.set_to_move(self.to_move());
        }
        if digest(&game, self.to_move()) != self.position { Err(Unfit::OtherPosition) } else { Ok(game) }
    }

    fn start(&self, size: usize) -> Result<Game, Unfit> {
        let rules = self.rules.read().ok_or(Unfit::Rules)?;
        if !self.handicap.is_empty() {
            let point = |&code: &u16| move_of(code).and_then(Move::point).ok_or(Unfit::Game);
            let points: Vec<Point> = self.handicap.iter().map(point).collect::<Result<_, _>>()?;
            let mut game = Game::new(size, rules);
            game.place_handicap(&points).map_err(|_| Unfit::Game)?;
            return Ok(game);
        }
        let mut board = Board::new(size);
        let empty = board.clone();
        for (point, &stone) in empty.points().zip(&self.start) {
            let color = match stone {
                0 => continue,
                1 => Color::Black,
                2 => Color::White,
                _ => return Err(Unfit::Game),
            };
            if !board.is_empty(point) || board.is_suicide(color, point) {
                return Err(Unfit::Game);
            }
            board.play(color, point);
        }
        Ok(Game::from_position(board, color(self.start_black), rules))
    }

    pub fn to_move(&self) -> Color {
        color(self.black_to_move)
    }

    pub fn restrictions(&self) -> Result<Vec<Restriction>, Unfit> {
        let read = |restriction: &WireRestriction| {
            let moves =
                restriction.moves.iter().map(|&code| move_of(code)).collect::<Option<_>>().ok_or(Unfit::Game)?;
            let kind = if restriction.avoid { RestrictionKind::Avoid } else { RestrictionKind::Allow };
            Ok(Restriction { color: color(restriction.black), moves, until_depth: restriction.until_depth, kind })
        };
        self.restrictions.iter().map(read).collect()
    }

    pub fn parameters(&self) -> Result<Parameters, Unfit> {
        let mut parameters = Parameters::default();
        for (name, value) in &self.settings {
            parameters.set(name, value).map_err(|_| Unfit::Parameter(name.clone()))?;
        }
        Ok(parameters)
    }

    /// What is left of the time when the coordinator has been thinking for so long. Playouts are not limited here: all
    /// machines go on until the coordinator has decided.
    pub fn limits(&self, elapsed: Duration) -> Limits {
        let left = |ms: u64| Duration::from_millis(ms).saturating_sub(elapsed);
        let time = self
            .desired_and_maximum_ms
            .map(|(desired, maximum)| TimeBudget { desired: left(desired), maximum: left(maximum) });
        Limits { playouts: None, visits: None, time }
    }
}

fn color(black: bool) -> Color {
    if black { Color::Black } else { Color::White }
}

/// A position with everything that matters for what may follow.
fn digest(game: &Game, to_move: Color) -> u64 {
    let words = game.position_hashes().chain([game.komi().to_bits().into(), to_move as u64, game.size() as u64]);
    words.fold(0xCBF2_9CE4_8422_2325, |hash, word| (hash ^ word).wrapping_mul(0x0100_0000_01B3).rotate_left(29))
}

impl WireRules {
    fn new(rules: &Rules) -> WireRules {
        WireRules {
            ko: rules.ko as u8,
            scoring: rules.scoring as u8,
            tax: rules.tax as u8,
            handicap_bonus: rules.handicap_bonus as u8,
            suicide: rules.suicide,
            has_button: rules.has_button,
            friendly_pass_ok: rules.friendly_pass_ok,
        }
    }

    fn read(&self) -> Option<Rules> {
        fn nth<T: Copy>(values: &[T], code: u8) -> Option<T> {
            values.get(usize::from(code)).copied()
        }
        Some(Rules {
            ko: nth(&[KoRule::Simple, KoRule::Positional, KoRule::Situational], self.ko)?,
            scoring: nth(&[Scoring::Area, Scoring::Territory], self.scoring)?,
            tax: nth(&[Tax::None, Tax::Seki, Tax::All], self.tax)?,
            handicap_bonus: nth(
                &[HandicapBonus::Zero, HandicapBonus::NMinusOne, HandicapBonus::N],
                self.handicap_bonus,
            )?,
            suicide: self.suicide,
            has_button: self.has_button,
            friendly_pass_ok: self.friendly_pass_ok,
            ..Rules::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use jigo_board::RULESETS;

    fn task(game: &Game) -> Task {
        let never = AtomicBool::new(false);
        let request = SearchRequest::new(game, game.to_move(), Limits::default(), &never);
        Task::new(&request, &Parameters::default(), 1)
    }

    #[test]
    fn a_game_arrives_as_it_was_under_every_ruleset() {
        for (name, rules) in RULESETS {
            for stones in [0, 4] {
                let mut game = Game::new(9, *rules);
                if stones > 0 {
                    let points = jigo_board::handicap::fixed_handicap(9, stones).unwrap();
                    game.place_handicap(&points).unwrap();
                }
                for vertex in ["E5", "pass", "C3", "G7"] {
                    let mv = Move::parse(vertex, 9).unwrap();
                    if game.check(game.to_move(), mv).is_ok() {
                        game.play(game.to_move(), mv).unwrap();
                    }
                }
                let sent = task(&game);
                let received: Task = postcard::from_bytes(&postcard::to_stdvec(&sent).unwrap()).unwrap();
                let arrived = received.game().unwrap();
                assert_eq!(arrived.moves(), game.moves(), "{name}");
                assert_eq!(arrived.board().hash(), game.board().hash());
                assert_eq!(arrived.effective_komi(), game.effective_komi());
                assert_eq!(Rules { default_komi: 0.0, ..*arrived.rules() }, Rules { default_komi: 0.0, ..*rules });
            }
        }
    }

    #[test]
    fn settings_travel_by_name() {
        let game = Game::new(9, Rules::default());
        let never = AtomicBool::new(false);
        let mut parameters = Parameters::default();
        parameters.search.criticality = 0.5;
        let request = SearchRequest::new(&game, Color::Black, Limits::default(), &never);
        let task = Task::new(&request, &parameters, 1);
        assert_eq!(task.parameters(), Ok(parameters));
        let other = Task { settings: vec![("search.telepathy".into(), "1".into())], ..task };
        assert_eq!(other.parameters(), Err(Unfit::Parameter("search.telepathy".into())));
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let good = task(&Game::new(9, Rules::default()));
        let codes: [fn(&mut Task); 7] = [
            |task| task.size = 1,
            |task| task.size = 200,
            |task| task.start[3] = 9,
            |task| task.komi = f32::NAN,
            |task| task.moves = vec![(true, 41), (false, 41)],
            |task| task.moves = vec![(true, 5000)],
            |task| task.start = vec![1; 81],
        ];
        for spoil in codes {
            let mut task = good.clone();
            spoil(&mut task);
            assert_eq!(task.game().err(), Some(Unfit::Game));
        }
        let strange = Task { rules: WireRules { ko: 7, ..good.rules }, ..good.clone() };
        assert_eq!(strange.game().err(), Some(Unfit::Rules));
        let elsewhere = Task { position: good.position ^ 1, ..good };
        assert_eq!(elsewhere.game().err(), Some(Unfit::OtherPosition));
    }
}
