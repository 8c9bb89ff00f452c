//! Games of self-play as text, so that they can be played on one machine and learnt from on another.
//!
//! A line for each game: which net was Black, then six characters for every move: its two letters as in SGF (`--` is a
//! pass) and four hexadecimal digits for Black's win rate. No game is longer than 6.5 kB, since none has more than three
//! moves for each point.

use jigo_board::{Move, Point};

use crate::self_play::PlayedGame;

const PER_MOVE: usize = 6;
/// A win rate of one.
const CERTAIN: f32 = u16::MAX as f32;

pub fn games_as_text(games: &[PlayedGame]) -> String {
    games.iter().map(|game| as_line(game) + "\n").collect()
}

fn as_line(game: &PlayedGame) -> String {
    let step = |(mv, rate): (&Move, &f32)| format!("{}{:04x}", letters(*mv), (rate * CERTAIN).round() as u16);
    let steps: String = game.moves.iter().zip(&game.black_win_rates).map(step).collect();
    format!("{}{steps}", game.black)
}

fn letters(mv: Move) -> String {
    let letter = |n: usize| char::from(b'a' + n as u8);
    mv.point().map_or("--".into(), |point| [letter(point.col()), letter(point.row())].iter().collect())
}

/// The games, or one sentence about what is wrong with them: whoever played them may be anybody.
pub fn games_from_text(text: &str, size: usize) -> Result<Vec<PlayedGame>, String> {
    let read = |(number, line)| from_line(line, size).ok_or_else(|| format!("game {number} is not a whole game"));
    text.lines().enumerate().map(read).collect()
}

fn from_line(line: &str, size: usize) -> Option<PlayedGame> {
    let (black, steps) = line.split_at_checked(1)?;
    let black = ["0", "1"].iter().position(|&player| player == black)?;
    if !steps.is_ascii() || steps.len() % PER_MOVE != 0 {
        return None;
    }
    let mut game = PlayedGame::new(size, black);
    for at in (0..steps.len()).step_by(PER_MOVE) {
        let (mv, rate) = steps[at..at + PER_MOVE].split_at(2);
        let mv = read_move(mv, size)?;
        if game.is_over() || mv.point().is_some_and(|point| !game.board.is_legal(game.to_move(), point)) {
            return None;
        }
        game.black_win_rates.push(f32::from(u16::from_str_radix(rate, 16).ok()?) / CERTAIN);
        game.play(mv);
    }
    game.is_over().then_some(game)
}

fn read_move(text: &str, size: usize) -> Option<Move> {
    if text == "--" {
        return Some(Move::Pass);
    }
    let place = |byte: u8| Some(usize::from(byte.checked_sub(b'a')?)).filter(|&place| place < size);
    let [col, row] = text.as_bytes() else { return None };
    Some(Move::Play(Point::new(place(*col)?, place(*row)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "1aa8000bb4000--ffff--0000\n";

    #[test]
    fn games_come_back_as_they_were() {
        let games = games_from_text(&GAME.repeat(2), 5).unwrap();
        assert_eq!(games.len(), 2);
        let game = &games[1];
        assert_eq!((game.black, game.moves.len(), game.black_margin()), (1, 4, 0.0));
        assert_eq!(game.moves[1], Move::Play(Point::new(1, 1)));
        assert_eq!((game.black_win_rates[2], game.black_win_rates[3]), (1.0, 0.0));
        assert_eq!(games_as_text(&games), GAME.repeat(2));
    }

    #[test]
    fn what_is_no_whole_game_is_refused() {
        for line in [
            "",
            "2aa8000--ffff--0000",
            "1aa8000",
            "1aa8000aa8000--ffff--0000",
            "1zz8000--ffff--0000",
            "1AA8000--ffff--0000",
            "1aa80--ffff--0000",
            "1aaxxxx--ffff--0000",
            "1--ffff--0000aa8000",
            "1é0000--ffff--0000",
        ] {
            assert!(games_from_text(&format!("{line}\n"), 5).is_err(), "{line:?}");
        }
    }
}
