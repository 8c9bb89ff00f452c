//! Opinions in words, for comments and pages.

use jigo_board::{Color, Move, Score, WinRate};
use jigo_engine::Mistake;

use crate::review::{Opinion, Review};

/// A move that loses fewer points is as good as the best: searches of two positions do not tell leads apart more finely.
pub const LEAST_WORTH_TELLING: f32 = 0.5;

/// "Black", "White".
pub fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

/// `B+3.5`, or "even" where that would be `B+0.0`.
pub fn lead(black_lead: f32) -> String {
    let color = if black_lead < 0.0 { Color::White } else { Color::Black };
    let points = Score::black_lead(black_lead).lead_of(color);
    if points < 0.05 { "even".to_string() } else { format!("{}+{points:.1}", color.letter()) }
}

/// "Black wins 56 %".
pub fn chances(black_win_rate: f32) -> String {
    let rate = WinRate::black(black_win_rate);
    let favourite = rate.favourite();
    format!("{} wins {:.0} %", name(favourite), rate.share_of(favourite) * 100.0)
}

/// "1 point", "4.2 points".
pub fn points(points: f32) -> String {
    let text = format!("{points:.1}");
    if text == "1.0" { "1 point".to_string() } else { format!("{text} points") }
}

/// A move as people say it.
pub fn vertex(mv: Move, size: usize) -> String {
    mv.vertex(size)
}

/// "R6 Q5 R5".
pub fn variation(moves: &[Move], size: usize) -> String {
    moves.iter().map(|&mv| vertex(mv, size)).collect::<Vec<_>>().join(" ")
}

/// What is to be said about a position.
pub fn about_position(opinion: &Opinion) -> String {
    format!("{}, {}.", chances(opinion.black_win_rate), lead(opinion.black_lead))
}

/// What is to be said about move `number`: how good it was, and what was better.
pub fn about_move(review: &Review, number: usize) -> String {
    let (color, mv) = review.moves[number - 1];
    let (size, before) = (review.size, &review.opinions[number - 1]);
    let mut text = format!("Move {number}, {} {}", name(color), vertex(mv, size));
    let Some(best) = before.best() else { return text + "." };
    if best.mv() == mv {
        return text + ", is the best move.";
    }
    let lost = review.points_lost(number);
    text += &match review.mistake(number) {
        None if lost < LEAST_WORTH_TELLING => ", is good.".to_string(),
        None => format!(" loses {}.", points(lost)),
        Some(mistake) => format!(" loses {}: {} {}.", points(lost), article(mistake), mistake.name()),
    };
    text + &format!(" Best was {} ({}).", vertex(best.mv(), size), lead(best.black_lead))
        + &format!(" Expected: {}.", variation(&best.variation, size))
}

fn article(mistake: Mistake) -> &'static str {
    if mistake == Mistake::Inaccuracy { "an" } else { "a" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_like_words() {
        assert_eq!([lead(3.46), lead(-12.0), lead(0.01)], ["B+3.5", "W+12.0", "even"]);
        assert_eq!([chances(0.56), chances(0.2)], ["Black wins 56 %", "White wins 80 %"]);
        assert_eq!([points(1.0), points(4.24)], ["1 point", "4.2 points"]);
    }
}
