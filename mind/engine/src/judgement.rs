//! Which stones are dead and what the game is worth if play stops here. One judgement serves the score, the status lists and
//! the decision to pass; the end of the game inside the tree is judged by the same [`DeadStones`].

use jigo_board::{Board, Color, Count, Game, Move, Point, PointSet, Score, Scoring, Symmetry};
use jigo_playout::{Playout, PlayoutParameters};
use jigo_search::{
    Counting, DeadStones, Evaluation, Limits, Manner, OwnerTeller, PlayoutOwners, SearchReport, Searcher,
};

use crate::analysis::AnalysisRequest;
use crate::stop::StopFlag;

/// What became of a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Alive,
    Dead,
    Seki,
}

/// The fate of every stone on the board.
#[derive(Clone, Debug)]
pub struct Judgement {
    stones: PointSet,
    dead: PointSet,
    seki: PointSet,
    is_settled: bool,
    /// Points that nobody surrounds yet and somebody is expected to get.
    open: usize,
    /// Is nothing left to be asked?
    is_certain: bool,
    score: Score,
}

/// Enough that a share near the threshold is off by less than 0.03.
const PLAYOUTS: usize = 256;
/// Beside a net that tells owners, fewer do, and the net counts more.
const PLAYOUTS_BESIDE_NET: usize = 64;
const NET_SHARE: f32 = 0.75;

/// Where a chain is owned by less than this, a search is asked: in one of eight finished games, and in 51 of the 55 (of 1,500) in
/// which the net's first look was wrong about a chain.
const CERTAIN: f32 = 0.7;
/// Its visits.
const VISITS: u64 = 100;

/// A neutral region larger than this is open ground, not the shared liberties of a seki.
const SHARED_LIBERTIES: usize = 6;

/// A point that nobody surrounds yet is as good as somebody's if it is expected to be by this much ...
const EXPECTED: f32 = 0.5;
/// ... and with so many of them the game is not over.
const UNFINISHED: usize = 4;
/// It leans to somebody by this much, three times what chance makes of [`PLAYOUTS`]. [`EXPECTED`] would not do: playouts own an open
/// corner by little more than that, and chance would say which of its points count.
const LEANING: f32 = 0.2;
/// With fewer it is, if passing comes to the net's mind this much. At the end of 200 games, and ten moves before it, a lead that is
/// counted by this is off by less than without it.
const PASS_COMES_TO_MIND: f32 = 0.005;

impl Judgement {
    /// Judges the position by Benson's life where it decides, and elsewhere by the net of a searcher and by playouts; by a search
    /// where these doubt or the game is not finished. The same position with the same seed is always judged alike.
    pub fn of(game: &Game, searcher: &mut dyn Searcher, seed: u64, stop: &StopFlag) -> Judgement {
        let before_passes = before_passes(game);
        let look = raw_look(game, &before_passes, searcher);
        let first = Judgement::new(game, look.as_ref(), seed, stop);
        // A net that knows the rules is right at first sight, and slow.
        if first.is_certain || look.is_none_or(|look| look.counts_by_rules()) {
            return first;
        }
        let limits = Limits { playouts: None, visits: Some(VISITS), time: None };
        let request = AnalysisRequest { fresh: true, ..AnalysisRequest::quick(game.to_move(), limits) };
        let report = request.run(searcher, &before_passes, stop, &mut |_| {});
        let black_owns = |point: Point| report.ownership(point);
        Judgement::by(game, OwnerTeller::Net, black_owns, Some(report.black_score))
    }

    /// As [`Judgement::of`], but without a search, for those who must hurry.
    pub(crate) fn at_first_sight(game: &Game, searcher: &mut dyn Searcher, seed: u64, stop: &StopFlag) -> Judgement {
        let look = raw_look(game, &before_passes(game), searcher);
        Judgement::new(game, look.as_ref(), seed, stop)
    }

