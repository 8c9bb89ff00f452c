//! Strength levels: how many simulations a move is worth.

/// Simulations for each move at levels 1, 2, 3, ...; every step is about twice the work of the one before.
const PLAYOUTS: [u64; 10] = [5, 15, 40, 100, 200, 400, 800, 1600, 4000, 10_000];

pub const LOWEST_LEVEL: u64 = 1;
pub const HIGHEST_LEVEL: u64 = PLAYOUTS.len() as u64;

/// The simulations of a level; beyond the highest it is the highest.
pub fn playouts_of_level(level: u64) -> u64 {
    PLAYOUTS[(level.clamp(LOWEST_LEVEL, HIGHEST_LEVEL) - LOWEST_LEVEL) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_thinks_more_than_the_one_below() {
        let levels: Vec<u64> = (LOWEST_LEVEL..=HIGHEST_LEVEL).map(playouts_of_level).collect();
        assert!(levels.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(playouts_of_level(0), playouts_of_level(LOWEST_LEVEL));
        assert_eq!(playouts_of_level(99), playouts_of_level(HIGHEST_LEVEL));
    }
}
