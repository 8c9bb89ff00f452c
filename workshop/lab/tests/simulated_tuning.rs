//! Tuning against imaginary programs whose best values are known.

use std::sync::atomic::{AtomicU64, Ordering};

use jigo_arena::seed::random_part;
use jigo_arena::statistics::score_of_elo;
use jigo_arena::{CommandLine, MatchSpec, PlayerSpec};
use jigo_lab::tune::{
    Contest, GameError, GamePlayer, MethodKind, TuneParameter, TuneResult, TuneSpec, read_tune_spec, run_tuning,
};

/// Strength falls off with the square of the distance from the best values, measured in tuning steps.
struct Imaginary {
    parameters: Vec<TuneParameter>,
    best: Vec<f64>,
    elo_per_step: f64,
    opponent_elo: f64,
    played: AtomicU64,
    /// Fails when asked for this game, like a kill in the middle.
    fails_at: u64,
}

impl Imaginary {
    fn elo(&self, setting: &[f64]) -> f64 {
        let steps = |((parameter, value), best): ((&TuneParameter, &f64), &f64)| (value - best) / parameter.step;
        let distances = self.parameters.iter().zip(setting).zip(&self.best).map(steps);
        -self.elo_per_step * distances.map(|steps| steps * steps).sum::<f64>()
    }
}

impl GamePlayer for Imaginary {
    fn play(&self, contest: &Contest, game: u64) -> Result<f64, GameError> {
        if game == self.fails_at {
            return Err(GameError::Broken { game, reason: "the power went".to_string() });
        }
        self.played.fetch_add(1, Ordering::Relaxed);
        let opponent = contest.against.as_ref().map_or(self.opponent_elo, |other| self.elo(other));
        let chance = score_of_elo(self.elo(&contest.setting) - opponent);
        Ok(f64::from(f64::from(random_part(99, "imaginary", game).unit()) < chance))
    }
}

fn parameters() -> Vec<TuneParameter> {
    ["c=6:0:20:1", "k=2000:500:4000:250", "rate=0.2:0:1:0.05"].map(|text| TuneParameter::parse(text).unwrap()).to_vec()
}

/// The start is 6, 3 and 5 steps off: 350 Elo below the best. The opponent is a little stronger than the start, as the
/// paper asks for one within 200 Elo.
fn imaginary() -> Imaginary {
    Imaginary {
        parameters: parameters(),
        best: vec![12.0, 2750.0, 0.45],
        elo_per_step: 5.0,
        opponent_elo: -250.0,
        played: AtomicU64::new(0),
        fails_at: u64::MAX,
    }
}

fn spec(method: MethodKind, games: u64) -> TuneSpec {
    let command = CommandLine::parse("imaginary").unwrap();
    let player = |name: &str| PlayerSpec { name: name.to_string(), command: command.clone() };
    TuneSpec {
        method,
        parameters: parameters(),
        games,
        horizon: games,
        seed: 4,
        arena: MatchSpec::new(vec![player("tuned"), player("opponent")], 9, games),
    }
}

fn tune(spec: &TuneSpec, games: &Imaginary, folder: &std::path::Path) -> TuneResult {
    run_tuning(spec, folder, games, 2, &mut |_| ()).unwrap()
}

#[test]
fn every_method_climbs() {
    let games = imaginary();
    assert_eq!(games.elo(&[6.0, 2000.0, 0.2]).round(), -350.0);
    for (kind, at_least) in
        [(MethodKind::Spsa, -45.0), (MethodKind::Genetic, -60.0), (MethodKind::HillClimbing, -150.0)]
    {
        let mut method = kind.start(&games.parameters, 5000, 4);
        let mut game = 0;
        while game < 5000 {
            let contests = method.propose();
            let points: Vec<f64> =
                (game..).zip(&contests).map(|(n, contest)| games.play(contest, n).unwrap()).collect();
            method.learn(&points);
            game += contests.len() as u64;
        }
        let elo = games.elo(&method.best());
        assert!(elo >= at_least, "{kind:?} found {:?}, {elo} Elo", method.best());
    }
}

#[test]
fn an_interrupted_tuning_goes_on_as_if_nothing_had_happened() {
    for method in [MethodKind::Spsa, MethodKind::Genetic, MethodKind::HillClimbing] {
        let spec = spec(method, 120);
        let (whole_folder, broken_folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let whole = tune(&spec, &imaginary(), whole_folder.path());

        let failing = Imaginary { fails_at: 71, ..imaginary() };
        assert!(run_tuning(&spec, broken_folder.path(), &failing, 2, &mut |_| ()).is_err());
        // A torn line, as a kill in the middle of writing leaves it.
        let journal = broken_folder.path().join("trials.jsonl");
        let mut text = std::fs::read_to_string(&journal).unwrap();
        text.push_str("{\"game\":1");
        std::fs::write(&journal, text).unwrap();

        let rest = imaginary();
        let resumed = tune(&spec, &rest, broken_folder.path());
        assert_eq!(resumed.best, whole.best);
        assert_eq!(resumed.course, whole.course);
        let replayed = 120 - rest.played.load(Ordering::Relaxed);
        assert!((70..=71).contains(&replayed), "{method:?}: {replayed} games were not played again");
        assert_eq!(read_tune_spec(broken_folder.path()).unwrap(), spec);
    }
}

#[test]
fn each_parameter_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    tune(&spec(MethodKind::Spsa, 50), &imaginary(), folder.path());
    for parameter in parameters() {
        let svg = std::fs::read_to_string(folder.path().join(format!("{}.svg", parameter.name))).unwrap();
        assert!(svg.contains(&format!("{} from {}", parameter.name, parameter.start)), "{svg}");
    }
}

#[test]
fn another_tuning_does_not_mix_with_the_one_in_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    tune(&spec(MethodKind::Spsa, 20), &imaginary(), folder.path());
    let other = TuneSpec { seed: 5, ..spec(MethodKind::Spsa, 20) };
    let error = run_tuning(&other, folder.path(), &imaginary(), 1, &mut |_| ()).err().unwrap().to_string();
    assert!(error.contains("holds a different tuning (seed)"), "{error}");
    // Longer is not different.
    let longer = TuneSpec { games: 30, ..spec(MethodKind::Spsa, 20) };
    assert_eq!(tune(&longer, &imaginary(), folder.path()).trials.len(), 30);
}
