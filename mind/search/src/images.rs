//! Positions that look the same from several sides: of moves there that are images of each other one is searched, and what is
//! found holds for all of them.

use jigo_board::{Color, Game, KoRule, Move, Point, Symmetry};

use crate::node::Node;
use crate::report::{MoveReport, OwnershipEstimate};

/// The symmetries of a position, doing nothing not counted: they keep the stones and the ko where they are.
pub struct Images {
    symmetries: Vec<Symmetry>,
    size: usize,
}

impl Images {
    /// Every move is looked at for itself.
    pub fn none(size: usize) -> Images {
        Images { symmetries: Vec::new(), size }
    }

    /// Superko remembers positions that need not be symmetric. Before the first capture none of them comes back but by the capture
    /// of all that was played since; after it nothing is taken for symmetric.
    pub fn of(game: &Game, to_move: Color) -> Images {
        let (board, size) = (game.board(), game.size());
        let has_captures = [Color::Black, Color::White].into_iter().any(|color| board.stones_lost(color) > 0);
        if has_captures && game.rules().ko != KoRule::Simple {
            return Images::none(size);
        }
        let ko = board.ko_point(to_move);
        let keeps_all = |symmetry: &Symmetry| {
            let image = |point| symmetry.apply(point, size);
            ko.map(image) == ko && board.points().all(|point| board.color_at(point) == board.color_at(image(point)))
        };
        let symmetries = Symmetry::all().filter(|symmetry| *symmetry != Symmetry::IDENTITY).filter(keeps_all);
        Images { symmetries: symmetries.collect(), size }
    }

    /// Where a move is found again, each place once and its own left out, with a symmetry that leads there.
    fn of_move(&self, mv: Move) -> Vec<(Move, Symmetry)> {
        let mut found: Vec<(Move, Symmetry)> = Vec::new();
        for &symmetry in &self.symmetries {
            let image = symmetry.apply_move(mv, self.size);
            if image != mv && found.iter().all(|&(known, _)| known != image) {
                found.push((image, symmetry));
            }
        }
        found
    }

    /// Of those root moves that are images of each other only the one most looked at so far stays open, with the trust in all of them.
    pub fn join(&self, children: &[Node]) {
        for child in children.iter().filter(|child| !child.is_banned()) {
            let images = self.of_move(child.mv());
            let alike: Vec<&Node> =
                children.iter().filter(|node| images.iter().any(|&(image, _)| image == node.mv())).collect();
            if alike.iter().any(|node| !node.is_banned() && node.visits() > child.visits()) {
                continue;
            }
            for image in alike {
                child.policy.add(image.policy.get());
                image.policy.set(0.0);
                image.ban();
            }
        }
    }

    /// What was found about a move, and the same about its images.
    pub fn tell(&self, mut found: MoveReport) -> Vec<MoveReport> {
        let images = self.of_move(found.mv);
        found.policy /= (images.len() + 1) as f32;
        let mut all: Vec<MoveReport> =
            images.into_iter().map(|(mv, symmetry)| self.copy(&found, mv, symmetry)).collect();
        all.insert(0, found);
        all
    }

    fn copy(&self, found: &MoveReport, mv: Move, symmetry: Symmetry) -> MoveReport {
        MoveReport {
            mv,
            image_of: Some(found.mv),
            variation: found.variation.iter().map(|&mv| symmetry.apply_move(mv, self.size)).collect(),
            ownership: found.ownership.as_ref().map(|seen| Box::new(self.turned(seen, symmetry))),
            ..found.clone()
        }
    }

    fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let size = self.size;
        (0..size * size).map(move |at| Point::new(at % size, at / size))
    }

    fn turned(&self, seen: &OwnershipEstimate, symmetry: Symmetry) -> OwnershipEstimate {
        let mut turned = OwnershipEstimate::default();
        for point in self.points() {
            let image = symmetry.apply(point, self.size).index();
            (turned.mean[image], turned.stdev[image]) = (seen.mean[point.index()], seen.stdev[point.index()]);
        }
        turned
    }

    /// Who owns what if the images of all moves are played as well.
    pub fn even_out(&self, seen: OwnershipEstimate) -> OwnershipEstimate {
        if self.symmetries.is_empty() {
            return seen;
        }
        let mut sides: Vec<OwnershipEstimate> = self.symmetries.iter().map(|&s| self.turned(&seen, s)).collect();
        sides.push(seen);
        let mean = |of: &dyn Fn(&OwnershipEstimate) -> f32| sides.iter().map(of).sum::<f32>() / sides.len() as f32;
        let mut even = OwnershipEstimate::default();
        for at in self.points().map(Point::index) {
            even.mean[at] = mean(&|side| side.mean[at]);
            let squares = mean(&|side| side.mean[at].powi(2) + side.stdev[at].powi(2));
            even.stdev[at] = (squares - even.mean[at].powi(2)).max(0.0).sqrt();
        }
        even
    }
}

#[cfg(test)]
mod tests {
    use jigo_board::{Diagram, Rules};

    use super::*;

    /// In how many places the moves at these vertices are found again.
    fn places<const N: usize>(game: &Game, vertices: [&str; N]) -> [usize; N] {
        let images = Images::of(game, game.to_move());
        vertices.map(|vertex| images.of_move(Move::parse(vertex, game.size()).unwrap()).len())
    }

    fn game(size: usize, ko: KoRule, vertices: &[&str]) -> Game {
        let mut game = Game::new(size, Rules { ko, ..Rules::default() });
        for vertex in vertices {
            game.play(game.to_move(), Move::parse(vertex, size).unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn a_move_is_found_again_wherever_the_position_looks_the_same() {
        let vertices = ["D3", "C3", "E3", "E5", "pass"];
        assert_eq!(places(&game(9, KoRule::Simple, &[]), vertices), [7, 3, 3, 0, 0]);
        assert_eq!(places(&game(9, KoRule::Simple, &["E5"]), ["D3", "C3", "E3", "pass"]), [7, 3, 3, 0]);
        assert_eq!(places(&game(9, KoRule::Simple, &["C3"]), ["D3", "D4", "G3"]), [1, 0, 1], "one diagonal");
        assert_eq!(places(&game(9, KoRule::Simple, &["C3", "D3"]), ["C4", "G7"]), [0, 0]);
        assert_eq!(
            places(&game(9, KoRule::Simple, &["C3", "G7"]), ["C7"]),
            [1],
            "stones of one colour are not the other's"
        );
    }

    /// Black takes at a; half a turn of the board then leads from one ko to the other, which is older.
    const TWO_KOS: &str = "
        . X O . . . . . .
        X O a O . . . . .
        . X O . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . O X .
        . . . . . O X . X
        . . . . . . O X .
    ";

    #[test]
    fn a_ko_must_lie_on_the_axis() {
        let diagram = Diagram::parse(TWO_KOS).unwrap();
        let mut game = Game::from_position(diagram.board.clone(), Color::Black, Rules::default());
        game.play(Color::Black, Move::Play(diagram.point('a'))).unwrap();
        assert_eq!(places(&game, ["E4"]), [0], "White may retake one of them only");
        game.play(Color::White, Move::Pass).unwrap();
        assert_eq!(places(&game, ["E4"]), [1]);
        game.set_rules(Rules { ko: KoRule::Positional, ..Rules::default() });
        assert_eq!(places(&game, ["E4"]), [0], "superko remembers which came first");
    }

    #[test]
    fn before_the_first_capture_superko_changes_nothing() {
        for ko in [KoRule::Positional, KoRule::Situational] {
            assert_eq!(places(&game(9, ko, &["C3", "G3", "G7", "C7"]), ["D4", "E4", "E5"]), [1, 3, 0]);
        }
    }
}
