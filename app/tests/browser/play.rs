//! Playing: a whole game with its count, moves that are not allowed, the keyboard, a phone.

use crate::{desktop, visit};

#[test]
fn a_small_game_is_played_to_the_end_and_counted() {
    let Some((_house, page)) = desktop() else { return };
    page.new_game(&[("size", "9"), ("level", "1"), ("pace", "instant")]);
    assert!(page.text("[data-player=white]").contains("about"), "the rank is said to be an estimate");
    // A wall in the middle, then passes until the opponent has nothing left to do either.
    for vertex in ["E5", "E4", "E6", "E3", "E7", "E2", "E8"] {
        page.wait_for_turn();
        if page.evaluate(&page.stone_at(vertex)).is_null() {
            page.play(vertex);
        }
    }
    let counting = "document.querySelector('.board.counting')";
    loop {
        page.wait(&format!("{counting} || document.querySelector('.board.playable')"));
        if !page.evaluate(counting).is_null() {
            break;
        }
        let number = page.text(".where");
        page.press("p");
        page.click("dialog [data-answer=yes]");
        page.wait(&format!("{counting} || document.querySelector('.where').innerText !== '{number}'"));
    }
    page.wait_for("[data-command=accept]:enabled");
    let dead = page.count(".stone.dead");
    page.touch("E5");
    page.wait(&format!("document.querySelectorAll('.stone.dead').length !== {dead}"));
    page.touch("E5");
    page.wait(&format!("document.querySelectorAll('.stone.dead').length === {dead}"));
    assert!(page.text(".status-note").contains("wins by"), "the result as it is marked");
    page.click("[data-command=accept]");
    page.wait("/wins|drawn/.test(document.querySelector('.status-line').textContent)");
    page.click("[data-command=rematch]");
    page.wait("document.querySelector('[data-player=black] .name').textContent === 'Jigo'");
    page.assert_quiet();
}

#[test]
fn a_stone_on_the_board_of_the_welcome_page_begins_a_game() {
    let Some((_house, page)) = desktop() else { return };
    page.wait("document.querySelector('.board.playable')");
    page.touch("E5");
    page.wait(&format!("location.hash && {} === 'black'", page.stone_at("E5")));
    page.wait("document.querySelector('.where').textContent === '2 / 2'");
    page.assert_quiet();
}

#[test]
fn an_illegal_move_says_why() {
    let Some((_house, page)) = desktop() else { return };
    page.new_game(&[("size", "9"), ("color", "both")]);
    for vertex in ["C4", "F4", "D5", "E5", "D3", "E3", "A2", "D4", "E4"] {
        page.play(vertex);
    }
    page.wait(&format!("!{}", page.stone_at("D4")));
    page.browser.point_at(page.place("D4"));
    page.wait_for(".forbidden");
    page.touch("D4");
    page.wait("/Ko/.test(document.querySelector('.toast.error').textContent)");
    for vertex in ["H8", "B1"] {
        page.play(vertex);
    }
    page.touch("A1");
    page.wait("/suicide/.test(document.querySelector('.toasts').textContent)");
    page.touch("B1");
    page.wait("/already/.test(document.querySelector('.toasts').textContent)");
    page.assert_quiet();
}

#[test]
fn the_keyboard_is_enough() {
    let Some((_house, page)) = desktop() else { return };
    page.press("n");
    page.wait_for("dialog.new-game");
    page.fill("color", "both");
    page.press("\u{e007}");
    page.wait("location.hash && !document.querySelector('dialog') && document.querySelector('.board.playable')");
    page.press("f");
    page.wait_for(".cursor rect");
    for key in ["\u{e012}", "\u{e013}", "\u{e007}"] {
        page.press(key);
    }
    page.wait(&format!("{} === 'black'", page.stone_at("D6")));
    page.press("\u{e00c}");
    page.wait("document.activeElement === document.body");
    page.press("\u{e012}");
    page.wait("document.querySelector('.where').textContent === '0 / 1'");
    // The cursor stays on the board when a larger one takes its place.
    page.press("f");
    page.wait_for(".cursor rect");
    page.press("n");
    page.wait_for("dialog.new-game");
    page.fill("size", "13");
    page.press("\u{e007}");
    page.wait("document.body.textContent.includes('G7 empty')");
    page.wait_for(".cursor rect");
    page.press("\u{e00c}");
    page.wait("document.activeElement === document.body");
    page.press("?");
    page.wait_for("dialog.shortcuts kbd");
    page.assert_quiet();
}

#[test]
fn a_phone_shows_the_whole_board_and_takes_touches() {
    let Some((_house, page)) = visit(390, 844) else { return };
    page.click("[data-size=\"9\"]");
    page.wait("location.hash && document.querySelector('.board.playable')");
    let fits = "(({ left, right }) => left >= 0 && right <= innerWidth && document.body.scrollWidth <= innerWidth)\
                (document.querySelector('.board').getBoundingClientRect())";
    assert_eq!(page.evaluate(fits), true);
    page.evaluate("scrollTo(0, 0)");
    page.browser.click_at(page.place("E5"), "touch");
    page.wait(&format!("{} === 'black'", page.stone_at("E5")));

    // On the large board a finger aims first and plays with the second touch.
    page.new_game(&[("size", "19"), ("color", "both")]);
    page.wait("document.querySelectorAll('.stone').length === 0 && document.querySelector('.board.playable')");
    page.evaluate("scrollTo(0, 0)");
    page.browser.click_at(page.place("Q16"), "touch");
    page.wait_for(".shade.aimed");
    page.browser.click_at(page.place("Q16"), "touch");
    page.wait(&format!("{} === 'black'", page.stone_at("Q16")));
    assert_eq!(page.evaluate(fits), true);
    page.assert_quiet();
}
