//! What reading proves takes the place of what a teacher thinks: stones that live whatever happens (Benson), what lies inside
//! their walls, stones in a seki between such walls, and the score of a board where nothing is left open.

use jigo_board::{Board, Color, Game, Point, PointSet, Scoring};
use jigo_tactics::{Unconditional, UnconditionalLife, seki_partner};

use super::label::Lesson;

/// Puts right whatever is proven otherwise; returns on how many points the teacher leaned to the wrong side.
pub fn put_right(lesson: &mut Lesson) -> usize {
    let Some(game) = lesson.game() else { return 0 };
    let board = game.board();
    let proven = owners(board);
    let mended = lesson.label.owned_by(proven.iter().map(|&(point, owner)| (place(board, point), owner)));
    if let Some(margin) = settled_margin(&game, &proven) {
        lesson.label.score_is(margin);
    }
    mended
}

fn place(board: &Board, point: Point) -> usize {
    point.row() * board.size() + point.col()
}

/// The points whose owner is certain.
fn owners(board: &Board) -> Vec<(Point, Color)> {
    let life = UnconditionalLife::new(board);
    let owner = |point: Point| match (life.at(board, point), board.color_at(point)) {
        (Unconditional::Alive, color) => color,
        (Unconditional::Dead, color) => color.map(Color::opponent),
        (Unconditional::Territory(color), _) => Some(color),
        (Unconditional::Undecided, Some(color)) if stays_in_seki(board, &life, point) => Some(color),
        (Unconditional::Undecided, _) => None,
    };
    board.points().filter_map(|point| Some((point, owner(point)?))).collect()
}

/// Is this stone's chain in seki, and do all others around the two chains of it live? Were one of them taken, it would be no seki.
fn stays_in_seki(board: &Board, life: &UnconditionalLife, stone: Point) -> bool {
    let Some(partner) = seki_partner(board, stone) else { return false };
    let pair: PointSet = board.stones(stone).chain(board.stones(partner)).collect();
    let holds = |other: Point| pair.contains(other) || life.at(board, other) == Unconditional::Alive;
    let around = |stone: Point| Color::BOTH.into_iter().flat_map(move |color| board.stones_beside(stone, color));
    pair.iter().all(|stone| around(stone).all(holds))
}

/// Black's area minus White's where every point has its owner.
fn settled_margin(game: &Game, proven: &[(Point, Color)]) -> Option<f32> {
    let counts_area = game.rules().scoring == Scoring::Area;
    let whole = proven.len() == game.board().area();
    let points = |color| proven.iter().filter(|(_, owner)| *owner == color).count() as f32;
    (counts_area && whole).then(|| points(Color::Black) - points(Color::White))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::{Exercise, Kind};
    use crate::teach::{Label, TeacherOpinion};
    use jigo_board::Diagram;

    /// A position in which Black was given all his stones and White played hers, and a teacher who thinks that all is Black's.
    fn lesson(text: &str) -> Lesson {
        let board = Diagram::parse(text).unwrap().board;
        let places = |color: Color| -> Vec<u16> {
            let stones = board.points().filter(|&p| board.color_at(p) == Some(color));
            stones.map(|p| place(&board, p) as u16).collect()
        };
        let pass = board.area() as u16;
        let mut policy = vec![0.0; board.area() + 1];
        policy[board.area()] = 1.0;
        let opinion = TeacherOpinion {
            policy,
            black_win_rate: 0.9,
            even_komi: 20.0,
            spread: 5.0,
            black_ownership: vec![0.9; board.area()],
        };
        Lesson {
            exercise: Exercise {
                kind: Kind::Policy,
                size: board.size() as u8,
                rules: "chinese".into(),
                komi: 0.5,
                given: places(Color::Black),
                moves: places(Color::White).into_iter().flat_map(|place| [place, pass]).collect(),
            },
            label: Label::new(&[(0.5, opinion)]).unwrap(),
        }
    }

    fn whites(lesson: &Lesson) -> Vec<usize> {
        lesson.label.black_ownership().enumerate().filter(|(_, owned)| *owned < -0.99).map(|(place, _)| place).collect()
    }

    #[test]
    fn what_nobody_can_change_is_the_label() {
        let mut settled = lesson(
            "
            X X O O .
            . X O O O
            X X O . O
            . X O O O
            X X O O .",
        );
        assert_eq!(put_right(&mut settled), 15);
        assert_eq!(whites(&settled).len(), 15);
        assert_eq!((settled.label.even_komi, settled.label.spread), (-5.0, 0.0));
        assert_eq!(settled.label.win_rates().collect::<Vec<_>>(), [(0.5, 0.0)]);
        let mut open = lesson(
            "
            X X . O .
            . X . O O
            X X . . .
            . X . O O
            X X . O .",
        );
        let before = open.label.even_komi;
        assert_eq!((put_right(&mut open), whites(&open).len()), (0, 0), "White has no two eyes yet");
        assert_eq!(open.label.even_komi, before);
    }

    #[test]
    fn stones_in_seki_stay_if_the_walls_live() {
        let seki = "
            . X X X . O X
            O O O O O O X
            X X X X X X X
            . X . X . X .
            X X X X X X X
            . . . . . . .
            . . . . . . .";
        let mut held = lesson(seki);
        assert_eq!(put_right(&mut held), 7);
        assert_eq!(whites(&held), [5, 7, 8, 9, 10, 11, 12]);
        let mut loose = lesson(&seki.replace(". X . X . X .", ". . . . . . ."));
        assert_eq!(put_right(&mut loose), 0, "the wall may still be taken");
    }
}
