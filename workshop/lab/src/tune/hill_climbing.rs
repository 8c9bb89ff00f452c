//! Go Intellect's dynamic hill climbing (Go Intellect III): after every lost game the last change is taken back, its direction
//! turned, and a parameter chosen at random takes a step. The setting with most wins is the answer.
//!
//! Taken literally, that loop never goes further than one step from where it began: every change is taken back by the
//! next loss. The climbing is done by whoever reads the log and begins again with the best setting found. Here that
//! happens by itself after every round of games; within a round the loop is the paper's to the letter.

use jigo_arena::seed::random_part;
use jigo_board::Rng;

use super::grid::{Grid, GridPoint};
use super::{Contest, Method, TuneParameter};

/// Games of a round: some thirty for each of the up to eleven settings around a start in five parameters.
const ROUND: u64 = 330;

pub struct HillClimbing {
    grid: Grid,
    place: GridPoint,
    /// The sign of each tuning step; the paper's delta is it times the step.
    direction: Vec<i64>,
    /// The paper's p: which parameter was changed last.
    changed: Option<usize>,
    rng: Rng,
    /// The paper's output log of this round, gathered by setting.
    log: Vec<Tally>,
    games_left: u64,
}

struct Tally {
    place: GridPoint,
    games: u64,
    points: f64,
}

impl HillClimbing {
    pub fn new(parameters: &[TuneParameter], seed: u64) -> Self {
        let grid = Grid::new(parameters);
        Self {
            place: grid.start(),
            direction: vec![1; grid.dimensions()],
            changed: None,
            rng: random_part(seed, "hill climbing", 0),
            log: Vec::new(),
            games_left: ROUND,
            grid,
        }
    }

    fn note(&mut self, points: f64) {
        let place = match self.log.iter().position(|tally| tally.place == self.place) {
            Some(place) => place,
            None => {
                self.log.push(Tally { place: self.place.clone(), games: 0, points: 0.0 });
                self.log.len() - 1
            }
        };
        self.log[place].games += 1;
        self.log[place].points += points;
    }

    /// "The set of parameter values with most wins"; of several, the one that needed fewer games.
    fn most_wins(&self) -> &GridPoint {
        let by_wins = |a: &&Tally, b: &&Tally| a.points.total_cmp(&b.points).then(b.games.cmp(&a.games));
        self.log.iter().max_by(by_wins).map_or(&self.place, |tally| &tally.place)
    }

    fn begin_round(&mut self) {
        self.place = self.most_wins().clone();
        self.changed = None;
        self.log.clear();
        self.games_left = ROUND;
    }

    /// The paper's loop body.
    fn change_after_loss(&mut self) {
        if let Some(changed) = self.changed {
            self.direction[changed] = -self.direction[changed];
            self.place[changed] += self.direction[changed];
        }
        let chosen = self.rng.below(self.grid.dimensions());
        self.step(chosen);
        self.changed = Some(chosen);
    }

    fn step(&mut self, parameter: usize) {
        // The paper knows no ranges. A step out of ours goes the other way instead, so that it can be taken back.
        if !self.grid.is_inside(parameter, self.place[parameter] + self.direction[parameter]) {
            self.direction[parameter] = -self.direction[parameter];
        }
        self.place[parameter] = self.grid.clamp(parameter, self.place[parameter] + self.direction[parameter]);
    }
}

impl Method for HillClimbing {
    fn propose(&mut self) -> Vec<Contest> {
        vec![Contest { setting: self.present(), against: None }]
    }

    fn learn(&mut self, points: &[f64]) {
        for &points in points {
            self.note(points);
            if points == 0.0 {
                self.change_after_loss();
            }
            self.games_left -= 1;
            if self.games_left == 0 {
                self.begin_round();
            }
        }
    }

    fn present(&self) -> Vec<f64> {
        self.grid.values(&self.place)
    }

    fn best(&self) -> Vec<f64> {
        self.grid.values(self.most_wins())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn climbing(parameters: &[&str], seed: u64) -> HillClimbing {
        let parameters: Vec<_> = parameters.iter().map(|text| TuneParameter::parse(text).unwrap()).collect();
        HillClimbing::new(&parameters, seed)
    }

    fn play(method: &mut HillClimbing, points: f64) -> Vec<f64> {
        let proposed = method.propose();
        method.learn(&[points]);
        proposed[0].setting.clone()
    }

    /// With one parameter nothing is left to chance, and the paper's loop can be followed by hand: the first loss steps
    /// up; each further loss steps back with the direction turned, and then on in that direction.
    #[test]
    fn one_parameter_moves_as_the_paper_says() {
        let mut method = climbing(&["c=10:0:20:1"], 1);
        let results = [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0];
        let proposed: Vec<f64> = results.iter().map(|&points| play(&mut method, points)[0]).collect();
        // won at 10, lost at 10 -> 11 (delta +1); won; lost at 11 -> back to 10, on to 9 (delta -1); won; lost at 9 ->
        // back to 10, on to 11 (delta +1); lost at 11 -> 10, 9 (delta -1); won.
        assert_eq!(proposed, [10.0, 10.0, 11.0, 11.0, 9.0, 9.0, 11.0, 9.0]);
    }

    #[test]
    fn with_several_parameters_the_last_change_is_taken_back_and_another_tried() {
        let mut method = climbing(&["a=10:0:20:1", "b=50:0:100:5", "c=0.5:0:1:0.1"], 3);
        let start = method.present();
        let mut before = start.clone();
        let mut seen = [false; 3];
        for _ in 0..50 {
            let place = method.place.clone();
            play(&mut method, 0.0);
            // Losing all the time, at most one parameter is away from the start, by one step.
            let away: Vec<usize> = (0..3).filter(|&p| method.place[p] != 0).collect();
            assert_eq!(away.len(), 1, "{:?} after {:?}", method.place, place);
            assert_eq!(method.place[away[0]].abs(), 1);
            seen[away[0]] = true;
            assert_ne!(method.present(), before);
            before = method.present();
        }
        assert_eq!(seen, [true; 3]);
    }

    #[test]
    fn wins_and_draws_change_nothing() {
        let mut method = climbing(&["a=10:0:20:1", "b=50:0:100:5"], 3);
        for points in [1.0, 0.5, 1.0] {
            play(&mut method, points);
        }
        assert_eq!(method.present(), [10.0, 50.0]);
    }

    #[test]
    fn the_next_round_begins_where_most_games_were_won() {
        let mut method = climbing(&["a=10:0:20:1"], 1);
        for _ in 0..ROUND {
            let at_eleven = method.present() == [11.0];
            play(&mut method, f64::from(at_eleven));
        }
        assert_eq!(method.place, [1]);
        assert_eq!((method.changed, method.log.len()), (None, 0));
    }

    #[test]
    fn the_range_is_never_left() {
        let mut method = climbing(&["a=1:0:2:1"], 9);
        let mut dice = random_part(5, "test", 0);
        for _ in 0..500 {
            let setting = play(&mut method, f64::from(dice.chance(0.5)));
            assert!((0.0..=2.0).contains(&setting[0]), "{setting:?}");
        }
    }

    #[test]
    fn the_answer_has_most_wins() {
        let mut method = climbing(&["a=10:0:20:1"], 1);
        for points in [0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.0] {
            play(&mut method, points);
        }
        assert_eq!(method.best(), [11.0]);
    }
}
