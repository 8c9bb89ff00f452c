//! Which stones live even if their owner never plays again? (D. Benson, "Life in the game of Go", 1976)
//!
//! ```text
//! . X . X O      Black's chains share the two regions in the corner. A region is vital to a chain if each of
//! X X X X O      its empty points is a liberty of that chain; chains with two vital regions, all of
//! O O O O O      whose walls live as well, can never be taken.
//! ```
//!
//! Living walls also settle what is inside. The opponent's stones need two eyes, and an eye needs a point that touches
//! no living stone of ours, where we can always play. A region without two such points apart from each other is ours,
//! and the stones in it are dead.

use jigo_board::{Board, Cell, Color, Point, PointSet};

/// What is settled on the board whatever both sides do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnconditionalLife {
    /// Stones of each colour that can never be taken.
    pub alive: [PointSet; 2],
    /// Points inside living walls of each colour where the opponent can never live, dead stones' points included.
    pub territory: [PointSet; 2],
}

/// The state of one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unconditional {
    /// A stone that can never be taken.
    Alive,
    /// A stone inside the opponent's unconditional territory.
    Dead,
    /// An empty point that belongs to this colour.
    Territory(Color),
    Undecided,
}

impl UnconditionalLife {
    pub fn new(board: &Board) -> UnconditionalLife {
        let [black, white] = Color::BOTH.map(|color| Life::of(board, color));
        UnconditionalLife { alive: [black.alive, white.alive], territory: [black.territory, white.territory] }
    }

    pub fn at(&self, board: &Board, point: Point) -> Unconditional {
        let owner = Color::BOTH.into_iter().find(|c| self.territory[c.index()].contains(point));
        match (board.color_at(point), owner) {
            (Some(color), _) if self.alive[color.index()].contains(point) => Unconditional::Alive,
            (Some(color), Some(owner)) if owner != color => Unconditional::Dead,
            (None, Some(owner)) => Unconditional::Territory(owner),
            _ => Unconditional::Undecided,
        }
    }
}

/// One colour's share.
struct Life {
    alive: PointSet,
    territory: PointSet,
}

/// A greatest connected set of points without stones of one colour. Chains are named by their heads.
struct Region {
    points: PointSet,
    walls: PointSet,
    vital_to: PointSet,
}

impl Life {
    fn of(board: &Board, color: Color) -> Life {
        let mut regions = regions(board, color);
        let mut chains: PointSet = board.chain_heads().filter(|&head| board.color_at(head) == Some(color)).collect();
        loop {
            let two_vital = |head: &Point| regions.iter().filter(|r| r.vital_to.contains(*head)).take(2).count() == 2;
            let healthy: PointSet = chains.iter().filter(two_vital).collect();
            let before = regions.len();
            regions.retain(|region| region.walls.is_subset(&healthy));
            if regions.len() == before && healthy == chains {
                break;
            }
            chains = healthy;
        }
        let alive: PointSet = chains.iter().flat_map(|head| board.stones(head)).collect();
        let ours = regions.iter().filter(|region| !chains.is_empty() && !has_room_for_two_eyes(board, region, &alive));
        let territory = ours.fold(PointSet::EMPTY, |all, region| all.union(&region.points));
        Life { alive, territory }
    }
}

fn regions(board: &Board, color: Color) -> Vec<Region> {
    let mut open: PointSet = board.points().filter(|&p| board.color_at(p) != Some(color)).collect();
    let mut regions = Vec::new();
    let mut frontier = Vec::new();
    while let Some(start) = open.first() {
        let mut points = PointSet::EMPTY;
        let mut walls = PointSet::EMPTY;
        let mut vital_to: Option<PointSet> = None;
        open.remove(start);
        frontier.push(start);
        while let Some(point) = frontier.pop() {
            points.insert(point);
            let mut beside = PointSet::EMPTY;
            for neighbour in point.neighbours() {
                match board.cell(neighbour) {
                    Cell::Edge => {}
                    cell if cell == color.cell() => {
                        beside.insert(board.chain(neighbour));
                    }
                    _ if open.remove(neighbour) => frontier.push(neighbour),
                    _ => {}
                }
            }
            walls = walls.union(&beside);
            if board.is_empty(point) {
                vital_to = Some(vital_to.map_or(beside, |chains| chains.intersection(&beside)));
            }
        }
        regions.push(Region { points, walls, vital_to: vital_to.unwrap_or_default() });
    }
    regions
}

