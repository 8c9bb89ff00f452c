//! One game from the first move to the result, whatever the programs do.

use std::time::Duration;

use jigo_board::{Color, Game, Move};
use jigo_sgf::{GameResult, Margin};

use crate::clock::GameClock;
use crate::move_evaluation::MoveEvaluation;
use crate::player::{Choice, Player};
use crate::program::Failure;
use crate::record::Ending;
use crate::referee::{Referee, RefereeError};
use crate::spec::{Agreement, MatchSpec};

/// A game that has ended.
pub struct PlayedGame {
    pub game: Game,
    pub result: GameResult,
    pub ending: Ending,
    /// Why a game was forfeited, or what else is worth telling.
    pub note: Option<String>,
    /// One entry for each move chosen by a program; opening moves have none.
    pub choices: Vec<ChosenMove>,
}

#[derive(Clone, Debug)]
pub struct ChosenMove {
    pub color: Color,
    pub thought: Duration,
    pub evaluation: Option<MoveEvaluation>,
}

/// Plays from the position of `game`. Programs that fail lose; only a failing referee is an error.
pub fn play_game(
    game: Game,
    spec: &MatchSpec,
    players: [&mut Player; 2],
    referee: &mut Referee,
) -> Result<PlayedGame, RefereeError> {
    let clock = GameClock::new(spec.time, spec.limits.lag());
    let mut contest = GameUnderWay { game, players, clock, choices: Vec::new() };
    let end = contest.play_to_the_end(spec);
    contest.conclude(end, referee)
}

/// A game that could not begin because a program could not be started.
pub fn unplayed(game: Game, culprit: Color, failure: &Failure) -> PlayedGame {
    forfeited(game, culprit, failure, Vec::new())
}

fn forfeited(game: Game, culprit: Color, failure: &Failure, choices: Vec<ChosenMove>) -> PlayedGame {
    PlayedGame {
        game,
        result: GameResult::Win { winner: culprit.opponent(), by: Margin::Forfeit },
        ending: Ending::Forfeit,
        note: Some(format!("{culprit} {failure}")),
        choices,
    }
}

/// Why no more moves are made.
enum End {
    Passes,
    TooLong,
    Resignation(Color),
    FlagFell(Color),
    Agreed(Color),
    Failed(Color, Failure),
}

struct GameUnderWay<'a> {
    game: Game,
    /// Black, White.
    players: [&'a mut Player; 2],
    clock: GameClock,
    choices: Vec<ChosenMove>,
}

impl GameUnderWay<'_> {
    fn play_to_the_end(&mut self, spec: &MatchSpec) -> End {
        for color in Color::BOTH {
            if let Err(failure) = self.players[color.index()].set_up(&self.game, spec.time) {
                return End::Failed(color, failure);
            }
        }
        let limit = self.game.moves().len().max(spec.limits.max_moves);
        while self.game.moves().len() < limit {
            if self.game.is_over() {
                return End::Passes;
            }
            if let Err(end) = self.play_move() {
                return end;
            }
            if let Some(winner) = spec.limits.agreement.and_then(|agreement| self.agreed_winner(agreement)) {
                return End::Agreed(winner);
            }
        }
        if self.game.is_over() { End::Passes } else { End::TooLong }
    }

    fn play_move(&mut self) -> Result<(), End> {
        let color = self.game.to_move();
        let size = self.game.size();
        let failed = |failure| End::Failed(color, failure);
        let (choice, thought) = self.players[color.index()].choose_move(color, &self.clock, size);
        // A program that does not answer before its flag falls has lost on time, not by stalling.
        let flag_fell = match choice {
            Ok(_) => self.clock.spend(color, thought).is_err(),
            Err(Failure::Stalled { .. }) => self.clock.deadline(color).is_some(),
            Err(_) => false,
        };
        if flag_fell {
            return Err(End::FlagFell(color));
        }
        let mv = match choice.map_err(failed)? {
            Choice::Resign => return Err(End::Resignation(color)),
            Choice::Play(mv) => mv,
        };
        if let Err(illegal) = self.game.play(color, mv) {
            let told = format!("{} ({illegal})", mv.vertex(size));
            return Err(failed(Failure::IllegalMove(told)));
        }
        let evaluation = self.players[color.index()].last_evaluation().map_err(failed)?;
        self.choices.push(ChosenMove { color, thought, evaluation });
        let other = color.opponent();
        let shown = self.players[other.index()].show_move(color, mv, size);
        shown.map_err(|failure| End::Failed(other, failure))
    }

    fn agreed_winner(&self, agreement: Agreement) -> Option<Color> {
        // Both must agree, so at least one evaluation of each is needed.
        let needed = agreement.moves.max(2);
        let recent = self.choices.len().checked_sub(needed).map(|start| &self.choices[start..])?;
        let winner_of = |choice: &ChosenMove| {
            let score = choice.evaluation?.score(choice.color)?;
            score.winner().filter(|&winner| f64::from(score.lead_of(winner)) >= agreement.points)
        };
        let winner = winner_of(&recent[0])?;
        recent.iter().all(|choice| winner_of(choice) == Some(winner)).then_some(winner)
    }

    fn conclude(self, end: End, referee: &mut Referee) -> Result<PlayedGame, RefereeError> {
        let won = |winner: Color, by| GameResult::Win { winner, by };
        let (result, ending, note) = match end {
            End::Passes | End::TooLong => {
                let ending = if matches!(end, End::Passes) { Ending::Score } else { Ending::MoveLimit };
                let ruling = referee.judge(&self.game, self.players)?;
                (GameResult::counted(ruling.score), ending, ruling.note)
            }
            End::Resignation(loser) => (won(loser.opponent(), Margin::Resignation), Ending::Resignation, None),
            End::FlagFell(loser) => (won(loser.opponent(), Margin::Time), Ending::Time, None),
            End::Agreed(winner) => (won(winner, Margin::Unstated), Ending::Agreement, None),
            End::Failed(culprit, failure) => return Ok(forfeited(self.game, culprit, &failure, self.choices)),
        };
        Ok(PlayedGame { game: self.game, result, ending, note, choices: self.choices })
    }
}

/// Whether two games are the same move by move: a hash of the moves and where they were played.
pub fn fingerprint(game: &Game) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut mix = |value: u64| hash = (hash ^ value).wrapping_mul(0x0000_0100_0000_01b3);
    for stone in game.handicap() {
        mix(stone.index() as u64);
    }
    for &(color, mv) in game.moves() {
        let place = match mv {
            Move::Pass => 0,
            Move::Play(point) => 1 + point.index() as u64,
        };
        mix(2 * place + color.index() as u64);
    }
    hash
}