    /// By playouts, and by what a net says.
    pub fn new(game: &Game, look: Option<&Evaluation>, seed: u64, stop: &StopFlag) -> Judgement {
        let board = game.board();
        let look = look.filter(|look| look.black_territory().is_some());
        let mut playout = Playout::new(&PlayoutParameters::default(), board.size(), seed ^ board.hash());
        let playouts = match look {
            _ if !game.rules().friendly_pass_ok => 0,
            Some(_) => PLAYOUTS_BESIDE_NET,
            None => PLAYOUTS,
        };
        let owners = PlayoutOwners::new(board, &mut playout, playouts, || !stop.is_raised());
        let black_owns = |point: Point| match look.and_then(|look| look.black_ownership(point)) {
            Some(expected) => NET_SHARE * expected + (1.0 - NET_SHARE) * owners.black_owns(point),
            None => owners.black_owns(point),
        };
        let teller = if look.is_some() { OwnerTeller::Net } else { OwnerTeller::Playouts };
        Judgement::by(game, teller, black_owns, look.and_then(|look| net_score(game, look)))
    }

    /// By whoever tells owners and, if they can, the score by the rules, komi left out. Under rules without agreement about dead
    /// stones everything on the board counts as alive.
    fn by(game: &Game, teller: OwnerTeller, black_owns: impl Fn(Point) -> f32, black_score: Option<f32>) -> Judgement {
        let board = game.board();
        let stones: PointSet = board.points().filter(|&point| !board.is_empty(point)).collect();
        if !game.rules().friendly_pass_ok {
            let (dead, seki, score) = (PointSet::EMPTY, PointSet::EMPTY, game.score(&PointSet::EMPTY));
            return Judgement { stones, dead, seki, is_settled: true, open: 0, is_certain: true, score };
        }
        let found = DeadStones::new(board, teller, &black_owns);
        let counted = game.score(&found.dead);
        let owners = if game.is_over() { Vec::new() } else { open_owners(board, &found.dead, black_owns) };
        let open = owners.iter().filter(|owned| owned.abs() >= EXPECTED).count();
        let is_finished = game.is_over() || open < UNFINISHED && !is_opening(board, &found.dead);
        Judgement {
            stones,
            dead: found.dead,
            seki: chains_in_seki(board, &found.dead),
            is_settled: found.are_plain() && !stones.is_empty(),
            open,
            is_certain: found.certainty >= CERTAIN && is_finished,
            score: if is_finished { counted } else { estimate(game, counted, &owners, black_score) },
        }
    }

    /// The count of a game in which nothing is left to play, though nobody has passed yet, if neither the net's first look nor a
    /// search leaves a doubt.
    pub(crate) fn settled_score(game: &Game, report: &SearchReport, seed: u64) -> Option<Score> {
        // Where nothing is agreed, what is dead is still to be taken.
        let look = report.raw_net().filter(|_| game.rules().friendly_pass_ok)?;
        let at_once = Judgement::by(game, OwnerTeller::Net, |point| look.black_ownership(point).unwrap_or(0.0), None);
        let first = at_once.is_certain.then(|| Judgement::new(game, Some(look), seed, &StopFlag::default()));
        let searched = || Judgement::by(game, OwnerTeller::Net, |point| report.ownership(point), None);
        let is_searched = u64::from(report.visits) >= VISITS;
        let found = first.filter(|first| first.is_certain).or_else(|| is_searched.then(searched))?;
        let is_finished = match found.open {
            _ if is_opening(game.board(), &found.dead) => false,
            0 => true,
            open => open < UNFINISHED && look.probability(Move::Pass) > PASS_COMES_TO_MIND,
        };
        (is_finished && found.counts_whole(game, report)).then_some(found.score)
    }

    /// Nothing is left that will still be counted, and what is counted is believed: no open ground, and where areas count no
    /// point that will still be somebody's.
    fn counts_whole(&self, game: &Game, report: &SearchReport) -> bool {
        let count = Count::new(game.board(), &self.dead);
        let believed = |color: Color, point: Point| {
            let black = report.ownership(point);
            EXPECTED <= if color == Color::Black { black } else { -black }
        };
        let doubted =
            |color: Color| count.territory[color.index()].iter().filter(|&point| !believed(color, point)).count();
        let is_closed = count.neutral.is_empty()
            || game.rules().scoring == Scoring::Territory && small_regions(&count.neutral).len() == count.neutral.len();
        is_closed && Color::BOTH.map(doubted).iter().sum::<usize>() < UNFINISHED
    }

