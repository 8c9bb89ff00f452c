//! Whose area each point is if play stopped now, as KataGo's nets are shown it.
//!
//! Benson's unconditional life, with territories that swallow dead stones, then plain surrounded points, then the stones themselves.

use jigo_board::{Board, Cell, Color, Point, PointSet, Rules, Scoring, Tax};

/// The points of each colour.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Area {
    pub of: [PointSet; 2],
    /// Points that each colour pays for its groups, where groups are taxed.
    pub tax: [usize; 2],
}

impl Area {
    /// What the planes show under these rules, or nothing where they stay empty: territory is counted only when all is played out.
    pub fn shown(board: &Board, rules: &Rules, with_suicide: bool) -> Option<Area> {
        match (rules.scoring, rules.tax) {
            (Scoring::Territory, _) => None,
            (Scoring::Area, Tax::None) => Some(Area { of: full(board, with_suicide), tax: [0; 2] }),
            (Scoring::Area, tax) => Some(independent(board, full(board, with_suicide), tax == Tax::All)),
        }
    }
}

/// All that is marked for each colour.
fn full(board: &Board, with_suicide: bool) -> [PointSet; 2] {
    let mut marks = [PointSet::EMPTY; 2];
    for color in Color::BOTH {
        let life = Life::of(board, color, with_suicide);
        let (mine, other) = (color.index(), color.opponent().index());
        marks[other] = marks[other].difference(&life.settled);
        marks[mine] = marks[mine].union(&life.settled).union(&life.surrounded.difference(&marks[other]));
    }
    for color in Color::BOTH {
        let theirs = marks[color.opponent().index()];
        let stones = board.points().filter(|&point| board.color_at(point) == Some(color) && !theirs.contains(point));
        marks[color.index()].extend(stones);
    }
    marks
}

/// Stones, and points of groups that are independent of any neutral point.
fn independent(board: &Board, marks: [PointSet; 2], taxed: bool) -> Area {
    let neutral = |point: Point| board.is_empty(point) && !marks.iter().any(|mark| mark.contains(point));
    let mut area = Area::default();
    for color in Color::BOTH {
        let mark = &marks[color.index()];
        let is_seki = |&point: &Point| {
            (board.color_at(point) == Some(color) && board.in_atari(point))
                || point.neighbours().into_iter().any(neutral)
        };
        let mut kept: PointSet = mark.iter().filter(|&point| board.color_at(point) == Some(color)).collect();
        let mut left = *mark;
        while let Some(start) = left.first() {
            let region = connected(start, &mut left);
            if !region.iter().any(|point| is_seki(&point)) {
                kept = kept.union(&region);
                area.tax[color.index()] += if taxed { 2 } else { 0 };
            }
        }
        area.of[color.index()] = kept;
    }
    area
}

/// Takes the connected part that holds `start` out of a set.
fn connected(start: Point, left: &mut PointSet) -> PointSet {
    let mut part = PointSet::EMPTY;
    let mut frontier = vec![start];
    left.remove(start);
    while let Some(point) = frontier.pop() {
        part.insert(point);
        frontier.extend(point.neighbours().into_iter().filter(|&neighbour| left.remove(neighbour)));
    }
    part
}

/// What one colour has for itself.
struct Life {
    /// Stones that cannot be taken and their territory, dead stones included.
    settled: PointSet,
    /// Other empty points that only this colour surrounds.
    surrounded: PointSet,
}

/// A greatest connected set of points without stones of one colour. Chains are named by their heads.
struct Region {
    points: PointSet,
    walls: PointSet,
    vital_to: PointSet,
    /// Points that touch no stone of the colour.
    inner: usize,
    has_enemy: bool,
    good: bool,
}

