//! The board in a real browser: headless Chromium, driven through chromedriver, against the real program. Every scenario ends by
//! asking the browser's console for complaints, so an error in the client or a breach of the content policy fails it.
//!
//! Without chromium and chromedriver (Debian: `chromium`, `chromium-driver`) the tests say so and pass.

mod driver;
mod house;
mod page;
#[path = "../skipped/mod.rs"]
mod skipped;

mod access;
mod analyse;
mod comfort;
mod editing;
mod evening;
mod exports;
mod keyboard;
mod layout;
mod library;
mod manners;
mod opponents;
mod play;
mod records;
mod review;
mod screenshots;
mod teaching;
mod trust;

use driver::Browser;
use house::House;
use page::Page;

/// A house with its door open and a browser window of this size in front of it; None when there is no browser here.
fn visit(width: u32, height: u32) -> Option<(House, Page)> {
    visit_with(width, height, House::open)
}

fn visit_with(width: u32, height: u32, open: impl FnOnce() -> House) -> Option<(House, Page)> {
    let browser = Browser::start(width, height)?;
    let house = open();
    let page = Page::new(browser, house.address());
    Some((house, page))
}

/// As [`desktop`], in front of a house of one's own.
fn desktop_with(open: impl FnOnce() -> House) -> Option<(House, Page)> {
    visit_with(1280, 860, open)
}

fn desktop() -> Option<(House, Page)> {
    visit(1280, 860)
}
