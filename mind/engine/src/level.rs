//! Strength levels, from a beginner's to all the engine can do.

use crate::parameters::EngineParameters;
use crate::policy_player::BEGINNERS_GLANCE;

/// How a level chooses its moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strength {
    /// Plays what comes to mind, without reading. The higher the temperature, the wilder the ideas; a share of all moves is
    /// overlooked each time.
    Policy { temperature: f32, overlooked: f32 },
    /// So many simulations for each move.
    Playouts(u32),
    /// As much as the clock allows.
    Clock,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// From [`LOWEST_LEVEL`] to [`HIGHEST_LEVEL`].
    pub number: u64,
    /// About this strong among people: an estimate. The steps up to level 10 are measured on 9x9; level 5 is set beside GNU Go, and
    /// nobody has asked people yet (docs/experiments/levels.md).
    pub rank: &'static str,
    pub strength: Strength,
}

const fn level(number: u64, rank: &'static str, strength: Strength) -> Level {
    Level { number, rank, strength }
}

const fn mind(temperature: f32, overlooked: f32) -> Strength {
    Strength::Policy { temperature, overlooked }
}

/// All levels, the weakest first.
pub const LEVELS: [Level; 12] = [
    level(1, "15k", mind(1.0, 0.97)),
    level(2, "13k", mind(1.0, 0.8)),
    level(3, "11k", mind(1.0, 0.5)),
    level(4, "9k", mind(1.0, 0.0)),
    level(5, "7k", mind(0.6, 0.0)),
    level(6, "6k", mind(0.3, 0.0)),
    level(7, "5k", Strength::Playouts(4)),
    level(8, "4k", Strength::Playouts(10)),
    level(9, "2k", Strength::Playouts(30)),
    level(10, "1k", Strength::Playouts(80)),
    level(11, "2d", Strength::Playouts(300)),
    level(12, "4d", Strength::Clock),
];

pub const LOWEST_LEVEL: u64 = 1;
pub const HIGHEST_LEVEL: u64 = LEVELS.len() as u64;

impl Level {
    /// The level with this number; beyond the highest it is the highest, below the lowest the lowest.
    pub fn numbered(number: u64) -> Level {
        LEVELS[(number.clamp(LOWEST_LEVEL, HIGHEST_LEVEL) - LOWEST_LEVEL) as usize]
    }

    /// Makes an engine with these parameters play at this level.
    pub(crate) fn set_in(&self, parameters: &mut EngineParameters) {
        (parameters.most_playouts, parameters.temperature, parameters.overlooked) = match self.strength {
            Strength::Policy { temperature, overlooked } => (BEGINNERS_GLANCE, temperature, overlooked),
            Strength::Playouts(playouts) => (playouts, 0.0, 0.0),
            Strength::Clock => (0, 0.0, 0.0),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_numbered_in_order_and_others_are_the_nearest() {
        for (index, level) in LEVELS.iter().enumerate() {
            assert_eq!(level.number, index as u64 + LOWEST_LEVEL);
            assert_eq!(Level::numbered(level.number), *level);
        }
        assert_eq!(Level::numbered(0), LEVELS[0]);
        assert_eq!(Level::numbered(99).strength, Strength::Clock);
    }
}
