//! Who plays whom, in which order. Game numbers are the names of games: everything a game needs follows from its
//! number, so that any set of missing games can be played later.

use crate::spec::{Colors, MatchSpec, Pairings};

/// One game to be played; players by their place in the spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    pub game: u64,
    pub black: usize,
    pub white: usize,
    /// Which opening; both games of a colour-swapped pair have the same.
    pub opening: u64,
}

pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    colors: Colors,
    games: u64,
}

impl Schedule {
    pub fn new(spec: &MatchSpec) -> Self {
        let players = spec.players.len();
        let pairings = match spec.pairings {
            Pairings::RoundRobin => {
                (0..players).flat_map(|first| (first + 1..players).map(move |second| (first, second))).collect()
            }
            Pairings::Gauntlet => (1..players).map(|second| (0, second)).collect(),
        };
        Self { pairings, colors: spec.colors, games: spec.games }
    }

    /// Players that meet, the first one first.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// All games. Every pairing plays one pair of games before any plays its next, so that a match cut short is fair.
    pub fn fixtures(&self) -> impl Iterator<Item = Fixture> + '_ {
        let whole_rounds = self.games.div_ceil(2) * 2 * self.pairings.len() as u64;
        (0..whole_rounds).map(|game| self.fixture(game)).filter(|fixture| {
            let (round, second_of_pair) = (fixture.opening_round(self), fixture.game % 2);
            2 * round + second_of_pair < self.games
        })
    }

    pub fn fixture(&self, game: u64) -> Fixture {
        let pair = game / 2;
        let (first, second) = self.pairings[(pair % self.pairings.len() as u64) as usize];
        let swapped = self.colors == Colors::Swapped && game % 2 == 1;
        let (black, white) = if swapped { (second, first) } else { (first, second) };
        let opening = match self.colors {
            Colors::Swapped => pair,
            Colors::FirstIsBlack => game,
        };
        Fixture { game, black, white, opening }
    }

    /// The other game of a colour-swapped pair.
    pub fn twin(&self, game: u64) -> Option<u64> {
        (self.colors == Colors::Swapped).then_some(game ^ 1)
    }
}

impl Fixture {
    fn opening_round(&self, schedule: &Schedule) -> u64 {
        self.game / 2 / schedule.pairings.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::CommandLine;
    use crate::spec::PlayerSpec;

    fn schedule(players: usize, games: u64, change: fn(&mut MatchSpec)) -> Vec<(u64, usize, usize, u64)> {
        let command = CommandLine::parse("program").unwrap();
        let players = (0..players).map(|n| PlayerSpec { name: n.to_string(), command: command.clone() }).collect();
        let mut spec = MatchSpec::new(players, 9, games);
        change(&mut spec);
        Schedule::new(&spec).fixtures().map(|f| (f.game, f.black, f.white, f.opening)).collect()
    }

    #[test]
    fn two_players_swap_colours_on_the_same_opening() {
        assert_eq!(schedule(2, 4, |_| ()), [(0, 0, 1, 0), (1, 1, 0, 0), (2, 0, 1, 1), (3, 1, 0, 1)]);
    }

    #[test]
    fn an_odd_number_of_games_leaves_one_pair_open() {
        assert_eq!(schedule(2, 3, |_| ()), [(0, 0, 1, 0), (1, 1, 0, 0), (2, 0, 1, 1)]);
        let round_robin = schedule(3, 1, |_| ());
        assert_eq!(round_robin, [(0, 0, 1, 0), (2, 0, 2, 1), (4, 1, 2, 2)]);
    }

    #[test]
    fn everyone_meets_everyone_equally_often() {
        let games = schedule(4, 10, |_| ());
        assert_eq!(games.len(), 60);
        for first in 0..4 {
            for second in (0..4).filter(|&second| second != first) {
                assert_eq!(games.iter().filter(|g| (g.1, g.2) == (first, second)).count(), 5);
            }
        }
    }

    #[test]
    fn in_a_gauntlet_everyone_meets_the_first() {
        let games = schedule(3, 2, |spec| spec.pairings = Pairings::Gauntlet);
        assert_eq!(games, [(0, 0, 1, 0), (1, 1, 0, 0), (2, 0, 2, 1), (3, 2, 0, 1)]);
    }

    #[test]
    fn colours_can_be_fixed() {
        let games = schedule(2, 3, |spec| spec.colors = Colors::FirstIsBlack);
        assert_eq!(games, [(0, 0, 1, 0), (1, 0, 1, 1), (2, 0, 1, 2)]);
    }
}
