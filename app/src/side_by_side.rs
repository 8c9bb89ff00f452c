//! How many things are done side by side, as people ask for it.

/// So many threads, if this machine can run them.
pub fn read(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=1024).contains(count)).ok_or("it is a number from 1 to 1024")?;
    jigo_search::ask_for_threads(count).map_err(|error| error.to_string())?;
    Ok(count)
}
