//! Five thousand games: the page is as light as before, and a search takes no time worth noticing.

use std::time::Instant;

use serde_json::json;

use crate::page::Page;
use crate::{desktop, desktop_with, house::House};

const GAMES: usize = 5000;
/// The page weighed this much, all files together, before the library, the teacher and the review were there.
const HEAVIEST_PAGE: u64 = 169_000;

#[test]
fn thousands_of_games_are_searched_at_once_and_the_page_stays_light() {
    let fill = |folder: &std::path::Path| {
        std::fs::create_dir_all(folder.join("games")).unwrap();
        for n in 0..GAMES {
            let moves: String =
                (0..120).map(|k| format!(";{}[{}]", ["B", "W"][k % 2], point(n * 7 + k * 13))).collect();
            let record =
                format!("(;GM[1]SZ[19]PB[Player {}]PW[Rival {}]DT[{}-05-05]RE[B+R]{moves})", n % 97, n, 1900 + n % 120);
            std::fs::write(folder.join(format!("games/game{n}.sgf")), record).unwrap();
        }
    };
    let Some((_house, page)) = desktop_with(|| House::open_with(fill)) else { return };
    let weight = page.evaluate(
        "performance.getEntries().filter((entry) => entry.transferSize !== undefined).reduce((sum, entry) => sum + entry.transferSize, 0)",
    );
    assert!(weight.as_f64().unwrap() as u64 <= HEAVIEST_PAGE, "the page weighs {weight} bytes");
    page.press("g");
    page.wait(&format!("document.querySelector('.library .hint')?.textContent.includes('{GAMES} of {GAMES}')"));
    page.wait(
        "document.querySelectorAll('.game-open').length === 60 && document.querySelector('.game-open .mini-board')",
    );
    // The search itself, without the pause for typing: asked once to be ready, then measured.
    let ask = "fetch('/api/games?text=rival+4321').then((answer) => answer.json()).then((found) => { window.found = found; })";
    page.evaluate(&format!("{ask} && null"));
    page.wait("window.found?.found === 1");
    let began = Instant::now();
    page.evaluate(&format!("(window.found = null, {ask}, null)"));
    page.wait("window.found?.found === 1");
    eprintln!("searching {GAMES} games took {:?}, browser and all", began.elapsed());
    page.fill("text", "rival 4321");
    page.wait("document.querySelectorAll('.game-open').length === 1");
    page.assert_quiet();
}

fn point(n: usize) -> String {
    let letter = |n: usize| char::from(b'a' + (n % 19) as u8);
    format!("{}{}", letter(n), letter(n / 19))
}

/// Lets something of this computer fall onto the page, as a person's hand would.
fn drop_path(page: &Page, path: &std::path::Path) {
    let data = json!({"items": [], "files": [path], "dragOperationsMask": 1});
    for kind in ["dragEnter", "dragOver", "drop"] {
        page.browser.devtools("Input.dispatchDragEvent", json!({"type": kind, "x": 300, "y": 300, "data": data}));
    }
}

#[test]
fn a_dropped_folder_is_added_and_searched_by_player_result_date_and_position() {
    let Some((_house, page)) = desktop() else { return };
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("old masters");
    std::fs::create_dir(&below).unwrap();
    for (place, name, record) in [
        (&below, "a.sgf", "(;GM[1]SZ[9]PB[Honinbo Shusaku]PW[Gennan Inseki]RE[B+2]DT[1846-07-25];B[cc];W[gg];B[ce])"),
        (&below, "b.SGF", "(;GM[1]SZ[9]PB[Ann]PW[Bob]RE[W+R]DT[2024-01-02];B[gc];W[cg];B[ee])"),
        (
            &folder.path().to_owned(),
            "c.sgf",
            "(;GM[1]SZ[9]PB[Cho]PW[Dan]RE[B+R]DT[2024-03-03];B[ee])(;GM[1]SZ[9]PB[Eve]PW[Flo];B[cc])",
        ),
        (&folder.path().to_owned(), "notes.txt", "no game"),
        (&folder.path().to_owned(), "bad.sgf", "no game either"),
    ] {
        std::fs::write(place.join(name), record).unwrap();
    }
    drop_path(&page, folder.path());
    page.wait("/4 games were added/.test(document.querySelector('.toasts').textContent) && /One file is no game/.test(document.querySelector('.toasts').textContent)");
    page.wait("/4 of 4 games/.test(document.querySelector('.library .hint')?.textContent)");
    page.wait("document.querySelectorAll('.game-open .mini-board').length === 4");
    let found = |names: &str| {
        page.wait(&format!("[...document.querySelectorAll('.game-open strong')].map((name) => name.textContent).sort().join() === '{names}'"));
    };
    page.fill("text", "shusaku");
    found("Honinbo Shusaku - Gennan Inseki");
    page.fill("text", "");
    page.fill("result", "black");
    found("Cho - Dan,Honinbo Shusaku - Gennan Inseki");
    page.fill("date", "2024");
    found("Cho - Dan");
    page.fill("result", "");
    found("Ann - Bob,Cho - Dan");
    // One game is opened; those with the same position, however the board is turned, are found.
    page.fill("date", "");
    page.fill("text", "shusaku");
    found("Honinbo Shusaku - Gennan Inseki");
    page.click(".game-open");
    page.wait("document.querySelector('.where').textContent === '0 / 3'");
    for _ in 0..2 {
        page.press("\u{e014}");
    }
    page.wait("document.querySelector('.where').textContent === '2 / 3'");
    page.press("g");
    page.wait_for("dialog.games-dialog");
    page.click("[name=position]");
    found("Ann - Bob,Honinbo Shusaku - Gennan Inseki");
    page.close_dialog();
    let complaints = page.browser.console();
    assert!(complaints.iter().all(|text| text.contains("/api/records") && text.contains("400")), "{complaints:?}");
}
