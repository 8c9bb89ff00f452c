//! The house stands as ARCHITECTURE.md draws it: what may use what, which files may hold `unsafe`, what has a name of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use jigo_engine::Parameters;
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// The rooms of each floor as the map in ARCHITECTURE.md lists them, in their order.
fn map() -> BTreeMap<String, Vec<String>> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let floors = ["game", "mind", "doors", "workshop"];
    let line = |floor: &str| {
        let start = format!("    {floor}/ ");
        text.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_else(|| panic!("{floor} is not on the map"))
    };
    floors.map(|floor| (floor.to_string(), line(floor).split_whitespace().map(String::from).collect())).into()
}

/// A crate of ours: where it lives and what it uses, in tests too.
struct Room {
    floor: String,
    name: String,
    uses: Vec<String>,
}

fn rooms() -> Vec<Room> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo tells about the workspace");
    let room = |package: &Value| {
        let manifest = Path::new(package["manifest_path"].as_str().unwrap());
        let folder = manifest.parent().unwrap();
        let uses = package["dependencies"].as_array().unwrap().iter();
        let uses = uses.filter_map(|used| used["name"].as_str().unwrap().strip_prefix("jigo-"));
        let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_string();
        Room { floor: name(folder.parent().unwrap()), name: name(folder), uses: uses.map(String::from).collect() }
    };
    let rooms = metadata["packages"].as_array().unwrap().iter().map(room);
    rooms.filter(|room| room.name != "app").collect()
}

#[test]
fn the_map_names_every_room() {
    let mut built: Vec<String> = rooms().iter().map(|room| format!("{}/{}", room.floor, room.name)).collect();
    let mut drawn: Vec<String> =
        map().iter().flat_map(|(floor, names)| names.iter().map(move |name| format!("{floor}/{name}"))).collect();
    built.sort();
    drawn.sort();
    assert_eq!(built, drawn, "ARCHITECTURE.md and the workspace do not agree");
}

#[test]
fn rooms_use_only_what_lies_below_or_to_their_left() {
    let map = map();
    let floor_of = |room: &str| map.iter().find(|(_, names)| names.iter().any(|name| name == room)).unwrap().0.as_str();
    for room in rooms() {
        for used in &room.uses {
            let place = |name: &str| map[&room.floor].iter().position(|other| other == name);
            let is_allowed = match (room.floor.as_str(), floor_of(used)) {
                // The order within the game is the board first; doors never meet.
                ("game" | "mind" | "workshop", floor) if floor == room.floor => place(used) < place(&room.name),
                ("mind", "game") | ("doors" | "workshop", "game" | "mind") => true,
                _ => false,
            };
            assert!(is_allowed, "{}/{} uses {used}", room.floor, room.name);
        }
    }
}

#[test]
fn the_arena_knows_nothing_of_the_mind() {
    let map = map();
    let arena = rooms().into_iter().find(|room| room.name == "arena").unwrap();
    assert_eq!(arena.uses.iter().find(|used| map["mind"].contains(used)), None);
}

/// Every source file with its text.
fn sources() -> Vec<(PathBuf, String)> {
    let mut folders = ["game", "mind", "doors", "workshop", "app"].map(|folder| root().join(folder)).to_vec();
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                sources.push((path, text));
            }
        }
    }
    sources
}

#[test]
fn whoever_allows_unsafe_says_why() {
    // Put together here, so that this file does not speak of itself.
    let allowed = concat!("allow(", "unsafe_code");
    for (path, text) in sources() {
        let silent = text.lines().find(|line| line.contains(allowed) && !line.contains("reason = "));
        assert_eq!(silent, None, "{}", path.display());
    }
}

#[test]
fn one_name_is_one_thing() {
    let kinds = ["struct ", "enum ", "trait ", "type ", "union "];
    let mut rooms_of: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in sources() {
        let place = path.strip_prefix(root()).unwrap().to_str().unwrap().to_string();
        let Some((room, _)) = place.split_once("/src/") else { continue };
        // Wraps the things of other rooms for Python, each under its own name.
        if room == "doors/python" {
            continue;
        }
        let public = text.lines().filter_map(|line| line.trim_start().strip_prefix("pub"));
        for line in public {
            let line = if line.starts_with('(') { line.split_once(')').map_or(line, |(_, rest)| rest) } else { line };
            let Some(rest) = kinds.iter().find_map(|kind| line.trim_start().strip_prefix(kind)) else { continue };
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
            rooms_of.entry(name).or_default().push(room.to_string());
        }
    }
    assert!(rooms_of.len() > 500, "types are found");
    // Every subcommand has its own; a macro's types have their names elsewhere.
    rooms_of.remove("Args");
    rooms_of.remove("");
    for (name, mut rooms) in rooms_of {
        let types = rooms.len();
        rooms.sort();
        rooms.dedup();
        assert_eq!(types, rooms.len(), "{name} is two things in one room: {rooms:?}");
        assert!(types <= 2, "{name} is many things: {rooms:?}");
    }
}

#[test]
fn no_file_is_too_long_to_read() {
    for (path, text) in sources() {
        assert!(text.lines().count() <= 500, "{} wants splitting", path.display());
    }
}

#[test]
fn the_architecture_speaks_of_files_that_exist() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let words = text.split('`').skip(1).step_by(2).filter(|word| word.ends_with(".rs") && word.contains('/'));
    let is_path = |word: &&str| ["game/", "mind/", "doors/", "workshop/", "app/"].iter().any(|at| word.starts_with(at));
    let mut count = 0;
    for path in words.filter(is_path) {
        assert!(root().join(path).exists(), "{path}");
        count += 1;
    }
    assert!(count > 5);
}

/// The pages of a folder by name, with their text.
fn pages(folder: &str) -> Vec<(String, String)> {
    let files = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let pages = files.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_string();
    pages.map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect()
}

#[test]
fn the_index_lists_every_page() {
    let index = fs::read_to_string(root().join("docs/README.md")).unwrap();
    for folder in ["docs", "docs/experiments"] {
        for (name, _) in pages(folder) {
            let link = if folder == "docs" { name } else { format!("experiments/{name}") };
            assert!(link == "README.md" || index.contains(&format!("({link})")), "docs/README.md does not list {link}");
        }
    }
}

#[test]
fn pages_of_experiments_begin_with_their_answer_and_are_wrapped() {
    for (name, text) in pages("docs/experiments") {
        let answer = text.lines().nth(2).unwrap_or_default();
        assert!(answer.starts_with("**"), "{name} begins with {answer:?}");
        let is_prose = |line: &&str| !line.starts_with(['|', '#']) && !line.starts_with("    ");
        let long = text.lines().filter(is_prose).find(|line| line.chars().count() > 100);
        assert_eq!(long, None, "{name} wants wrapping");
    }
}

#[test]
fn the_architecture_counts_the_parameters() {
    let papers = ["dynamic_komi.", "go_intellect.", "cgi."];
    let of_papers = Parameters::table().filter(|row| papers.iter().any(|paper| row.name.starts_with(paper))).count();
    let core = Parameters::table().count() - of_papers;
    let told = format!("{core} of the core and {of_papers} of papers");
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let text: Vec<&str> = text.split_whitespace().collect();
    assert!(text.join(" ").contains(&told), "ARCHITECTURE.md should say: {told}");
}
