//! The page as a person uses it: points to touch, buttons to press, things to see.

use serde_json::Value;

use crate::driver::Browser;

pub struct Page {
    pub browser: Browser,
    address: String,
}

impl Page {
    /// Opens the page and waits until it knows the server.
    pub fn new(browser: Browser, address: &str) -> Page {
        let page = Page { browser, address: address.to_owned() };
        page.browser.open(address);
        page.wait_for(".welcome");
        page
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn wait(&self, condition: &str) {
        self.browser.wait(condition);
    }

    /// Waits until something of this kind is to be seen.
    pub fn wait_for(&self, selector: &str) {
        self.wait(&format!("[...document.querySelectorAll('{selector}')].some((e) => e.getClientRects().length)"));
    }

    pub fn evaluate(&self, expression: &str) -> Value {
        self.browser.evaluate(expression)
    }

    pub fn text(&self, selector: &str) -> String {
        self.evaluate(&format!("document.querySelector('{selector}').innerText")).as_str().unwrap().to_owned()
    }

    pub fn count(&self, selector: &str) -> u64 {
        self.evaluate(&format!("document.querySelectorAll('{selector}').length")).as_u64().unwrap()
    }

    /// The middle of the first element of this kind, on the screen.
    pub fn middle_of(&self, selector: &str) -> (i64, i64) {
        place(&self.evaluate(&format!(
            "(({{ x, y, width, height }}) => [x + width / 2, y + height / 2])\
             (document.querySelector('{selector}').getBoundingClientRect())"
        )))
    }

    /// Presses the first visible, enabled element of this kind, as a mouse would: once it stays where it is and nothing covers it.
    pub fn click(&self, selector: &str) {
        let place_at_rest = format!(
            "(() => {{
                const found = [...document.querySelectorAll('{selector}')].find((e) => e.getClientRects().length && !e.disabled);
                if (!found) return (window.at = null);
                const before = window.at;
                if (before?.found !== found) found.scrollIntoView({{ block: 'nearest' }});
                const {{ x, y, width, height }} = found.getBoundingClientRect();
                window.at = {{ found, since: performance.now(), place: [x + width / 2, y + height / 2] }};
                if (before?.found !== found || String(before.place) !== String(window.at.place)) return false;
                window.at.since = before.since;
                const hit = document.elementFromPoint(...window.at.place);
                return performance.now() - before.since > 50 && hit && (found.contains(hit) || hit.contains(found));
            }})()"
        );
        self.wait(&place_at_rest);
        // The next click looks afresh, at the same element too.
        let at = self.evaluate("(({ place }) => ((window.at = null), place))(window.at)");
        self.browser.click_at(place(&at), "mouse");
    }

    pub fn press(&self, key: &str) {
        self.browser.press(key);
    }

    /// Sets a form's field as its user would.
    pub fn fill(&self, name: &str, value: &str) {
        self.evaluate(&format!(
            "((value) => {{
                const fields = [...document.querySelectorAll('dialog [name={name}]')];
                if (fields[0].type === 'radio') return fields.find((field) => field.value === value).click();
                fields[0].value = value;
                for (const kind of ['input', 'change']) fields[0].dispatchEvent(new Event(kind, {{ bubbles: true }}));
            }})({})",
            Value::from(value)
        ));
    }

    /// Chooses from a list that is not in a dialog.
    pub fn fill_select(&self, selector: &str, value: &str) {
        self.evaluate(&format!(
            "((list) => {{ list.value = '{value}'; list.dispatchEvent(new Event('change')); }})(document.querySelector('{selector}'))"
        ));
    }

    /// Begins a game from the dialog; `fields` are changed from what it proposes.
    pub fn new_game(&self, fields: &[(&str, &str)]) {
        self.click(".bar [data-command=newGame]");
        self.wait_for("dialog.new-game");
        for (name, value) in fields {
            self.fill(name, value);
        }
        self.click("dialog [data-answer=start]");
        self.wait("location.hash && document.querySelector('.status').getClientRects().length");
    }

    /// Begins a game with a message of the protocol, and goes there.
    pub fn begin(&self, request: &str) {
        let id = self.evaluate(&format!(
            "(() => {{
                const request = new XMLHttpRequest();
                request.open('POST', '/api/games', false);
                request.setRequestHeader('content-type', 'application/json');
                request.send({});
                return JSON.parse(request.responseText).id;
            }})()",
            Value::from(request)
        ));
        self.evaluate(&format!("location.hash = {id}"));
        self.wait("document.querySelector('.status').getClientRects().length");
    }

    pub fn open_record(&self, sgf: &str) {
        let before = self.evaluate("location.hash");
        self.press("o");
        self.wait_for("dialog.open-record");
        self.fill("sgf", sgf);
        self.click("dialog [data-answer=open]");
        self.wait(&format!("location.hash !== {before} && document.querySelector('.status').getClientRects().length"));
    }

    /// The page in another language and theme, from its beginning.
    pub fn speak(&self, language: &str, theme: &str) {
        let settings = format!(r#"{{"language":"{language}","theme":"{theme}"}}"#);
        self.evaluate(&format!("(localStorage.setItem('jigo.settings', '{settings}'), null)"));
        self.browser.open("about:blank");
        self.browser.open(&self.address);
        self.wait(&format!("document.querySelector('html:lang({language}) .welcome').getClientRects().length"));
    }

    /// Escape, and no dialog is open any more.
    pub fn close_dialog(&self) {
        self.press("\u{e00c}");
        self.wait("!document.querySelector('dialog')");
    }

    /// Passes with the button, and waits until that is done.
    pub fn pass(&self) {
        let before = self.text(".where");
        self.click(".status [data-command=pass]");
        self.wait(&format!("document.querySelector('.where').innerText !== '{before}'"));
    }

    /// Where a point such as "D4" is on the screen.
    pub fn place(&self, vertex: &str) -> (i64, i64) {
        place(&self.evaluate(&format!(
            "((vertex) => {{
                const ground = document.querySelector('.ground');
                const [star, extent] = [ground.querySelector('.grid-edge'), ground.viewBox.baseVal.width];
                const [margin, span] = ['x', 'width'].map((name) => Number(star.getAttribute(name)));
                const size = span / 40 + 1;
                const box = ground.getBoundingClientRect();
                const column = 'ABCDEFGHJKLMNOPQRST'.indexOf(vertex[0]), row = size - Number(vertex.slice(1));
                const at = (start, n) => start + ((margin + n * 40) / extent) * box.width;
                return [at(box.left, column), at(box.top, row)];
            }})('{vertex}')"
        )))
    }

    pub fn touch(&self, vertex: &str) {
        self.browser.click_at(self.place(vertex), "mouse");
    }

    /// Plays there and waits until the stone is down.
    pub fn play(&self, vertex: &str) {
        self.wait("document.querySelector('.board.playable')");
        self.touch(vertex);
        self.wait(&format!("{} && !document.querySelector('.board.waiting')", self.stone_at(vertex)));
    }

    /// An expression: the colour of the stone at a point, or undefined.
    pub fn stone_at(&self, vertex: &str) -> String {
        format!(
            "((vertex) => {{
                const size = Number(document.querySelector('.ground .grid-edge').getAttribute('width')) / 40 + 1;
                const point = (size - Number(vertex.slice(1))) * size + 'ABCDEFGHJKLMNOPQRST'.indexOf(vertex[0]);
                return document.querySelector(`.stone[data-point=\"${{point}}\"]`)?.dataset.color;
            }})('{vertex}')"
        )
    }

    /// Waits until it is a person's turn at the game's own end. A line that is hidden, as while the teacher asks, is an old one.
    pub fn wait_for_turn(&self) {
        let line = "document.querySelector('.status-line')";
        self.wait(&format!(
            "{line}.getClientRects().length && /Your move|to move/.test({line}.textContent) && document.querySelector('.board.playable')"
        ));
    }

    /// Every scenario's last word.
    pub fn assert_quiet(&self) {
        let complaints = self.browser.console();
        assert!(complaints.is_empty(), "the browser complains: {complaints:#?}");
    }
}

fn place(pair: &Value) -> (i64, i64) {
    let at = |i: usize| pair[i].as_f64().unwrap().round() as i64;
    (at(0), at(1))
}
