//! Seeds that stay the same for ever: a match seed, a game number and a role give one number on every machine.

/// SplitMix64 (Steele, Lea and Flood, 2014): tiny, and specified to the last bit.
#[derive(Clone, Debug)]
pub struct SeedStream(u64);

impl SeedStream {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The stream of a part of the match. Parts with different labels or numbers are independent.
    pub fn of_part(match_seed: u64, label: &str, number: u64) -> Self {
        let mut stream = Self(match_seed);
        for byte in label.bytes() {
            stream = Self(stream.next_u64() ^ u64::from(byte));
        }
        Self(stream.next_u64() ^ number)
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Uniform in `0..bound`; the bias of the plain multiplication is below 2^-32 for our bounds.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// Uniform in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// What replaces `{seed}` in a player's command line: 31 bits, so that every program can read it.
pub fn program_seed(match_seed: u64, game: u64, player: usize) -> u32 {
    let mut stream = SeedStream::of_part(match_seed, "player", game);
    for _ in 0..player {
        stream.next_u64();
    }
    (stream.next_u64() >> 33) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs of SplitMix64 for seed 1234567, as printed with its reference implementation.
    #[test]
    fn the_stream_is_splitmix64() {
        let mut stream = SeedStream::new(1234567);
        assert_eq!(stream.next_u64(), 6457827717110365317);
        assert_eq!(stream.next_u64(), 3203168211198807973);
    }

    #[test]
    fn games_and_players_get_different_seeds_that_never_change() {
        let seeds: std::collections::HashSet<u32> =
            (0..1000).flat_map(|game| [program_seed(1, game, 0), program_seed(1, game, 1)]).collect();
        assert_eq!(seeds.len(), 2000);
        assert_ne!(program_seed(1, 0, 0), program_seed(2, 0, 0));
        assert_eq!(program_seed(1, 7, 1), program_seed(1, 7, 1));
    }

    #[test]
    fn small_bounds_are_covered_evenly() {
        let mut stream = SeedStream::of_part(5, "test", 0);
        let mut seen = [0; 6];
        for _ in 0..6000 {
            seen[stream.below(6)] += 1;
        }
        assert!(seen.iter().all(|&count| (850..1150).contains(&count)), "{seen:?}");
    }
}
