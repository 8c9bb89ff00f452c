//! Numbers one can trust: a list of mistakes that holds, one side that is named, a komi that adds up, and a second try without hints.

use crate::desktop;

/// A game that was reviewed before. Black's first move was the best one, although the numbers fell after it; Black's third move went to
/// the corner point and lost eight points.
pub const REVIEWED: &str = "(;GM[1]FF[4]SZ[9]KM[7]PB[Aya]PW[Ben]JGR[50]JGV[50]SBKV[50]SBKS[0]JGB[E5 G5 C7]
;B[ee]JGR[50]JGV[50]SBKV[42]SBKS[-5]JGB[G5];W[ge]JGR[50]JGV[50]SBKV[50]SBKS[-4.5]JGB[C7 C3]
;B[aa]JGR[50]JGV[50]SBKV[12]SBKS[-12.5]JGB[C3];W[cg]JGR[50]JGV[50]SBKV[14]SBKS[-11.5]JGB[G7]
;B[gc]JGR[50]JGV[50]SBKV[13]SBKS[-11.4]JGB[G3])";

/// A live analysis has all its visits.
const AT_REST: &str = "/ · 2\\.0k visits$/.test(document.querySelector('.analysis .summary').textContent)";

const MISTAKES: &str = "[...document.querySelectorAll('.mistake')].map((row) => row.innerText.replace(/\\s+/g, ' '))";

#[test]
fn mistakes_are_no_best_moves_and_stay_what_they_are() {
    let Some((mut house, page)) = desktop() else { return };
    page.open_record(REVIEWED);
    page.wait("document.querySelectorAll('.mistake').length === 1");
    let before = page.evaluate(MISTAKES);
    assert!(before[0].as_str().unwrap().contains("A9"), "{before}");
    // From the end of the game the next mistake is the first one again.
    page.press("\u{e010}");
    page.wait("document.querySelector('.where').textContent === '5 / 5'");
    page.press(".");
    page.wait("document.querySelector('.where').textContent === '3 / 5'");
    // A closer look at one position, once it has come to its end and is kept, does not move the numbers of its neighbours.
    page.click("[data-tab=analyse]");
    page.click("[data-command=analyse]");
    page.wait(AT_REST);
    page.click(".analysis [data-command=analyse]");
    page.wait("!document.querySelector('.candidate')");
    page.click("[data-tab=review]");
    page.wait_for(".mistake");
    assert_eq!(page.evaluate(MISTAKES), before);
    // Nor does a fact that is told about the game.
    page.press("P");
    page.click("[data-edit=facts]");
    page.wait_for("dialog.facts");
    page.fill("event", "Club evening");
    page.click("dialog [data-answer=save]");
    page.wait("/Club evening/.test(document.querySelector('.record-card').textContent)");
    page.wait("document.querySelectorAll('.mistake').length === 1");
    assert_eq!(page.evaluate(MISTAKES), before);
    page.click("[data-edit=done]");
    // Nor does a restart.
    page.assert_quiet();
    house.crash();
    page.wait_for(".connection");
    house.come_back();
    page.browser.reload();
    page.wait("document.querySelectorAll('.mistake').length === 1");
    assert_eq!(page.evaluate(MISTAKES), before);
}

#[test]
fn a_loss_is_never_green() {
    let Some((_house, page)) = desktop() else { return };
    let colours = page.evaluate(
        "[1, 2, 3, 4, 5].map((n) => {
            const probe = document.createElement('i');
            probe.style.color = `var(--quality-${n})`;
            document.body.append(probe);
            return getComputedStyle(probe).color.match(/\\d+/g).map(Number);
        })",
    );
    for colour in colours.as_array().unwrap() {
        assert!(colour[0].as_u64() > colour[1].as_u64(), "more green than red: {colour}");
    }
}

