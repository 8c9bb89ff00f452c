//! A teacher who asks and does not tell, exercises without the answer beside them, and an opponent who follows the results.

use crate::desktop;
use crate::trust::REVIEWED;

#[test]
fn a_warning_does_not_tell_the_answer_and_what_was_taken_back_is_no_part_of_the_game() {
    let Some((_house, page)) = desktop() else { return };
    page.new_game(&[("size", "9"), ("level", "1"), ("pace", "instant"), ("teacher", "2")]);
    page.play("A1");
    page.wait_for(".teacher [data-command=keep]:enabled");
    // The move is marked, the better one is not; and it is the player who has to think, not the engine.
    page.wait_for(".last.judged");
    assert_eq!(page.count(".better, .candidate, .hint-move"), 0);
    assert!(!page.text("[data-player=white]").contains("thinking"));
    assert_eq!(page.text(".teacher .primary"), "Take it back");
    page.click(".teacher .primary");
    page.wait("document.querySelector('.where').textContent === '0 / 0'");
    page.press("\u{e010}");
    page.wait_for_turn();
    assert_eq!(page.text(".where"), "0 / 0", "the end of the game is where it is played");
    // A mistake of a game that still goes on is no exercise.
    page.press("T");
    page.wait("/Review some of your games/.test(document.querySelector('dialog').textContent)");
    page.assert_quiet();
}

#[test]
fn an_exercise_tells_the_answer_after_the_move_and_not_before() {
    let Some((_house, page)) = desktop() else { return };
    page.open_record(REVIEWED);
    page.wait("document.querySelectorAll('.mistake').length === 1");
    page.press("T");
    page.wait("/Find Black/.test(document.querySelector('.training-card .guess-line').textContent)");
    page.wait("document.querySelectorAll('.stone').length === 2 && document.querySelector('.board.playable')");
    // Neither the list of mistakes nor the graph is there to be peeped at.
    assert_eq!(page.evaluate("document.querySelectorAll('#panel, .tabs, .status').length"), 3);
    page.wait(
        "[...document.querySelectorAll('#panel, .tabs, .status')].every((part) => !part.getClientRects().length)",
    );
    assert_eq!(page.count(".better, .hint-move, .next, .verdict"), 0);
    page.play("A1");
    page.wait("/better is C7/.test(document.querySelector('.training-card .guess-line').textContent)");
    page.wait("document.querySelectorAll('.hint-move').length === 1");
    // The engine answers the move that was tried.
    page.wait("document.querySelectorAll('.stone').length === 4");
    page.click("[data-answer=next]");
    page.wait("!document.querySelector('.training-card') && document.querySelector('#panel').getClientRects().length");
    page.assert_quiet();
}

#[test]
fn the_lines_of_a_mistake_differ_by_what_it_lost() {
    let Some((_house, page)) = desktop() else { return };
    // After the mistake White's best move is worth a little more than all that was tried; the loss is counted from the latter.
    page.open_record(&REVIEWED.replace("SBKS[-12.5]", "SBKS[-14]JGM[-12.5]"));
    page.click(".mistake");
    page.wait("document.querySelectorAll('.before-after .mini-board').length === 2");
    // What follows the move, beside the graph and on the card.
    page.wait("/W\\+12\\.5$/.test(document.querySelector('.game-graph').closest('.graph').querySelector('.readout').textContent)");
    assert!(page.text(".played-line").contains("W+12.5"));
    let told = page.evaluate(
        "(() => {
            const lead = (name) => document.querySelector(name).textContent.match(/: ([BW])\\+([\\d.]+)/);
            const black = ([, side, points]) => (side === 'B' ? 1 : -1) * Number(points);
            const lost = Number(document.querySelector('.mistake .lost').textContent.slice(1));
            return Math.abs(black(lead('.better-line')) - black(lead('.played-line'))) - lost;
        })()",
    );
    assert!(told.as_f64().unwrap().abs() < 0.11, "{told}");
    page.assert_quiet();
}

#[test]
fn an_even_opponent_follows_the_results() {
    let Some((_house, page)) = desktop() else { return };
    page.new_game(&[("size", "9"), ("level", "1"), ("pace", "instant")]);
    // Given up at once: that says nothing.
    page.press("q");
    page.click("dialog [data-answer=yes]");
    page.wait("/wins by resignation/.test(document.querySelector('.status-line').textContent)");
    page.press("n");
    page.wait_for("dialog [data-answer=even]");
    assert_eq!(page.text("[data-answer=even]"), "Even for me: level 3");
    page.fill("level", "1");
    page.click("dialog [data-answer=start]");
    page.wait("document.querySelectorAll('.stone').length === 0 && document.querySelector('.board.playable')");
    // A game of ten moves that is lost at the lowest level: two stones from now on.
    for vertex in ["E5", "A1", "A9", "J1", "J9", "A5", "E1"] {
        page.wait_for_turn();
        if page.evaluate(&page.stone_at(vertex)).is_null() {
            page.play(vertex);
        }
    }
    page.wait_for_turn();
    page.press("q");
    page.click("dialog [data-answer=yes]");
    page.wait("/wins by resignation/.test(document.querySelector('.status-line').textContent)");
    page.press("n");
    page.wait_for("dialog [data-answer=even]");
    assert_eq!(page.text("[data-answer=even]"), "Even for me: level 1, 2 stones");
    assert_eq!(page.count(".level-curve"), 0, "one game is no curve");
    page.click("[data-answer=even]");
    assert_eq!(page.evaluate("document.querySelector('dialog [name=handicap]').value"), "2");
    // With two stones it is lost again: three from now on, and the way down is drawn.
    page.click("dialog [data-answer=start]");
    page.wait("document.querySelectorAll('.stone').length === 3 && document.querySelector('.board.playable')");
    for vertex in ["E5", "A1", "A9", "J1", "J9", "A5", "E1"] {
        page.wait_for_turn();
        if page.evaluate(&page.stone_at(vertex)).is_null() {
            page.play(vertex);
        }
    }
    page.wait_for_turn();
    page.press("q");
    page.click("dialog [data-answer=yes]");
    page.wait("/wins by resignation/.test(document.querySelector('.status-line').textContent)");
    page.press("n");
    page.wait_for("dialog [data-answer=even]");
    assert_eq!(page.text("[data-answer=even]"), "Even for me: level 1, 3 stones");
    page.wait("document.querySelectorAll('.level-curve circle').length === 2");
    page.assert_quiet();
}

#[test]
fn in_a_serious_game_nobody_says_anything_unasked() {
    let Some((_house, page)) = desktop() else { return };
    page.new_game(&[("size", "9"), ("level", "5"), ("pace", "instant")]);
    for vertex in ["A1", "A9"] {
        page.wait_for_turn();
        page.play(vertex);
    }
    page.wait_for_turn();
    // The engine has thought about its own moves, but neither warning nor graph, verdict or hint is there.
    page.wait("!document.querySelector('.teacher').getClientRects().length");
    assert_eq!(page.count(".last.judged, .better, .hint-move, .hint-area, .verdict, .candidate"), 0);
    page.wait("!document.querySelector('.game-graph').getClientRects().length");
    // Whoever asks is told.
    page.press("H");
    page.wait("document.querySelector('.hint-area')");
    page.assert_quiet();
}
