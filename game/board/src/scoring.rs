//! Counting a finished position. Which stones are dead is an argument: the players, a file or the
//! engine's judgement says so.

use crate::board::Board;
use crate::color::Color;
use crate::point_set::PointSet;
use crate::rules::{Rules, Scoring, Tax};

/// Who owns what once the dead stones are gone.
pub struct Count {
    /// Living stones of each colour.
    pub stones: [PointSet; 2],
    /// Points surrounded by each colour, dead stones' points included.
    pub territory: [PointSet; 2],
    /// Points that belong to nobody.
    pub neutral: PointSet,
    /// Eyes of groups in seki: part of `territory`, not counted where the rules tax them.
    pub seki_eyes: [PointSet; 2],
    /// The two eyes of every living group, as far as it has them: the most that rules tax.
    group_tax: [usize; 2],
    dead: [usize; 2],
}

impl Count {
    /// Counts the board with all chains that own a stone in `dead` removed.
    pub fn new(board: &Board, dead: &PointSet) -> Count {
        let mut count = Count {
            stones: [PointSet::EMPTY; 2],
            territory: [PointSet::EMPTY; 2],
            neutral: PointSet::EMPTY,
            seki_eyes: [PointSet::EMPTY; 2],
            group_tax: [0; 2],
            dead: [0; 2],
        };
        let open = count.remove_dead(board, dead);
        count.share_out(open);
        Color::BOTH.into_iter().for_each(|color| count.look_at_groups(color));
        count
    }

    /// Sorts the stones into living and dead; returns the points that are now free of stones.
    fn remove_dead(&mut self, board: &Board, dead: &PointSet) -> PointSet {
        let mut open = PointSet::EMPTY;
        let dead_chains: PointSet =
            dead.iter().filter(|&p| board.color_at(p).is_some()).map(|p| board.chain(p)).collect();
        for point in board.points() {
            match board.color_at(point) {
                Some(color) if !dead_chains.contains(board.chain(point)) => {
                    self.stones[color.index()].insert(point);
                }
                fallen => {
                    open.insert(point);
                    if let Some(color) = fallen {
                        self.dead[color.index()] += 1;
                    }
                }
            }
        }
        open
    }

    /// A region of open points that touches one colour only belongs to it.
    fn share_out(&mut self, open: PointSet) {
        for region in connected_parts(open) {
            let border = border(&region);
            let touches = |stones: &PointSet| !border.intersection(stones).is_empty();
            let owner = match self.stones.each_ref().map(touches) {
                [true, false] => &mut self.territory[Color::Black.index()],
                [false, true] => &mut self.territory[Color::White.index()],
                _ => &mut self.neutral,
            };
            *owner = owner.union(&region);
        }
    }

    /// A group is what hangs together through a colour's stones and territory. It is in seki if it
    /// touches neutral points and has no two eyes: all its territory is one region of at most two points.
    fn look_at_groups(&mut self, color: Color) {
        let me = color.index();
        for group in connected_parts(self.stones[me].union(&self.territory[me])) {
            let eyes = group.intersection(&self.territory[me]);
            self.group_tax[me] += eyes.len().min(2);
            let touches_neutral = !border(&group).intersection(&self.neutral).is_empty();
            if touches_neutral && eyes.len() <= 2 && connected_parts(eyes).count() == 1 {
                self.seki_eyes[me] = self.seki_eyes[me].union(&eyes);
            }
        }
    }

    /// Points of one colour under these rules, without komi. `lost` are the stones each side lost to
    /// captures during the game.
    pub fn points(&self, rules: &Rules, color: Color, lost: [u32; 2]) -> f32 {
        let me = color.index();
        let enemy = color.opponent().index();
        let tax = match rules.tax {
            Tax::None => 0,
            Tax::Seki => self.seki_eyes[me].len(),
            Tax::All => self.group_tax[me],
        };
        let rest = match rules.scoring {
            Scoring::Area => self.stones[me].len(),
            Scoring::Territory => self.dead[enemy] + lost[enemy] as usize,
        };
        (self.territory[me].len() - tax + rest) as f32
    }
}

