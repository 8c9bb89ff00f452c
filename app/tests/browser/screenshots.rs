//! Pictures of the main screens, when `JIGO_SCREENSHOTS` names a folder for them (docs/screenshots.sh does).

use std::path::{Path, PathBuf};

use base64::Engine;
use serde_json::json;

use crate::page::Page;
use crate::trust::REVIEWED;
use crate::visit;

fn take(page: &Page, folder: &Path, name: &str) {
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
        page.wait("/\\S+ visits$/.test(document.querySelector('.analysis .summary').textContent)");
        shoot("analyse");
        page.press("a");
        page.open_record(REVIEWED);
        page.press(".");
        page.wait("document.querySelectorAll('.before-after .mini-board').length === 2");
        shoot("review");
        page.press("g");
        page.wait_for(".game-open");
        shoot("library");
    }
}
