//! Editing a record as users of other editors expect: stones, marks, letters, facts, branches.

use crate::desktop;

const LABELS: &str = "[...document.querySelectorAll('.label text')].map((text) => text.textContent).sort().join()";

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
    page.wait(&format!("{LABELS} === 'A,B'"));
    // The same again takes it away; numbers count for themselves.
    page.touch("F6");
    page.wait(&format!("{LABELS} === 'A'"));
    page.press("9");
    page.touch("F6");
    page.wait(&format!("{LABELS} === '1,A'"));
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

#[test]
fn lines_and_arrows_are_drawn_from_point_to_point() {
    let Some((_house, page)) = desktop() else { return };
    page.open_record("(;GM[1]SZ[9])");
    page.press("P");
    page.wait_for(".palette");
    let strokes = |count: u32| page.wait(&format!("document.querySelectorAll('.stroke').length === {count}"));
    for (key, from, to, count) in [("0", "C3", "G3", 1), ("-", "C7", "G7", 2)] {
        page.press(key);
        page.touch(from);
        // Where it begins is seen until the other end is chosen.
        page.wait_for(".hint-move");
        page.touch(to);
        strokes(count);
        page.wait("!document.querySelector('.hint-move')");
    }
    // An arrow has a head and a line has none; the same again takes it away.
    page.wait("[...document.querySelectorAll('.stroke')].filter((stroke) => stroke.getAttribute('d').match(/L/g).length > 1).length === 1");
    page.touch("C7");
    page.wait_for(".hint-move");
    page.touch("G7");
    strokes(1);
    page.assert_quiet();
}

#[test]
fn a_problem_is_set_up_for_the_other_side_to_move() {
    let Some((_house, page)) = desktop() else { return };
    page.open_record("(;GM[1]SZ[9])");
    page.press("P");
    page.wait_for(".palette");
    page.touch("C3");
    page.wait(&format!("{} === 'black'", page.stone_at("C3")));
    page.click("[data-edit=turn]");
    page.wait("/White to move/.test(document.querySelector('.status-line').textContent)");
    page.click("[data-edit=done]");
    page.play("D4");
    page.wait(&format!("{} === 'white'", page.stone_at("D4")));
    // The palette belongs to one game.
    page.press("P");
    page.wait_for(".palette");
    page.open_record("(;GM[1]SZ[13])");
    page.wait("!document.querySelector('.palette')");
    page.assert_quiet();
}

#[test]
fn moves_are_numbered_and_a_position_is_text() {
    let Some((_house, page)) = desktop() else { return };
    page.open_record("(;GM[1]SZ[5];B[cc];W[dd];B[bb])");
    page.press("\u{e010}");
    page.wait("document.querySelector('.where').textContent === '3 / 3'");
    page.press("m");
    page.wait(
        "[...document.querySelectorAll('.marks .number')].map((text) => text.textContent).sort().join() === '1,2,3'",
    );
    page.press("m");
    page.wait("!document.querySelector('.marks .number')");
    page.press("P");
    page.wait_for(".palette");
    // A browser may refuse the clipboard; then the text is there to be taken by hand.
    page.evaluate("(Object.defineProperty(navigator, 'clipboard', { value: undefined }), null)");
    page.click("[data-edit=text]");
    page.wait_for("textarea.as-text");
    let diagram = "   A B C D E\n 5 . . . . .\n 4 . X . . .\n 3 . . X . .\n 2 . . . O .\n 1 . . . . .";
    assert_eq!(page.evaluate("document.querySelector('textarea.as-text').value"), diagram);
    page.assert_quiet();
}
