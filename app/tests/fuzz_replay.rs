//! What fuzzing begins with and every fault it ever found, once more through the same ways in. Looking for new ones is `.ci/fuzz`.

#[path = "../../fuzz/src/lib.rs"]
mod fuzz;

use std::fs;
use std::path::Path;

#[test]
fn seeds_and_past_findings_do_no_harm() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
    for (name, way_in) in fuzz::WAYS_IN {
        let seeds = folder.join("seeds").join(name);
        let findings = folder.join("findings").join(name);
        assert!(fs::read_dir(&seeds).unwrap().next().is_some(), "{name} has nothing to begin with");
        // Most have no findings, and so no folder of them.
        for file in fs::read_dir(seeds).into_iter().chain(fs::read_dir(findings)).flatten() {
            let path = file.unwrap().path();
            eprintln!("{}", path.display());
            way_in(&fs::read(path).unwrap());
        }
    }
}
