//! What is known of a move before the first simulation, as virtual simulations (Pachi 3.1).

use jigo_board::{Board, Color, GRID, Move, Point};
use jigo_net::Evaluation;
use jigo_patterns::{Gammas, Joseki, Quadrant};
use jigo_playout::{Simulation, Urgency, suggestions};
use jigo_tactics::{CommonFateDistance, Reader, is_bad_self_atari};

use crate::parameters::PriorParameters;

/// Virtual simulations by distance to the last move in the common fate graph (Pachi table 2).
const NEAR_LARGE: [f32; 3] = [55.0, 50.0, 15.0];
const NEAR_SMALL: [f32; 3] = [45.0, 40.0, 15.0];
/// A ko this old may still be worth retaking (Pachi 3.1).
const KO_MOVES: usize = 10;

#[derive(Clone, Copy, Default)]
struct Virtual {
    visits: f32,
    wins: f32,
}

impl Virtual {
    /// So many simulations, all with this result.
    fn add(&mut self, simulations: f32, value: f32) {
        self.visits += simulations;
        self.wins += simulations * value;
    }
}

/// A move of a new node with its virtual simulations.
pub struct Candidate {
    pub mv: Move,
    pub prior_visits: f32,
    pub prior_wins: f32,
    /// Share of trust among all candidates; they sum to one.
    pub policy: f32,
}

/// Scratch memory for looking at one position after another. One per thread.
pub struct Priors {
    parameters: PriorParameters,
    /// Does the way down count virtual simulations? If not, they are only made up where nothing learned speaks.
    always_simulates: bool,
    distance: CommonFateDistance,
    reader: Reader,
    known: Box<[Virtual; GRID]>,
    /// Learned strength of each move; all zero if patterns are off.
    strength: Box<[f32; GRID]>,
    candidates: Vec<Candidate>,
}

impl Priors {
    pub fn new(parameters: &PriorParameters, always_simulates: bool) -> Priors {
        Priors {
            parameters: parameters.clone(),
            always_simulates,
            distance: CommonFateDistance::new(),
            reader: Reader::new(),
            known: Box::new([Virtual::default(); GRID]),
            strength: Box::new([0.0; GRID]),
            candidates: Vec::new(),
        }
    }

    /// All moves worth a node, the most promising first. Pass is always among them.
    pub fn candidates(&mut self, simulation: &Simulation, net: Option<&Evaluation>) -> &[Candidate] {
        let board = &simulation.board;
        let color = simulation.to_move;
        let equivalent = self.equivalent(board.size());
        match net {
            Some(evaluation) => self.learn_from_net(board, evaluation),
            None => self.learn_from_patterns(simulation),
        }
        let is_strong = |&point: &Point| self.strength[point.index()] > 0.0 && board.is_legal(color, point);
        if self.always_simulates || !board.empties().iter().any(is_strong) {
            self.simulate_virtually(simulation, net.is_some(), equivalent);
        } else {
            self.known.fill(Virtual::default());
        }

        self.candidates.clear();
        for &point in board.empties() {
            if board.is_legal(color, point) {
                let known = self.known[point.index()];
                self.candidates.push(candidate(Move::Play(point), known, self.strength[point.index()]));
            }
        }
        // Passing is always possible and hardly ever good: it starts with one heuristic against it beside the even one.
        let mut pass = Virtual::default();
        pass.add(self.parameters.even * equivalent, 0.5);
        pass.add(equivalent, 0.0);
        self.candidates.push(candidate(Move::Pass, pass, net.map_or(0.0, |net| net.probability(Move::Pass))));
        share_policy(&mut self.candidates);
        self.candidates.sort_by(|a, b| b.policy.total_cmp(&a.policy));
        &self.candidates
    }

    /// Everything that is known, as simulations nobody played.
    fn simulate_virtually(&mut self, simulation: &Simulation, has_net: bool, equivalent: f32) {
        let board = &simulation.board;
        let color = simulation.to_move;
        for &point in board.empties() {
            self.known[point.index()] = self.of_point(board, color, point, equivalent);
        }
        self.add_distance(simulation);
        self.add_ko(simulation, equivalent);
        self.add_policy(board, color, equivalent);
        // The net's policy takes the place of patterns and joseki, which it knows better.
        if has_net {
            self.add_strength(board, self.parameters.net * equivalent);
        } else {
            self.add_joseki(board, color, equivalent);
            self.add_strength(board, self.parameters.patterns * equivalent);
        }
    }

    /// The weight of one heuristic in simulations.
    fn equivalent(&self, size: usize) -> f32 {
        if size > 11 { self.parameters.equivalent_large } else { self.parameters.equivalent_small }
    }

