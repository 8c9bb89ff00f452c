//! The board in a real browser: headless Chromium, driven through chromedriver, against the real program. Every scenario ends by
//! asking the browser's console for complaints, so an error in the client or a breach of the content policy fails it.
//!
//! Without chromium and chromedriver (Debian: `chromium`, `chromium-driver`) the tests say so and pass.

mod driver;
mod house;
mod page;
#[path = "../skipped/mod.rs"]
mod skipped;

mod analyse;
mod comfort;
mod manners;
mod play;
mod records;
mod review;
mod trust;

use driver::Browser;
use house::House;
use page::Page;

/// A house with its door open and a browser window of this size in front of it; None when there is no browser here.
fn visit(width: u32, height: u32) -> Option<(House, Page)> {
    let browser = Browser::start(width, height)?;
    let house = House::open();
    let page = Page::new(browser, house.address());
    Some((house, page))
}

fn desktop() -> Option<(House, Page)> {
    visit(1280, 860)
}
