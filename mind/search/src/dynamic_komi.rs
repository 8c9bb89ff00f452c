//! Dynamic komi: imagining another komi so that the search stays near an even game, where it sees best (000; 001 sec 4.2;
//! 003 sec III.B).
//!
//! One mechanism for all methods: a *burden*, the points our own side gives to the opponent in imagination. Negative, it is
//! a favour to ourselves. The papers write Black's side only; [`DynamicKomi::shift`] turns it into komi for Black.

use jigo_board::{Board, Color};

use crate::parameters::{KomiMethod, SearchParameters};

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
    pub fn new(board: &Board, us: Color, move_number: usize, handicap: usize) -> Situation {
        let occupied = 1.0 - board.empties().len() as f32 / board.area() as f32;
        Situation { us, move_number, handicap, size: board.size(), occupied }
    }

    /// Situational methods see only noise in the first moves (000 sec 5.2, footnote 13).
    fn is_opening(&self) -> bool {
        self.move_number < if self.size > 11 { 20 } else { 4 }
    }

    /// How much of the game is over, with a quarter of the points still empty at its end (001 footnote 13).
    fn share_of_game(&self) -> f32 {
        self.occupied / 0.75
    }
}

/// What the last slice of simulations said, the burden then in force included.
pub struct Feedback<'a> {
    pub our_win_rate: f32,
    /// Our mean lead in points, playouts and net mixed as in the search.
    pub our_lead: f32,
    /// Our mean lead at the end of playouts.
    pub rollouts_lead: f32,
    /// Our mean lead by the net's ownership; without a net that of the playouts.
    pub board_lead: f32,
    /// How often we would win under a burden, by playouts and the net's labels, if anything is known yet.
    pub win_rate_with: &'a dyn Fn(f32) -> Option<f32>,
}

#[derive(Clone, Debug)]
pub struct DynamicKomi {
    burden: f32,
    /// The lowest burden that brought us into the red: never given again (000 sec 5.1.2).
    ratchet: f32,
    ratchet_set_at: usize,
}

impl Default for DynamicKomi {
    fn default() -> DynamicKomi {
        DynamicKomi { burden: 0.0, ratchet: f32::INFINITY, ratchet_set_at: 0 }
    }
}

impl DynamicKomi {
    /// Points added to the real komi, as Black sees it, for simulations whose leaf is at this move number.
    pub fn shift(&self, parameters: &SearchParameters, now: &Situation, leaf_move_number: usize) -> f32 {
        let our_burden = if uses_linear(parameters, now) {
            let at = if parameters.komi_in_leaf { leaf_move_number } else { now.move_number };
            limited(linear_burden(parameters, now, at), parameters, now)
        } else {
            self.burden
        };
        // Whole and half points stay what they are: komi decides ties.
        black_points(our_burden.round(), now.us)
    }

    /// A new move begins: the linear part hands over to the situational one.
    pub fn begin_move(&mut self, parameters: &SearchParameters, now: &Situation) {
        if parameters.komi_method == KomiMethod::None {
            self.burden = 0.0;
        } else if uses_linear(parameters, now) {
            self.burden = linear_burden(parameters, now, now.move_number);
            self.ratchet = f32::INFINITY;
        }
        let expires = parameters.komi_ratchet_moves as usize;
        if expires > 0 && now.move_number >= self.ratchet_set_at + expires {
            self.ratchet = f32::INFINITY;
        }
        self.burden = limited(self.burden, parameters, now);
    }

    /// Learns from the last slice of simulations: every interval if online, once a move if not.
    pub fn adjust(&mut self, parameters: &SearchParameters, now: &Situation, feedback: &Feedback<'_>) {
        if uses_linear(parameters, now) {
            return;
        }
        match parameters.komi_method {
            KomiMethod::None | KomiMethod::Linear => {}
            KomiMethod::Score => self.burden += komi_rate(parameters, now.occupied) * feedback.our_lead,
            KomiMethod::Value => {
                let interval = (parameters.komi_red, parameters.komi_green);
                self.follow_value(interval, now, feedback.our_win_rate);
            }
            KomiMethod::Adaptive => self.ask_for_more(parameters, feedback),
            KomiMethod::ScoreOfRollouts => self.burden += label_rate(parameters, now) * feedback.rollouts_lead,
            KomiMethod::ScoreOfBoard => self.burden += label_rate(parameters, now) * feedback.board_lead,
            KomiMethod::ScoreMixed => {
                // lambda is 0.5 whatever the search uses (003 sec III.B).
                let lead = (feedback.rollouts_lead + feedback.board_lead) / 2.0;
                self.burden += label_rate(parameters, now) * lead;
            }
            KomiMethod::ValueMixed => {
                let interval = (parameters.komi_low, parameters.komi_high);
                self.follow_value(interval, now, feedback.our_win_rate);
            }
            KomiMethod::MultiLabelled => {
                let target = contended_burden(parameters, feedback.win_rate_with);
                self.burden = label_rate(parameters, now) * target;
            }
        }
        self.burden = limited(self.burden, parameters, now);
    }

