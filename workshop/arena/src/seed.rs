//! Seeds that stay the same for ever: a match seed, a game number and a role give one number on every machine.

use jigo_board::Rng;

/// The random numbers of one part of a match. Parts with different labels or numbers are independent.
pub fn random_part(match_seed: u64, label: &str, number: u64) -> Rng {
    let mut rng = Rng::new(match_seed);
    for byte in label.bytes() {
        rng = Rng::new(rng.next_u64() ^ u64::from(byte));
    }
    Rng::new(rng.next_u64() ^ number)
}

/// What replaces `{seed}` in a player's command line: 31 bits, so that every program can read it.
pub fn program_seed(match_seed: u64, game: u64, player: usize) -> u32 {
    let mut rng = random_part(match_seed, "player", game);
    for _ in 0..player {
        rng.next_u64();
    }
    (rng.next_u64() >> 33) as u32
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn games_and_players_get_different_seeds() {
        let seeds: HashSet<u32> =
            (0..1000).flat_map(|game| [program_seed(1, game, 0), program_seed(1, game, 1)]).collect();
        assert_eq!(seeds.len(), 2000);
    }

    /// Old matches must stay repeatable: these numbers may never change.
    #[test]
    fn seeds_never_change() {
        assert_eq!(
            [program_seed(1, 0, 0), program_seed(1, 0, 1), program_seed(2, 0, 0)],
            [927253351, 1914758958, 509289292]
        );
    }
}
