//! How playouts are played, as options of the subcommands that look at them.

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use jigo_parameters::{Kind, ParameterSet, ParameterValue};
use jigo_playout::{PlayoutParameters, Playouts, PolicyName};

#[derive(clap::Args)]
pub struct PlayoutOptions {
    /// Playouts of each position
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    playouts: u32,

    /// Set any parameter of the playouts, such as --set playout.patterns=0.5; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,

    /// Number that decides everything left to chance
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl PlayoutOptions {
    pub fn playouts(&self, policy: PolicyName) -> anyhow::Result<Playouts> {
        let mut parameters = PlayoutParameters { policy, ..Default::default() };
        for setting in &self.set {
            let (name, value) =
                setting.split_once('=').with_context(|| format!("--set takes NAME=VALUE, not {setting:?}"))?;
            parameters.set(name.trim(), value)?;
        }
        Ok(Playouts { parameters, count: self.playouts, seed: self.seed })
    }
}

/// Names of policies for the command line.
pub fn policy_names() -> impl clap::builder::TypedValueParser<Value = PolicyName> {
    let Kind::Choice(names) = PolicyName::KIND else { unreachable!("policies are a choice") };
    use clap::builder::TypedValueParser;
    PossibleValuesParser::new(names).try_map(|name| PolicyName::read(&name).ok_or("no policy"))
}
