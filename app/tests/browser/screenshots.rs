//! Pictures of the main screens, when `JIGO_SCREENSHOTS` names a folder for them (docs/screenshots.sh does).

use std::path::{Path, PathBuf};

use base64::Engine;
use serde_json::json;

use crate::page::Page;
use crate::visit;

/// Games of professionals on the small board, the last of them to be reviewed.
const GAMES: [&str; 3] = [
    "(;GM[1]SZ[9]KM[5.5]RE[W+T]DT[1993-11-13]EV[Mini-Go]PB[Yamada Shiho 5p]PW[Cho Chikun 9p];B[eg];W[ec];B[ed];W[fc];B[dd];W[dc]\
     ;B[fd];W[gd];B[ge];W[cd];B[gc];W[hd];B[he];W[ce];B[gb];W[ef];B[df];W[dg];B[ff];W[cf];B[ee];W[dh];B[fb];W[eb])",
    "(;GM[1]SZ[9]KM[5.5]RE[B+T]DT[1993-11-20]EV[Mini-Go]PB[Cho Chikun 9p]PW[Saito Tadashi 5p];B[dc];W[ef];B[cf];W[fc];B[gf];W[gd]\
     ;B[gh];W[cg];B[bg];W[bf];B[be];W[df];B[ce];W[bh];B[af];W[dh];B[he];W[db];B[eb];W[ec];B[cb];W[dd];B[cc];W[hd];B[id];W[fh];B[hc]\
     ;W[hh];B[fb];W[gc];B[gb];W[hb];B[ic];W[gg];B[hg];W[gi];B[fg];W[ff];B[gh];W[ib];B[ie];W[gg];B[ge];W[fe];B[gh])",
    "(;GM[1]SZ[9]KM[5.5]RE[W+0.5]DT[1993-10-30]EV[Mini-Go]PB[Yamada Wakio 7p]PW[Cho Chikun 9p];B[ee];W[ge];B[fg];W[ce];B[dc];W[fc]\
     ;B[gd];W[fd];B[fe];W[hd];B[gf];W[gc];B[cg];W[bg];B[bh];W[cf];B[dg];W[dd];B[bc];W[ed];B[eb];W[hf];B[hg];W[ig];B[ih];W[if];B[hh]\
     ;W[bd];B[cc];W[fb];B[ag];W[bf];B[ba];W[ah];B[ai];W[af];B[ch];W[ah];B[bi];W[ac];B[ab];W[ad];B[fa];W[ga];B[ea];W[ec];B[db];W[df]\
     ;B[ef];W[ag])",
];

fn take(page: &Page, folder: &Path, name: &str) {
    // The pointer would show the stone it is about to set, and a stone that is still coming down is half a stone.
    page.browser.point_at((1, 1));
    page.wait("document.getAnimations().every((animation) => animation.playState !== 'running' || animation.effect.getComputedTiming().iterations === Infinity)");
    let picture = page.browser.devtools("Page.captureScreenshot", json!({"format": "png"}));
    let bytes = base64::engine::general_purpose::STANDARD.decode(picture["data"].as_str().unwrap()).unwrap();
    std::fs::write(folder.join(format!("{name}.png")), bytes).unwrap();
}

#[test]
fn screenshots() {
    let Some(folder) = std::env::var_os("JIGO_SCREENSHOTS").map(PathBuf::from) else { return };
    std::fs::create_dir_all(&folder).unwrap();
    for (width, height, theme) in [(1440, 900, "light"), (390, 844, "dark")] {
        let Some((_house, page)) = visit(width, height) else { return };
        page.evaluate(&format!(
            "(localStorage.setItem('jigo.settings', '{{\"theme\":\"{theme}\",\"language\":\"en\"}}'), null)"
        ));
        page.browser.reload();
        page.wait_for(".welcome");
        let shoot = |screen: &str| take(&page, &folder, &format!("{screen}-{width}-{theme}"));
        shoot("welcome");
        page.begin(r#"{"type": "new", "size": 9, "color": "black", "level": 5, "pace": "instant", "teacher": 4}"#);
        for vertex in ["E5", "C3", "G7"] {
            page.wait_for_turn();
            if page.evaluate(&page.stone_at(vertex)).is_null() {
                page.touch(vertex);
                page.wait(&page.stone_at(vertex));
            }
            page.wait("document.querySelector('.board.playable, .teacher-line:not(:empty)')");
            if page.count(".teacher [data-command=keep]:enabled") > 0 {
                page.press("K");
            }
        }
        page.wait_for_turn();
        shoot("play");
        page.press("2");
        page.press("a");
        page.wait("/· [\\d.]+k? visits$/.test(document.querySelector('.analysis .summary').textContent)");
        shoot("analyse");
        page.press("a");
        for game in GAMES {
            page.open_record(game);
        }
        page.fill_select(".review-start select", "quick");
        page.click(".review-start [data-command=review]");
        page.wait(
            "document.querySelector('.review progress').hidden && document.querySelectorAll('.mistake').length > 0",
        );
        page.evaluate("document.activeElement.blur()");
        page.press(".");
        page.wait("document.querySelectorAll('.before-after .mini-board').length === 2");
        shoot("review");
        page.press("g");
        page.wait_for(".game-open");
        shoot("library");
    }
}
