//! What playouts get wrong, and which generators made the moves that did it (Evaluation value 4).
//!
//! The playouts that ended the wrong way are played again on a board, and every move that mattered to the string is
//! noted as a [`Deed`] of the generator that made it. One short playout is kept as an example.

use jigo_board::{Board, Color, Move, Point};

use super::status::GroupStatus;
use super::value::EvaluationValue;
use crate::generator::Generator;
use crate::playouts::Playouts;
use crate::simulation::{Played, StartPosition};

/// What a move did to the string in question, or to the empty point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Deed {
    /// The attacker's last atari before the capture.
    Atari,
    /// The owner's move after which the string stood in atari and was taken.
    SelfAtari,
    /// The owner's answer to that atari: the string was still in atari after it.
    LeftInAtari,
    /// The owner's last move on one of the string's own liberties.
    OnLiberty,
    /// The move that took the string.
    Capture,
    /// The attacker's first move elsewhere while it could have taken the string.
    Spared,
    /// The owner's last capture of stones that touched the string.
    Freed,
    /// The last move of the wrong owner on the empty point or beside it.
    Entered,
}

/// A move of the example and what it did.
#[derive(Clone, Copy, Debug)]
pub struct Remark {
    /// From 1, counted from the start of the playout.
    pub number: usize,
    pub played: Played,
    pub deed: Option<Deed>,
}

/// One claim about a position that the playouts judge otherwise.
pub struct Misjudgement {
    pub point: Point,
    pub status: GroupStatus,
    pub black_value: f32,
    /// Who gets the point too often.
    pub too_often: Color,
    /// In how many playouts.
    pub playouts: u32,
    /// In how many of them a generator did what, worst first.
    pub deeds: Vec<(Generator, Deed, u32)>,
    /// The moves near the string in the playout that was decided soonest.
    pub example: Vec<Remark>,
}

/// An example shows at most this many moves, the last ones before the decision.
const EXAMPLE_LENGTH: usize = 12;

/// All claims among `expected` that the evaluation does not meet. `playouts` must be those of the evaluation.
pub fn misjudgements(
    from: &StartPosition,
    playouts: &Playouts,
    evaluation: &EvaluationValue,
    expected: &[(Point, GroupStatus)],
) -> Vec<Misjudgement> {
    let wrong = expected.iter().filter(|&&(point, status)| !evaluation.meets(point, status));
    let mut found: Vec<Misjudgement> = wrong.map(|&claim| Misjudgement::new(&from.board, evaluation, claim)).collect();
    if !found.is_empty() {
        playouts.play(from, |simulation, outcome| {
            for wrong in &mut found {
                if outcome.owner(wrong.point).is(wrong.too_often) {
                    wrong.learn(Story::of(&from.board, simulation.moves(), wrong.point, wrong.too_often));
                }
            }
        });
    }
    for wrong in &mut found {
        wrong.deeds.sort_by_key(|&(_, deed, times)| (std::cmp::Reverse(times), deed));
    }
    found
}

impl Misjudgement {
    fn new(board: &Board, evaluation: &EvaluationValue, (point, status): (Point, GroupStatus)) -> Misjudgement {
        let black_value = evaluation.black_string_value(point);
        let leans_to = if black_value > 0.0 { Color::Black } else { Color::White };
        let too_often = status.owner(board.color_at(point)).map_or(leans_to, Color::opponent);
        Misjudgement { point, status, black_value, too_often, playouts: 0, deeds: Vec::new(), example: Vec::new() }
    }

    fn learn(&mut self, story: Story) {
        self.playouts += 1;
        for remark in &story.remarks {
            let Some(deed) = remark.deed else { continue };
            match self.deeds.iter_mut().find(|(by, known, _)| (*by, *known) == (remark.played.by, deed)) {
                Some((_, _, times)) => *times += 1,
                None => self.deeds.push((remark.played.by, deed, 1)),
            }
        }
        let end = |remarks: &[Remark]| remarks.last().map_or(usize::MAX, |remark| remark.number);
        if end(&story.remarks) < end(&self.example) {
            let skipped = story.remarks.len().saturating_sub(EXAMPLE_LENGTH);
            self.example = story.remarks[skipped..].to_vec();
        }
    }
}

/// The moves of one playout that concern a point, up to the one that decided about it.
struct Story {
    remarks: Vec<Remark>,
}

impl Story {
    fn of(start: &Board, moves: &[Played], point: Point, winner: Color) -> Story {
        let mut story = Story { remarks: Vec::new() };
        match start.color_at(point) {
            None => story.tell_of_empty_point(moves, point, winner),
            Some(owner) if owner == winner => story.tell_of_rescue(start, moves, point, owner),
            Some(owner) => story.tell_of_death(start, moves, point, owner),
        }
        story
    }