    /// 000 Algorithm 3.
    fn follow_value(&mut self, (red, green): (f32, f32), now: &Situation, value: f32) {
        if value < red {
            if self.burden > 0.0 {
                self.ratchet = self.burden;
                self.ratchet_set_at = now.move_number;
            }
            self.burden -= 1.0;
        } else if value > green && self.burden + 1.0 < self.ratchet {
            self.burden += 1.0;
        }
    }

    /// 001 sec 4.2: a sure win is asked to be a larger win; what was asked is given back when it proves too much. Late in
    /// the game one point more may turn every win into a loss, and a search that sees only losses plays nonsense: what
    /// cannot be had is not asked.
    fn ask_for_more(&mut self, parameters: &SearchParameters, feedback: &Feedback<'_>) {
        let value = feedback.our_win_rate;
        let can_be_had =
            || (feedback.win_rate_with)(self.burden + 1.0).is_none_or(|rate| rate >= parameters.komi_green);
        if value > parameters.komi_sure_win {
            if can_be_had() {
                self.burden += 1.0;
            }
        } else if self.burden > 0.0 && value < parameters.komi_green {
            self.burden = (self.burden - 1.0).max(0.0);
        }
    }
}

/// Does linear compensation decide now? In the opening it does for all methods; the adaptive method starts once it has faded.
fn uses_linear(parameters: &SearchParameters, now: &Situation) -> bool {
    match parameters.komi_method {
        KomiMethod::None => false,
        KomiMethod::Linear => true,
        KomiMethod::Score | KomiMethod::Value => now.is_opening(),
        // With a net the first moves are no noise.
        KomiMethod::ScoreOfRollouts
        | KomiMethod::ScoreOfBoard
        | KomiMethod::ScoreMixed
        | KomiMethod::ValueMixed
        | KomiMethod::MultiLabelled => false,
        KomiMethod::Adaptive => {
            now.is_opening() || (now.handicap > 0 && now.move_number < parameters.komi_moves as usize)
        }
    }
}

/// 000 Algorithm 1. Black, who has the stones, gives; White takes.
fn linear_burden(parameters: &SearchParameters, now: &Situation, move_number: usize) -> f32 {
    let fading = 1.0 - move_number as f32 / parameters.komi_moves as f32;
    black_points(parameters.komi_stone * now.handicap as f32 * fading.max(0.0), now.us)
}

/// 000 Algorithm 2, with the sign of s as 003 sec III.B writes it: near 1 early in the game, near 0 late.
fn komi_rate(parameters: &SearchParameters, occupied: f32) -> f32 {
    1.0 / (1.0 + (parameters.komi_score_c * (occupied - parameters.komi_score_s)).exp())
}

/// The same with 003's constants, which count moves and not stones (procedure ML-DK, lines 16 and 17).
fn label_rate(parameters: &SearchParameters, now: &Situation) -> f32 {
    let phase = now.move_number as f32 / (now.size * now.size) as f32 - parameters.komi_label_s;
    1.0 / (1.0 + (parameters.komi_label_c * phase).exp())
}

/// The smallest burden that brings our win rate into the interval, and none if it is there already (procedure ML-DK, lines 8 to 15).
fn contended_burden(parameters: &SearchParameters, win_rate_with: &dyn Fn(f32) -> Option<f32>) -> f32 {
    let Some(now) = win_rate_with(0.0) else { return 0.0 };
    let step = match now {
        rate if rate > parameters.komi_high => 1.0,
        rate if rate < parameters.komi_low => -1.0,
        _ => return 0.0,
    };
    let is_contended = |rate: f32| if step > 0.0 { rate <= parameters.komi_high } else { rate >= parameters.komi_low };
    let burdens = (1..=LARGEST_BURDEN).map(|points| step * points as f32);
    burdens.into_iter().find(|&burden| win_rate_with(burden).is_some_and(is_contended)).unwrap_or(0.0)
}

