//! From counted games to confirmed, refuted or undecided.

use super::{Claim, Expected};
use crate::experiments;
use crate::findings::{Finding, Findings, SURE};

/// With so many standard errors an effect as large as expected is seen four times out of five.
const SEEN: f64 = SURE + 0.84;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    Confirmed,
    /// It is the other way round, or not alike.
    Refuted,
    /// Neither way beyond doubt, but an effect as large as the paper's is beyond doubt not there.
    Smaller,
    /// So many games of each row would decide.
    Undecided {
        needs: u64,
    },
    /// The two rows played the same games: what is tested did not act.
    Inactive,
}

/// A difference of two shares of games won, with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    pub difference: f64,
    pub error: f64,
    /// Of the rows compared, together.
    pub games: u64,
    pub verdict: Verdict,
}

/// What these findings say about a claim; none if its rows were not played.
pub fn judge(claim: &Claim, findings: &Findings) -> Option<Evidence> {
    if findings.experiment != claim.experiment || claim.size.is_some_and(|size| size != findings.size) {
        return None;
    }
    let rows = |wanted: &str| -> Vec<&Finding> {
        let meets = |row: &&Finding| row.opponent.starts_with(claim.against);
        findings
            .rows
            .iter()
            .filter(|row| row.count() > 0 && Claim::is_meant(wanted, &row.label))
            .filter(meets)
            .collect()
    };
    let (mut ours, mut theirs) = (rows(claim.row), claim.than.map(rows));
    if let (Some(theirs), Some(than)) = (&mut theirs, claim.than) {
        keep_common(claim.row, &mut ours, than, theirs);
    }
    // The row that is the opponent itself is not played: it would win half its games.
    let is_opponent = |label: &str, other: &[&Finding]| {
        is_baseline(findings, label) && !other.is_empty() && other.iter().all(|row| row.opponent == "baseline")
    };
    let (first, second) = match (&theirs, claim.than) {
        (Some(theirs), Some(than)) => match (pooled(&ours), pooled(theirs)) {
            (Some(first), Some(second)) => (first, second),
            (Some(first), None) if is_opponent(than, &ours) => (first, Score::HALF),
            (None, Some(second)) if is_opponent(claim.row, theirs) => (Score::HALF, second),
            _ => return None,
        },
        _ => (pooled(&ours)?, Score::HALF),
    };
    let (difference, error) = (first.share - second.share, first.error.hypot(second.error));
    let all = || ours.iter().chain(theirs.iter().flatten());
    let is_one_of_them = |label: &String| all().any(|row| row.label == *label);
    // Where it acts in some of the rows (a handicap of two stones, but not of one), those speak for it.
    let is_another = |row: &&Finding| row.same_as.as_ref().is_some_and(is_one_of_them);
    let are_others = |rows: &Vec<&Finding>| !rows.is_empty() && rows.iter().all(is_another);
    let inactive = are_others(&ours) || theirs.as_ref().is_some_and(are_others);
    let verdict = if inactive { Verdict::Inactive } else { decide(claim, difference, error) };
    Some(Evidence { difference, error, games: first.games + second.games, verdict })
}

/// Handicaps that only one of the two was played with would be taken for a difference between them.
fn keep_common(row: &str, ours: &mut Vec<&Finding>, than: &str, theirs: &mut Vec<&Finding>) {
    if ours.is_empty() || theirs.is_empty() {
        return;
    }
    let has = |rows: &[&Finding], label: String| rows.iter().any(|finding| finding.label == label);
    let before = ours.clone();
    ours.retain(|finding| has(theirs, finding.label.replacen(row, than, 1)));
    theirs.retain(|finding| has(&before, finding.label.replacen(than, row, 1)));
}

/// Is this row the experiment's program without what is tested?
fn is_baseline(findings: &Findings, label: &str) -> bool {
    experiments::by_name(&findings.experiment).is_some_and(|experiment| {
        (experiment.variants)(findings.size).iter().any(|variant| {
            Claim::is_meant(label, &variant.label) && variant.player == variant.baseline(experiment.baseline)
        })
    })
}

