//! Spoiled files: a hundred thousand of them, none of which may panic, hang, or be read as something it is not.

use encoding_rs::{EUC_KR, GB18030, SHIFT_JIS};
use jigo_board::{Rng, Rules};
use jigo_sgf::{Collection, GameRecord, GameTree, Repetition};

const FILES: usize = 120_000;

/// What spoiled files are made from, in several charsets.
fn healthy_files() -> Vec<Vec<u8>> {
    let texts = [
        "(;GM[1]FF[4]CA[UTF-8]SZ[19]KM[6.5]HA[2]RU[Japanese]PB[黒]PW[白]AB[dd][pp];W[qd];B[dq];W[];B[tt]C[ok \\] \\\\])",
        "(;FF[3]SiZe[9]GaMe[1];Black[ee];White[ce](;Black[eg];White[gc])(;Black[gg]Comment[other];White[cc]))",
        "(;SZ[5]KM[0]AB[aa:bb]AW[dd]AE[ab]PL[W];W[cc];B[ce]LB[aa:one][bb:two\\:three];AE[cc]PL[B];B[cc])",
        "junk (;SZ[13:9]C[wide\\\nboard])\n(;SZ[2];B[aa];W[bb];B[ab])(;GM[2]SZ[8];B[d3])",
        "(;SZ[3];B[ba];W[ab];B[bb];W[ca];B[cb];W[aa]KTV[1.0]SBKV[51.2];B[];W[];B[ac];W[cc](;B[bc])(;B[]))",
    ];
    let mut files: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    for (encoding, label, name) in
        [(GB18030, "", "聂卫平九段"), (SHIFT_JIS, "CA[Shift_JIS]", "表ソ武宮正樹"), (EUC_KR, "CA[EUC-KR]", "이창호")]
    {
        let text = format!("(;{label}SZ[19]PB[{name}]C[{name}];B[pd];W[dd](;B[pq])(;B[dp]C[{name}]))");
        files.push(encoding.encode(&text).0.into_owned());
    }
    files
}

fn spoil(file: &mut Vec<u8>, healthy: &[Vec<u8>], rng: &mut Rng) {
    let at = rng.below(file.len() + 1);
    let length = rng.below(20).min(file.len() - at);
    match rng.below(9) {
        0 if at < file.len() => file[at] ^= 1 << rng.below(8),
        1 if at < file.len() => file[at] = rng.below(256) as u8,
        2 => file.truncate(at),
        3 => drop(file.drain(at..at + length)),
        4 => file.insert(at, rng.pick(b"()[];\\:\n\r\t\0aZ").unwrap_or(b'(')),
        // A piece of its own again: brackets doubled, nodes doubled.
        5 => {
            let piece = file[at..at + length].to_vec();
            file.splice(at..at, piece);
        }
        // A piece of another file.
        6 => {
            let donor = &healthy[rng.below(healthy.len())];
            let from = rng.below(donor.len());
            let to = from + rng.below(donor.len() - from);
            file.splice(at..at, donor[from..to].iter().copied());
        }
        7 => {
            let noise: Vec<u8> = (0..rng.below(8)).map(|_| rng.below(256) as u8).collect();
            file.splice(at..at, noise);
        }
        8 if at < file.len() => {
            let other = rng.below(file.len());
            file.swap(at, other);
        }
        _ => file.reverse(),
    }
}

/// Uses a tree in every way a program would; says whether its main line is a legal game.
fn use_all(tree: &GameTree) -> bool {
    let Ok(record) = GameRecord::main_line(tree) else {
        return false;
    };
    let leaf = tree.walk().last().unwrap_or(tree.root_id());
    let _ = GameRecord::line_to(tree, leaf);
    let Ok(game) = record.replay(usize::MAX, Rules::default(), Repetition::Allow) else {
        return false;
    };
    let copy = GameTree::from_game(&game);
    let copied = GameRecord::main_line(&copy).expect("our own trees are sound");
    let again = copied.replay(usize::MAX, Rules::default(), Repetition::Allow).expect("our own games are legal");
    assert_eq!(again.board().hash(), game.board().hash());
    true
}

#[test]
fn spoiled_files_are_read_faithfully_or_refused() {
    let healthy = healthy_files();
    let mut rng = Rng::new(100_000);
    let (mut read, mut refused, mut played) = (0, 0, 0);
    for _ in 0..FILES {
        let mut file = healthy[rng.below(healthy.len())].clone();
        for _ in 0..=rng.below(4) {
            spoil(&mut file, &healthy, &mut rng);
        }
        match Collection::from_bytes(&file) {
            Ok(collection) => {
                read += 1;
                played += collection.games.iter().filter(|tree| use_all(tree)).count();
                let written = collection.to_text();
                let again = Collection::from_bytes(written.as_bytes());
                assert_eq!(again.as_ref(), Ok(&collection), "{:?}", String::from_utf8_lossy(&file));
            }
            Err(error) => {
                refused += 1;
                assert!(error.place.line >= 1 && error.place.column >= 1);
                assert!(!error.to_string().contains('\n'), "{error}");
            }
        }
    }
    // The mutations must reach all three fates often, or this test tests little.
    assert!(read > FILES / 10 && refused > FILES / 10 && played > FILES / 20, "{read} {refused} {played}");
}

#[test]
fn noise_is_refused_or_read_as_games() {
    let mut rng = Rng::new(7);
    for _ in 0..20_000 {
        let file: Vec<u8> = (0..rng.below(200))
            .map(|_| if rng.chance(0.5) { rng.pick(b"(;)[]\\:ABW ab").unwrap_or(b';') } else { rng.below(256) as u8 })
            .collect();
        if let Ok(collection) = Collection::from_bytes(&file) {
            assert_eq!(Collection::from_text(&collection.to_text()), Ok(collection));
        }
    }
}