    fn tell_of_death(&mut self, start: &Board, moves: &[Played], stone: Point, owner: Color) {
        let mut board = start.clone();
        for (index, &played) in moves.iter().enumerate() {
            let before = Look::at(&board, stone, played);
            make(&mut board, played);
            if board.color_at(stone) != Some(owner) {
                self.add(index, played, Some(Deed::Capture));
                break;
            }
            let atari_now = board.in_atari(stone);
            let deed = match (before.in_atari, atari_now, played.color == owner) {
                (false, true, true) => Some(Deed::SelfAtari),
                (false, true, false) => Some(Deed::Atari),
                (true, true, true) => Some(Deed::LeftInAtari),
                _ if before.on_liberty && played.color == owner => Some(Deed::OnLiberty),
                _ => None,
            };
            if before.is_near || deed.is_some() {
                self.add(index, played, deed);
            }
        }
        // Only what happened last decided; of several moves that left it in atari the first could still have helped.
        self.keep_last(&[Deed::Atari, Deed::SelfAtari]);
        let last_atari = self.remarks.iter().rposition(|r| matches!(r.deed, Some(Deed::Atari | Deed::SelfAtari)));
        self.forget(|place, deed| deed == Deed::LeftInAtari && last_atari.is_some_and(|last| place < last));
        self.keep_first(Deed::LeftInAtari);
        self.keep_last(&[Deed::OnLiberty]);
    }

    fn tell_of_rescue(&mut self, start: &Board, moves: &[Played], stone: Point, owner: Color) {
        let mut board = start.clone();
        for (index, &played) in moves.iter().enumerate() {
            if board.color_at(stone) != Some(owner) {
                break;
            }
            let before = Look::at(&board, stone, played);
            let took_neighbours = played.color == owner && takes_neighbour_of(&board, stone, played);
            make(&mut board, played);
            let deed = match played.color == owner {
                true if took_neighbours => Some(Deed::Freed),
                true if before.on_liberty => Some(Deed::OnLiberty),
                false if before.in_atari && !before.on_liberty => Some(Deed::Spared),
                _ => None,
            };
            if before.is_near || deed.is_some() {
                self.add(index, played, deed);
            }
        }
        self.keep_last(&[Deed::Freed]);
        self.keep_last(&[Deed::OnLiberty]);
        self.keep_first(Deed::Spared);
        // What came after the last deed is the quiet end of the game.
        let end = self.remarks.iter().rposition(|remark| remark.deed.is_some()).map_or(0, |last| last + 1);
        self.remarks.truncate(end);
    }

    fn tell_of_empty_point(&mut self, moves: &[Played], point: Point, winner: Color) {
        let is_beside = |at: Point| at == point || point.neighbours().contains(&at);
        for (index, &played) in moves.iter().enumerate() {
            if played.mv.point().is_some_and(is_beside) {
                self.add(index, played, (played.color == winner).then_some(Deed::Entered));
            }
        }
        self.keep_last(&[Deed::Entered]);
    }

    fn add(&mut self, index: usize, played: Played, deed: Option<Deed>) {
        self.remarks.push(Remark { number: index + 1, played, deed });
    }

    /// Of all moves with one of these deeds only the last keeps its deed.
    fn keep_last(&mut self, deeds: &[Deed]) {
        let is_one = |remark: &Remark| remark.deed.is_some_and(|deed| deeds.contains(&deed));
        let last = self.remarks.iter().rposition(is_one);
        self.forget(|place, deed| deeds.contains(&deed) && Some(place) != last);
    }

    fn keep_first(&mut self, wanted: Deed) {
        let first = self.remarks.iter().position(|remark| remark.deed == Some(wanted));
        self.forget(|place, deed| deed == wanted && Some(place) != first);
    }

    fn forget(&mut self, is_void: impl Fn(usize, Deed) -> bool) {
        for (place, remark) in self.remarks.iter_mut().enumerate() {
            remark.deed = remark.deed.filter(|&deed| !is_void(place, deed));
        }
    }
}

/// How a move about to be made stands to the string.
struct Look {
    in_atari: bool,
    on_liberty: bool,
    /// On a liberty, or beside one.
    is_near: bool,
}

impl Look {
    fn at(board: &Board, stone: Point, played: Played) -> Look {
        let liberties = board.liberty_set(stone);
        let on_liberty = played.mv.point().is_some_and(|at| liberties.contains(at));
        let beside = |at: Point| at.neighbours().iter().any(|&n| board.is_empty(n) && liberties.contains(n));
        let is_near = on_liberty || played.mv.point().is_some_and(beside);
        Look { in_atari: board.in_atari(stone), on_liberty, is_near }
    }
}

