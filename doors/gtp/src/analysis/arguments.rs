//! What clients write after an analysis command: a player, an interval and keywords, in any order.

use std::time::Duration;

use jigo_board::{Color, Move};
use jigo_engine::{Restriction, RestrictionKind};

use crate::arguments::Arguments;
use crate::failure::{Failure, expected};

/// What to analyse and what to tell about it. Keywords of KataGo's are understood in every dialect, though not every
/// dialect has words for the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalyzeArguments {
    /// Without one it is whoever is to move.
    pub color: Option<Color>,
    pub interval: Option<Duration>,
    pub min_moves: usize,
    pub max_moves: usize,
    pub restrictions: Vec<Restriction>,
    pub root_info: bool,
    pub ownership: bool,
    pub ownership_stdev: bool,
    pub moves_ownership: bool,
    pub moves_ownership_stdev: bool,
    pub pv_visits: bool,
    pub pv_edge_visits: bool,
    pub no_result_value: bool,
}

impl Default for AnalyzeArguments {
    fn default() -> AnalyzeArguments {
        AnalyzeArguments {
            color: None,
            interval: None,
            min_moves: 0,
            max_moves: usize::MAX,
            restrictions: Vec::new(),
            root_info: false,
            ownership: false,
            ownership_stdev: false,
            moves_ownership: false,
            moves_ownership_stdev: false,
            pv_visits: false,
            pv_edge_visits: false,
            no_result_value: false,
        }
    }
}

/// More often than this nobody can read.
const SHORTEST_INTERVAL: f64 = 1.0;
/// About as good as never: some clients ask for 2147483647 centiseconds.
const LONGEST_INTERVAL: f64 = 1e10;

impl AnalyzeArguments {
    pub fn read(arguments: &mut Arguments, size: usize) -> Result<AnalyzeArguments, Failure> {
        let mut read = AnalyzeArguments::default();
        while let Some(word) = arguments.optional_word() {
            if let Some(color) = Color::parse(word) {
                read.color = Some(color);
                continue;
            }
            match word.to_ascii_lowercase().as_str() {
                "interval" => read.interval = Some(centiseconds(arguments.word(INTERVAL)?)?),
                "minmoves" => read.min_moves = arguments.number("a number of moves")?,
                "maxmoves" => read.max_moves = arguments.number("a number of moves")?,
                "avoid" => read.restrictions.push(restriction(RestrictionKind::Avoid, arguments, size)?),
                "allow" => read.restrictions.push(restriction(RestrictionKind::Allow, arguments, size)?),
                "rootinfo" => read.root_info = truth(arguments)?,
                "ownership" => read.ownership = truth(arguments)?,
                "ownershipstdev" => read.ownership_stdev = truth(arguments)?,
                "movesownership" => read.moves_ownership = truth(arguments)?,
                "movesownershipstdev" => read.moves_ownership_stdev = truth(arguments)?,
                "pvvisits" => read.pv_visits = truth(arguments)?,
                "pvedgevisits" => read.pv_edge_visits = truth(arguments)?,
                "noresultvalue" => read.no_result_value = truth(arguments)?,
                number => read.interval = Some(centiseconds(number)?),
            }
        }
        Ok(read)
    }

    /// Must the search find out who owns what after each move?
    pub fn wants_move_ownership(&self) -> bool {
        self.moves_ownership || self.moves_ownership_stdev
    }
}

const INTERVAL: &str = "a colour, an interval or a keyword of analysis";

fn centiseconds(word: &str) -> Result<Duration, Failure> {
    let number: f64 = word.parse().map_err(|_| expected(INTERVAL))?;
    if !(0.0..).contains(&number) {
        return Err(expected("an interval of zero or more centiseconds"));
    }
    let milliseconds = 10.0 * number.clamp(SHORTEST_INTERVAL, LONGEST_INTERVAL);
    Ok(Duration::from_millis(milliseconds.round() as u64))
}

fn truth(arguments: &mut Arguments) -> Result<bool, Failure> {
    let what = "true or false";
    arguments.word(what)?.to_ascii_lowercase().parse().map_err(|_| expected(what))
}

/// `PLAYER VERTEX,VERTEX,... DEPTH`
fn restriction(kind: RestrictionKind, arguments: &mut Arguments, size: usize) -> Result<Restriction, Failure> {
    let color = arguments.color()?;
    let vertices = arguments.word("vertices")?.split(',').filter(|vertex| !vertex.is_empty());
    let moves: Option<Vec<Move>> = vertices.map(|vertex| Move::parse(vertex, size)).collect();
    let moves = moves.ok_or_else(|| expected("vertices with commas between them"))?;
    let until_depth = arguments.number("a depth")?;
    Ok(Restriction { color, moves, until_depth, kind })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<AnalyzeArguments, Failure> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        AnalyzeArguments::read(&mut Arguments::new(&words), 19)
    }

    #[test]
    fn player_interval_and_keywords_come_in_any_order() {
        let expected = AnalyzeArguments {
            color: Some(Color::White),
            interval: Some(Duration::from_millis(500)),
            max_moves: 3,
            ownership: true,
            ..AnalyzeArguments::default()
        };
        for text in [
            "W 50 maxmoves 3 ownership true",
            "50 white ownership true maxmoves 3",
            "ownership TRUE maxmoves 3 interval 50 w",
            "interval 7 maxmoves 3 w ownership true 50",
        ] {
            assert_eq!(read(text), Ok(expected.clone()), "{text}");
        }
        assert_eq!(read(""), Ok(AnalyzeArguments::default()));
    }

    #[test]
    fn restrictions_name_a_player_moves_and_a_depth() {
        let restrictions = read("b 100 avoid b D4,q16 20 allow W pass 1").unwrap().restrictions;
        let moves = |vertices: &[&str]| vertices.iter().map(|vertex| Move::parse(vertex, 19).unwrap()).collect();
        let [avoid, allow] = [RestrictionKind::Avoid, RestrictionKind::Allow];
        assert_eq!(
            restrictions,
            [
                Restriction { color: Color::Black, moves: moves(&["D4", "Q16"]), until_depth: 20, kind: avoid },
                Restriction { color: Color::White, moves: moves(&["pass"]), until_depth: 1, kind: allow },
            ]
        );
    }

    #[test]
    fn intervals_from_nothing_to_never_are_accepted() {
        for (text, milliseconds) in [("0", 10), ("1", 10), ("12.5", 125), ("2147483647", 21_474_836_470)] {
            assert_eq!(read(text).unwrap().interval, Some(Duration::from_millis(milliseconds)), "{text}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "green",
            "-1",
            "nan",
            "interval",
            "minmoves -2",
            "maxmoves x",
            "ownership maybe",
            "ownership",
            "avoid",
            "avoid b",
            "avoid b D4",
            "avoid b Z99 3",
            "avoid b D4 -1",
            "allow green D4 1",
            "pvVisits 2",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
