//! Settings under which the tested thing cannot act, so that nobody takes two equal programs for a result.

use jigo_board::TimeControl;

use crate::contest::Conditions;
use crate::experiment::{Contestant, Experiment, Start};

/// Simulations between two adjustments of dynamic komi, as published (Dynamic komi footnote 12).
const KOMI_INTERVAL: u64 = 1000;
/// The least h that Go Intellect draws (Go Intellect IV).
const LEAST_RAVE_UNTIL: u64 = 2000;

/// One sentence for each thing that cannot act in games and searches like these.
pub fn idle(experiment: &Experiment, conditions: &Conditions) -> Vec<String> {
    if conditions.clock != TimeControl::Unlimited {
        return Vec::new();
    }
    let mut warnings: Vec<String> = Vec::new();
    if experiment.defaults.clock.is_some() {
        warnings.push(format!("{} is about time: without a clock there is none to spend.", experiment.name));
    }
    // Of rows that draw their parameters.
    let mut longest = None;
    for variant in (experiment.variants)(conditions.size).into_iter().filter(|variant| conditions.plays(variant)) {
        let Contestant::Jigo { settings, effort, .. } = &variant.player else { continue };
        let playouts = (conditions.playouts as f64 * effort).round() as u64;
        let value = |wanted: &str| settings.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.as_str());
        if let Some(visits) = value("search.criticality_visits").and_then(|value| value.parse::<u64>().ok())
            && visits >= playouts
        {
            warnings.push(format!(
                "{}: criticality from {visits} visits hardly acts in searches of {playouts} playouts.",
                variant.label
            ));
        }
        if matches!(variant.start, Start::Takes(1) | Start::Gives(1)) && value("search.komi_method") == Some("linear") {
            warnings.push(format!(
                "{}: one stone is the first move without komi, which linear komi counts as none.",
                variant.label
            ));
        }
        if value("go_intellect.randomised") == Some("on") {
            longest = longest.max(Some(playouts));
        }
        let often = value("search.komi_slices").is_some_and(|slices| slices != "0");
        let adjusts = !often && matches!(value("search.komi_method"), Some("score" | "value"));
        if adjusts && value("search.komi_online") != Some("off") && playouts <= KOMI_INTERVAL {
            warnings.push(format!(
                "Komi changes every {KOMI_INTERVAL} simulations: in searches of {playouts} playouts only between moves, which is \
                 offline komi."
            ));
        }
    }
    if let Some(playouts) = longest.filter(|&playouts| playouts <= LEAST_RAVE_UNTIL) {
        warnings.push(format!(
            "Of the drawn parameters h never acts: RAVE is dropped above {LEAST_RAVE_UNTIL} visits at the earliest, and the longest \
             search has {playouts} playouts."
        ));
    }
    warnings.dedup();
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments;

    fn warnings(name: &str, playouts: u64) -> Vec<String> {
        let experiment = experiments::by_name(name).unwrap();
        idle(experiment, &Conditions { playouts, ..Conditions::of(experiment, false) })
    }

    #[test]
    fn time_needs_a_clock() {
        let experiment = experiments::by_name("time-reply").unwrap();
        let timed = Conditions::of(experiment, false);
        assert!(idle(experiment, &timed).is_empty());
        let untimed = Conditions { clock: TimeControl::Unlimited, ..timed };
        assert!(idle(experiment, &untimed)[0].contains("without a clock"));
    }

    #[test]
    fn linear_komi_counts_stones_and_one_is_none() {
        let experiment = experiments::by_name("komi-giving").unwrap();
        let with = |row: &str| Conditions { rows: vec![row.to_string()], ..Conditions::of(experiment, true) };
        assert!(idle(experiment, &with("linear, 1"))[0].starts_with("linear, 1"));
        assert!(idle(experiment, &with("linear, 2")).is_empty());
        assert!(idle(experiment, &with("value, 1")).is_empty());
    }

    #[test]
    fn short_searches_are_warned_about_and_long_ones_are_not() {
        assert!(warnings("criticality", 400)[0].contains("2000 visits"));
        assert!(warnings("criticality", 5000).is_empty());
        assert!(warnings("komi-even", 400).is_empty(), "its komi changes ten times in a search of any length");
        assert!(warnings("playouts", 10).is_empty());
        assert!(warnings("random-parameters", 100)[0].contains("h never acts"));
        assert!(warnings("random-parameters", 400).is_empty(), "its longest searches have 3,200");
    }
}
