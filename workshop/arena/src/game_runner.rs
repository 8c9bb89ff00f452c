//! Plays one game at a time and keeps its programs running from game to game.

use jigo_board::{Color, Game, Rules, handicap};

use crate::game_play::{PlayedGame, play_game, unplayed};
use crate::opening::OpeningBook;
use crate::player::Player;
use crate::program::Failure;
use crate::record::Ending;
use crate::referee::{Referee, RefereeError};
use crate::schedule::Fixture;
use crate::seed::program_seed;
use crate::spec::MatchSpec;

pub struct GameRunner<'a> {
    spec: &'a MatchSpec,
    rules: Rules,
    book: &'a OpeningBook,
    /// Programs waiting for their next game, by player.
    waiting: Vec<Option<Player>>,
    referee: Referee,
}

impl<'a> GameRunner<'a> {
    pub fn new(spec: &'a MatchSpec, rules: Rules, book: &'a OpeningBook) -> Self {
        let waiting = spec.players.iter().map(|_| None).collect();
        Self { spec, rules, book, waiting, referee: Referee::new(spec) }
    }

    pub fn play(&mut self, fixture: &Fixture) -> Result<PlayedGame, RefereeError> {
        let game = self.starting_position(fixture);
        let mut black = match self.player(fixture, fixture.black) {
            Ok(player) => player,
            Err(failure) => return Ok(unplayed(game, Color::Black, &failure)),
        };
        let mut white = match self.player(fixture, fixture.white) {
            Ok(player) => player,
            Err(failure) => {
                self.keep(fixture.black, black);
                return Ok(unplayed(game, Color::White, &failure));
            }
        };
        let played = play_game(game, self.spec, [&mut black, &mut white], &mut self.referee)?;
        // After a failure nobody knows what state a program is in: it starts afresh in the next game.
        if !matches!(played.ending, Ending::Forfeit | Ending::Time) {
            self.keep(fixture.black, black);
            self.keep(fixture.white, white);
        }
        Ok(played)
    }

    /// Lets all programs leave in peace.
    pub fn quit(self) {
        for player in self.waiting.into_iter().flatten() {
            player.quit();
        }
        self.referee.quit();
    }

    fn starting_position(&self, fixture: &Fixture) -> Game {
        let mut game = Game::new(self.spec.size, self.rules);
        game.set_komi(self.spec.komi);
        if let Some(stones) = handicap::fixed_handicap(self.spec.size, self.spec.handicap) {
            game.place_handicap(&stones).expect("star points do not collide");
        }
        for (color, mv) in self.book.moves(fixture.opening) {
            game.play(color, mv).expect("the book was checked when it was opened");
        }
        game
    }

    /// The program of this player, kept from the last game or started.
    fn player(&mut self, fixture: &Fixture, player: usize) -> Result<Player, Failure> {
        if let Some(waiting) = self.waiting[player].take() {
            return Ok(waiting);
        }
        let seed = program_seed(self.spec.seed, fixture.game, player);
        let words = self.spec.players[player].command.words_for(seed, fixture.game);
        Player::start(&words, self.spec.limits)
    }

    fn keep(&mut self, player: usize, program: Player) {
        if self.spec.players[player].command.changes_with_game() {
            program.quit();
        } else if program.is_alive() {
            self.waiting[player] = Some(program);
        }
    }
}
