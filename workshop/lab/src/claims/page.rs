//! The page of claims: one row for each, with the paper's number, ours, and what follows.

use std::collections::BTreeMap;

use jigo_arena::elo_text;
use jigo_arena::statistics::elo_of_score;

use super::verdict::needed;
use super::{Claim, Evidence, Verdict, judge, unsaid};
use crate::findings::{Finding, Findings, SURE};

const TITLE: &str = "# The papers' claims\n\n";
const LEGEND: &str = "\
Made by `jigo lab report` from the files in [results](results); do not edit. What is *confirmed* or
*refuted here* has a 95 % interval on one side of zero (of the limits, where the claim is that two
things are alike). *Smaller here* has zero inside its interval and the paper's effect (or what one
reads in its figure) outside: whether there is any effect is open, one as large as the paper's is
refuted.
An effect of the paper's size would be seen four times out of five with the games that an
*undecided* claim needs, in each row. *Did not act* means that both rows played the same games move
for move. Of several findings the one with the most games counts.

";

/// The evidence that counts for a claim, and where it was found.
struct Found<'a> {
    file: &'a str,
    findings: &'a Findings,
    evidence: Evidence,
}

/// The whole page, from findings by the name of their file.
pub fn page(findings: &BTreeMap<String, Findings>) -> String {
    let rows: Vec<(&Claim, Option<Found>)> =
        super::all().map(|claim| (claim, best_evidence(claim, findings))).collect();
    let mut text = format!("{TITLE}{}{LEGEND}", summary(&rows));
    text.push_str("| claim | source | paper | here | games | verdict |\n|---|---|---|---|---|---|\n");
    for (claim, found) in &rows {
        text.push_str(&claim_row(claim, found.as_ref()));
    }
    let refuted = rows.iter().filter_map(|(claim, found)| refuted_row(claim, found.as_ref()?)).collect::<Vec<_>>();
    text.push_str(&unsaid::section(&refuted));
    text.push_str("\n# Every match\n");
    for (name, findings) in findings {
        text.push_str(&experiment_table(name, findings));
    }
    text
}

/// The findings with the most games among those that speak about a claim.
fn best_evidence<'a>(claim: &Claim, findings: &'a BTreeMap<String, Findings>) -> Option<Found<'a>> {
    let speaking = findings
        .iter()
        .filter_map(|(file, findings)| Some(Found { file, findings, evidence: judge(claim, findings)? }));
    speaking.max_by_key(|found| found.evidence.games)
}

fn summary(rows: &[(&Claim, Option<Found>)]) -> String {
    let verdicts: Vec<Option<Verdict>> =
        rows.iter().map(|(_, found)| found.as_ref().map(|found| found.evidence.verdict)).collect();
    let count = |wanted: Option<Verdict>| verdicts.iter().filter(|verdict| **verdict == wanted).count();
    let [confirmed, refuted, smaller] =
        [Verdict::Confirmed, Verdict::Refuted, Verdict::Smaller].map(|verdict| count(Some(verdict)));
    let unplayed = count(None);
    let open = rows.len() - confirmed - refuted - smaller - unplayed;
    format!(
        "**Of {} claims {confirmed} are confirmed, {refuted} refuted here, {smaller} smaller here,\n\
         {open} undecided and {unplayed} not yet played.**\n\n",
        rows.len()
    )
}

fn claim_row(claim: &Claim, found: Option<&Found>) -> String {
    let Claim { says, source, paper, .. } = claim;
    let Some(Found { file, findings, evidence }) = found else {
        return format!(
            "| {says} | {source} | {paper} | - | 0 | undecided (needs {} games, `jigo lab {}`) |\n",
            needed(claim),
            claim.experiment
        );
    };
    let verdict = match evidence.verdict {
        Verdict::Confirmed => "**confirmed**".to_string(),
        Verdict::Refuted => "**refuted here**".to_string(),
        Verdict::Smaller => format!("**smaller here** than {:.1} points", 100.0 * claim.expected.effect()),
        Verdict::Undecided { needs } => format!("undecided (needs {needs} games)"),
        Verdict::Inactive => "did not act".to_string(),
    };
    let conditions = format!("[{0}x{0}, {1}](results/{file}.json)", findings.size, findings.effort);
    let here = difference(evidence);
    format!("| {says} | {source} | {paper} | {here}; {conditions} | {} | {verdict} |\n", evidence.games)
}