fn decide(claim: &Claim, difference: f64, error: f64) -> Verdict {
    let (low, high) = (difference - SURE * error, difference + SURE * error);
    // Without the third, a claim about something that has no effect could never be decided.
    let (confirmed, refuted, smaller) = match claim.expected {
        Expected::More(effect) => (low > 0.0, high < 0.0, high < effect),
        Expected::Less(effect) => (high < 0.0, low > 0.0, low > -effect),
        Expected::Alike(limit) => (low > -limit && high < limit, low > limit || high < -limit, false),
    };
    match (confirmed, refuted, smaller) {
        (true, ..) => Verdict::Confirmed,
        (_, true, _) => Verdict::Refuted,
        (.., true) => Verdict::Smaller,
        _ => Verdict::Undecided { needs: needed(claim) },
    }
}

/// Games of each row that show an effect of the expected size: a single game has a variance of a quarter.
pub(super) fn needed(claim: &Claim) -> u64 {
    let rows = if claim.than.is_some() { 2.0 } else { 1.0 };
    (rows * 0.25 * (SEEN / claim.expected.effect()).powi(2)).ceil() as u64
}

struct Score {
    share: f64,
    error: f64,
    games: u64,
}

impl Score {
    const HALF: Score = Score { share: 0.5, error: 0.0, games: 0 };
}

/// Several matches as one, each by its games.
fn pooled(rows: &[&Finding]) -> Option<Score> {
    let games: u64 = rows.iter().map(|row| row.count()).sum();
    let weighted =
        |value: &dyn Fn(&Finding) -> f64| rows.iter().map(|row| row.count() as f64 * value(row)).sum::<f64>();
    let squares: f64 = rows.iter().map(|row| (row.count() as f64 * row.error).powi(2)).sum();
    let total = games as f64;
    (games > 0).then(|| Score { share: weighted(&|row| row.score) / total, error: squares.sqrt() / total, games })
}

#[cfg(test)]
mod tests {
    use jigo_arena::Estimate;
    use jigo_arena::statistics::Trinomial;

    use super::*;

    const CLAIM: Claim = Claim {
        says: "captures help",
        source: "Pachi table 3",
        paper: "-563",
        experiment: "playouts",
        size: None,
        row: "everything",
        than: Some("w/o capture"),
        against: "",
        expected: Expected::More(0.1),
    };

    fn row(label: &str, opponent: &str, wins: u64, losses: u64) -> Finding {
        let games = Trinomial { wins, losses, draws: 0 };
        let estimate = Estimate::of(&games);
        let error = (estimate.score_interval.high - estimate.score_interval.low) / (2.0 * SURE);
        let (label, opponent) = (label.to_string(), opponent.to_string());
        Finding { label, opponent, games, score: estimate.score, error, failures: 0, same_as: None }
    }

    fn findings(rows: Vec<Finding>) -> Findings {
        let (experiment, preset, effort) = ("playouts".into(), "pachi".into(), "400 playouts a move".into());
        Findings { experiment, preset, size: 9, effort, seed: 1, version: "1".into(), rows }
    }

    fn verdict(claim: &Claim, rows: Vec<Finding>) -> Verdict {
        judge(claim, &findings(rows)).unwrap().verdict
    }

    #[test]
    fn many_games_decide_and_few_do_not() {
        let against_gnu_go =
            |wins, losses| vec![row("everything", "GNU Go", 80, 20), row("w/o capture", "GNU Go", wins, losses)];
        assert_eq!(verdict(&CLAIM, against_gnu_go(30, 70)), Verdict::Confirmed);
        assert_eq!(verdict(&CLAIM, against_gnu_go(97, 3)), Verdict::Refuted);
        assert_eq!(verdict(&CLAIM, against_gnu_go(75, 25)), Verdict::Undecided { needs: 392 });
    }

