//! Counting, read from the definitions: every point asks for itself whom it belongs to.

use jigo_board::{Color, HandicapBonus, Scoring, Tax};

use crate::game::SlowGame;
use crate::position::Position;

#[derive(Clone, Copy, PartialEq)]
enum Owner {
    Stone(Color),
    Territory(Color),
    Neutral,
}

/// How far Black is ahead if these stones (whole chains) are dead.
pub fn black_lead(game: &SlowGame, dead: &[usize]) -> f32 {
    let board = without(&game.now, dead);
    let owners = owners(&board);
    let points = |color: Color| {
        let count = |wanted: Owner| owners.iter().filter(|&&owner| owner == wanted).count();
        let enemy = color.opponent();
        let dead_enemies = dead.iter().filter(|&&place| game.now.cells[place] == Some(enemy)).count();
        let territory = count(Owner::Territory(color)) - tax(&board, &owners, color, game.rules.tax);
        match game.rules.scoring {
            Scoring::Area => territory + count(Owner::Stone(color)),
            Scoring::Territory => territory + dead_enemies + game.lost[enemy.index()],
        }
    };
    let stones = game.handicap_stones as f32;
    let bonus = match game.rules.handicap_bonus {
        _ if stones < 2.0 => 0.0,
        HandicapBonus::Zero => 0.0,
        HandicapBonus::NMinusOne => stones - 1.0,
        HandicapBonus::N => stones,
    };
    let button = match game.first_to_pass {
        Some(Color::Black) if game.rules.has_button => 0.5,
        Some(Color::White) if game.rules.has_button => -0.5,
        _ => 0.0,
    };
    points(Color::Black) as f32 - points(Color::White) as f32 - game.komi - bonus + button
}

fn without(position: &Position, dead: &[usize]) -> Position {
    let mut board = position.clone();
    for &place in dead {
        board.cells[place] = None;
    }
    board
}

/// An empty point belongs to the only colour that can be reached from it over empty points.
fn owners(board: &Position) -> Vec<Owner> {
    let mut owners: Vec<Option<Owner>> = board.cells.iter().map(|cell| cell.map(Owner::Stone)).collect();
    for place in board.places() {
        if owners[place].is_some() {
            continue;
        }
        let region = board.flood(place, |p| board.cells[p].is_none());
        let reaches = |color| board.touches(&region, |p| board.cells[p] == Some(color));
        let owner = match (reaches(Color::Black), reaches(Color::White)) {
            (true, false) => Owner::Territory(Color::Black),
            (false, true) => Owner::Territory(Color::White),
            _ => Owner::Neutral,
        };
        for &point in &region {
            owners[point] = Some(owner);
        }
    }
    owners.into_iter().map(|owner| owner.expect("every point has been asked")).collect()
}

/// The points of territory that are not counted. A group is everything connected through a colour's
/// stones and territory; it is in seki if it touches neutral points and all its territory is one eye
/// of at most two points.
fn tax(board: &Position, owners: &[Owner], color: Color, tax: Tax) -> usize {
    if tax == Tax::None {
        return 0;
    }
    let is_mine = |place: usize| matches!(owners[place], Owner::Stone(c) | Owner::Territory(c) if c == color);
    let is_territory = |place: usize| owners[place] == Owner::Territory(color);
    let mut total = 0;
    let mut seen = vec![false; owners.len()];
    for place in board.places() {
        if !is_mine(place) || seen[place] {
            continue;
        }
        let group = board.flood(place, is_mine);
        for &member in &group {
            seen[member] = true;
        }
        let territory: Vec<usize> = group.iter().copied().filter(|&p| is_territory(p)).collect();
        let touches_neutral = board.touches(&group, |p| owners[p] == Owner::Neutral);
        let is_one_eye = territory.first().is_some_and(|&p| board.flood(p, is_territory) == territory);
        let in_seki = touches_neutral && is_one_eye && territory.len() <= 2;
        total += match tax {
            Tax::None => 0,
            Tax::Seki if in_seki => territory.len(),
            Tax::Seki => 0,
            Tax::All => territory.len().min(2),
        };
    }
    total
}
