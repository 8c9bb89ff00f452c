//! The saved games as a library: what each is about, and which of them one looks for. A record is read once and again only when its
//! file has changed, so that thousands of games are listed without delay.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use jigo_board::{Board, Color, Move, Symmetry};
use jigo_sgf::{Collection, GameRecord, GameResult, GameTree, Repetition};

use crate::messages::{SavedGame, Wanted, Won};
use crate::store::Store;
use crate::table::{Table, is_game, is_reviewed, short_name};
use crate::training::Exercise;

/// A game is known by the positions of its first moves.
const OPENING_MOVES: usize = 40;
/// Games told at a time, unless more are asked for.
const USUAL_PAGE: usize = 100;
const LARGEST_PAGE: usize = 1000;

#[derive(Default)]
pub struct Library {
    index: Mutex<Index>,
}

#[derive(Default)]
struct Index {
    /// By name of the game.
    known: HashMap<String, Known>,
    /// When the files were last looked through.
    looked: Option<SystemTime>,
}

/// Files that somebody else writes in place are noticed this soon.
const LOOK_AGAIN: Duration = Duration::from_secs(10);
/// A folder that changed so shortly before a look may have changed after it, too.
const JUST_NOW: Duration = Duration::from_secs(1);

impl Index {
    /// Is nothing in the folder newer than the last look at its files? Saving a game changes the folder.
    fn is_fresh(&self, store: &Store) -> bool {
        let is_old = |looked: SystemTime| {
            let changed = std::fs::metadata(store.folder()).and_then(|about| about.modified());
            let is_quiet = changed.is_ok_and(|changed| changed + JUST_NOW < looked);
            is_quiet && looked.elapsed().is_ok_and(|since| since < LOOK_AGAIN)
        };
        self.looked.is_some_and(is_old)
    }
}

struct Known {
    changed: SystemTime,
    length: u64,
    /// None for a file that is no game.
    entry: Option<Arc<Entry>>,
}

/// One game, ready to be searched.
struct Entry {
    game: SavedGame,
    /// Everything that can be searched for by words, in small letters.
    words: String,
    winner: Option<Color>,
    /// The positions of its opening, whichever way the board is turned.
    opening: HashSet<u64>,
    exercises: Vec<Exercise>,
}

impl Library {
    fn lock(&self) -> MutexGuard<'_, Index> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A page of the games that are wanted, the latest first, how many those are in all, and how many games there are.
    pub fn find(&self, store: &Store, wanted: &Wanted, position: Option<u64>) -> (Vec<SavedGame>, usize, usize) {
        let mut entries = self.entries(store);
        let total = entries.len();
        entries.retain(|entry| entry.is_wanted(wanted, position));
        entries.sort_by(|a, b| b.game.changed.cmp(&a.game.changed).then(a.game.id.cmp(&b.game.id)));
        let page = entries.iter().skip(wanted.skip).take(wanted.most.unwrap_or(USUAL_PAGE).min(LARGEST_PAGE));
        (page.map(|entry| entry.game.clone()).collect(), entries.len(), total)
    }

    /// The mistakes of people in all reviewed games.
    pub fn exercises(&self, store: &Store) -> Vec<Exercise> {
        self.entries(store).iter().flat_map(|entry| entry.exercises.clone()).collect()
    }

    /// All games of the folder. What cannot be read is left out.
    fn entries(&self, store: &Store) -> Vec<Arc<Entry>> {
        let mut index = self.lock();
        if !index.is_fresh(store) {
            index.looked = Some(SystemTime::now());
            look_through(&mut index.known, store);
        }
        index.known.values().filter_map(|known| known.entry.clone()).collect()
    }
}

/// Reads what is new or changed, and forgets what is gone.
fn look_through(known: &mut HashMap<String, Known>, store: &Store) {
    let mut seen = HashSet::new();
    for file in store.files() {
        let is_new = known.get(&file.id).is_none_or(|old| (old.changed, old.length) != (file.changed, file.length));
        if is_new {
            let entry = store.read(&file.path).ok().and_then(|sgf| Entry::read(&file.id, &sgf, file.changed));
            let fresh = Known { changed: file.changed, length: file.length, entry: entry.map(Arc::new) };
            known.insert(file.id.clone(), fresh);
        }
        seen.insert(file.id);
    }
    known.retain(|id, _| seen.contains(id));
}

