//! One line of a game tree as a plain record: the circumstances of the game, the stones set up, the moves.

use jigo_board::Color;
use thiserror::Error;

use crate::coord::{Area, BoardSize, Coord};
use crate::location::{Location, excerpt};
use crate::tree::{GameTree, Node, NodeId, Property};

/// A game from the root to the end of one line. Texts are as in the file; what it does not state is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    pub size: BoardSize,
    /// In points; see [`GameRecord::main_line`] for the spellings understood.
    pub komi: Option<f32>,
    pub handicap: u8,
    /// RU, in the words of the file.
    pub rules: Option<String>,
    pub black: PlayerInfo,
    pub white: PlayerInfo,
    /// RE, in the words of the file; [`GameResult::parse`](crate::GameResult::parse) understands most of them.
    pub result: Option<String>,
    pub date: Option<String>,
    /// What happens on the board, in order; no two setups stand next to each other.
    pub steps: Vec<Step>,
}

/// Who plays one colour, in the words of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerInfo {
    pub name: Option<String>,
    pub rank: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Setup(Setup),
    Move(PlayedMove),
}

/// Stones put on the board, or taken off it, without a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// What the points of each area hold afterwards; `None` empties them. Where areas overlap the later one counts.
    pub areas: Vec<(Area, Option<Color>)>,
    /// The player said to be next, if the file says so.
    pub to_play: Option<Color>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    pub color: Color,
    /// `None` is a pass.
    pub coord: Option<Coord>,
    pub node: NodeId,
}

/// Why a tree that is proper SGF is no game of Go to us.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}{kind}", at(.place))]
pub struct RecordError {
    /// Where it stands, if the tree was read from a file.
    pub place: Option<Location>,
    pub kind: RecordErrorKind,
}

#[derive(Clone, Debug, PartialEq, Error)]
pub enum RecordErrorKind {
    #[error("the game is not Go: its GM is {0:?}, not \"1\"")]
    NotGo(String),
    #[error("{0:?} is no board size")]
    Size(String),
    #[error("{value:?} is no number for {identifier}")]
    Number { identifier: String, value: String },
    #[error("{value:?} in {identifier} is not on the {size} board")]
    Point { identifier: String, value: String, size: BoardSize },
    #[error("{0} has several values but is one move")]
    SeveralMoves(String),
    #[error("{0:?} is no player for PL")]
    Player(String),
}

fn at(place: &Option<Location>) -> String {
    place.map(|place| format!("{place}: ")).unwrap_or_default()
}

impl Setup {
    /// Each point with what it is to hold, in the order of the file: the last word about a point counts.
    pub fn points(&self) -> impl Iterator<Item = (Coord, Option<Color>)> + '_ {
        self.areas.iter().flat_map(|&(area, stone)| area.coords().map(move |coord| (coord, stone)))
    }
}

impl GameRecord {
    /// The record of the main line: the first variation at every branch.
    ///
    /// Komi is read with either decimal mark. Some servers write it in hundredths (`650`), or as Chinese half the
    /// difference (`3.75`, `375`); since quarters of a point do not exist otherwise, both are put right.
    pub fn main_line(tree: &GameTree) -> Result<GameRecord, RecordError> {
        GameRecord::along(tree, tree.main_line())
    }

    /// The record of the line that leads from the root to this node.
    pub fn line_to(tree: &GameTree, last: NodeId) -> Result<GameRecord, RecordError> {
        let mut line: Vec<NodeId> = std::iter::successors(Some(last), |&id| tree.parent(id)).collect();
        line.reverse();
        GameRecord::along(tree, line.into_iter())
    }

    fn along(tree: &GameTree, line: impl Iterator<Item = NodeId>) -> Result<GameRecord, RecordError> {
        let root = tree.root();
        if let Some(property) = root.property("GM")
            && property.first().simple_text() != "1"
        {
            return Err(error(property, RecordErrorKind::NotGo(excerpt(property.first().raw()))));
        }
        let size = match root.property("SZ") {
            Some(property) => BoardSize::read(property.first())
                .ok_or_else(|| error(property, RecordErrorKind::Size(excerpt(property.first().raw()))))?,
            None => BoardSize::DEFAULT,
        };
        let mut record = GameRecord {
            size,
            komi: None,
            handicap: 0,
            rules: None,
            black: PlayerInfo::default(),
            white: PlayerInfo::default(),
            result: None,
            date: None,
            steps: Vec::new(),
        };
        for id in line {
            let node = tree.node(id);
            record.read_circumstances(node)?;
            record.read_setup(node)?;
            record.read_moves(node, id)?;
        }
        Ok(record)
    }

    /// Moves only, in order.
    pub fn moves(&self) -> impl Iterator<Item = &PlayedMove> {
        self.steps.iter().filter_map(|step| match step {
            Step::Move(played) => Some(played),
            Step::Setup(_) => None,
        })
    }

