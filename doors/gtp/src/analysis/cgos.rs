//! A report as the Computer Go Server stores it with a move: JSON on one line.

use serde_json::{Value, json};

use super::View;

/// The viewer on the server's pages shows a few moves.
const MOVES: usize = 10;

/// 63 letters from "the opponent's for certain" to "the mover's for certain".
const LETTERS: &[u8; 63] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+";

pub fn render(view: &View<'_>) -> String {
    let moves: Vec<Value> = view
        .moves(0, MOVES)
        .map(|told| {
            json!({
                "move": view.vertex(told.mv),
                "visits": told.visits,
                "winrate": rounded(view.win_rate_after(told)),
                "score": rounded(view.lead_after(told)),
                "prior": rounded(told.policy),
                // What follows the move, without the move itself.
                "pv": view.vertices(told.variation.get(1..).unwrap_or_default()),
            })
        })
        .collect();
    json!({
        "winrate": rounded(view.win_rate()),
        "score": rounded(view.lead()),
        "visits": view.report.visits,
        "moves": moves,
        "ownership": view.ownership().map(letter).collect::<String>(),
    })
    .to_string()
}

fn rounded(value: f32) -> f64 {
    (f64::from(value) * 1e4).round() / 1e4 + 0.0
}

fn letter(ownership: f32) -> char {
    let share = (ownership.clamp(-1.0, 1.0) + 1.0) / 2.0;
    char::from(LETTERS[(share * (LETTERS.len() - 1) as f32).round() as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ownership_is_written_in_letters_from_loss_to_gain() {
        assert_eq!([-1.0, -0.5, 0.0, 0.5, 1.0].map(letter), ['A', 'Q', 'f', 'v', '+']);
        assert_eq!(letter(f32::NAN.max(-1.0)), 'A');
    }
}
