//! Whoever closes our output early has read enough: `jigo config | head` is no mistake.

use std::io::{Error, ErrorKind};
use std::process::exit;

/// `println!` panics when nobody reads; from then on such a panic ends the program in peace.
pub fn end_in_peace() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // The standard library's words; there is no other sign.
        let is_told = |text: &String| text.starts_with("failed printing to std") && text.contains("Broken pipe");
        if panic.payload().downcast_ref().is_some_and(is_told) {
            exit(0);
        }
        usual(panic);
    }));
}

/// Did writing fail because nobody reads any more?
pub fn is_cause_of(error: &anyhow::Error) -> bool {
    let causes = error.chain().filter_map(|cause| cause.downcast_ref::<Error>());
    causes.into_iter().any(|cause| cause.kind() == ErrorKind::BrokenPipe)
}
