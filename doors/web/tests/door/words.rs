//! The page's words: every language says everything that English says, and fills in the same numbers and names.

use std::collections::{BTreeMap, BTreeSet};

/// The sentences of a language by their keys, as the file lists them: one `"key": "words",` a line.
fn words(language: &str) -> BTreeMap<String, String> {
    let path = format!("{}/client/i18n/{language}.js", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let sentence = |line: &str| {
        let (key, words) = line.trim().strip_prefix('"')?.split_once("\": \"")?;
        Some((key.to_owned(), words.trim_end_matches("\",").to_owned()))
    };
    text.lines().filter_map(sentence).collect()
}

/// What is filled in, such as `{count}`.
fn blanks(words: &str) -> BTreeSet<&str> {
    words.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect()
}

#[test]
fn every_language_says_everything() {
    let english = words("en");
    assert!(english.len() > 300, "{}", english.len());
    for language in ["ja", "zh", "ko"] {
        let translated = words(language);
        // Only English tells one thing from many.
        for (key, sentence) in english.iter().filter(|(key, _)| !key.ends_with(".one")) {
            let found = translated.get(key).unwrap_or_else(|| panic!("{language} lacks {key}"));
            assert_eq!(blanks(found), blanks(sentence), "{language}: {key}");
        }
        let unknown: Vec<&String> = translated.keys().filter(|key| !english.contains_key(*key)).collect();
        assert!(unknown.is_empty(), "{language}: nothing asks for {unknown:?}");
    }
}
