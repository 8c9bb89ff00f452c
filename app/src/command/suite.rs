//! `jigo suite`: what share of positions with known statuses the playouts judge right.

use anyhow::{Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use jigo_parameters::ParameterValue;
use jigo_playout::PolicyName;
use jigo_playout::evaluation_value::suite::{self, StatusPosition};
use jigo_playout::evaluation_value::{EvaluationValue, misjudgements};

use super::evaluate::print_misjudgement;
use crate::playout_options::{PlayoutOptions, policy_names};

#[derive(clap::Args)]
pub struct Args {
    /// Only this policy, instead of all of them
    #[arg(long, value_name = "NAME", value_parser = policy_names())]
    policy: Option<PolicyName>,

    /// Only categories whose names begin so
    #[arg(long, value_name = "NAME", default_value = "")]
    category: String,

    /// Show every position judged wrong, and which generators did it
    #[arg(long, short)]
    verbose: bool,

    #[command(flatten)]
    options: PlayoutOptions,
}

/// How many positions of a category a policy judges right.
#[derive(Clone, Copy, Default)]
struct Share {
    right: usize,
    all: usize,
}

pub fn run(args: Args) -> Result<()> {
    let mut positions = suite::load()?;
    let mut categories: Vec<&str> = positions.iter().map(|position| position.category).collect();
    categories.dedup();
    ensure!(
        categories.iter().any(|category| category.starts_with(&args.category)),
        "there is no category {:?}; there are {}",
        args.category,
        categories.join(", ")
    );
    positions.retain(|position| position.category.starts_with(&args.category));
    categories.retain(|category| category.starts_with(&args.category));
    let policies =
        args.policy.map_or(vec![PolicyName::Pachi, PolicyName::GoIntellect, PolicyName::Random], |p| vec![p]);

    let bar = progress_bar((policies.len() * positions.len()) as u64);
    let mut columns = Vec::new();
    for &policy in &policies {
        let mut shares = vec![Share::default(); categories.len()];
        for position in &positions {
            let share = categories.iter().position(|&category| category == position.category);
            let share = &mut shares[share.expect("every position has a category")];
            let is_right = judge(position, policy, &args, &bar)?;
            share.all += 1;
            share.right += usize::from(is_right);
            bar.inc(1);
        }
        columns.push(shares);
    }
    bar.finish_and_clear();
    print_table(&categories, &policies, &columns);
    Ok(())
}

fn judge(position: &StatusPosition, policy: PolicyName, args: &Args, bar: &ProgressBar) -> Result<bool> {
    let playouts = args.options.playouts(policy)?;
    let start = position.start();
    let evaluation = EvaluationValue::new(&start, &playouts);
    let is_right = position.wrong(&evaluation).next().is_none();
    if args.verbose && !is_right {
        bar.suspend(|| {
            println!("{} | {} | {} | {} to move", policy.show(), position.category, position.title, position.to_move);
            println!("{}", position.board);
            for wrong in misjudgements(&start, &playouts, &evaluation, &position.expected) {
                print_misjudgement(&position.board, &playouts, &wrong);
            }
        });
    }
    Ok(is_right)
}

fn print_table(categories: &[&str], policies: &[PolicyName], columns: &[Vec<Share>]) {
    print!("{:<20}{:>10}", "category", "positions");
    policies.iter().for_each(|policy| print!("{:>16}", policy.show()));
    println!();
    let row = |name: &str, shares: &[Share]| {
        print!("{name:<20}{:>10}", shares[0].all);
        for share in shares {
            print!("{:>7}{:>8.1}%", share.right, 100.0 * share.right as f64 / share.all as f64);
        }
        println!();
    };
    for (index, category) in categories.iter().enumerate() {
        row(category, &columns.iter().map(|column| column[index]).collect::<Vec<_>>());
    }
    let total = |column: &Vec<Share>| {
        column
            .iter()
            .fold(Share::default(), |sum, share| Share { right: sum.right + share.right, all: sum.all + share.all })
    };
    row("all", &columns.iter().map(total).collect::<Vec<_>>());
}

fn progress_bar(positions: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("positions {wide_bar} {pos}/{len} {eta} left");
    ProgressBar::new(positions).with_style(style.expect("the template is well-formed"))
}
