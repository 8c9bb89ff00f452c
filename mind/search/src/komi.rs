//! Dynamic komi: imagining another komi so that the search stays near an even game, where it sees best (Dynamic komi 3; Pachi 4.2).
//!
//! One mechanism for every method: a *burden*, the points our own side gives to the opponent in imagination. Negative, it is
//! a favour to ourselves. The papers write Black's side only; [`DynamicKomi::shift`] turns it into komi for Black. A
//! [`KomiRule`] says how simulations change the burden: `adaptive_komi.rs` is Jigo's.

use jigo_board::{Color, Game, Score};

use crate::adaptive_komi::Adaptive;
use crate::feedback::Feedback;
use crate::parameters::{KomiMethod, Parameters, SearchParameters};
use crate::{cgi, dynamic_komi};

/// Where the game stands.
#[derive(Clone, Copy, Debug)]
pub struct Situation {
    /// The side that thinks.
    pub us: Color,
    pub move_number: usize,
    pub handicap: usize,
    pub size: usize,
    /// Share of the points with a stone on them.
    pub occupied: f32,
}

impl Situation {
    pub fn of(game: &Game, us: Color) -> Situation {
        let (board, move_number, handicap) = (game.board(), game.moves().len(), game.handicap().len());
        let occupied = 1.0 - board.empties().len() as f32 / board.area() as f32;
        Situation { us, move_number, handicap, size: board.size(), occupied }
    }

    /// Playouts see only noise in the first moves (Dynamic komi 5.2, footnote 13).
    pub fn is_opening(&self) -> bool {
        self.move_number < if self.size > 11 { 20 } else { 4 }
    }

    /// How much of the game is over, with a quarter of the points still empty at its end (Pachi footnote 13).
    fn share_of_game(&self) -> f32 {
        self.occupied / 0.75
    }
}

/// How one method changes the burden.
pub trait KomiRule: Send {
    /// Do handicap stones, counted as points, decide now? Otherwise simulations do.
    fn counts_handicap(&self, now: &Situation) -> bool;

    /// Are those points the fewer the deeper the leaf lies?
    fn fades_in_leaf(&self) -> bool {
        true
    }

    /// Does it ever listen to simulations?
    fn learns(&self) -> bool {
        true
    }

    fn begin_move(&mut self, _now: &Situation) {}

    /// The burden after a slice of simulations that were played under `burden`.
    fn adjusted(&mut self, burden: f32, now: &Situation, feedback: &Feedback<'_>) -> f32;
}

/// The burden of one game. Without a rule there is none.
pub struct DynamicKomi {
    burden: f32,
    rule: Option<Box<dyn KomiRule>>,
}

impl DynamicKomi {
    pub fn new(parameters: &Parameters) -> DynamicKomi {
        let rule = match parameters.search.komi_method {
            KomiMethod::None => None,
            KomiMethod::Adaptive => Some(Box::new(Adaptive::new(&parameters.search)) as Box<dyn KomiRule>),
            _ => dynamic_komi::rule(parameters).or_else(|| cgi::rule(parameters)),
        };
        DynamicKomi { burden: 0.0, rule }
    }

    /// Do handicap stones, counted as points, decide about this move of the game, and not simulations?
    pub fn counts_handicap(&self, game: &Game, us: Color) -> bool {
        self.rule.as_ref().is_some_and(|rule| rule.counts_handicap(&Situation::of(game, us)))
    }

    /// Do simulations change it?
    pub fn learns(&self) -> bool {
        self.rule.as_ref().is_some_and(|rule| rule.learns())
    }

    /// Points added to the real komi, as Black sees it, for simulations whose leaf is at this move number.
    pub fn shift(&self, parameters: &SearchParameters, now: &Situation, leaf_move_number: usize) -> f32 {
        let our_burden = match &self.rule {
            Some(rule) if rule.counts_handicap(now) => {
                let at = if rule.fades_in_leaf() { leaf_move_number } else { now.move_number };
                limited(handicap_burden(parameters, now, at), parameters, now)
            }
            _ => self.burden,
        };
        // Whole and half points stay what they are: komi decides ties.
        black_points(our_burden.round(), now.us)
    }

    /// A new move begins: what handicap stones are worth hands over to what simulations say.
    pub fn begin_move(&mut self, parameters: &SearchParameters, now: &Situation) {
        let Some(rule) = &mut self.rule else { return };
        if rule.counts_handicap(now) {
            self.burden = handicap_burden(parameters, now, now.move_number);
        }
        rule.begin_move(now);
        self.burden = limited(self.burden, parameters, now);
    }

    /// Learns from the last slice of simulations: every interval if online, once a move if not.
    pub fn adjust(&mut self, parameters: &SearchParameters, now: &Situation, feedback: &Feedback<'_>) {
        if let Some(rule) = &mut self.rule
            && !rule.counts_handicap(now)
        {
            self.burden = limited(rule.adjusted(self.burden, now, feedback), parameters, now);
        }
    }
}

/// What the handicap is worth at this move number (Dynamic komi Algorithm 1). Black, who has the stones, gives; White takes.
fn handicap_burden(parameters: &SearchParameters, now: &Situation, move_number: usize) -> f32 {
    let fading = 1.0 - move_number as f32 / parameters.komi_moves as f32;
    black_points(parameters.komi_stone * now.handicap as f32 * fading.max(0.0), now.us)
}

/// Only so many points in our own favour, and none when the game is nearly over (Dynamic komi 5.2).
fn limited(burden: f32, parameters: &SearchParameters, now: &Situation) -> f32 {
    let favour = if now.share_of_game() > parameters.komi_favour_until { 0.0 } else { parameters.komi_favour };
    burden.clamp(-favour, 2.0 * (now.size * now.size) as f32)
}

/// Points seen from one side, seen from Black's side; and back again.
pub(crate) fn black_points(points: f32, side: Color) -> f32 {
    Score::black_lead(points).lead_of(side)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn komi_by(method: KomiMethod, change: impl FnOnce(&mut Parameters)) -> (Parameters, DynamicKomi) {
        let mut parameters = Parameters::default();
        parameters.search.komi_method = method;
        change(&mut parameters);
        let komi = DynamicKomi::new(&parameters);
        (parameters, komi)
    }

    pub fn at(us: Color, move_number: usize, handicap: usize) -> Situation {
        Situation { us, move_number, handicap, size: 19, occupied: move_number as f32 / 361.0 }
    }

    pub fn feedback(our_win_rate: f32, our_lead: f32) -> Feedback<'static> {
        let (rollouts_lead, board_lead) = (our_lead, our_lead);
        Feedback { our_win_rate, our_lead, rollouts_lead, board_lead, win_rate_with: &|_| None }
    }

    #[test]
    fn every_method_has_a_rule_but_none() {
        use jigo_parameters::{Kind, ParameterValue};
        let Kind::Choice(names) = KomiMethod::KIND else { panic!("methods are a choice") };
        for name in names {
            let method = KomiMethod::read(name).unwrap();
            assert_eq!(komi_by(method, |_| ()).1.rule.is_none(), method == KomiMethod::None, "{name}");
        }
    }

    #[test]
    fn without_a_method_nothing_is_imagined() {
        let (parameters, mut komi) = komi_by(KomiMethod::None, |_| ());
        komi.begin_move(&parameters.search, &at(Color::Black, 0, 9));
        komi.adjust(&parameters.search, &at(Color::Black, 60, 9), &feedback(0.99, 60.0));
        assert_eq!(komi.shift(&parameters.search, &at(Color::Black, 60, 9), 60), 0.0);
    }
}
