//! What a KataGo net sees of a game: input set V7, the same for all versions from 8 to 17.

mod area;
mod course;
mod ladders;
pub mod profile;

use jigo_board::{Board, Color, KoRule, Move, Point, PointSet, Scoring, Tax};
use jigo_tactics::Reader;

pub use area::Area;
pub use course::{Course, PassMeans};
pub use ladders::Ladders;
use profile::Profile;

use crate::tensors::Inputs;

/// How a position is laid before a net, beside what it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InputOptions {
    /// Hide the history if a pass would end the game, so that nobody passes only because the other did.
    pub conservative_pass: bool,
    /// The same if the side to move would then lose.
    pub passing_hacks: bool,
    /// The most moves of history to show.
    pub most_history: usize,
    /// How many wins a draw is worth to White.
    pub draw_for_white: f32,
    /// How many times the side to move is expected to think as long as the other, as a power of two.
    pub doubling_advantage: f32,
    /// Area is counted as if suicide of several stones were legal: some nets want it so.
    pub area_with_suicide: bool,
}

impl Default for InputOptions {
    fn default() -> InputOptions {
        InputOptions {
            conservative_pass: false,
            passing_hacks: false,
            most_history: usize::MAX,
            draw_for_white: 0.5,
            doubling_advantage: 0.0,
            area_with_suicide: false,
        }
    }
}

/// Writes the inputs for the side to move, on a frame of the board's size.
pub fn write(course: &Course, options: &InputOptions, profile: Option<&Profile>, reader: &mut Reader) -> Inputs {
    let (board, me) = (course.board(), course.to_move());
    let side = board.size();
    let mut inputs = Inputs::empty(side, side);
    let area = Area::shown(board, course.rules(), course.rules().suicide || options.area_with_suicide);
    stones(&mut inputs, board, me);
    mark(&mut inputs, 6, &course.superko_bans());
    board.ko_point(me).into_iter().for_each(|point| set(&mut inputs, 6, point));
    let shown = shown_moves(course, options, area.as_ref());
    history(&mut inputs, &shown.moves);
    ladders(&mut inputs, course, shown.moves.len(), reader);
    if let Some(area) = &area {
        mark(&mut inputs, 18, &area.of[me.index()]);
        mark(&mut inputs, 19, &area.of[me.opponent().index()]);
    }
    globals(&mut inputs, course, options, shown.blank);
    inputs.metadata = profile.map(|profile| Box::new(profile.metadata(me, board.area())));
    inputs
}

fn set(inputs: &mut Inputs, plane: usize, point: Point) {
    inputs.set(plane, point.col(), point.row());
}

fn mark(inputs: &mut Inputs, plane: usize, points: &PointSet) {
    points.iter().for_each(|point| set(inputs, plane, point));
}

fn stones(inputs: &mut Inputs, board: &Board, me: Color) {
    for point in board.points() {
        set(inputs, 0, point);
        if let Some(color) = board.color_at(point) {
            set(inputs, if color == me { 1 } else { 2 }, point);
            if let liberties @ 1..=3 = board.liberty_count(point) {
                set(inputs, 2 + liberties, point);
            }
        }
    }
}

/// The moves that are shown, newest first.
struct Shown {
    moves: Vec<Move>,
    /// The net is not even told that a pass would end the game.
    blank: bool,
}

fn shown_moves(course: &Course, options: &InputOptions, area: Option<&Area>) -> Shown {
    // Under territory rules passes end the main phase, but not the game: the dead are still to be taken.
    let would_end = course.pass_means() != PassMeans::Nothing && course.rules().scoring == Scoring::Area;
    let blank = would_end
        && (options.conservative_pass
            || is_friendly_pass(course)
            || (options.passing_hacks && area.is_some_and(|area| is_not_ahead(course, options, area))));
    let most = if blank { 0 } else { options.most_history };
    Shown { moves: course.shown_moves().take(most).collect(), blank }
}

/// Answering a pass would end the game under rules that let one pass before all dead stones are taken.
fn is_friendly_pass(course: &Course) -> bool {
    course.rules().friendly_pass_ok && course.is_second_pass()
}

/// Would the side to move not win if the board were counted as it stands?
fn is_not_ahead(course: &Course, options: &InputOptions, area: &Area) -> bool {
    let (me, other) = (course.to_move().index(), course.to_move().opponent().index());
    let points = area.of[me].len() as f32 - area.of[other].len() as f32;
    let tax = area.tax[other] as f32 - area.tax[me] as f32;
    points + tax + self_komi(course, options) <= 0.0
}

fn history(inputs: &mut Inputs, moves: &[Move]) {
    for (ago, mv) in moves.iter().enumerate() {
        match mv {
            Move::Pass => inputs.globals[ago] = 1.0,
            Move::Play(point) => set(inputs, 9 + ago, *point),
        }
    }
}

