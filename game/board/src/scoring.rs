//! Counting a finished position. Which stones are dead is an argument: the players, a file or the
//! engine's judgement says so.

use crate::board::Board;
use crate::color::{Cell, Color};
use crate::point::{GRID, Point};
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
    /// Living groups of each colour, for the tax of two points a group.
    groups: [usize; 2],
    dead: [usize; 2],
}

impl Count {
    /// Counts the board with all chains that own a stone in `dead` removed.
    pub fn new(board: &Board, dead: &PointSet) -> Count {
        let mut living = [PointSet::EMPTY; 2];
        let mut dead_stones = [0; 2];
        let mut open = PointSet::EMPTY;
        let dead_chains: PointSet =
            dead.iter().filter(|&p| board.color_at(p).is_some()).map(|p| board.chain(p)).collect();
        for point in board.points() {
            match board.color_at(point) {
                Some(color) if dead_chains.contains(board.chain(point)) => {
                    dead_stones[color.index()] += 1;
                    open.insert(point);
                }
                Some(color) => {
                    living[color.index()].insert(point);
                }
                None => {
                    open.insert(point);
                }
            }
        }
        let mut count = Count {
            stones: living,
            territory: [PointSet::EMPTY; 2],
            neutral: PointSet::EMPTY,
            seki_eyes: [PointSet::EMPTY; 2],
            groups: [0; 2],
            dead: dead_stones,
        };
        let regions = count.split_into_regions(board, open);
        count.find_groups(board, &regions);
        count
    }

    /// Floods the open points; a region that touches one colour only belongs to it.
    fn split_into_regions(&mut self, board: &Board, mut open: PointSet) -> Vec<(Color, PointSet)> {
        let mut regions = Vec::new();
        while let Some(start) = open.first() {
            let mut region = PointSet::EMPTY;
            let mut touches = [false; 2];
            let mut frontier = vec![start];
            open.remove(start);
            while let Some(point) = frontier.pop() {
                region.insert(point);
                for neighbour in point.neighbours() {
                    if board.cell(neighbour) == Cell::Edge {
                        continue;
                    }
                    for color in Color::BOTH {
                        touches[color.index()] |= self.stones[color.index()].contains(neighbour);
                    }
                    if open.remove(neighbour) {
                        frontier.push(neighbour);
                    }
                }
            }
            match touches {
                [true, false] => regions.push((Color::Black, region)),
                [false, true] => regions.push((Color::White, region)),
                _ => self.neutral.extend(region.iter()),
            }
        }
        for (owner, region) in &regions {
            self.territory[owner.index()].extend(region.iter());
        }
        regions
    }

    /// Chains that border the same surrounded region form one group. A group is in seki if it touches
    /// neutral points and has no two eyes: at most one surrounded region, of at most two points.
    fn find_groups(&mut self, board: &Board, regions: &[(Color, PointSet)]) {
        let mut leader: [Option<Point>; GRID] = [None; GRID];
        fn find(leader: &[Option<Point>; GRID], mut chain: Point) -> Point {
            while let Some(up) = leader[chain.index()] {
                chain = up;
            }
            chain
        }
        let chain_beside = |owner: Color, region: &PointSet| -> PointSet {
            let beside = region.iter().flat_map(|p| p.neighbours());
            beside.filter(|&n| self.stones[owner.index()].contains(n)).map(|n| board.chain(n)).collect()
        };
        for (owner, region) in regions {
            let chains = chain_beside(*owner, region);
            let Some(first) = chains.first() else { continue };
            for chain in chains.iter() {
                let (a, b) = (find(&leader, first), find(&leader, chain));
                if a != b {
                    leader[b.index()] = Some(a);
                }
            }
        }
        for color in Color::BOTH {
            let mine = self.stones[color.index()];
            let group_of = |stone: Point| find(&leader, board.chain(stone));
            let groups: PointSet = mine.iter().map(group_of).collect();
            let touching_neutral: PointSet = mine
                .iter()
                .filter(|p| p.neighbours().iter().any(|&n| self.neutral.contains(n)))
                .map(group_of)
                .collect();
            self.groups[color.index()] = groups.len();
            for group in touching_neutral.iter() {
                let eyes: Vec<_> = regions
                    .iter()
                    .filter(|(owner, region)| {
                        *owner == color
                            && chain_beside(color, region).first().is_some_and(|c| find(&leader, c) == group)
                    })
                    .collect();
                if let [(_, eye)] = eyes[..]
                    && eye.len() <= 2
                {
                    self.seki_eyes[color.index()].extend(eye.iter());
                    self.groups[color.index()] -= 1;
                }
            }
        }
    }

    /// Points of one colour under these rules, without komi. `lost` are the stones each side lost to
    /// captures during the game.
    pub fn points(&self, rules: &Rules, color: Color, lost: [u32; 2]) -> f32 {
        let me = color.index();
        let enemy = color.opponent().index();
        let mut territory = self.territory[me].len();
        if rules.tax != Tax::None {
            territory -= self.seki_eyes[me].len();
        }
        if rules.tax == Tax::All {
            let eyes = territory.min(2 * self.groups[me]);
            territory -= eyes;
        }
        let rest = match rules.scoring {
            Scoring::Area => self.stones[me].len(),
            Scoring::Territory => self.dead[enemy] + lost[enemy] as usize,
        };
        (territory + rest) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::Diagram;

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