impl Entry {
    fn read(id: &str, sgf: &str, changed: SystemTime) -> Option<Entry> {
        let tree = Collection::from_text(sgf).ok()?.games.swap_remove(0);
        let record = GameRecord::main_line(&tree).ok()?;
        let rules = record.known_rules().unwrap_or_default();
        let game = record.replay(usize::MAX, rules, Repetition::Allow).ok();
        let root = tree.root();
        let text = |identifier| root.simple_text(identifier).map(|text| short_name(&text, ""));
        let name =
            |player: &jigo_sgf::PlayerInfo| player.name.as_deref().map(|name| short_name(name, "")).unwrap_or_default();
        let (black, white) = (name(&record.black), name(&record.white));
        let saved = SavedGame {
            id: id.to_owned(),
            name: text("GN").unwrap_or_default(),
            mode: if is_game(root) { "play" } else { "study" },
            size: record.size.columns.into(),
            moves: record.moves().count(),
            result: record.result.clone().filter(|result| !result.is_empty()),
            date: record.date.clone().filter(|date| !date.is_empty()),
            event: text("EV").filter(|event| !event.is_empty()),
            changed: changed.duration_since(UNIX_EPOCH).ok()?.as_secs(),
            stones: game.as_ref().map(|game| picture(game.board())).unwrap_or_default(),
            is_open: false,
            black,
            white,
        };
        let parts = [Some(&saved.name), Some(&saved.black), Some(&saved.white), saved.event.as_ref()];
        let more = [saved.date.as_ref(), saved.result.as_ref()];
        let words =
            parts.into_iter().chain(more).flatten().map(|part| part.to_lowercase()).collect::<Vec<_>>().join("\n");
        let winner = saved.result.as_deref().and_then(GameResult::parse).and_then(|result| match result {
            GameResult::Win { winner, .. } => Some(winner),
            _ => None,
        });
        let moves = game.as_ref().map(|game| game.moves()).unwrap_or_default();
        let opening = game.as_ref().map(|game| opening(game.start_board(), moves)).unwrap_or_default();
        let exercises = if is_reviewed(sgf) { exercises(id, tree) } else { Vec::new() };
        Some(Entry { game: saved, words, winner, opening, exercises })
    }

    fn is_wanted(&self, wanted: &Wanted, position: Option<u64>) -> bool {
        let has_words = |text: &String| text.to_lowercase().split_whitespace().all(|word| self.words.contains(word));
        let has_result = |won: &Won| match won {
            Won::Black => self.winner == Some(Color::Black),
            Won::White => self.winner == Some(Color::White),
            Won::Unfinished => self.game.mode == "play" && self.game.result.is_none(),
        };
        wanted.text.as_ref().is_none_or(has_words)
            && wanted.result.as_ref().is_none_or(has_result)
            && wanted
                .date
                .as_ref()
                .is_none_or(|date| self.game.date.as_ref().is_some_and(|known| known.contains(date.trim())))
            && position.is_none_or(|position| self.opening.contains(&position))
    }
}

fn exercises(id: &str, tree: GameTree) -> Vec<Exercise> {
    let Ok(table) = Table::of(id.to_owned(), tree, Instant::now()) else { return Vec::new() };
    let exercise = |(number, color, lost)| Exercise { game: id.to_owned(), number, color, lost };
    table.exercises().into_iter().map(exercise).collect()
}

/// The positions of the first moves, by their [`position_key`].
fn opening(start: &Board, moves: &[(Color, Move)]) -> HashSet<u64> {
    let mut boards: Vec<(Symmetry, Board)> =
        Symmetry::all().map(|symmetry| (symmetry, turned(start, symmetry))).collect();
    let mut keys = HashSet::from([key(boards.iter().map(|(_, board)| board))]);
    for &(color, mv) in moves.iter().take(OPENING_MOVES) {
        for (symmetry, board) in &mut boards {
            if let Move::Play(point) = symmetry.apply_move(mv, start.size()) {
                board.play(color, point);
            }
        }
        keys.insert(key(boards.iter().map(|(_, board)| board)));
    }
    keys
}

