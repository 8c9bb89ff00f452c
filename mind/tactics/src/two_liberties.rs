//! Chains with two liberties: which atari is hardest to escape, and what to do before it comes (Pachi 3.2).
//!
//! ```text
//! ---------
//! . . b . .   Black gives atari at a: White can only run to b, on the edge, and has two liberties there. Atari at b
//! . X O X .   would let White out into the open.
//! . . a . .
//! ```

use crate::atari::{for_each_enemy_beside, push_capture};
use crate::liberties_after::liberties_after_up_to;
use crate::move_list::MoveList;
use crate::self_atari::is_bad_self_atari;
use jigo_board::{Board, Point};

/// A chain that steps out to this many liberties has escaped an atari.
const FREE: usize = 3;
/// So many liberties of our own are as good as more.
const PLENTY: usize = 5;

/// The opponent's ataris on the chain of `stone`, which has two liberties: those after which it gains least by running,
/// and none from which it steps out free. Of two equal ones that which leaves us more liberties: in a race the outside
/// is filled before what both sides share.
#[inline]
pub fn attack_two_liberties(board: &Board, stone: Point, moves: &mut MoveList) {
    let (Some(owner), Some([a, b])) = (board.color_at(stone), board.two_liberties(stone)) else { return };
    let attacker = owner.opponent();
    let gain = |atari: Point, run: Point| {
        let gain = liberties_after_up_to(board, owner, run, FREE, Some(atari));
        let sound = gain < FREE && board.is_legal(attacker, atari) && !is_bad_self_atari(board, attacker, atari);
        if sound { gain } else { FREE }
    };
    let (gain_a, gain_b) = (gain(a, b), gain(b, a));
    if gain_a == FREE && gain_b == FREE {
        return;
    }
    let own = |atari: Point| liberties_after_up_to(board, attacker, atari, PLENTY, None);
    let order = gain_a.cmp(&gain_b).then_with(|| own(b).cmp(&own(a)));
    if order.is_le() {
        moves.push(a);
    }
    if order.is_ge() {
        moves.push(b);
    }
}

/// Helps the chain of `stone`, which has two liberties: takes a neighbour, gives atari to one that has just two
/// liberties as well, or steps out to three liberties if an atari threatens.
#[inline]
pub fn defend_two_liberties(board: &Board, stone: Point, moves: &mut MoveList) {
    let (Some(color), Some([a, b])) = (board.color_at(stone), board.two_liberties(stone)) else { return };
    if [a, b].iter().all(|&p| board.around(p).is_eye_of(color)) {
        return;
    }
    let mut short_of_liberties = MoveList::new();
    for_each_enemy_beside(board, color, stone, |enemy| match board.liberty_count(enemy) {
        1 => push_capture(board, color, enemy, moves),
        2 => short_of_liberties.push(board.chain(enemy)),
        _ => {}
    });
    let mut threats = MoveList::new();
    attack_two_liberties(board, stone, &mut threats);
    for point in [a, b] {
        if !threats.is_empty()
            && board.is_legal(color, point)
            && !board.around(point).is_eye_of(color)
            && liberties_after_up_to(board, color, point, FREE, None) == FREE
        {
            moves.push(point);
        }
    }
    for &enemy in short_of_liberties.as_slice() {
        attack_two_liberties(board, enemy, moves);
    }
    moves.retain(|p| !is_bad_self_atari(board, color, p));
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use jigo_board::Diagram;

    /// The moves found for the chain at `vertex` must be the points named `a`, for either colour.
    pub(crate) fn check(rows: &[&str], vertex: &str, ask: fn(&Board, Point, &mut MoveList)) {
        let text = rows.join("\n") + &"\n.......".repeat(7 - rows.len());
        for (color, d) in Diagram::parse_for_both(&text).unwrap() {
            let mut moves = MoveList::new();
            ask(&d.board, Point::parse(vertex, 7).unwrap(), &mut moves);
            let mut found = moves.as_slice().to_vec();
            found.sort();
            assert_eq!(found, d.points('a'), "{vertex}, {color} for Black, in\n{text}");
        }
    }

    #[test]
    fn the_atari_drives_the_chain_to_where_it_gains_least() {
        let attack = attack_two_liberties;
        // Towards the edge.
        check(&[".......", "XOX....", ".a....."], "B6", attack);
        // Away from a friend.
        check(&[".......", "..X....", ".XOaO..", ".X.X..."], "C5", attack);
        // Into our own stones.
        check(&[".......", "..XX...", ".XO.X..", ".Xa...."], "C5", attack);
        // All the same.
        check(&[".......", "..XXX..", "..aOa..", "...X..."], "D5", attack);
    }

    #[test]
    fn no_atari_that_lets_the_chain_out_on_either_side() {
        check(&[".......", "...X...", "...O...", "...X..."], "D5", attack_two_liberties);
        check(&[".......", "..X....", ".XO.O..", "...O..."], "C5", attack_two_liberties);
    }

    #[test]
    fn no_atari_that_gives_the_stone_away() {
        // A corner eye and an outside liberty: only the outside can be played.
        check(&[".Oa....", "OOX....", "XX....."], "B7", attack_two_liberties);
        // Two eyes.
        check(&[".O.OX..", "OOOOX..", "XXXXX.."], "B7", attack_two_liberties);
        // Both liberties shared with a black chain that would be in atari first.
        check(&[".XXX.OX", "OOOOOOX", "XXXXXXX"], "A6", attack_two_liberties);
    }

    #[test]
    fn only_chains_with_two_liberties_are_attacked() {
        check(&[".......", "...X...", "...O..."], "D5", attack_two_liberties);
        check(&[".......", "...X...", "..XOX.."], "D5", attack_two_liberties);
        check(&[".......", "......."], "D5", attack_two_liberties);
    }

    #[test]
    fn a_chain_in_danger_steps_out() {
        let defend = defend_two_liberties;
        check(&[".a.....", "XOX....", "X.X...."], "B6", defend);
        check(&[".......", "..X....", ".XOaO..", ".X.X..."], "C5", defend);
        check(&[".......", "..XX...", ".XO.X..", ".X.X..."], "C5", defend);
    }

    #[test]
    fn or_takes_a_neighbour() {
        // The stone at C6 is in atari; there is no room to run.
        check(&["..O....", ".OXa...", ".XO.X..", ".X.X...", "..X...."], "C5", defend_two_liberties);
    }

    #[test]
    fn or_gives_atari_to_one() {
        // An eye each way does not help if White is first: Black gives atari from outside, not on the shared liberty.
        check(&[".X.OOOX", "XXOOOOa", "OOOXXXX", "XXX...."], "B7", defend_two_liberties);
    }

    #[test]
    fn two_eyes_need_no_help() {
        check(&[".O.OX..", "OOOOX..", "XXXXX.."], "B7", defend_two_liberties);
    }

    #[test]
    fn nothing_helps_a_chain_without_room() {
        check(&["X.XXX..", "XO.X...", "XXX...."], "B6", defend_two_liberties);
    }
}
