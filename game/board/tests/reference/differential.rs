//! The fast and the slow game play the same random games side by side, under every ruleset and on
//! every size, and must agree on everything after every move.
//!
//! On boards up to 6x6 every point is asked for legality after every move; on larger ones a sample of
//! points, to bound the time. Everything else is compared in full after every move on every size.

use std::collections::{BTreeMap, HashMap};

use jigo_board::{Cell, Color, Game, Illegal, Move, PointSet, RULESETS, Rng, Tax};

use crate::game::SlowGame;
use crate::position::Position;
use crate::scoring;

/// Sides of the largest board on which every point is asked for legality.
const ALL_POINTS_UP_TO: usize = 6;
/// Points asked on larger boards.
const SAMPLE: usize = 12;

/// What must have happened: a test that never met it proves nothing about it.
const EVENTS: [&str; 12] = [
    "capture",
    "capture of four stones or more",
    "suicide",
    "suicide refused",
    "ko refused",
    "positional repetition refused",
    "situational repetition refused",
    "pass",
    "move out of turn",
    "handicap",
    "dead stones that change the score",
    "tax that changes the score",
];

/// How often each of them happened.
#[derive(Default)]
struct Seen(BTreeMap<&'static str, usize>);

impl Seen {
    fn note(&mut self, event: &'static str, happened: bool) {
        *self.0.entry(event).or_default() += usize::from(happened);
    }

    fn note_refusal(&mut self, reason: Illegal) {
        match reason {
            Illegal::Suicide => self.note("suicide refused", true),
            Illegal::Ko => self.note("ko refused", true),
            Illegal::PositionalSuperko => self.note("positional repetition refused", true),
            Illegal::SituationalSuperko => self.note("situational repetition refused", true),
            Illegal::Occupied | Illegal::OffBoard => {}
        }
    }

    fn assert_nothing_was_missed(&self) {
        for event in EVENTS {
            assert!(self.0.get(event).is_some_and(|&count| count > 0), "no {event} in {:?}", self.0);
        }
    }
}

/// The two games and what has been learned about hashes of this size.
struct Pair<'a> {
    fast: Game,
    slow: SlowGame,
    rng: Rng,
    hashes: &'a mut Hashes,
    seen: &'a mut Seen,
}

/// Equal hashes must mean equal positions, and the other way round.
#[derive(Default)]
struct Hashes {
    of_position: HashMap<Position, u64>,
    of_hash: HashMap<u64, Position>,
}

impl Hashes {
    /// Enough to remember all positions of tiny boards and a good sample of the others.
    const LIMIT: usize = 40_000;

    fn check(&mut self, position: &Position, hash: u64) {
        if let Some(&known) = self.of_position.get(position) {
            assert_eq!(known, hash, "one position, two hashes");
        } else if let Some(known) = self.of_hash.get(&hash) {
            panic!("one hash, two positions: {known:?} and {position:?}");
        } else if self.of_position.len() < Self::LIMIT {
            self.of_position.insert(position.clone(), hash);
            self.of_hash.insert(hash, position.clone());
        }
    }
}