/// A position as a number that is the same whichever way the board is turned.
pub fn position_key(board: &Board) -> u64 {
    let turned: Vec<Board> = Symmetry::all().map(|symmetry| turned(board, symmetry)).collect();
    key(turned.iter())
}

fn key<'a>(boards: impl Iterator<Item = &'a Board>) -> u64 {
    // The same stones on boards of two sizes are two positions.
    boards.map(|board| board.hash().wrapping_mul(31).wrapping_add(board.size() as u64)).min().unwrap_or(0)
}

fn turned(board: &Board, symmetry: Symmetry) -> Board {
    let mut copy = Board::new(board.size());
    for point in board.points() {
        if let Some(color) = board.color_at(point) {
            copy.play(color, symmetry.apply(point, board.size()));
        }
    }
    copy
}

/// The stones row by row, as the wire writes them.
pub fn picture(board: &Board) -> String {
    let stone = |point| match board.color_at(point) {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    };
    board.points().map(stone).collect()
}

/// A file of the folder that may be a game.
pub struct GameFile {
    pub id: String,
    pub path: std::path::PathBuf,
    pub changed: SystemTime,
    pub length: u64,
}

impl GameFile {
    pub fn of(path: &Path, id: &str) -> Option<GameFile> {
        let about = std::fs::metadata(path).ok().filter(|about| about.is_file())?;
        let changed = about.modified().ok()?;
        Some(GameFile { id: id.to_owned(), path: path.to_owned(), changed, length: about.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library(games: &[(&str, &str)]) -> (tempfile::TempDir, Store, Library) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        for (id, sgf) in games {
            store.save(id, sgf).unwrap();
        }
        (folder, store, Library::default())
    }

    fn ids(found: (Vec<SavedGame>, usize, usize)) -> Vec<String> {
        let mut ids: Vec<String> = found.0.into_iter().map(|game| game.id).collect();
        ids.sort();
        ids
    }

    const GAMES: [(&str, &str); 3] = [
        ("a", "(;SZ[9]PB[Honinbo Shusaku]PW[Gennan Inseki]RE[B+2]DT[1846-07-25];B[cc];W[gg])"),
        ("b", "(;SZ[9]PB[Ann]PW[Bob]RE[W+R]DT[2024-01-02];B[gg];W[cc];B[cg])"),
        ("c", "(;SZ[9]PB[You]PW[Jigo]JGO[{}];B[ee])"),
    ];

    #[test]
    fn games_are_found_by_player_result_date_and_position() {
        let (_folder, store, library) = library(&GAMES);
        let find = |wanted: Wanted, position| ids(library.find(&store, &wanted, position));
        let text = |text: &str| Wanted { text: Some(text.to_owned()), ..Wanted::default() };
        assert_eq!(find(text("shusaku inseki"), None), ["a"]);
        assert_eq!(find(text("nobody"), None), Vec::<String>::new());
        assert_eq!(find(Wanted { result: Some(Won::White), ..Wanted::default() }, None), ["b"]);
        assert_eq!(find(Wanted { result: Some(Won::Unfinished), ..Wanted::default() }, None), ["c"]);
        assert_eq!(find(Wanted { date: Some("1846".to_owned()), ..Wanted::default() }, None), ["a"]);
        // Black in one corner, White in the opposite one: both games, since a board can be turned.
        let mut board = Board::new(9);
        board.play(Color::Black, jigo_board::Point::new(6, 2));
        board.play(Color::White, jigo_board::Point::new(2, 6));
        assert_eq!(find(Wanted::default(), Some(position_key(&board))), ["a", "b"]);
    }

    #[test]
    fn a_changed_file_is_read_again_and_a_page_says_how_many_there_are() {
        let (_folder, store, library) = library(&GAMES);
        let page = Wanted { most: Some(2), ..Wanted::default() };
        let (games, found, total) = library.find(&store, &page, None);
        assert_eq!((games.len(), found, total), (2, 3, 3));
        store.save("a", "(;SZ[9]PB[Somebody Else];B[cc])").unwrap();
        store.remove("b").unwrap();
        let somebody = Wanted { text: Some("somebody".to_owned()), ..Wanted::default() };
        assert_eq!(ids(library.find(&store, &somebody, None)), ["a"]);
        assert_eq!(library.find(&store, &Wanted::default(), None).2, 2);
    }
}
