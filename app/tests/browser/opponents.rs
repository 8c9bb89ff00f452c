//! Whom one can play with: a net from the folder, and one that plays like a person of a rank.

use crate::desktop_with;
use crate::house::House;

const ANSWERED: &str = "document.querySelector('.where').textContent === '2 / 2'";

#[test]
fn a_net_from_the_folder_plays_and_plays_like_people() {
    let Some((_house, page)) = desktop_with(House::with_nets) else { return };
    // A net of one's own: no rank is claimed for its levels, since none was measured.
    page.press("n");
    page.wait_for("dialog [name=net]");
    assert!(page.text(".level-text").contains("about"));
    page.fill("net", "tiny-people");
    page.wait("/not measured/.test(document.querySelector('.level-text').textContent)");
    page.wait("!document.querySelector('[data-answer=even]').getClientRects().length");
    page.fill("pace", "instant");
    page.click("dialog [data-answer=start]");
    page.wait("location.hash && document.querySelector('.board.playable')");
    page.play("E5");
    page.wait(ANSWERED);
    // Like a person of a rank: the rank is theirs, and there is no level to choose.
    page.press("n");
    page.wait_for("dialog [name=like]");
    page.fill("like", "rank_5k");
    page.wait("!document.querySelector('dialog [name=level]').getClientRects().length");
    page.click("dialog [data-answer=start]");
    page.wait("document.querySelectorAll('.stone').length === 0 && document.querySelector('.board.playable')");
    page.wait("/5k/.test(document.querySelector('[data-player=white]').textContent)");
    page.play("E5");
    page.wait(ANSWERED);
    page.assert_quiet();
}