/// In points, with its interval.
fn difference(evidence: &Evidence) -> String {
    let percent = |share: f64| format!("{:+.1}", 100.0 * share);
    let (middle, reach) = (evidence.difference, SURE * evidence.error);
    format!("{} points [{}, {}]", percent(middle), percent(middle - reach), percent(middle + reach))
}

/// For the section about what the papers got wrong.
fn refuted_row(claim: &Claim, found: &Found) -> Option<String> {
    let Found { findings, evidence, .. } = found;
    let conditions = format!("{0}x{0}, {1}", findings.size, findings.effort);
    let here = difference(evidence);
    matches!(evidence.verdict, Verdict::Refuted | Verdict::Smaller).then(|| {
        format!("| {} | {} | {} | {here}; {conditions} | {} |\n", claim.says, claim.source, claim.paper, evidence.games)
    })
}

fn experiment_table(name: &str, findings: &Findings) -> String {
    let Findings { experiment, preset, size, effort, seed, version, rows } = findings;
    let mut text = format!(
        "\n## {experiment}, {size}x{size}, {effort}\n\nPreset {preset}, seed {seed}, Jigo {version}, {} games.\n\n\
         ![](results/{name}.svg)\n\n| variant | against | games | won | Elo |\n|---|---|---|---|---|\n",
        findings.games()
    );
    for row in rows {
        let Finding { label, opponent, score, error, .. } = row;
        let ends = [score - SURE * error, *score, score + SURE * error].map(|share| share.clamp(0.0, 1.0));
        let [low, won, high] = ends.map(|share| format!("{:.1}", 100.0 * share));
        let [low_elo, elo, high_elo] = ends.map(|share| elo_text(elo_of_score(share)));
        let same = row.same_as.as_ref().map(|other| format!(" (the same games as {other})")).unwrap_or_default();
        text.push_str(&format!(
            "| {label}{same} | {opponent} | {} | {won} % [{low}, {high}] | {elo} [{low_elo}, {high_elo}] |\n",
            row.count()
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use jigo_arena::statistics::Trinomial;

    use super::*;

    fn findings() -> BTreeMap<String, Findings> {
        let row = |label: &str, wins: u64, losses: u64| {
            let (score, games) = (wins as f64 / (wins + losses) as f64, Trinomial { wins, losses, draws: 0 });
            let error = (score * (1.0 - score) / (wins + losses) as f64).sqrt();
            Finding {
                label: label.into(),
                opponent: "baseline".into(),
                games,
                score,
                error,
                failures: 0,
                same_as: None,
            }
        };
        let rows = vec![
            row("w/o capture", 100, 900),
            row("w/o self-atari filter", 49, 51),
            row("w/o two liberties", 700, 300),
        ];
        let (experiment, preset, effort) = ("playouts".into(), "pachi".into(), "400 playouts a move".into());
        let found = Findings { experiment, preset, size: 9, effort, seed: 1, version: "1".into(), rows };
        BTreeMap::from([("playouts-9x9".to_string(), found)])
    }

    #[test]
    fn every_claim_has_its_row_and_games_decide_it() {
        let page = page(&findings());
        let line = |says: &str| page.lines().find(|line| line.starts_with(&format!("| {says}"))).unwrap().to_string();
        for claim in super::super::all() {
            assert_eq!(line(claim.says).matches('|').count(), 7, "{}", claim.says);
        }
        assert!(line("playouts without captures collapse").contains("+40.0 points"));
        assert!(line("playouts without captures collapse").ends_with("**confirmed** |"));
        assert!(line("the self-atari filter").contains("undecided (needs"));
        assert!(line("value-based komi beats none").contains("`jigo lab komi-even`"));
        let unplayed = super::super::all().count() - 3;
        let summary =
            format!("1 are confirmed, 1 refuted here, 0 smaller here,\n1 undecided and {unplayed} not yet played");
        assert!(page.contains(&summary), "{page}");
        assert!(page.contains("![](results/playouts-9x9.svg)"));
    }

    #[test]
    fn what_games_refute_and_what_no_paper_says_is_gathered() {
        let page = page(&findings());
        let (_, section) = page.split_once("# What the papers got wrong or left unsaid").unwrap();
        let (section, _) = section.split_once("# Every match").unwrap();
        assert!(section.contains("| moves at two liberties matter | Pachi table 3 |"), "{section}");
        assert!(!section.contains("playouts without captures collapse"), "this one was confirmed: {section}");
        assert!(section.contains("| pachi | `playout.self_atari_filter` | 0.95 |"), "{section}");
    }
}
