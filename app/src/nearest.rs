//! What somebody may have meant.

/// Less alike than this, a name is no help.
const ALIKE: f64 = 0.7;

/// The known name most like this one, as the end of a sentence; nothing if none is like it.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let likeness = |known: &str| strsim::jaro_winkler(name, known).max(strsim::jaro_winkler(name, last_part(known)));
    let nearest = known.into_iter().map(|known| (likeness(known), known)).max_by(|a, b| a.0.total_cmp(&b.0));
    match nearest {
        Some((alike, known)) if alike >= ALIKE => format!("; did you mean {known}?"),
        _ => String::new(),
    }
}

/// People leave out the room of a parameter.
fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_answered_with_the_name_that_was_meant() {
        let known = ["engine.lag", "search.criticality", "search.komi_method"];
        assert_eq!(did_you_mean("serach.criticality", known), "; did you mean search.criticality?");
        assert_eq!(did_you_mean("lagg", known), "; did you mean engine.lag?");
        assert_eq!(did_you_mean("komi-method", known), "; did you mean search.komi_method?");
        assert_eq!(did_you_mean("xyzzy", known), "");
    }
}
