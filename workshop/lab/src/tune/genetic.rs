//! A genetic algorithm whose games are shared out by UCB1 (Go Intellect III, after Chen, Du and Zhang 2009).
//!
//! Each setting of the population is an arm of a bandit: the next pair of games, one with each colour, goes to the setting
//! with the highest upper confidence bound, so promising settings are measured well and bad ones cheaply. At the end of a generation the better
//! half survives with its results, and children of two survivors take the places of the others.

use jigo_arena::seed::random_part;
use jigo_arena::statistics::{Outcomes, Trinomial};
use jigo_board::Rng;

use super::grid::{Grid, GridPoint};
use super::{Contest, Method, TuneParameter};

const POPULATION: usize = 12;
/// Games of a generation for each of its settings, on average.
const GAMES_EACH: u64 = 10;
/// A gene that mutates moves by up to so many steps.
const LARGEST_MUTATION: usize = 3;

pub struct Genetic {
    grid: Grid,
    population: Vec<Individual>,
    /// Whose game is being played.
    playing: usize,
    games_left: u64,
    rng: Rng,
}

struct Individual {
    place: GridPoint,
    results: Trinomial,
}

impl Individual {
    fn new(place: GridPoint) -> Self {
        Self { place, results: Trinomial::default() }
    }
}

impl Genetic {
    pub fn new(parameters: &[TuneParameter], seed: u64) -> Self {
        let grid = Grid::new(parameters);
        let mut rng = random_part(seed, "genetic", 0);
        let mut population = vec![Individual::new(grid.start())];
        while population.len() < POPULATION {
            population.push(Individual::new(grid.random_point(&mut rng)));
        }
        Self { grid, population, playing: 0, games_left: GAMES_EACH * POPULATION as u64, rng }
    }

    /// UCB1 (Auer, Cesa-Bianchi and Fischer 2002); a setting without games comes first.
    fn next_to_play(&self) -> usize {
        let total: u64 = self.population.iter().map(|individual| individual.results.games()).sum();
        let bound = |individual: &Individual| match individual.results.games() {
            0 => f64::INFINITY,
            games => individual.results.score() + (2.0 * (total as f64).ln() / games as f64).sqrt(),
        };
        let bounds = self.population.iter().map(bound).enumerate();
        // Of equal ones the first: `max_by` alone would take the last.
        bounds.rev().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(index, _)| index)
    }

    fn next_generation(&mut self) {
        self.population.sort_by(|a, b| reliable_score(b).total_cmp(&reliable_score(a)));
        self.population.truncate(POPULATION / 2);
        let survivors = self.population.len();
        while self.population.len() < POPULATION {
            let mother = self.rng.below(survivors);
            let father = self.rng.below(survivors);
            let child = self.child_of(mother, father);
            self.population.push(Individual::new(child));
        }
    }

    /// Each gene from either parent, and one of them mutated.
    fn child_of(&mut self, mother: usize, father: usize) -> GridPoint {
        let dimensions = self.grid.dimensions();
        let mutating = self.rng.below(dimensions);
        (0..dimensions)
            .map(|gene| {
                let parent = if self.rng.chance(0.5) { mother } else { father };
                let inherited = self.population[parent].place[gene];
                if gene != mutating {
                    return inherited;
                }
                let size = 1 + self.rng.below(LARGEST_MUTATION) as i64;
                let signed = if self.rng.chance(0.5) { size } else { -size };
                self.grid.clamp(gene, inherited + signed)
            })
            .collect()
    }
}

/// The lower end of the 95 % interval: a high score in few games is no merit yet.
fn reliable_score(individual: &Individual) -> f64 {
    individual.results.score_interval().low
}

impl Method for Genetic {
    fn propose(&mut self) -> Vec<Contest> {
        self.playing = self.next_to_play();
        let contest = Contest { setting: self.grid.values(&self.population[self.playing].place), against: None };
        vec![contest.clone(), contest]
    }

    fn learn(&mut self, points: &[f64]) {
        for &points in points {
            self.population[self.playing].results.add(points);
        }
        self.games_left = self.games_left.saturating_sub(points.len() as u64);
        if self.games_left == 0 {
            self.next_generation();
            self.games_left = GAMES_EACH * POPULATION as u64;
        }
    }

    fn present(&self) -> Vec<f64> {
        self.best()
    }

    fn best(&self) -> Vec<f64> {
        let best = self.population.iter().max_by(|a, b| reliable_score(a).total_cmp(&reliable_score(b)));
        best.map_or_else(Vec::new, |individual| self.grid.values(&individual.place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn genetic() -> Genetic {
        let parameters = ["a=5:0:20:1", "b=5:0:20:1"].map(|text| TuneParameter::parse(text).unwrap());
        Genetic::new(&parameters, 1)
    }

    #[test]
    fn everyone_plays_before_anyone_plays_again() {
        let mut method = genetic();
        let mut first_round = Vec::new();
        for _ in 0..POPULATION {
            method.propose();
            first_round.push(method.playing);
            method.learn(&[0.0, 0.0]);
        }
        first_round.sort();
        assert_eq!(first_round, (0..POPULATION).collect::<Vec<_>>());
    }

    #[test]
    fn ucb1_gives_winners_more_games() {
        let mut method = genetic();
        for _ in 0..GAMES_EACH * POPULATION as u64 / 2 - 1 {
            method.propose();
            let points = f64::from(method.playing == 3);
            method.learn(&[points, points]);
        }
        let games: Vec<u64> = method.population.iter().map(|individual| individual.results.games()).collect();
        assert!(games[3] >= 2 * games[0] && games.iter().all(|&games| games >= 2), "{games:?}");
    }

    #[test]
    fn survivors_keep_their_results_and_children_lie_within_the_ranges() {
        let mut method = genetic();
        for game in 0..1000 {
            for setting in method.propose() {
                assert!(setting.setting.iter().all(|value| (0.0..=20.0).contains(value)), "{setting:?}");
            }
            method.learn(&[f64::from(game % 3 == 0), 0.0]);
        }
        assert!(method.population.iter().any(|individual| individual.results.games() > GAMES_EACH));
    }
}