    pub fn dead(&self) -> &PointSet {
        &self.dead
    }

    /// Is every chain's fate plain?
    pub fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// The result: the count once the game is over, before that the best estimate.
    pub fn score(&self) -> Score {
        self.score
    }

    pub fn stones_with(&self, status: Status) -> PointSet {
        match status {
            Status::Dead => self.dead,
            Status::Seki => self.seki,
            Status::Alive => self.stones.difference(&self.dead).difference(&self.seki),
        }
    }
}

/// The game without the passes at its end.
fn before_passes(game: &Game) -> Game {
    let mut before = game.clone();
    while before.last_move() == Some(Move::Pass) {
        before.undo();
    }
    before
}

fn raw_look(game: &Game, before_passes: &Game, searcher: &mut dyn Searcher) -> Option<Evaluation> {
    searcher.raw_net(before_passes, game.to_move(), Symmetry::IDENTITY, Manner::PLAIN)
}

/// What a net says that Black is ahead by the rules, komi left out.
fn net_score(game: &Game, look: &Evaluation) -> Option<f32> {
    let surplus = || Counting::of(game).area_surplus(game.to_move(), look.probability(Move::Pass));
    Some(look.value.black_score()? - if look.counts_by_rules() { 0.0 } else { surplus() })
}

/// How much the points that nobody surrounds are Black's.
fn open_owners(board: &Board, dead: &PointSet, black_owns: impl Fn(Point) -> f32) -> Vec<f32> {
    Count::new(board, dead).neutral.iter().map(black_owns).collect()
}

/// Stones of one side alone surround the whole board, and the first ones of both nothing: neither is a count.
fn is_opening(board: &Board, dead: &PointSet) -> bool {
    let count = Count::new(board, dead);
    count.stones.iter().any(PointSet::is_empty) || count.neutral.len() * 4 > board.points().count()
}

/// What the game is worth while borders are open and counting makes no sense of large parts of the board: the score that was told,
/// in whole points, and without one every open point is given to whom it leans.
fn estimate(game: &Game, counted: Score, open_owners: &[f32], black_score: Option<f32>) -> Score {
    match black_score {
        Some(score) => Score::black_lead(score.round() - game.effective_komi()),
        None => {
            let leaning = open_owners.iter().filter(|owned| owned.abs() >= LEANING);
            let given: f32 = leaning.map(|owned| owned.signum()).sum();
            Score::black_lead(counted.lead_of(Color::Black) + given)
        }
    }
}

/// Living stones that share a few neutral liberties with the opponent and own nothing but an eye taxed in seki.
fn chains_in_seki(board: &Board, dead: &PointSet) -> PointSet {
    let count = Count::new(board, dead);
    let shared = small_regions(&count.neutral);
    let mut seki = PointSet::EMPTY;
    for chain in board.chain_heads() {
        let Some(color) = board.color_at(chain) else { continue };
        let beside: PointSet = board.stones(chain).flat_map(|stone| stone.neighbours()).collect();
        let borders_real_territory =
            !beside.intersection(&count.territory[color.index()]).is_subset(&count.seki_eyes[color.index()]);
        let is_alive = count.stones[color.index()].contains(chain);
        if is_alive && !borders_real_territory && !beside.intersection(&shared).is_empty() {
            seki.extend(board.stones(chain));
        }
    }
    seki
}

