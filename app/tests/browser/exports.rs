//! Out of the browser, from one menu: record, page and pictures are what they say they are.

use crate::desktop;
use crate::trust::REVIEWED;

#[test]
fn everything_leaves_from_one_menu() {
    let Some((_house, page)) = desktop() else { return };
    page.open_record("(;GM[1]SZ[9]PB[Ann]PW[Bob];B[ee];W[cc])");
    // Without a review there is no graph, and that is said.
    page.press("E");
    page.click("[data-export=graph]");
    page.wait("/no graph yet/.test(document.querySelector('.toasts').textContent)");
    page.open_record(REVIEWED);
    page.wait("document.querySelectorAll('.mistake').length === 1");
    page.wait("document.querySelector('.game-graph .score-line')?.getAttribute('d').length > 30");
    page.evaluate(
        "(() => {
            window.offered = {};
            const make = URL.createObjectURL;
            URL.createObjectURL = (blob) => {
                blob.text().then((text) => { window.offered[blob.type] = { text, size: blob.size }; });
                return make(blob);
            };
        })()",
    );
    let export = |name: &str, kind: &str, holds: &str| {
        page.press("E");
        page.click(&format!("[data-export={name}]"));
        page.wait(&format!("window.offered['{kind}'] && ((file) => {holds})(window.offered['{kind}'])"));
        page.evaluate("(window.offered = {}, null)");
    };
    export(
        "record",
        "application/x-go-sgf",
        "file.text.includes('C7 was better') && /;B\\[cc\\]\\s*;W\\[cg\\]/.test(file.text)",
    );
    let is_page = "file.text.includes('<h1>Aya – Ben</h1>') && file.text.includes('A9 lost 8.0 points') && \
                   file.text.includes('<style>') && file.text.match(/class=\"mini-ring\"/g).length === 2";
    export("page", "text/html", is_page);
    export("png", "image/png", "file.size > 10000");
    export("svg", "image/svg+xml", "file.text.startsWith('<svg') && !file.text.includes('class=\"last')");
    export("graph", "image/png", "file.size > 2000");
    page.assert_quiet();
}