/// The parts of a set that hang together.
fn connected_parts(mut set: PointSet) -> impl Iterator<Item = PointSet> {
    std::iter::from_fn(move || {
        let start = set.first()?;
        set.remove(start);
        let mut part = PointSet::EMPTY;
        let mut frontier = vec![start];
        while let Some(point) = frontier.pop() {
            part.insert(point);
            frontier.extend(point.neighbours().into_iter().filter(|&n| set.remove(n)));
        }
        Some(part)
    })
}

/// The points beside a set, those off the board included.
fn border(set: &PointSet) -> PointSet {
    let beside: PointSet = set.iter().flat_map(|point| point.neighbours()).collect();
    beside.difference(set)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::Diagram;
    use crate::point::Point;

    fn points(diagram: &str, rules: &str, dead: &[&str]) -> (f32, f32) {
        let board = Diagram::parse(diagram).unwrap().board;
        let dead = dead.iter().map(|v| Point::parse(v, board.size()).unwrap()).collect();
        let count = Count::new(&board, &dead);
        let rules = Rules::by_name(rules).unwrap();
        let lost = Color::BOTH.map(|color| board.stones_lost(color));
        (count.points(&rules, Color::Black, lost), count.points(&rules, Color::White, lost))
    }

    const SPLIT: &str = "
        . . X O .
        . . X O .
        X X X O O
        . X O O .
        . X O . .";

    #[test]
    fn area_counts_stones_and_territory() {
        assert_eq!(points(SPLIT, "chinese", &[]), (13.0, 12.0));
    }

    #[test]
    fn territory_counts_only_what_is_surrounded() {
        assert_eq!(points(SPLIT, "japanese", &[]), (6.0, 5.0));
    }

    #[test]
    fn dead_stones_count_for_the_other_side() {
        let position = "
            . . X O .
            . O X O .
            X X X O O
            . X O O .
            . X O . .";
        assert_eq!(points(position, "chinese", &["B4"]), (13.0, 12.0));
        assert_eq!(points(position, "japanese", &["B4"]), (7.0, 5.0));
        // Alive, the same stone makes the corner nobody's.
        assert_eq!(points(position, "chinese", &[]), (9.0, 13.0));
    }

    #[test]
    fn stone_scoring_takes_two_points_a_group() {
        assert_eq!(points(SPLIT, "stone-scoring", &[]), (11.0, 10.0));
    }

    #[test]
    fn a_group_without_eyes_pays_no_tax() {
        // White's corner group has no point of its own, so only its right side pays for two eyes.
        let position = "
            O . X O .
            O X X O .
            . X . X O
            X X X X O
            O O O O .";
        assert_eq!(points(position, "stone-scoring", &[]), (9.0, 11.0));
    }

    #[test]
    fn eyes_in_seki_are_taxed_where_the_rules_say_so() {
        // Black's corner chain and White's chain share one neutral point and have one eye each.
        let seki = "
            . X . O . O X .
            X X O O O O X .
            O O O X X X X .
            . . O X . . . .
            O O O X . . . .
            X X X X . . . .
            . . . . . . . .
            . . . . . . . .";
        let (black_area, _) = points(seki, "chinese", &[]);
        let (black_taxed, _) = points(seki, "japanese", &[]);
        // The eye at A8 counts under area rules only.
        let board = Diagram::parse(seki).unwrap().board;
        let count = Count::new(&board, &PointSet::EMPTY);
        assert_eq!(count.seki_eyes[0].iter().collect::<Vec<_>>(), [Point::new(0, 0)]);
        assert_eq!(count.seki_eyes[1].len(), 0, "White has two eyes");
        assert!(black_area > black_taxed);
    }

    #[test]
    fn an_empty_board_belongs_to_nobody() {
        assert_eq!(points(". . .\n. . .\n. . .", "chinese", &[]), (0.0, 0.0));
    }
}