impl Pair<'_> {
    fn play_out(&mut self) {
        self.place_handicap();
        let limit = 2 * self.slow.now.cells.len() + 8;
        for _ in 0..limit {
            self.compare();
            let color = self.choose_player();
            match self.choose_place(color) {
                Some(place) => self.play(color, place),
                None => self.pass(color),
            }
            assert_eq!(self.fast.is_over(), self.slow.is_over());
            if self.slow.is_over() {
                break;
            }
        }
        self.compare();
        let score = scoring::black_lead(&self.slow, &[]);
        self.slow.rules.tax = Tax::None;
        self.seen.note("tax that changes the score", scoring::black_lead(&self.slow, &[]) != score);
    }

    /// One game in eight is a handicap game, with up to five stones where a board has room.
    fn place_handicap(&mut self) {
        if !self.rng.chance(0.125) {
            return;
        }
        let mut places: Vec<usize> = self.slow.now.places().collect();
        self.rng.shuffle(&mut places);
        places.truncate(1 + self.rng.below(5.min(places.len() - 1)));
        let points: Vec<_> = places.iter().map(|&place| self.slow.now.point(place)).collect();
        self.fast.place_handicap(&points).expect("there is room");
        self.slow.place_handicap(&places);
        self.seen.note("handicap", true);
    }

    /// Mostly the player whose turn it is, but protocols let a colour move twice.
    fn choose_player(&mut self) -> Color {
        let turn = self.slow.to_move;
        assert_eq!(self.fast.to_move(), turn);
        let out_of_turn = self.rng.chance(0.04);
        self.seen.note("move out of turn", out_of_turn);
        if out_of_turn { turn.opponent() } else { turn }
    }

    /// A random legal place or a pass. On small boards a third of the moves prefer a capture or a
    /// suicide to other moves, so that the rare rules are met often.
    fn choose_place(&mut self, color: Color) -> Option<usize> {
        if self.rng.chance(0.03) {
            return None;
        }
        let prefers_fighting = self.slow.now.size <= ALL_POINTS_UP_TO && self.rng.chance(0.33);
        let mut places: Vec<usize> = self.slow.now.places().filter(|&p| self.slow.now.cells[p].is_none()).collect();
        self.rng.shuffle(&mut places);
        let mut quiet = None;
        for place in places {
            let tried = self.slow.try_out(color, place);
            if self.slow.judge(color, tried.as_ref()).is_err() {
                continue;
            }
            if !prefers_fighting || tried.is_some_and(|(_, taken)| taken.enemies.len() + taken.own.len() > 0) {
                return Some(place);
            }
            quiet = quiet.or(Some(place));
        }
        quiet
    }

    fn play(&mut self, color: Color, place: usize) {
        let point = self.slow.now.point(place);
        let taken_by_board = self.fast.board().clone().play(color, point);
        let taken = self.slow.play(color, place);
        self.fast.play(color, Move::Play(point)).expect("the slow game allows it");
        assert_eq!(taken_by_board, taken.enemies.len());
        let lost = Color::BOTH.map(|c| self.fast.board().stones_lost(c) as usize);
        assert_eq!(lost, self.slow.lost);
        self.seen.note("capture", !taken.enemies.is_empty());
        self.seen.note("capture of four stones or more", taken.enemies.len() > 3);
        self.seen.note("suicide", !taken.own.is_empty());
    }

    fn pass(&mut self, color: Color) {
        self.fast.play(color, Move::Pass).expect("a pass is always legal");
        self.slow.pass(color);
        self.seen.note("pass", true);
    }

    fn compare(&mut self) {
        self.compare_cells();
        self.compare_chains();
        self.compare_ko();
        self.compare_legality();
        self.compare_score();
    }

    fn compare_cells(&mut self) {
        let board = self.fast.board();
        let now = &self.slow.now;
        self.hashes.check(now, board.hash());
        let mut empties = Vec::new();
        for place in now.places() {
            let point = now.point(place);
            assert_eq!(board.color_at(point), now.cells[place], "{board}");
            if now.cells[place].is_none() {
                empties.push(point);
                assert!(board.is_empty(point));
            }
            for (direction, around) in surroundings(now, place).into_iter().enumerate() {
                let seen = board.around(point).cell(direction);
                match around {
                    None => assert_eq!(seen, Cell::Edge, "{board}"),
                    Some(cell) => assert_eq!(seen.color(), cell, "{board}"),
                }
            }
        }
        let mut listed = board.empties().to_vec();
        listed.sort_unstable();
        assert_eq!(listed, empties, "{board}");
    }

    fn compare_chains(&self) {
        let board = self.fast.board();
        let now = &self.slow.now;
        let mut asked = vec![false; now.cells.len()];
        let mut chains = 0;
        for place in now.places() {
            if now.cells[place].is_none() || asked[place] {
                continue;
            }
            chains += 1;
            let chain = now.chain(place);
            let liberties: Vec<_> = now.liberties(&chain).into_iter().map(|p| now.point(p)).collect();
            let mut stones: Vec<_> = board.stones(now.point(place)).map(|p| now.place(p)).collect();
            stones.sort_unstable();
            assert_eq!(stones, chain, "{board}");
            for &stone in &chain {
                asked[stone] = true;
                let stone = now.point(stone);
                assert_eq!(board.chain(stone), board.chain(now.point(place)), "{board}");
                assert_eq!(board.liberty_count(stone), liberties.len(), "{board}");
            }
            let stone = now.point(place);
            assert_eq!(board.chain_size(stone), chain.len());
            assert!(board.liberties(stone).eq(liberties.iter().copied()), "{board}");
            assert_eq!(board.in_atari(stone), liberties.len() == 1);
            assert_eq!(board.only_liberty(stone), <[_; 1]>::try_from(&liberties[..]).ok().map(|[only]| only));
            assert_eq!(board.two_liberties(stone), <[_; 2]>::try_from(&liberties[..]).ok());
        }
        assert_eq!(board.chain_heads().count(), chains, "{board}");
    }

    fn compare_ko(&self) {
        for color in Color::BOTH {
            let slow = self.slow.ko_place(color).map(|place| self.slow.now.point(place));
            assert_eq!(self.fast.board().ko_point(color), slow, "{}", self.fast.board());
        }
    }

    fn compare_legality(&mut self) {
        let color = if self.rng.chance(0.9) { self.slow.to_move } else { self.slow.to_move.opponent() };
        let ko = self.slow.ko_place(color);
        let area = self.slow.now.cells.len();
        let places: Vec<usize> = if self.slow.now.size <= ALL_POINTS_UP_TO {
            (0..area).collect()
        } else {
            (0..SAMPLE).map(|_| self.rng.below(area)).chain(ko).collect()
        };
        for place in places {
            let board = self.fast.board();
            let point = self.slow.now.point(place);
            let tried = self.slow.try_out(color, place);
            let slow = self.slow.judge(color, tried.as_ref());
            assert_eq!(self.fast.check(color, Move::Play(point)), slow, "{color} {point:?}\n{board}");
            // The bare board knows simple ko and refuses suicide, whatever the ruleset.
            let stays = tried.is_some_and(|(_, taken)| taken.own.is_empty());
            assert_eq!(board.is_legal(color, point), stays && ko != Some(place), "{color} {point:?}\n{board}");
            if let Err(reason) = slow {
                self.seen.note_refusal(reason);
                assert_eq!(self.fast.play(color, Move::Play(point)), Err(reason));
            }
        }
    }

    /// Counts with no stones dead, and with a few random chains dead.
    fn compare_score(&mut self) {
        let alive = scoring::black_lead(&self.slow, &[]);
        assert_eq!(self.fast.score(&PointSet::EMPTY).lead_of(Color::Black), alive, "{}", self.fast.board());
        let stones: Vec<usize> = self.slow.now.places().filter(|&p| self.slow.now.cells[p].is_some()).collect();
        let Some(victim) = self.rng.pick(&stones) else { return };
        let chain = self.slow.now.chain(victim);
        let named = PointSet::from_iter([self.slow.now.point(victim)]);
        let with_dead = scoring::black_lead(&self.slow, &chain);
        assert_eq!(self.fast.score(&named).lead_of(Color::Black), with_dead, "{}", self.fast.board());
        self.seen.note("dead stones that change the score", with_dead != alive);
    }
}