    /// What the point alone tells.
    fn of_point(&self, board: &Board, color: Color, point: Point, equivalent: f32) -> Virtual {
        let p = &self.parameters;
        let around = board.around(point);
        let mut known = Virtual::default();
        known.add(p.even * equivalent, 0.5);
        if p.eye > 0.0 && around.is_eye_of(color) {
            known.add(p.eye * equivalent, 0.0);
        }
        if p.lines > 0.0 && board.size() == 19 {
            match point.line(19) {
                0 if nothing_near(board, point) => known.add(p.lines * equivalent, 0.0),
                2 if nothing_near(board, point) => known.add(p.lines * equivalent, 1.0),
                _ => {}
            }
        }
        if p.self_atari > 0.0 && around.empty_neighbours() <= 1 && is_bad_self_atari(board, color, point) {
            known.add(p.self_atari * equivalent, 0.0);
        }
        known
    }

    /// Local sequences are read to their end: moves near the last move come first.
    fn add_distance(&mut self, simulation: &Simulation) {
        let weight = self.parameters.distance;
        let (Some(last), true) = (simulation.last_point(1), weight > 0.0) else { return };
        let board = &simulation.board;
        let near = if board.size() > 11 { NEAR_LARGE } else { NEAR_SMALL };
        self.distance.measure(board, last, near.len() as u8);
        for &point in board.empties() {
            if let Some(&simulations) = near.get((self.distance.to(point) as usize).wrapping_sub(1)) {
                self.known[point.index()].add(weight * simulations, 1.0);
            }
        }
    }

    fn add_ko(&mut self, simulation: &Simulation, equivalent: f32) {
        if let Some(point) = simulation.ko_to_retake(KO_MOVES)
            && simulation.board.is_empty(point)
        {
            self.known[point.index()].add(self.parameters.ko * equivalent, 1.0);
        }
    }

    fn add_policy(&mut self, board: &Board, color: Color, equivalent: f32) {
        let weight = self.parameters.policy * equivalent;
        if weight > 0.0 {
            let known = &mut self.known;
            suggestions(board, color, &mut self.reader, |point, urgency| {
                let share = match urgency {
                    Urgency::Full => 1.0,
                    Urgency::Half => 0.5,
                };
                known[point.index()].add(weight * share, 1.0);
            });
        }
    }

    /// Moves that strong players choose in a corner they know.
    fn add_joseki(&mut self, board: &Board, color: Color, equivalent: f32) {
        let weight = self.parameters.joseki * equivalent;
        if weight == 0.0 || board.size() != 19 || board.empties().len() < board.area() / 2 {
            return;
        }
        for quadrant in Quadrant::ALL {
            for (point, share) in Joseki::embedded().follow_ups(board, color, quadrant).iter().flat_map(|f| f.iter()) {
                if share >= USUAL {
                    self.known[point.index()].add(weight, 1.0);
                }
            }
        }
    }

    /// Learned pattern weights: how likely strong players are to choose each move.
    fn learn_from_patterns(&mut self, simulation: &Simulation) {
        if self.parameters.patterns == 0.0 {
            return self.strength.fill(0.0);
        }
        let board = &simulation.board;
        let recent = [simulation.last_point(1), simulation.last_point(2)];
        let gammas = Gammas::embedded(board.size());
        gammas.weights(board, simulation.to_move, recent, &mut self.reader, &mut self.strength);
    }

    fn learn_from_net(&mut self, board: &Board, evaluation: &Evaluation) {
        for &point in board.empties() {
            self.strength[point.index()] = evaluation.probability(Move::Play(point));
        }
    }

    /// The strongest move gets the full weight in won simulations, others by the root of their strength beside it, so
    /// that moves a hundred times less likely still get a tenth.
    fn add_strength(&mut self, board: &Board, weight: f32) {
        let strength = |point: &Point| self.strength[point.index()];
        let strongest = board.empties().iter().map(strength).fold(0.0, f32::max);
        if strongest > 0.0 {
            for &point in board.empties() {
                let relative = self.strength[point.index()] / strongest;
                self.known[point.index()].add(weight * relative.sqrt(), 1.0);
            }
        }
    }
}

/// A joseki move is one that at least this share of strong players choose.
const USUAL: f32 = 0.1;

fn candidate(mv: Move, known: Virtual, strength: f32) -> Candidate {
    Candidate { mv, prior_visits: known.visits, prior_wins: known.wins, policy: strength }
}

/// Turns strengths into shares; without learned strengths, trust goes by virtual wins.
fn share_policy(candidates: &mut [Candidate]) {
    let total: f32 = candidates.iter().map(|c| c.policy).sum();
    if total <= 0.0 {
        let wins: f32 = candidates.iter().map(|c| c.prior_wins + 1.0).sum();
        candidates.iter_mut().for_each(|c| c.policy = (c.prior_wins + 1.0) / wins);
    } else {
        candidates.iter_mut().for_each(|c| c.policy /= total);
    }
}

/// No stone within two steps in every direction.
fn nothing_near(board: &Board, point: Point) -> bool {
    let (col, row, last) = (point.col(), point.row(), board.size() - 1);
    let span = |at: usize| at.saturating_sub(2)..=(at + 2).min(last);
    span(row).all(|r| span(col).all(|c| board.is_empty(Point::new(c, r))))
}

#[cfg(test)]
mod tests;
