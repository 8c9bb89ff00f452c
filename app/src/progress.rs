//! Progress of long work as a bar with rate and time left.

use indicatif::{ProgressBar, ProgressStyle};
use jigo_tables::Progress;

/// A bar that starts anew with every stage.
pub fn bar() -> Progress<'static> {
    let style = ProgressStyle::with_template("{msg:<24} {wide_bar} {pos}/{len} {per_sec} {eta} left")
        .expect("the template is well-formed");
    let bar = ProgressBar::no_length().with_style(style);
    let mut current = String::new();
    Progress::new(move |stage, done, total| {
        if current != stage {
            current = stage.to_string();
            bar.reset();
            bar.set_message(current.clone());
        }
        bar.set_length(total);
        bar.set_position(done);
    })
}