fn small_regions(points: &PointSet) -> PointSet {
    let mut left = *points;
    let mut small = PointSet::EMPTY;
    while let Some(start) = left.first() {
        let mut region = PointSet::EMPTY;
        let mut frontier = vec![start];
        left.remove(start);
        while let Some(point) = frontier.pop() {
            region.insert(point);
            frontier.extend(point.neighbours().into_iter().filter(|&next| left.remove(next)));
        }
        if region.len() <= SHARED_LIBERTIES {
            small.extend(region.iter());
        }
    }
    small
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Diagram, Rules};

    fn judge(diagram: &str, rules: &str) -> (Game, Judgement) {
        judge_by(diagram, rules, 1)
    }

    fn judge_by(diagram: &str, rules: &str, seed: u64) -> (Game, Judgement) {
        let board = Diagram::parse(diagram).unwrap().board;
        let game = Game::from_position(board, Color::Black, Rules::by_name(rules).unwrap());
        let judgement = Judgement::new(&game, None, seed, &StopFlag::default());
        (game, judgement)
    }

    fn vertices(game: &Game, points: PointSet) -> Vec<String> {
        points.iter().map(|point| point.vertex(game.size())).collect()
    }

    const INVADED: &str = "
        . . X . X O . O .
        . . X X X O O O .
        . . . X O O . O .
        X X X X O . O O .
        . . . X O O . O .
        . O . X O . . O .
        . . . X O . O O O
        X X . X O O . . .
        . X X X O . O . O";

    #[test]
    fn a_lone_stone_in_enemy_territory_is_dead() {
        let (game, judgement) = judge(INVADED, "chinese");
        assert_eq!(vertices(&game, *judgement.dead()), ["B4"]);
    }

    #[test]
    fn unconditional_life_overrules_chance() {
        // Random White plays inside Black's corner, but can never take it; White's stone there can never live.
        let (game, judgement) = judge(
            "
            . X . X . O .
            O X X X . O .
            X X X . . O .
            . X . . . O .
            X X . . O O .
            O O O O O . O
            . . O . O O .",
            "chinese",
        );
        assert_eq!(vertices(&game, *judgement.dead()), ["A6"]);
    }

    #[test]
    fn rules_without_agreement_leave_every_stone_alive() {
        let (_, judgement) = judge(INVADED, "tromp-taylor");
        assert!(judgement.dead().is_empty());
    }

    #[test]
    fn every_stone_has_exactly_one_status() {
        let (game, judgement) = judge(INVADED, "japanese");
        let lists = [Status::Alive, Status::Dead, Status::Seki].map(|status| judgement.stones_with(status).len());
        assert_eq!(lists.iter().sum::<usize>(), game.board().area() - game.board().empties().len());
    }

    #[test]
    fn chains_that_only_share_liberties_are_in_seki() {
        // Whoever plays at C7 or C6 loses the stones beside.
        let (game, judgement) = judge(
            "
            O O . X O . O
            O O . X O O .
            O O X X O . O
            X X O O O O O
            X X X X X X X
            X X X X X X X
            . X . X X X X",
            "japanese",
        );
        let seki = ["A7", "B7", "D7", "A6", "B6", "D6", "A5", "B5", "C5", "D5"];
        assert_eq!(vertices(&game, judgement.stones_with(Status::Seki)), seki);
        assert!(judgement.dead().is_empty());
    }

    #[test]
    fn an_open_border_is_estimated_and_not_called_neutral() {
        // One stone is missing in the wall at D5 and E5: the count alone would call the whole board neutral. By a strong net and
        // a hundred visits White is ahead by 5; nobody's turn, it is 8. Chance has no say in it.
        for seed in 1..=8 {
            let diagram = "
                . . . X . O . . .
                . . . X O . . . .
                . . . X O . . . .
                . . . X O . . . .
                . . . . . . . . .
                . . . X O . . . .
                . . . X O . . . .
                . . . X O . . . .
                . . . X O . . . .";
            let (_, judgement) = judge_by(diagram, "chinese", seed);
            let lead = judgement.score().lead_of(Color::Black) + 7.5;
            assert!((-10.0..=-5.0).contains(&lead), "{lead}");
        }
    }

    #[test]
    fn stones_on_an_open_board_are_not_in_seki() {
        let (_, judgement) = judge(". . . . .\n. X . O .\n. . . . .\n. . . . .\n. . . . .", "japanese");
        assert!(judgement.stones_with(Status::Seki).is_empty());
    }
}