    #[test]
    fn an_effect_of_the_papers_size_can_be_excluded_without_the_opposite_being_true() {
        let even = |half: u64| vec![row("w/o capture", "baseline", half, half)];
        assert_eq!(verdict(&CLAIM, even(500)), Verdict::Smaller);
        assert!(matches!(verdict(&CLAIM, even(20)), Verdict::Undecided { .. }), "the paper's 0.1 may still be there");
        let less = Claim { expected: Expected::Less(0.1), ..CLAIM };
        assert_eq!(verdict(&less, even(500)), Verdict::Smaller);
        let small_but_there = vec![row("w/o capture", "baseline", 4500, 5500)];
        assert_eq!(verdict(&CLAIM, small_but_there), Verdict::Confirmed, "what a claim says is the direction");
    }

    #[test]
    fn the_program_itself_as_opponent_counts_as_an_even_score() {
        let evidence = judge(&CLAIM, &findings(vec![row("w/o capture", "baseline", 100, 300)])).unwrap();
        assert_eq!(evidence.verdict, Verdict::Confirmed);
        assert!((evidence.difference - 0.25).abs() < 1e-9);
        assert_eq!(
            judge(&CLAIM, &findings(vec![row("w/o capture", "GNU Go", 100, 300)])),
            None,
            "nothing to compare with"
        );
    }

    #[test]
    fn alike_is_confirmed_by_a_narrow_interval_only() {
        let alike = Claim { expected: Expected::Alike(0.05), ..CLAIM };
        let rows = |half: u64| vec![row("everything", "GNU Go", half, half), row("w/o capture", "GNU Go", half, half)];
        assert_eq!(verdict(&alike, rows(2000)), Verdict::Confirmed);
        assert!(matches!(verdict(&alike, rows(20)), Verdict::Undecided { .. }));
        let apart = vec![row("everything", "GNU Go", 900, 100), row("w/o capture", "GNU Go", 500, 500)];
        assert_eq!(verdict(&alike, apart), Verdict::Refuted);
    }

    #[test]
    fn handicaps_that_both_rows_have_are_one_and_other_opponents_are_left_out() {
        let claim = Claim { row: "ml-dk", than: Some("none"), against: "playouts", ..CLAIM };
        let rows = vec![
            row("ml-dk, 1", "playouts alone", 60, 40),
            row("ml-dk, 2", "playouts alone", 40, 60),
            row("ml-dk, 1", "GNU Go", 0, 100),
            row("none, 1", "playouts alone", 50, 50),
            row("none, 2", "playouts alone", 30, 70),
        ];
        let evidence = judge(&claim, &findings(rows.clone())).unwrap();
        assert!((evidence.difference - 0.1).abs() < 1e-9);
        assert_eq!(evidence.games, 400);
        let unfinished = judge(&claim, &findings(rows[..4].to_vec())).unwrap();
        assert_eq!(unfinished.games, 200, "two stones without their counterpart tell nothing");
    }

    #[test]
    fn the_same_games_prove_nothing() {
        let mut rows = vec![row("everything", "GNU Go", 80, 20), row("w/o capture", "GNU Go", 80, 20)];
        rows[1].same_as = Some("everything".to_string());
        assert_eq!(verdict(&CLAIM, rows), Verdict::Inactive);
        let giving = Claim { row: "linear", than: Some("none"), ..CLAIM };
        let mut rows = vec![
            row("linear, 1", "GNU Go", 90, 10),
            row("linear, 2", "GNU Go", 80, 20),
            row("none, 1", "GNU Go", 90, 10),
            row("none, 2", "GNU Go", 20, 80),
        ];
        rows[0].same_as = Some("none, 1".to_string());
        assert_eq!(verdict(&giving, rows), Verdict::Confirmed, "it acts with two stones");
    }
}