/// A board of 19x19 cannot be won by more.
const LARGEST_BURDEN: u32 = 361;

/// Only so many points in our own favour, and none when the game is nearly over (000 sec 5.2).
fn limited(burden: f32, parameters: &SearchParameters, now: &Situation) -> f32 {
    let favour = if now.share_of_game() > parameters.komi_favour_until { 0.0 } else { parameters.komi_favour };
    burden.clamp(-favour, 2.0 * (now.size * now.size) as f32)
}

/// Points seen from one side, seen from Black's side; and back again.
fn black_points(points: f32, side: Color) -> f32 {
    match side {
        Color::Black => points,
        Color::White => -points,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(method: KomiMethod) -> SearchParameters {
        SearchParameters { komi_method: method, ..Default::default() }
    }

    fn at(us: Color, move_number: usize, handicap: usize) -> Situation {
        Situation { us, move_number, handicap, size: 19, occupied: move_number as f32 / 361.0 }
    }

    fn feedback(our_win_rate: f32, our_lead: f32) -> Feedback<'static> {
        let (rollouts_lead, board_lead) = (our_lead, our_lead);
        Feedback { our_win_rate, our_lead, rollouts_lead, board_lead, win_rate_with: &|_| None }
    }

    #[test]
    fn linear_komi_fades_over_the_game_and_is_the_same_for_both_sides() {
        let parameters = with(KomiMethod::Linear);
        let komi = DynamicKomi::default();
        for us in Color::BOTH {
            assert_eq!(komi.shift(&parameters, &at(us, 0, 4), 0), 28.0, "{us}");
            assert_eq!(komi.shift(&parameters, &at(us, 100, 4), 100), 14.0, "{us}");
            assert_eq!(komi.shift(&parameters, &at(us, 250, 4), 250), 0.0, "{us}");
        }
        let at_root = SearchParameters { komi_in_leaf: false, ..parameters.clone() };
        assert_eq!(komi.shift(&at_root, &at(Color::Black, 0, 4), 100), 28.0);
        assert_eq!(komi.shift(&parameters, &at(Color::Black, 0, 4), 100), 14.0);
    }

    #[test]
    fn favour_is_limited_and_ends_before_the_game_does() {
        let parameters = with(KomiMethod::Value);
        let mut komi = DynamicKomi::default();
        for _ in 0..100 {
            komi.adjust(&parameters, &at(Color::White, 60, 0), &feedback(0.1, -50.0));
        }
        assert_eq!(komi.shift(&parameters, &at(Color::White, 60, 0), 60), 30.0);
        komi.begin_move(&parameters, &at(Color::White, 340, 0));
        assert_eq!(komi.shift(&parameters, &at(Color::White, 340, 0), 340), 0.0);
    }

    #[test]
    fn the_ratchet_is_never_reached_again_unless_it_expires() {
        let parameters = with(KomiMethod::Value);
        let now = at(Color::Black, 60, 0);
        let mut komi = DynamicKomi::default();
        for _ in 0..5 {
            komi.adjust(&parameters, &now, &feedback(0.9, 10.0));
        }
        assert_eq!(komi.shift(&parameters, &now, 60), 5.0);
        komi.adjust(&parameters, &now, &feedback(0.3, -1.0));
        for _ in 0..5 {
            komi.adjust(&parameters, &now, &feedback(0.9, 10.0));
        }
        assert_eq!(komi.shift(&parameters, &now, 60), 4.0);
        let expiring = SearchParameters { komi_ratchet_moves: 10, ..parameters };
        let later = at(Color::Black, 70, 0);
        komi.begin_move(&expiring, &later);
        komi.adjust(&expiring, &later, &feedback(0.9, 10.0));
        assert_eq!(komi.shift(&expiring, &later, 70), 5.0);
    }

    #[test]
    fn the_score_method_follows_the_score_early_and_hardly_late() {
        let parameters = with(KomiMethod::Score);
        let mut komi = DynamicKomi::default();
        komi.adjust(&parameters, &at(Color::White, 60, 0), &feedback(0.9, 10.0));
        assert_eq!(komi.shift(&parameters, &at(Color::White, 60, 0), 60), -10.0);
        let mut late = DynamicKomi::default();
        let now = Situation { occupied: 0.99, ..at(Color::White, 350, 0) };
        late.adjust(&parameters, &now, &feedback(0.9, 10.0));
        assert_eq!(late.shift(&parameters, &now, 350), 0.0);
    }

    #[test]
    fn a_sure_win_is_asked_to_grow_and_gives_back_what_was_too_much() {
        let parameters = with(KomiMethod::Adaptive);
        let now = at(Color::Black, 60, 0);
        let mut komi = DynamicKomi::default();
        komi.adjust(&parameters, &now, &feedback(0.9, 10.0));
        komi.adjust(&parameters, &now, &feedback(0.9, 10.0));
        komi.adjust(&parameters, &now, &feedback(0.7, 10.0));
        assert_eq!(komi.shift(&parameters, &now, 60), 2.0);
        for _ in 0..5 {
            komi.adjust(&parameters, &now, &feedback(0.3, -5.0));
        }
        assert_eq!(komi.shift(&parameters, &now, 60), 0.0);
    }

    #[test]
    fn a_sure_win_is_not_asked_for_a_point_that_cannot_be_had() {
        let parameters = with(KomiMethod::Adaptive);
        let now = at(Color::Black, 60, 0);
        // Everything is settled: Black wins by seven points, not by eight.
        let rates = |burden: f32| Some(if burden <= 7.0 { 0.99 } else { 0.02 });
        let mut komi = DynamicKomi::default();
        for _ in 0..20 {
            let said = Feedback { win_rate_with: &rates, ..feedback(0.99, 7.0) };
            komi.adjust(&parameters, &now, &said);
        }
        assert_eq!(komi.shift(&parameters, &now, 60), 7.0);
    }

    #[test]
    fn each_score_method_of_003_follows_its_own_territory() {
        let said = Feedback { rollouts_lead: 20.0, board_lead: 10.0, ..feedback(0.9, 15.0) };
        let now = at(Color::Black, 0, 0);
        let rate = 1.0 / (1.0 + (-8.0f32 * 0.45).exp());
        for (method, lead) in
            [(KomiMethod::ScoreOfRollouts, 20.0), (KomiMethod::ScoreOfBoard, 10.0), (KomiMethod::ScoreMixed, 15.0)]
        {
            let mut komi = DynamicKomi::default();
            komi.adjust(&with(method), &now, &said);
            assert_eq!(komi.shift(&with(method), &now, 0), (rate * lead).round(), "{method:?}");
        }
    }

    #[test]
    fn ml_dk_finds_the_closest_komi_that_is_contended() {
        // The example of 003 sec III.B: 57 % three points above komi, 53 % four points above it.
        let rates = |burden: f32| Some((0.69 - 0.04 * burden).clamp(0.0, 1.0));
        let said = Feedback { win_rate_with: &rates, ..feedback(0.69, 0.0) };
        let parameters = SearchParameters { komi_label_c: 100.0, ..with(KomiMethod::MultiLabelled) };
        for us in Color::BOTH {
            let mut komi = DynamicKomi::default();
            komi.adjust(&parameters, &at(us, 10, 0), &said);
            assert_eq!(komi.shift(&parameters, &at(us, 10, 0), 10), black_points(4.0, us));
            // Behind, it looks the other way, but not beyond the limit of favour; late in the game it stays at the real komi.
            let behind = Feedback {
                win_rate_with: &|burden: f32| Some((0.25 - 0.04 * burden).clamp(0.0, 1.0)),
                ..feedback(0.25, 0.0)
            };
            komi.adjust(&parameters, &at(us, 10, 0), &behind);
            assert_eq!(komi.shift(&parameters, &at(us, 10, 0), 10), black_points(-5.0, us));
            komi.adjust(&parameters, &at(us, 300, 0), &behind);
            assert_eq!(komi.shift(&parameters, &at(us, 300, 0), 300), 0.0);
        }
        let contended = Feedback { win_rate_with: &|_| Some(0.5), ..feedback(0.5, 0.0) };
        let mut komi = DynamicKomi::default();
        komi.adjust(&parameters, &at(Color::Black, 10, 0), &contended);
        assert_eq!(komi.shift(&parameters, &at(Color::Black, 10, 0), 10), 0.0);
    }

    #[test]
    fn without_a_method_nothing_is_imagined() {
        let parameters = with(KomiMethod::None);
        let mut komi = DynamicKomi::default();
        komi.begin_move(&parameters, &at(Color::Black, 0, 9));
        komi.adjust(&parameters, &at(Color::Black, 60, 9), &feedback(0.99, 60.0));
        assert_eq!(komi.shift(&parameters, &at(Color::Black, 60, 9), 60), 0.0);
    }
}
