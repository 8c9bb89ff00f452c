//! What a soak found, for people.

use std::fmt::Write;
use std::fs;
use std::time::Duration;

use jigo_arena::align;

use super::Soak;
use super::account::Account;
use super::plan::Plan;
use super::process::Process;
use super::watch::{Growth, UsageHistory};

pub struct SoakReport {
    text: String,
    pub faults: usize,
}

impl SoakReport {
    pub(super) fn new(
        soak: &Soak,
        plan: &Plan,
        processes: &[Process],
        records: &[UsageHistory],
        kills: &[u32],
        accounts: &[Account],
    ) -> SoakReport {
        let mut faults: Vec<String> = Vec::new();
        for account in accounts {
            faults.extend(account.faults.iter().map(|fault| format!("{}: {fault}", account.visitor)));
        }
        let growths: Vec<Option<Growth>> = records.iter().map(|record| record.growth(plan.quiet_from)).collect();
        for (process, growth) in processes.iter().zip(&growths) {
            match growth {
                Some(growth) if growth.is_growth() => faults.push(format!("{}: it grows, see the table", process.name)),
                None => faults.push(format!("{}: it was not there to be watched", process.name)),
                Some(_) => {}
            }
            let errors = fs::read(process.errors()).unwrap_or_default();
            let errors = String::from_utf8_lossy(&errors);
            faults.extend(
                errors
                    .lines()
                    .filter(|line| line.contains("panicked at"))
                    .map(|line| format!("{}: {line}", process.name)),
            );
        }

        let mut text = format!("# A soak of {}, seed {}\n\n", length(plan.end), soak.seed);
        let _ = writeln!(text, "{}\n", verdict(faults.len(), kills.iter().sum(), accounts));
        faults.iter().for_each(|fault| text += &format!("- {fault}\n"));
        if !faults.is_empty() {
            text.push('\n');
        }
        text += &answers(accounts);
        text += &memory(plan, processes, records, kills, &growths);
        if !soak.with_cluster {
            text += "\nThis program was built without the cluster, so none was tried.\n";
        }
        SoakReport { text, faults: faults.len() }
    }

    pub fn text(&self) -> &str {
        &self.text
    }
}

fn verdict(faults: usize, kills: u32, accounts: &[Account]) -> String {
    let (answers, checked) =
        accounts.iter().fold((0, 0), |(a, c), account| (a + account.answers(), c + account.checked));
    let met = format!("{kills} kills, {answers} answers, {checked} acknowledged things looked for afterwards");
    if faults == 0 {
        format!("Nothing lost, nothing late, nothing grown: {met}.")
    } else {
        format!("**{faults} faults**: {met}.")
    }
}

fn answers(accounts: &[Account]) -> String {
    let mut rows = vec![
        ["visitor", "answers", "half within", "99 % within", "slowest", "checked", "faults", "slowest was"]
            .map(str::to_owned)
            .to_vec(),
    ];
    // Workers are not spoken to.
    for account in accounts.iter().filter(|account| account.answers() > 0) {
        let [half, most, all] = account.waits().map(milliseconds);
        let counts = [
            account.answers().to_string(),
            half,
            most,
            all,
            account.checked.to_string(),
            account.faults.len().to_string(),
            account.slowest.clone(),
        ];
        rows.push([vec![account.visitor.to_owned()], counts.to_vec()].concat());
    }
    table(&rows)
}

fn memory(
    plan: &Plan,
    processes: &[Process],
    records: &[UsageHistory],
    kills: &[u32],
    growths: &[Option<Growth>],
) -> String {
    let head = ["program", "lives", "kills", "MB", "handles", "threads", "most MB", "most handles"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (((process, record), kills), growth) in processes.iter().zip(records).zip(kills).zip(growths) {
        let change = |of: &dyn Fn(&Growth) -> String| growth.as_ref().map_or("-".to_owned(), of);
        rows.push(vec![
            process.name.to_owned(),
            process.lives().to_string(),
            kills.to_string(),
            change(&|growth| format!("{:.1} to {:.1}", growth.before.megabytes, growth.after.megabytes)),
            change(&|growth| format!("{} to {}", growth.before.handles, growth.after.handles)),
            change(&|growth| format!("{} to {}", growth.before.threads, growth.after.threads)),
            format!("{:.1}", record.most_megabytes),
            record.most_handles.to_string(),
        ]);
    }
    format!(
        "\nNobody was killed in the last {}. Memory, handles and threads are medians of its second and last third.\n\n{}",
        length(plan.end - plan.quiet_from),
        table(&rows)
    )
}

fn table(rows: &[Vec<String>]) -> String {
    align(rows, 0).lines().fold(String::new(), |text, line| text + "    " + line + "\n")
}

fn milliseconds(time: Duration) -> String {
    format!("{:.0} ms", 1000.0 * time.as_secs_f64())
}

fn length(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{seconds} seconds"),
        seconds @ 120..7200 => format!("{:.0} minutes", seconds as f64 / 60.0),
        seconds => format!("{:.1} hours", seconds as f64 / 3600.0),
    }
}
