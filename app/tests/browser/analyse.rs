//! Live analysis: best moves, variations under the pointer, overlays, the komi curve.

use crate::house::House;
use crate::{desktop, desktop_with};

#[test]
fn best_moves_appear_and_a_variation_shows_under_the_pointer() {
    let Some((_house, page)) = desktop() else { return };
    page.new_game(&[("size", "9"), ("color", "both")]);
    page.play("E5");
    page.click("[data-tab=analyse]");
    page.click("[data-command=analyse]");
    page.wait("document.querySelectorAll('.candidate').length > 1");
    page.wait("/%/.test(document.querySelector('.moves td.rate').textContent)");
    // Until it rests, another move may become the best one under the pointer.
    page.wait("/ · 2\\.0k visits$/.test(document.querySelector('.analysis .summary').textContent)");
    page.browser.point_at(page.middle_of(".candidate.best"));
    page.wait("document.querySelectorAll('.ghost').length > 1");
    page.wait("document.querySelector('.ghost.white .number').textContent === '1'");
    page.browser.point_at((4, 400));
    page.wait("document.querySelectorAll('.ghost').length === 0");

    for (key, cells) in [("t", ".cell.owned-black"), ("h", ".cell.policy")] {
        page.press(key);
        page.wait(&format!("document.querySelector('{cells}')"));
    }
    page.press("h");
    page.wait("!document.querySelector('.cell')");
    // A net alone does not know which points decide the game; so they are not offered.
    assert_eq!(page.count("[data-command=criticality]:not([hidden])"), 0);
    page.wait_for(".komi-curve .curve");
    page.wait("/even at komi/.test(document.querySelector('.komi-curve').closest('.graph').textContent)");
    page.press("a");
    page.wait("!document.querySelector('.candidate')");
    page.assert_quiet();
}

#[test]
fn critical_points_are_those_that_stand_out() {
    let Some((_house, page)) = desktop_with(House::without_net) else { return };
    // A fight on the left, while the right is settled.
    page.open_record(
        "(;GM[1]SZ[9]KM[5.5];B[ee];W[ge];B[fg];W[ce];B[dc];W[fc];B[gd];W[fd];B[fe];W[hd];B[gf];W[gc];B[cg];W[bg];B[bh]\
         ;W[cf];B[dg];W[dd];B[bc];W[ed];B[eb];W[hf];B[hg];W[ig];B[ih];W[if];B[hh];W[bd];B[cc];W[fb])",
    );
    page.press("\u{e010}");
    page.press("2");
    page.press("a");
    page.click("[data-command=criticality]");
    page.wait("document.querySelector('.cell.critical')");
    page.wait("/ · 2\\.0k visits$/.test(document.querySelector('.analysis .summary').textContent)");
    let marked = page.count(".cell.critical");
    assert!((1..=27).contains(&marked), "{marked} of 81 points are called critical");
    page.press("c");
    page.wait("!document.querySelector('.cell')");
    page.assert_quiet();
}
