//! Five thousand games: the page is as light as before, and a search takes no time worth noticing.

use std::time::Instant;

use crate::{desktop_with, house::House};

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