/// Are there two empty points, apart from each other, that touch no living stone?
fn has_room_for_two_eyes(board: &Board, region: &Region, alive: &PointSet) -> bool {
    let untouched = |p: &Point| board.is_empty(*p) && !p.neighbours().iter().any(|&n| alive.contains(n));
    let mut inner = region.points.iter().filter(untouched);
    match (inner.next(), inner.next(), inner.next()) {
        (Some(a), Some(b), None) => !a.neighbours().contains(&b),
        (_, _, third) => third.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with a map of what each point must be: `A` alive, `D` dead, `b` and `w` territory, `.` undecided.
    fn check(position: &str, expected: &str) {
        let board = Board::parse_diagram(position).unwrap();
        let life = UnconditionalLife::new(&board);
        let mut seen = String::new();
        for point in board.points() {
            seen.push(match life.at(&board, point) {
                Unconditional::Alive => 'A',
                Unconditional::Dead => 'D',
                Unconditional::Territory(Color::Black) => 'b',
                Unconditional::Territory(Color::White) => 'w',
                Unconditional::Undecided => '.',
            });
        }
        let expected: String = expected.split_whitespace().collect();
        let rows = |cells: &str| {
            let cells: Vec<char> = cells.chars().collect();
            cells.chunks(board.size()).map(|row| row.iter().collect::<String>() + "\n").collect::<String>()
        };
        assert_eq!(rows(&seen), rows(&expected), "in\n{board}");
    }

    /// The same with the colours exchanged.
    fn check_both(position: &str, expected: &str) {
        check(position, expected);
        let swap = |c: char| match c {
            'X' => 'O',
            'O' => 'X',
            'b' => 'w',
            'w' => 'b',
            c => c,
        };
        check(&position.chars().map(swap).collect::<String>(), &expected.chars().map(swap).collect::<String>());
    }

    #[test]
    fn nothing_lives_on_an_empty_board() {
        check("...\n...\n...", "...\n...\n...");
    }

    #[test]
    fn two_eyes_in_the_corner() {
        check_both(
            "
            . X . X O .
            X X X X O .
            O O O O O .
            . . . . . .
            . . . . . .
            . . . . . .",
            "
            b A b A . .
            A A A A . .
            . . . . . .
            . . . . . .
            . . . . . .
            . . . . . .",
        );
    }

    #[test]
    fn one_large_eye_is_not_enough() {
        check_both(
            "
            . . . X O .
            X X X X O .
            O O O O O .
            . . . . . .
            . . . . . .
            . . . . . .",
            NOTHING[0],
        );
    }

    const NOTHING: [&str; 2] = [
        "......\n......\n......\n......\n......\n......",
        ".......\n.......\n.......\n.......\n.......\n.......\n.......",
    ];

    #[test]
    fn a_false_eye_does_not_count() {
        check_both(
            "
            . X O . . .
            X X X O . .
            O X . X O .
            O O X O O .
            . O O O . .
            . . . . . .",
            NOTHING[0],
        );
        // At the edge: the stone at D6 falls, and with it the eye that it closes.
        check_both(
            "
            . X . X O .
            X X X O O .
            O O O O . .
            . . . . . .
            . . . . . .
            . . . . . .",
            NOTHING[0],
        );
    }

    #[test]
    fn a_two_headed_dragon_lives_by_two_false_eyes() {
        check_both(
            "
            . . . . . . .
            . . . . . . .
            X X X X X X X
            . X O O O X .
            X O O . O O X
            X O O O O O X
            X X X X X X X",
            "
            .......
            .......
            AAAAAAA
            bADDDAb
            ADDbDDA
            ADDDDDA
            AAAAAAA",
        );
        // With one of the two filled there is a single eye.
        check_both(
            "
            . . . . . . .
            . . . . . . .
            X X X X X X X
            . X O O O X X
            X O O . O O X
            X O O O O O X
            X X X X X X X",
            NOTHING[1],
        );
    }

    #[test]
    fn stones_without_room_for_eyes_inside_living_walls_are_dead() {
        check_both(
            "
            . X . O . X .
            X X O O . X .
            . X . . X X .
            X X X X X . .
            . . . . . . .
            . . . . . . .
            . . . . . . .",
            "
            bAbDbA.
            AADDbA.
            bAbbAA.
            AAAAA..
            .......
            .......
            .......",
        );
    }

    #[test]
    fn room_for_two_eyes_is_not_settled() {
        check_both(
            "
            . X . . . . . X
            X X . . . . . X
            . X . . . . . X
            X X X X X X X X
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .",
            "
            bA.....A
            AA.....A
            bA.....A
            AAAAAAAA
            ........
            ........
            ........
            ........",
        );
    }

    #[test]
    fn both_colours_are_settled_but_for_a_stone_that_hangs_on_a_false_eye() {
        check_both(
            "
            . X X O .
            X X X O O
            . X O O .
            X X X O O
            . X . X O",
            "
            bAAAw
            AAAAA
            bAAAw
            AAAAA
            bA..A",
        );
    }
}
