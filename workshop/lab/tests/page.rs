//! The page of claims in the repository is the one that its results make.

use std::path::Path;

use jigo_lab::{claims, findings};

#[test]
fn the_page_is_made_from_the_results() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/experiments");
    let made = claims::page(&findings::read_all(&folder.join("results")).unwrap());
    let page = folder.join("README.md");
    if std::env::var_os("JIGO_WRITE_PAGE").is_some() {
        std::fs::write(&page, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&page).unwrap();
    let differs = kept.lines().zip(made.lines()).find(|(kept, made)| kept != made);
    assert!(kept == made, "`jigo lab report` was not run after the results changed: {differs:?}");
}