/// Does this move capture stones that touch the string?
fn takes_neighbour_of(board: &Board, stone: Point, played: Played) -> bool {
    let Some(at) = played.mv.point() else { return false };
    let enemy = Some(played.color.opponent());
    let taken = |n: Point| board.color_at(n) == enemy && board.only_liberty(n) == Some(at);
    let string = board.chain(stone);
    let touches = |p: Point| p.neighbours().iter().any(|&n| board.color_at(n).is_some() && board.chain(n) == string);
    at.neighbours().into_iter().any(|n| taken(n) && board.stones(n).any(touches))
}

fn make(board: &mut Board, played: Played) {
    match played.mv {
        Move::Play(point) => {
            board.play(played.color, point);
        }
        Move::Pass => board.pass(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::{PlayoutParameters, PolicyName};
    use jigo_board::Diagram;

    /// The moves of a playout by their names in the diagram, Black first; each by its generator.
    fn deeds(diagram: &str, about: Point, winner: Color, line: &[(char, Generator)]) -> Vec<(char, Deed)> {
        let diagram = Diagram::parse(diagram).unwrap();
        let mut color = Color::Black;
        let mut moves = Vec::new();
        for &(name, by) in line {
            moves.push(Played { color, mv: Move::Play(diagram.point(name)), by });
            color = color.opponent();
        }
        let story = Story::of(&diagram.board, &moves, about, winner);
        let name = |remark: &Remark| line[remark.number - 1].0;
        story.remarks.iter().filter_map(|remark| Some((name(remark), remark.deed?))).collect()
    }

    const CORNER: &str = "
        O O a . .
        b X X . .
        X X . c d
        . . . . .
        e f . . .";

    #[test]
    fn an_atari_that_is_not_answered_kills() {
        use Generator::*;
        let line = [('a', TwoLiberties), ('c', Random), ('d', Random), ('e', Random), ('b', CaptureLastMove)];
        let told = deeds(CORNER, Point::new(0, 0), Color::Black, &line);
        assert_eq!(told, [('a', Deed::Atari), ('c', Deed::LeftInAtari), ('b', Deed::Capture)]);
    }

    #[test]
    fn a_string_can_bring_itself_in_atari() {
        use Generator::*;
        let line = [('c', Random), ('b', Random), ('a', CaptureLastMove)];
        let told = deeds(CORNER, Point::new(1, 0), Color::Black, &line);
        assert_eq!(told, [('b', Deed::SelfAtari), ('a', Deed::Capture)]);
    }

    #[test]
    fn a_string_lives_by_taking_what_surrounds_it() {
        use Generator::*;
        let diagram = "
            O O X a .
            . X O O .
            . . . . .
            . c . . .
            . . . . .";
        let told = deeds(diagram, Point::new(0, 0), Color::White, &[('c', Random), ('a', CaptureLastMove)]);
        assert_eq!(told, [('c', Deed::Spared), ('a', Deed::Freed)]);
    }

    #[test]
    fn an_empty_point_is_entered_last_by_its_wrong_owner() {
        use Generator::*;
        let line = [('c', Random), ('d', Random), ('e', Random), ('f', Random)];
        let told = deeds(CORNER, Point::new(0, 4), Color::White, &line);
        assert_eq!(told, [('f', Deed::Entered)]);
    }

    #[test]
    fn only_what_is_wrong_is_explained() {
        let diagram = Diagram::parse(
            ". O . O X . .
             O O O O X . .
             X X X X X . .
             X X . . . . .
             . . . X . . .
             . . . . . . .
             . . . . . . .",
        )
        .unwrap();
        let stone = Point::new(1, 0);
        let from = StartPosition::new(diagram.board.clone(), Color::Black, Vec::new());
        let parameters = PlayoutParameters { policy: PolicyName::Random, ..Default::default() };
        let playouts = Playouts { parameters, count: 100, seed: 3 };
        let evaluation = EvaluationValue::new(&from, &playouts);
        let expected = [(stone, GroupStatus::Dead)];
        let found = misjudgements(&from, &playouts, &evaluation, &expected);
        assert_eq!(found.len(), 1, "two eyes live even in random playouts");
        assert_eq!((found[0].playouts, found[0].too_often), (100, Color::White));
        assert!(misjudgements(&from, &playouts, &evaluation, &[(stone, GroupStatus::Alive)]).is_empty());
    }
}
