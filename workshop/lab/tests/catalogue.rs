//! Every experiment can be run by our own program, on small boards and on large ones.

use std::collections::HashSet;

use jigo_engine::Parameters;
use jigo_lab::experiment::{Contestant, Experiment, Start, Variant};
use jigo_lab::{Conditions, Opponent, experiments};

const SIZES: [usize; 3] = [9, 13, 19];

/// Every variant of every experiment on every size.
fn variants() -> impl Iterator<Item = (&'static Experiment, usize, Variant)> {
    experiments::all().flat_map(|experiment| {
        let on = move |size| (experiment.variants)(size).into_iter().map(move |variant| (experiment, size, variant));
        SIZES.into_iter().flat_map(on)
    })
}

#[test]
fn names_are_unique_and_every_experiment_is_found_by_its_own() {
    let mut names = HashSet::new();
    for experiment in experiments::all() {
        assert!(names.insert(experiment.name), "two experiments are called {}", experiment.name);
        assert_eq!(experiments::by_name(experiment.name).unwrap().source, experiment.source);
        assert!(!experiment.about.contains('\n') && !experiment.source.is_empty(), "{}", experiment.name);
    }
    assert!(names.len() >= 15);
    assert!(experiments::by_name("no such").is_none());
}

#[test]
fn settings_are_those_of_our_parameter_table() {
    let accepted = |place: &str, name: &str, value: &str| {
        if let Err(error) = Parameters::default().set(name, value) {
            panic!("{place}: {error}");
        }
    };
    for experiment in experiments::all() {
        experiment.baseline.iter().for_each(|(name, value)| accepted(experiment.name, name, value));
    }
    for (experiment, _, variant) in variants() {
        for player in [&variant.player, &variant.opponent] {
            if let Contestant::Jigo { settings, .. } = player {
                settings.iter().for_each(|(name, value)| accepted(experiment.name, name, value));
            }
        }
    }
}

#[test]
fn every_variant_is_a_sound_match_with_a_folder_of_its_own() {
    let opponents = [Opponent::Baseline, Opponent::GnuGo, Opponent::program("other").unwrap()];
    for (experiment, size, variant) in variants() {
        for opponent in &opponents {
            let (nets, endgames) = (Some("nets".into()), Some("endgames.sgf".into()));
            let defaults = Conditions::of(experiment, true);
            let conditions =
                Conditions { size, opponent: opponent.clone(), nets, endgames, has_cluster: true, ..defaults };
            let spec = conditions.contest(experiment, &variant).unwrap();
            if let Some(spec) = spec {
                spec.check()
                    .unwrap_or_else(|error| panic!("{} on {size}, {}: {error}", experiment.name, variant.label));
            } else {
                assert_eq!(*opponent, Opponent::Baseline, "{}: {} is left out", experiment.name, variant.label);
            }
        }
    }
    for experiment in experiments::all() {
        for size in SIZES {
            let conditions = Conditions::of(experiment, true);
            let mut seen = HashSet::new();
            for variant in (experiment.variants)(size) {
                let pair = (variant.label.clone(), conditions.opponent_name(&variant));
                assert!(seen.insert(pair), "{}: {} comes twice", experiment.name, variant.label);
            }
        }
    }
}

#[test]
fn a_named_program_stands_in_for_gnu_go_and_a_row_is_found_by_its_opponent() {
    let experiment = experiments::by_name("komi-even").unwrap();
    let played = |opponent: &str, rows: &[&str]| -> Vec<String> {
        let opponent = Opponent::program(opponent).unwrap();
        let rows = rows.iter().map(|row| row.to_string()).collect();
        let conditions = Conditions { opponent, rows, ..Conditions::of(experiment, false) };
        let wanted = (experiment.variants)(9).into_iter().filter(|variant| conditions.plays(variant));
        wanted
            .filter(|variant| conditions.contest(experiment, variant).unwrap().is_some())
            .map(|variant| format!("{} against {}", variant.label, conditions.opponent_name(&variant)))
            .collect()
    };
    assert_eq!(played("strong=other --level 10", &["score against none"]), ["score against none"]);
    let of_value = ["value against strong", "value against none"];
    assert_eq!(played("strong=other --level 10", &["value"]), of_value, "GNU Go is not needed");
}

#[test]
fn the_papers_figures_fit_their_columns() {
    for (experiment, _, variant) in variants() {
        assert!(variant.paper.len() <= experiment.paper_columns.len(), "{}: {}", experiment.name, variant.label);
    }
}

#[test]
fn without_gnu_go_nets_endgames_and_a_cluster_only_what_names_them_is_left_out() {
    for (experiment, size, variant) in variants() {
        let conditions = Conditions { size, ..Conditions::of(experiment, false) };
        // The shipped net can stand for the one that has everything.
        let needs_more = |player: &&Contestant| match player {
            Contestant::GnuGo { .. } => true,
            Contestant::Jigo { net, .. } => net.is_some_and(|net| net != "BV-ML-VN") || player.is_cluster(),
            Contestant::Opponent => false,
        };
        let names_it = [&variant.player, &variant.opponent].iter().any(needs_more)
            || matches!(variant.start, Start::Endgames { .. });
        let played = conditions.contest(experiment, &variant).unwrap().is_some();
        let is_baseline = variant.player == variant.baseline(experiment.baseline);
        assert!(played != names_it || is_baseline, "{} on {size}: {}", experiment.name, variant.label);
    }
}

#[test]
fn a_row_of_several_machines_waits_for_them_and_they_count_their_playouts_together() {
    let experiment = experiments::by_name("machines").unwrap();
    let conditions = Conditions {
        playouts: 100,
        seed: 7,
        has_cluster: true,
        opponent: Opponent::Baseline,
        ..Conditions::of(experiment, false)
    };
    let commands = |label: &str| {
        let variant = (experiment.variants)(9).into_iter().find(|variant| variant.label == label).unwrap();
        let spec = conditions.contest(experiment, &variant).unwrap().unwrap();
        [0, 1].map(|player| spec.players[player].command.text().to_string())
    };
    let [ours, theirs] = commands("4 machines");
    assert!(ours.contains("--cluster lab-4-7 --cluster-rule total --cluster-wait 3 --playouts 400"), "{ours}");
    assert!(theirs.contains("--playouts 100") && !theirs.contains("cluster"), "{theirs}");
    assert!(commands("2 that share")[0].contains("--playouts 100"));
}

/// With the usual lag a clock of four seconds was spent on waiting: one playout a move.
#[test]
fn games_by_the_clock_keep_hardly_anything_back_for_a_referee_next_door() {
    let experiment = experiments::by_name("time-reply").unwrap();
    let timed = Conditions { opponent: Opponent::Baseline, ..Conditions::of(experiment, false) };
    let counted = Conditions { clock: Default::default(), ..timed.clone() };
    let variant = (experiment.variants)(9).into_iter().find(|variant| variant.label == "at 0.02").unwrap();
    for (conditions, by_clock) in [(timed, true), (counted, false)] {
        for player in conditions.contest(experiment, &variant).unwrap().unwrap().players {
            let command = player.command.text();
            assert_eq!(command.contains("engine.lag=0.01"), by_clock, "{command}");
            assert_eq!(command.contains("--playouts"), !by_clock, "{command}");
        }
    }
}
