//! How often strong players choose a move with each 3x3 shape of the playouts, when it is near the last moves.

use jigo_board::Point;
use jigo_patterns::Situation;
use jigo_patterns::three_by_three::{SHAPES, ToPlay, neighbours_in_atari};

use crate::corpus::{Corpus, CorpusError, Moment, for_each_moment};
use crate::progress::Progress;

/// One shape and one side of it to play.
#[derive(Clone, Debug)]
pub struct ShapeCount {
    pub name: &'static str,
    /// Is it the side drawn as X that plays?
    pub as_x: bool,
    pub seen: usize,
    pub played: usize,
}

/// Looks at the points around the last two moves, in every position of the first `games` games. The last row counts points
/// there that have no shape at all.
pub fn count_shapes(corpus: &Corpus, games: usize, progress: &mut Progress) -> Result<Vec<ShapeCount>, CorpusError> {
    let row = |name, as_x| ShapeCount { name, as_x, seen: 0, played: 0 };
    let mut rows: Vec<ShapeCount> =
        SHAPES.iter().flat_map(|shape| [row(shape.name, true), row(shape.name, false)]).collect();
    let mut without = row("no shape", true);
    let mut done = 0;
    corpus.for_each_game(games, |game| {
        for_each_moment(game, |moment| count_around(&moment, &mut rows, &mut without));
        done += 1;
        progress.at("counting shapes", done, games as u64);
    })?;
    rows.push(without);
    rows.retain(|row| row.seen > 0);
    Ok(rows)
}

fn count_around(moment: &Moment, rows: &mut [ShapeCount], without: &mut ShapeCount) {
    let situation = Situation { board: moment.board, to_play: moment.to_play, recent: moment.recent };
    let mut points: Vec<Point> = moment.recent.into_iter().flatten().flat_map(Point::around).collect();
    points.sort();
    points.dedup();
    for point in points.into_iter().filter(|&point| moment.board.is_empty(point) && situation.is_candidate(point)) {
        let around = moment.board.around(point);
        let ataris = neighbours_in_atari(moment.board, point);
        let note = |row: &mut ShapeCount| {
            row.seen += 1;
            row.played += usize::from(point == moment.chosen);
        };
        let mut found = false;
        for (shape, rows) in SHAPES.iter().zip(rows.chunks_mut(2)) {
            let sides = [(moment.to_play, true), (moment.to_play.opponent(), shape.to_play == ToPlay::Either)];
            for ((x, may_play), row) in sides.into_iter().zip(rows) {
                if may_play && shape.fits_as(x, around, ataris) {
                    note(row);
                    found = true;
                }
            }
        }
        if !found {
            note(without);
        }
    }
}