impl Life {
    fn of(board: &Board, color: Color, with_suicide: bool) -> Life {
        let mut chains: PointSet = board.chain_heads().filter(|&head| board.color_at(head) == Some(color)).collect();
        if chains.is_empty() {
            return Life { settled: PointSet::EMPTY, surrounded: PointSet::EMPTY };
        }
        let mut regions = regions(board, color, with_suicide);
        loop {
            let vital =
                |head: Point| regions.iter().filter(move |region| region.good && region.vital_to.contains(head));
            let alive: PointSet = chains.iter().filter(|&head| vital(head).take(2).count() == 2).collect();
            if alive == chains {
                break;
            }
            chains = alive;
            regions.iter_mut().for_each(|region| region.good = region.walls.is_subset(&chains));
        }
        let mut settled: PointSet = chains.iter().flat_map(|head| board.stones(head)).collect();
        let mut surrounded = PointSet::EMPTY;
        for region in &regions {
            if region.good && (region.inner <= 1 || !region.has_enemy) {
                settled = settled.union(&region.points);
            } else if !region.has_enemy {
                surrounded = surrounded.union(&region.points);
            }
        }
        Life { settled, surrounded }
    }
}

fn regions(board: &Board, color: Color, with_suicide: bool) -> Vec<Region> {
    let mut left: PointSet = board.points().filter(|&point| board.color_at(point) != Some(color)).collect();
    let mut regions = Vec::new();
    while let Some(start) = left.first() {
        let points = connected(start, &mut left);
        let mut region = Region {
            points,
            walls: PointSet::EMPTY,
            vital_to: PointSet::EMPTY,
            inner: 0,
            has_enemy: false,
            good: true,
        };
        let mut vital_to: Option<PointSet> = None;
        for point in &points {
            let walls: PointSet = board.stones_beside(point, color).map(|stone| board.chain(stone)).collect();
            region.walls = region.walls.union(&walls);
            region.inner += usize::from(walls.is_empty());
            region.has_enemy |= board.cell(point) != Cell::Empty;
            // Without suicide the enemy cannot fill his own last liberties, so that only empty points count.
            if with_suicide || board.is_empty(point) {
                vital_to = Some(vital_to.map_or(walls, |vital| vital.intersection(&walls)));
            }
        }
        region.vital_to = vital_to.unwrap_or_default();
        regions.push(region);
    }
    regions
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Diagram;

    /// Draws who gets what: X and O, and a dot for nobody's.
    fn drawn(text: &str, rules: &str) -> String {
        let board = Diagram::parse(text).unwrap().board;
        let rules = Rules::by_name(rules).unwrap();
        let area = Area::shown(&board, &rules, rules.suicide).unwrap();
        let mut lines = String::new();
        for point in board.points() {
            lines.push(match area.of.each_ref().map(|points| points.contains(point)) {
                [true, false] => 'X',
                [false, true] => 'O',
                _ => '.',
            });
            lines.push_str(if point.col() + 1 == board.size() { "\n" } else { " " });
        }
        lines
    }

    /// White's stone in Black's living corner is dead and swallowed; the right side is White's by plain surrounding.
    #[test]
    fn living_walls_swallow_dead_stones() {
        let text =
            ". X . O X O .\nX X X X X O .\nO O O O O O .\n. . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .";
        let expected =
            "X X X X X O O\nX X X X X O O\nO O O O O O O\nO O O O O O O\nO O O O O O O\nO O O O O O O\nO O O O O O O\n";
        assert_eq!(drawn(text, "chinese"), expected);
    }

    /// The point in the middle is nobody's, so that with a tax only the stones themselves count.
    #[test]
    fn groups_beside_a_neutral_point_keep_only_their_stones_when_taxed() {
        let text = ". X . O .\nX X . O O\nX X . O O\nX X . O O\n. X . O .";
        assert_eq!(drawn(text, "chinese"), "X X . O O\nX X . O O\nX X . O O\nX X . O O\nX X . O O\n");
        assert_eq!(drawn(text, "stone-scoring"), ". X . O .\nX X . O O\nX X . O O\nX X . O O\n. X . O .\n");
    }
}
