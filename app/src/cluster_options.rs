//! How to find a cluster and be let in, as options of the subcommands that take part in one.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use jigo_cluster::wire::Passport;
use jigo_cluster::{Certificates, ClusterLink, Coordination, LinkOptions, PlayoutRule, Security};
use jigo_net::Backend;
use jigo_search::MOST_LEVELS;

/// Who may come in, and where.
#[derive(clap::Args)]
pub struct LinkArgs {
    /// Go to a coordinator or hub at this address instead of looking around; may be given several times
    #[arg(long, value_name = "HOST:PORT", help_heading = "Cluster")]
    connect: Vec<String>,

    /// Let others come in at this address
    #[arg(long, value_name = "HOST:PORT", help_heading = "Cluster")]
    listen: Vec<String>,

    /// The authority whose certificates are let in (PEM); with it every link is encrypted
    #[arg(long, value_name = "FILE", help_heading = "Cluster", requires_all = ["tls_cert", "tls_key"])]
    tls_ca: Option<PathBuf>,

    /// Our own certificate (PEM)
    #[arg(long, value_name = "FILE", help_heading = "Cluster", requires = "tls_ca")]
    tls_cert: Option<PathBuf>,

    /// The key of our certificate (PEM)
    #[arg(long, value_name = "FILE", help_heading = "Cluster", requires = "tls_ca")]
    tls_key: Option<PathBuf>,

    /// A file with the password of the cluster in its first line, the same on all machines
    #[arg(long, value_name = "FILE", help_heading = "Cluster", conflicts_with = "tls_ca")]
    password_file: Option<PathBuf>,

    /// The network is ours alone: let everybody in who reaches us, and do what they say
    #[arg(long, help_heading = "Cluster", conflicts_with_all = ["tls_ca", "password_file"])]
    open_network: bool,
}

impl LinkArgs {
    pub fn options(&self, cluster: &str) -> anyhow::Result<LinkOptions> {
        let security = match (&self.tls_ca, &self.tls_cert, &self.tls_key, &self.password_file) {
            (Some(authority), Some(certificate), Some(key), _) => Security::Certificates(Certificates {
                authority: authority.clone(),
                certificate: certificate.clone(),
                key: key.clone(),
            }),
            (_, _, _, Some(file)) => Security::Password(file.clone()),
            _ if self.open_network => Security::OpenNetwork,
            _ => Security::ThisHost(own_secret_file()?),
        };
        Ok(LinkOptions {
            connect: self.connect.clone(),
            listen: self.listen.clone(),
            ..LinkOptions::new(cluster, security)
        })
    }
}

/// What proves one user's processes on one host to each other.
fn own_secret_file() -> anyhow::Result<PathBuf> {
    let folder =
        crate::places::data_folder().context("there is no folder for a secret; name one with --password-file")?;
    Ok(folder.join("cluster.secret"))
}

/// Who plays the games, if not this machine.
#[derive(clap::Args)]
pub struct ElsewhereArgs {
    /// Let the workers of this cluster play the games (see jigo worker)
    #[arg(long, value_name = "NAME", help_heading = "Cluster")]
    cluster: Option<String>,

    #[command(flatten)]
    link: LinkArgs,
}

impl ElsewhereArgs {
    /// The way to the cluster that was asked for, if one was.
    pub fn options(&self) -> anyhow::Result<Option<LinkOptions>> {
        self.cluster.as_deref().map(|cluster| self.link.options(cluster)).transpose()
    }
}

/// Thinking together with a cluster.
#[derive(clap::Args)]
pub struct CoordinatorArgs {
    /// Think together with the workers of this cluster (see jigo worker)
    #[arg(long, value_name = "NAME", help_heading = "Cluster")]
    cluster: Option<String>,

    /// Levels of the tree whose statistics travel
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Cluster", requires = "cluster")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=MOST_LEVELS as u64))]
    cluster_levels: u64,

    /// With --playouts, play when half of the machines have reached them (half), or all together have (total)
    #[arg(long, value_name = "RULE", default_value = "half", help_heading = "Cluster", requires = "cluster")]
    cluster_rule: String,

    /// Begin when so many workers are there, or after a minute
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Cluster", requires = "cluster")]
    cluster_wait: usize,

    #[command(flatten)]
    link: LinkArgs,
}

impl CoordinatorArgs {
    pub fn is_asked_for(&self) -> bool {
        self.cluster.is_some()
    }

    /// Joins the cluster that was asked for, if one was.
    pub fn join(&self, net: Option<&dyn Backend>) -> anyhow::Result<Option<Coordination>> {
        let Some(cluster) = &self.cluster else { return Ok(None) };
        let rule = match self.cluster_rule.as_str() {
            "half" => PlayoutRule::Half,
            "total" => PlayoutRule::Total,
            other => bail!("--cluster-rule is half or total, not {other:?}"),
        };
        let link = ClusterLink::open(&self.link.options(cluster)?)?;
        let levels = self.cluster_levels as usize;
        Ok(Some(Coordination {
            link: Arc::new(link),
            passport: passport(net),
            levels,
            rule,
            awaited: self.cluster_wait,
        }))
    }
}

/// What must be equal on all machines of a cluster.
pub fn passport(net: Option<&dyn Backend>) -> Passport {
    Passport { version: env!("CARGO_PKG_VERSION").to_string(), net: net.map_or(0, |net| net.digest()) }
}
