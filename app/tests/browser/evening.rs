//! A whole evening: a game with the teacher on, lost; the review; training on the mistakes; and the next day the game is found again.

use crate::desktop;

#[test]
fn an_evening_with_jigo() {
    let Some((mut house, page)) = desktop() else { return };
    page.new_game(&[("size", "9"), ("level", "5"), ("pace", "instant"), ("teacher", "2")]);
    // A first move to the corner point: the teacher has something to say, and the move is taken back.
    page.play("A1");
    page.wait("/lost about \\d+ points/.test(document.querySelector('.teacher-line').textContent)");
    page.click(".teacher [data-command=undo]");
    page.wait(&format!("!{}", page.stone_at("A1")));
    // A hint in three steps: where, which two, which one.
    page.wait_for_turn();
    page.press("H");
    page.wait("document.querySelectorAll('.hint-area').length === 9");
    page.press("H");
    page.wait("document.querySelectorAll('.hint-move').length === 2");
    page.press("H");
    page.wait("document.querySelectorAll('.hint-move').length === 1 && /^Play /.test(document.querySelector('.hint-line').textContent)");
    // This time the bad move is kept, three times over, and the game is lost.
    for vertex in ["A1", "A9", "J9"] {
        page.wait_for_turn();
        page.play(vertex);
        // How much it lost is the engine's opinion of the moment: the teacher warns, or the game goes on.
        let warned = "document.querySelector('.teacher [data-command=keep]:enabled')?.getClientRects().length";
        page.wait(&format!("{warned} || document.querySelector('.board.playable')"));
        if page.evaluate(warned).as_u64().is_some_and(|seen| seen > 0) {
            page.press("K");
        }
    }
    page.wait_for_turn();
    page.press("q");
    page.click("dialog [data-answer=yes]");
    page.wait("/White wins by resignation/.test(document.querySelector('.status-line').textContent)");

    page.click("[data-tab=review]");
    page.fill_select(".review-start select", "quick");
    page.click(".review-start [data-command=review]");
    page.wait("document.querySelector('.review progress').hidden && document.querySelectorAll('.mistake').length > 0");
    page.wait("/\\d+ %/.test(document.querySelector('[data-row=accuracy] td').textContent)");
    page.wait("document.querySelectorAll('.deciding .button').length > 0");
    page.click(".mistake");
    page.wait("document.querySelectorAll('.before-after .mini-board').length === 2");
    page.click(".better-line");
    // It is played out as a branch, and one stands at its first move.
    page.wait(&format!("/^1 \\//.test(document.querySelector('.where').textContent) && !{}", page.stone_at("A1")));

    // The mistakes are exercises now. The same bad move is judged again, and comes back later.
    page.press("T");
    page.wait("/Find Black/.test(document.querySelector('.training-card .guess-line').textContent)");
    page.wait("!document.querySelector('.candidate, .better, .next, .verdict')");
    page.play("J1");
    page.wait("/points/.test(document.querySelector('.training-card .guess-line').textContent)");
    page.wait("document.querySelector('[data-answer=next]').getClientRects().length");
    page.click("[data-answer=stop]");
    page.wait("!document.querySelector('.training-card')");
    page.assert_quiet();

    // The next day.
    house.crash();
    page.wait_for(".connection");
    house.come_back();
    page.browser.open("about:blank");
    page.browser.open(page.address());
    page.wait_for(".continue");
    page.press("g");
    page.wait_for("dialog [name=text]");
    page.fill("text", "jigo");
    page.wait("/1 of 1 games/.test(document.querySelector('.library .hint').textContent)");
    page.click(".game-open");
    page.wait("/White wins by resignation/.test(document.querySelector('.status-line').textContent)");
    page.click("[data-tab=review]");
    page.wait("document.querySelectorAll('.mistake').length > 0");
    let complaints = page.browser.console();
    assert!(
        complaints.iter().all(|text| text.contains("WebSocket") || text.contains("ERR_CONNECTION")),
        "{complaints:?}"
    );
}

#[test]
fn the_moves_of_a_record_are_guessed() {
    let Some((_house, page)) = desktop() else { return };
    page.open_record("(;GM[1]SZ[9]PB[Ann]PW[Bob];B[ee];W[cc];B[gg])");
    page.click(".review [data-command=guess]");
    page.wait_for(".guess-card");
    page.wait("!document.querySelector('.next')");
    // A double click is one guess.
    let (x, y) = page.place("E5");
    page.evaluate(&format!(
        "[1, 2].forEach(() => document.querySelector('.board').dispatchEvent(new MouseEvent('click', {{ clientX: {x}, clientY: {y} }})))"
    ));
    page.wait("/E5: right, 10 points/.test(document.querySelector('.guess-line').textContent)");
    page.wait("document.querySelector('.where').textContent === '1 / 3'");
    page.touch("C6");
    page.wait("/It was C7: 5 points/.test(document.querySelector('.guess-line').textContent)");
    page.wait("document.querySelector('.where').textContent === '2 / 3'");
    page.touch("A1");
    page.wait("/15 of 30 points/.test(document.querySelector('dialog').textContent)");
    page.assert_quiet();
}

#[test]
fn the_count_is_explained() {
    let Some((_house, page)) = desktop() else { return };
    for (rules, beside, komi) in [("chinese", "Living stones", "7.5"), ("japanese", "Prisoners", "6.5")] {
        page.begin(&format!(r#"{{"type": "new", "size": 5, "color": "both", "rules": "{rules}"}}"#));
        page.wait("document.querySelectorAll('.stone').length === 0 && document.querySelector('.board.playable')");
        for vertex in ["C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5"] {
            page.play(vertex);
        }
        for _ in 0..2 {
            page.pass();
        }
        page.wait_for(".count-card table");
        let told = page.text(".count-card");
        assert!(told.contains(beside) && told.contains(komi) && told.contains("Territory"), "{told}");
        page.click("[data-command=accept]");
        page.wait("/wins/.test(document.querySelector('.status-line').textContent)");
    }
    page.assert_quiet();
}

#[test]
fn a_disputed_group_is_played_out() {
    let Some((_house, page)) = desktop() else { return };
    page.begin(r#"{"type": "new", "size": 5, "color": "both", "rules": "japanese"}"#);
    page.wait("document.querySelectorAll('.stone').length === 0 && document.querySelector('.board.playable')");
    // White's stone at A5 is lost, but White does not believe it.
    for vertex in ["C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5", "B4", "A5"] {
        page.play(vertex);
    }
    for _ in 0..2 {
        page.pass();
    }
    page.wait_for(".count-card table");
    assert!(page.text(".count-card").contains("play on"), "the way out is told");
    page.click("[data-command=resume]");
    page.wait(
        "document.querySelector('.where').textContent === '12 / 12' && document.querySelector('.board.playable')",
    );
    page.play("B5");
    page.pass();
    page.play("A4");
    page.wait(&format!("!{}", page.stone_at("A5")));
    for _ in 0..2 {
        page.pass();
    }
    page.wait_for(".count-card table");
    page.wait("document.querySelector('[data-row=beside] td').textContent === '1'");
    page.wait("!document.querySelector('.stone.dead')");
    page.assert_quiet();
}