/// The eight cells around a place in the order of `Point::around`; none off the board.
fn surroundings(now: &Position, place: usize) -> [Option<Option<Color>>; 8] {
    let (col, row) = ((place % now.size) as isize, (place / now.size) as isize);
    let size = now.size as isize;
    let up_right_down_left = [(0, -1), (1, 0), (0, 1), (-1, 0)];
    let diagonals = [(1, -1), (1, 1), (-1, 1), (-1, -1)];
    let mut cells = [None; 8];
    for (i, (dx, dy)) in up_right_down_left.into_iter().chain(diagonals).enumerate() {
        let (x, y) = (col + dx, row + dy);
        if (0..size).contains(&x) && (0..size).contains(&y) {
            cells[i] = Some(now.cells[(y * size + x) as usize]);
        }
    }
    cells
}

/// Plays this many games on one size, the rulesets taking turns.
fn play_games(size: usize, games: usize, seen: &mut Seen) {
    let mut hashes = Hashes::default();
    for number in 0..games {
        let (_, rules) = RULESETS[number % RULESETS.len()];
        let fast = Game::new(size, rules);
        let slow = SlowGame::new(size, rules);
        let rng = Rng::new((size * 1_000_000 + number) as u64);
        Pair { fast, slow, rng, hashes: &mut hashes, seen }.play_out();
    }
}

// Ko, suicide and repetition happen on small boards, so most of the 105,000 games are played there.

#[test]
fn games_on_the_smallest_boards() {
    let mut seen = Seen::default();
    play_games(2, 44_000, &mut seen);
    play_games(3, 42_000, &mut seen);
    seen.assert_nothing_was_missed();
}

#[test]
fn games_on_small_boards() {
    let mut seen = Seen::default();
    play_games(4, 14_000, &mut seen);
    play_games(5, 3_600, &mut seen);
    play_games(6, 800, &mut seen);
    seen.assert_nothing_was_missed();
}

#[test]
fn games_on_larger_boards() {
    let mut seen = Seen::default();
    (7..=9).for_each(|size| play_games(size, 140, &mut seen));
    (10..=19).for_each(|size| play_games(size, 2 * RULESETS.len(), &mut seen));
    seen.assert_nothing_was_missed();
}