#[test]
fn summary_and_table_speak_from_one_side_and_agree() {
    let Some((_house, page)) = desktop() else { return };
    page.new_game(&[("size", "9"), ("color", "both")]);
    page.play("E5");
    page.click("[data-tab=analyse]");
    page.click("[data-command=analyse]");
    // At rest, so that the two are of one moment.
    page.wait(
        "/White: [\\d.]+ % · \\S+ · \\S+ visits$/.test(document.querySelector('.analysis .summary').textContent)",
    );
    let told = page.evaluate(
        "(() => {
            const [, rate, lead] = document.querySelector('.analysis .summary').textContent.match(/: ([\\d.]+) % · (\\S+) ·/);
            const [first] = document.querySelectorAll('.moves tbody tr');
            const heads = [...document.querySelectorAll('.moves th')].map((head) => head.textContent);
            return [rate, lead, first.querySelector('.rate').textContent, first.querySelector('.score').textContent, heads[1], heads[2]];
        })()",
    );
    let told: Vec<&str> = told.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    assert_eq!((told[2].trim_end_matches([' ', '%']), told[3]), (told[0], told[1]));
    assert!(told[4].contains("White") && told[5].contains("White"), "{told:?}");
    page.assert_quiet();
}

#[test]
fn the_komi_the_engine_plays_under_adds_up_and_stays_known() {
    let Some((_house, page)) = desktop() else { return };
    // A net that is told the komi needs none that is imagined; the fast one is not told.
    page.new_game(&[("net", "fast"), ("size", "9"), ("handicap", "4"), ("level", "8"), ("pace", "instant")]);
    page.wait("/as if komi were/.test(document.querySelector('.komi-card').textContent)");
    page.wait_for_turn();
    let sum = page.evaluate(
        "(() => {
            const number = (text) => Number(text.replace('\\u2212', '-'));
            const [, under, extra] = document.querySelector('.komi-card').textContent.match(/komi were (\\S+) \\((\\S+)\\)/);
            const [, real] = document.querySelector('.record-card').textContent.match(/komi (\\S+)/);
            return number(under) - number(extra) - number(real);
        })()",
    );
    assert!(sum.as_f64().unwrap().abs() < 0.06, "{sum}");
    let history = "document.querySelector('.komi-history').closest('.graph').querySelector('.readout').textContent";
    page.wait(&format!("{history} !== ''"));
    let before = page.evaluate(history);
    // Analysis thinks under the real komi, and that is no news about the opponent's: not where it plays next, nor where it played.
    page.press("\u{e012}");
    page.wait("document.querySelector('.status[data-phase=away]')");
    page.click("[data-tab=analyse]");
    page.click("[data-command=analyse]");
    page.wait(AT_REST);
    page.click(".analysis [data-command=analyse]");
    page.wait("!document.querySelector('.candidate')");
    page.press("\u{e010}");
    page.wait_for(".status [data-command=resign]:enabled");
    page.click("[data-tab=play]");
    page.wait_for(".komi-history");
    assert_eq!(page.evaluate(history), before);
    page.click(".status [data-command=resign]");
    page.click("dialog [data-answer=yes]");
    page.wait("/The engine played as if/.test(document.querySelector('.komi-card').textContent)");
    page.assert_quiet();
}

#[test]
fn trying_again_begins_before_the_mistake_and_shows_no_answer() {
    let Some((_house, page)) = desktop() else { return };
    page.open_record(REVIEWED);
    page.click(".mistake");
    page.wait("document.querySelector('.where').textContent === '3 / 5'");
    page.press("a");
    page.wait("document.querySelectorAll('.candidate').length > 1");
    page.press("y");
    page.wait("/you play Black/.test(document.querySelector('.status-line').textContent)");
    page.wait(&format!("!{}", page.stone_at("A9")));
    page.wait("!document.querySelector('.candidate, .better, .next, .last.judged, .verdict')");
    page.play("C3");
    page.wait("document.querySelectorAll('.stone').length === 4");
    // The analysis that would tell the answer was switched off.
    page.click("[data-tab=analyse]");
    page.wait("document.querySelector('.analysis [data-command=analyse]').getAttribute('aria-label') === 'Analyse'");
    assert_eq!(page.count(".candidate"), 0);
    page.assert_quiet();
}
