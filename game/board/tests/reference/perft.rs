//! Counting all games of a few moves, and all positions of tiny boards.

use jigo_board::{Board, Color, Game, KoRule, Move, Point, Rules, Trail};

use crate::game::SlowGame;
use crate::position::{Position, Taken};

/// Every combination of ko and suicide rule.
fn rulesets() -> impl Iterator<Item = Rules> {
    let kos = [KoRule::Simple, KoRule::Positional, KoRule::Situational];
    kos.into_iter().flat_map(|ko| [false, true].map(|suicide| Rules { ko, suicide, ..Rules::default() }))
}

/// Games of exactly `depth` moves, passes included; play goes on after two passes.
fn slow_games(game: &SlowGame, depth: usize) -> u64 {
    let color = game.to_move;
    let legal = game.now.places().filter_map(|place| game.try_legally(color, place));
    if depth == 1 {
        return 1 + legal.count() as u64;
    }
    let after = |tried: Option<(Position, Taken)>| {
        let mut next = game.clone();
        match tried {
            Some(tried) => drop(next.go_on(color, tried)),
            None => next.pass(color),
        }
        slow_games(&next, depth - 1)
    };
    after(None) + legal.map(|tried| after(Some(tried))).sum::<u64>()
}

fn fast_games(game: &mut Game, depth: usize) -> u64 {
    let color = game.to_move();
    let legal = game.legal_points(color);
    if depth == 1 {
        return 1 + legal.len() as u64;
    }
    let moves = legal.into_iter().map(Move::Play).chain([Move::Pass]);
    moves
        .map(|mv| {
            game.play(color, mv).expect("legal_points lists legal points");
            let count = fast_games(game, depth - 1);
            game.undo();
            count
        })
        .sum()
}

/// The same count without a game around the board: stones only, since a board cannot take back a pass.
fn board_games(board: &mut Board, color: Color, depth: usize, trail: &mut Trail) -> u64 {
    let legal: Vec<Point> = board.points().filter(|&p| board.is_legal(color, p)).collect();
    if depth == 1 {
        return legal.len() as u64;
    }
    let mut count = 0;
    for point in legal {
        let mark = trail.mark();
        board.play_recorded(color, point, trail);
        count += board_games(board, color.opponent(), depth - 1, trail);
        board.undo_to(mark, trail);
    }
    count
}

fn slow_games_without_passes(game: &SlowGame, depth: usize) -> u64 {
    let legal = game.now.places().filter_map(|place| game.try_legally(game.to_move, place));
    if depth == 1 {
        return legal.count() as u64;
    }
    legal
        .map(|tried| {
            let mut next = game.clone();
            next.go_on(game.to_move, tried);
            slow_games_without_passes(&next, depth - 1)
        })
        .sum()
}

fn assert_counts_agree(size: usize, depth: usize) {
    for rules in rulesets() {
        let slow = slow_games(&SlowGame::new(size, rules), depth);
        let fast = fast_games(&mut Game::new(size, rules), depth);
        assert_eq!(fast, slow, "{size}x{size}, {depth} moves, {rules:?}");
    }
}

#[test]
fn games_on_2x2_are_counted_alike() {
    (1..=11).for_each(|depth| assert_counts_agree(2, depth));
}

#[test]
fn games_on_3x3_are_counted_alike() {
    (1..=7).for_each(|depth| assert_counts_agree(3, depth));
}

#[test]
fn games_on_4x4_are_counted_alike() {
    (1..=4).for_each(|depth| assert_counts_agree(4, depth));
}

#[test]
fn the_bare_board_counts_alike_with_undo() {
    for (size, depth) in [(2, 14), (3, 7), (4, 4)] {
        let fast = board_games(&mut Board::new(size), Color::Black, depth, &mut Trail::new());
        let slow = slow_games_without_passes(&SlowGame::new(size, Rules::default()), depth);
        assert_eq!(fast, slow, "{size}x{size}, {depth} moves");
    }
}

/// The numbers of legal positions are known: Tromp and Farnebäck, "Combinatorics of Go", table 1.
#[test]
fn positions_are_as_many_as_the_literature_says() {
    for (size, known) in [(2, 57), (3, 12_675)] {
        let arrangements = 3_usize.pow((size * size) as u32);
        let is_position = |number: &usize| {
            let stones = (0..size * size).filter_map(|place| {
                let point = Point::new(place % size, place / size);
                match number / 3_usize.pow(place as u32) % 3 {
                    0 => None,
                    1 => Some((Color::Black, point)),
                    _ => Some((Color::White, point)),
                }
            });
            Board::with_stones(size, stones).is_ok()
        };
        assert_eq!((0..arrangements).filter(is_position).count(), known);
    }
}
