//! Live analysis: best moves, variations under the pointer, overlays, the komi curve.

use crate::desktop;

#[test]
fn best_moves_appear_and_a_variation_shows_under_the_pointer() {
    let Some((_house, page)) = desktop() else { return };
    page.new_game(&[("size", "9"), ("color", "both")]);
    page.play("E5");
    page.click("[data-tab=analyse]");
    page.click("[data-command=analyse]");
    page.wait("document.querySelectorAll('.candidate').length > 1");
    page.wait("/%/.test(document.querySelector('.moves td.rate').textContent)");
    page.browser.point_at(page.middle_of(".candidate.best"));
    page.wait("document.querySelectorAll('.ghost').length > 1");
    page.wait("document.querySelector('.ghost.white .number').textContent === '1'");
    page.browser.point_at((4, 400));
    page.wait("document.querySelectorAll('.ghost').length === 0");

    for (key, cells) in [("t", ".cell.owned-black"), ("h", ".cell.policy"), ("c", ".cell.critical")] {
        page.press(key);
        page.wait(&format!("document.querySelector('{cells}')"));
    }
    page.press("c");
    page.wait("!document.querySelector('.cell')");
    page.wait_for(".komi-curve .curve");
    page.wait("/even at komi/.test(document.querySelector('.komi-curve').closest('.graph').textContent)");
    page.press("a");
    page.wait("!document.querySelector('.candidate')");
    page.assert_quiet();
}