    /// What is set up before the first move, if anything is.
    pub fn setup(&self) -> Option<&Setup> {
        match self.steps.first() {
            Some(Step::Setup(setup)) => Some(setup),
            _ => None,
        }
    }

    /// These properties belong in the root but are allowed, and found, further down; the first of each kind counts.
    fn read_circumstances(&mut self, node: &Node) -> Result<(), RecordError> {
        for property in &node.properties {
            let text = match property.identifier() {
                "KM" => {
                    self.komi = self.komi.or(read_komi(property)?);
                    continue;
                }
                "HA" => {
                    self.handicap = match self.handicap {
                        0 => read_handicap(property)?,
                        stated => stated,
                    };
                    continue;
                }
                "RU" => &mut self.rules,
                "PB" => &mut self.black.name,
                "PW" => &mut self.white.name,
                "BR" => &mut self.black.rank,
                "WR" => &mut self.white.rank,
                "RE" => &mut self.result,
                "DT" => &mut self.date,
                _ => continue,
            };
            let words = property.first().simple_text();
            if text.is_none() && !words.is_empty() {
                *text = Some(words);
            }
        }
        Ok(())
    }

    fn read_setup(&mut self, node: &Node) -> Result<(), RecordError> {
        let mut setup = Setup::default();
        for property in &node.properties {
            let stone = match property.identifier() {
                "AB" => Some(Color::Black),
                "AW" => Some(Color::White),
                "AE" => None,
                "PL" => {
                    setup.to_play = Some(read_player(property)?);
                    continue;
                }
                _ => continue,
            };
            for (index, value) in property.values().iter().enumerate() {
                let area = self.size.read_area(value).ok_or_else(|| self.point_error(property, index))?;
                setup.areas.extend(area.map(|area| (area, stone)));
            }
        }
        if setup == Setup::default() {
            return Ok(());
        }
        if let Some(Step::Setup(before)) = self.steps.last_mut() {
            before.areas.extend(setup.areas);
            before.to_play = setup.to_play.or(before.to_play);
        } else {
            self.steps.push(Step::Setup(setup));
        }
        Ok(())
    }

    fn read_moves(&mut self, node: &Node, id: NodeId) -> Result<(), RecordError> {
        for property in &node.properties {
            let color = match property.identifier() {
                "B" => Color::Black,
                "W" => Color::White,
                _ => continue,
            };
            if property.values().len() > 1 {
                let kind = RecordErrorKind::SeveralMoves(property.identifier().to_owned());
                return Err(error(property, kind));
            }
            let coord = self.size.read_move(property.first()).ok_or_else(|| self.point_error(property, 0))?;
            self.steps.push(Step::Move(PlayedMove { color, coord, node: id }));
        }
        Ok(())
    }

    fn point_error(&self, property: &Property, index: usize) -> RecordError {
        let kind = RecordErrorKind::Point {
            identifier: property.identifier().to_owned(),
            value: excerpt(property.values()[index].raw()),
            size: self.size,
        };
        error(property, kind)
    }
}

fn error(property: &Property, kind: RecordErrorKind) -> RecordError {
    RecordError { place: property.place(), kind }
}

fn number_error(property: &Property) -> RecordError {
    let kind = RecordErrorKind::Number {
        identifier: property.identifier().to_owned(),
        value: excerpt(property.first().raw()),
    };
    error(property, kind)
}

/// An empty KM states nothing.
fn read_komi(property: &Property) -> Result<Option<f32>, RecordError> {
    let text = property.first().simple_text().replace(',', ".");
    if text.is_empty() {
        return Ok(None);
    }
    let stated: f32 = text.parse().map_err(|_| number_error(property))?;
    // So many points can only be a mistake, and infinity always is one.
    if !stated.is_finite() || stated.abs() > 1000.0 {
        return Err(number_error(property));
    }
    let in_hundredths = stated.abs() >= 200.0 && stated % 25.0 == 0.0;
    let komi = if in_hundredths { stated / 100.0 } else { stated };
    let is_half_the_difference = (komi * 4.0) % 2.0 != 0.0 && (komi * 4.0).fract() == 0.0;
    Ok(Some(if is_half_the_difference { komi * 2.0 } else { komi }))
}

/// An empty HA states no handicap.
fn read_handicap(property: &Property) -> Result<u8, RecordError> {
    let text = property.first().simple_text();
    if text.is_empty() {
        return Ok(0);
    }
    text.parse().map_err(|_| number_error(property))
}

fn read_player(property: &Property) -> Result<Color, RecordError> {
    match property.first().simple_text().as_str() {
        // FF[3] files by old programs number the players.
        "1" => Ok(Color::Black),
        "2" => Ok(Color::White),
        text => {
            Color::parse(text).ok_or_else(|| error(property, RecordErrorKind::Player(excerpt(property.first().raw()))))
        }
    }
}