fn ladders(inputs: &mut Inputs, course: &Course, shown: usize, reader: &mut Reader) {
    let now = Ladders::read(course.board(), reader);
    mark(inputs, 17, &now.catching[course.to_move().opponent().index()]);
    let before = |moves: usize, reader: &mut Reader| Ladders::read(course.board_before(moves), reader).caught;
    let one_ago = if shown >= 1 { before(1, reader) } else { now.caught };
    let two_ago = if shown >= 2 { before(2, reader) } else { one_ago };
    mark(inputs, 14, &now.caught);
    mark(inputs, 15, &one_ago);
    mark(inputs, 16, &two_ago);
}

/// Komi as the side to move has it, with all that counts like komi.
fn self_komi(course: &Course, options: &InputOptions) -> f32 {
    let draw = if course.can_be_drawn() { options.draw_for_white - 0.5 } else { 0.0 };
    let white = course.white_komi() + draw;
    if course.to_move() == Color::White { white } else { -white }
}

fn globals(inputs: &mut Inputs, course: &Course, options: &InputOptions, blank: bool) {
    let (rules, area) = (course.rules(), course.board().area());
    let most = (area + 20) as f32;
    let komi = self_komi(course, options).clamp(-most, most);
    let truth = |condition: bool| if condition { 1.0 } else { 0.0 };
    let globals = &mut inputs.globals;
    globals[5] = komi / 20.0;
    (globals[6], globals[7]) = match rules.ko {
        KoRule::Simple => (0.0, 0.0),
        KoRule::Positional => (1.0, 0.5),
        KoRule::Situational => (1.0, -0.5),
    };
    globals[8] = truth(rules.suicide);
    globals[9] = truth(rules.scoring == Scoring::Territory);
    (globals[10], globals[11]) = match rules.tax {
        Tax::None => (0.0, 0.0),
        Tax::Seki => (1.0, 0.0),
        Tax::All => (1.0, 1.0),
    };
    globals[14] = truth(course.pass_means() != PassMeans::Nothing && !blank);
    if options.doubling_advantage != 0.0 {
        (globals[15], globals[16]) = (1.0, options.doubling_advantage / 2.0);
    }
    globals[17] = truth(course.button_is_there());
    if rules.scoring == Scoring::Area {
        globals[18] = parity_wave(komi, area);
    }
}

/// How far this komi is from one at which the game can be drawn, as a triangle wave of period 2.
fn parity_wave(komi: f32, area: usize) -> f32 {
    let drawable =
        if area.is_multiple_of(2) { 2.0 * (komi / 2.0).floor() } else { 2.0 * ((komi - 1.0) / 2.0).floor() + 1.0 };
    match komi - drawable {
        above if above < 0.5 => above,
        above if above < 1.5 => 1.0 - above,
        above => above - 2.0,
    }
}

#[cfg(test)]
mod tests {
    use jigo_board::Rules;

    use super::*;

    /// The values of KataGo's own description.
    #[test]
    fn the_parity_wave_turns_at_half_points() {
        assert_eq!(parity_wave(7.5, 361), 0.5);
        assert_eq!(parity_wave(-7.5, 361), -0.5);
        assert_eq!(parity_wave(7.0, 361), 0.0);
        assert_eq!(parity_wave(6.0, 100), 0.0);
    }

    fn rules_of(name: &str) -> Rules {
        Rules::by_name(name).expect("a known ruleset")
    }

    /// A course after so many moves strewn over the board, with a pass among them.
    fn strewn(side: usize, moves: usize, rules: Rules) -> Course {
        let mut course = Course::new(rules, 6.5, &Board::new(side), Color::Black);
        let mut rng = jigo_board::Rng::new(side as u64);
        for at in 0..moves {
            let legal: Vec<Point> = course.legal_points().iter().collect();
            let mv =
                if at == moves / 2 { Move::Pass } else { Move::Play(legal[rng.next_u64() as usize % legal.len()]) };
            course.play(course.to_move(), mv);
        }
        course
    }

    #[test]
    fn a_course_copied_into_old_memory_is_told_like_a_new_one() {
        let mut old = strewn(19, 120, rules_of("japanese"));
        for (side, moves, rules) in
            [(9, 30, rules_of("chinese")), (19, 7, rules_of("japanese")), (5, 12, rules_of("chinese"))]
        {
            let mut course = strewn(side, moves, rules);
            old.copy_from(&course);
            for _ in 0..4 {
                assert_eq!(old.fingerprint(), course.fingerprint());
                let written = |course: &Course| write(course, &InputOptions::default(), None, &mut Reader::new());
                assert_eq!(
                    (written(&old).planes, written(&old).globals),
                    (written(&course).planes, written(&course).globals)
                );
                let mv = course.legal_points().iter().next().map_or(Move::Pass, Move::Play);
                old.play(old.to_move(), mv);
                course.play(course.to_move(), mv);
            }
        }
    }
}
