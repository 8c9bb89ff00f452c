//! Editing a record as users of other editors expect: stones, marks, letters, facts, branches.

use crate::desktop;

#[test]
fn a_record_is_edited_with_the_palette() {
    let Some((_house, page)) = desktop() else { return };
    page.open_record("(;GM[1]SZ[9])");
    page.press("P");
    page.wait_for(".palette");
    page.touch("C3");
    page.wait(&format!("{} === 'black'", page.stone_at("C3")));
    page.press("2");
    page.touch("G7");
    page.wait(&format!("{} === 'white'", page.stone_at("G7")));
    page.press("3");
    page.touch("C3");
    page.wait(&format!("!{}", page.stone_at("C3")));
    page.press("4");
    page.touch("E5");
    page.wait_for(".sign.triangle");
    page.touch("E5");
    page.wait("!document.querySelector('.sign.triangle')");
    page.press("8");
    page.touch("D4");
    page.wait_for(".label");
    page.touch("F6");
    page.wait("[...document.querySelectorAll('.label text')].map((text) => text.textContent).sort().join() === 'A,B'");
    page.click("[data-edit=facts]");
    page.wait_for("dialog.facts");
    page.fill("black", "Aya");
    page.fill("event", "Club evening");
    page.click("dialog [data-answer=save]");
    page.wait("document.querySelector('[data-player=black] .name').textContent === 'Aya'");
    page.wait("/Club evening/.test(document.querySelector('.record-card').textContent)");
    page.click("[data-edit=done]");
    page.wait("!document.querySelector('.palette')");
    // A branch is cut and pasted elsewhere.
    page.play("E5");
    page.play("C7");
    page.press("\u{e012}");
    page.wait("document.querySelector('.where').textContent === '1 / 2'");
    page.press("P");
    page.click("[data-edit=cut]");
    page.wait("document.querySelector('.where').textContent === '0 / 0'");
    page.click("[data-edit=paste]");
    page.wait("document.querySelector('.where').textContent === '0 / 2'");
    page.assert_quiet();
}
