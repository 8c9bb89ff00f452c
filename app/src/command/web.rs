//! `jigo web`, or `jigo` alone: the board in the browser.

#[cfg(feature = "cluster")]
mod machines;

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use anyhow::{Context, bail};
use jigo_analysis::{AnalysisService, Options};
use jigo_board::{Game, MAX_SIZE, Rules};
use jigo_engine::Level;
use jigo_net::Cache;
use jigo_web::{CannotOpen, Minds, Server};

use crate::browser::open_in_browser;
use crate::engine_options::{EngineMaker, EngineOptions};
use crate::places;

#[derive(clap::Args)]
pub struct Args {
    /// Port to listen on; by default 9361, or any free one if that is taken
    #[arg(long, value_name = "N")]
    port: Option<u16>,

    /// Address to listen on; one that other machines can reach needs the token that is then printed
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_parser = address)]
    bind: IpAddr,

    /// Token to ask of everybody, instead of a fresh one (only needed with --bind)
    #[arg(long, value_name = "TEXT")]
    token: Option<String>,

    /// Only print the address, open no browser
    #[arg(long)]
    no_open: bool,

    /// Folder for saved games; by default one for Jigo among your own files
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,

    #[command(flatten)]
    engine: EngineOptions,
}

/// Nine lines, and the points of the large board.
const USUAL_PORT: u16 = 9361;
/// Positions analysed at a time for programs that connect to /analysis.
const ANALYSIS_WORKERS: usize = 2;
/// An opponent's tree; the analyst's may grow as large as the parameters say.
const PLAYER_MEGABYTES: u32 = 128;
/// The games of a server together remember as much of what nets said as so many engines elsewhere.
const CACHED_GAMES: usize = 4;

pub fn run(args: Args) -> anyhow::Result<()> {
    let maker = args.engine.maker(&[])?;
    let folder = match &args.data {
        Some(folder) => folder.clone(),
        None => places::data_folder().context("there is no folder for your data; name one with --data")?,
    };
    match bind(&args, &folder.join("games"), maker) {
        Ok(server) => {
            let url = server.url()?;
            println!("The board is at {url}  (Ctrl-C ends)");
            show(&args, &url);
            server.run();
            Ok(())
        }
        // Whoever just wants a board gets the one that is open; another address was asked for in vain.
        Err(CannotOpen::Taken { url: Some(url) }) if args.wants_any_address() => {
            println!("The board is open already at {url}");
            show(&args, &url);
            Ok(())
        }
        Err(taken @ CannotOpen::Taken { .. }) => {
            bail!("{taken}; use that one, end it, or name another folder than {} with --data", folder.display())
        }
        Err(CannotOpen::Io(error)) => {
            if let (ErrorKind::AddrInUse, Some(port)) = (error.kind(), args.port) {
                bail!("port {port} of {} is taken by another program; --port 0 takes any free one", args.bind);
            }
            Err(error).with_context(|| format!("cannot listen on {} and save games in {}", args.bind, folder.display()))
        }
    }
}

/// An address, or the name of one such as localhost.
fn address(text: &str) -> Result<IpAddr, String> {
    let named = || (text, 0).to_socket_addrs().ok()?.map(|address| address.ip()).min_by_key(IpAddr::is_ipv6);
    text.parse().ok().or_else(named).ok_or_else(|| "it is neither an address nor the name of one".to_string())
}

fn show(args: &Args, url: &str) {
    if !args.no_open {
        open_in_browser(url);
    }
}

impl Args {
    fn wants_any_address(&self) -> bool {
        self.port.is_none() && self.token.is_none() && self.bind.is_loopback()
    }
}

fn bind(args: &Args, games: &std::path::Path, maker: EngineMaker) -> Result<Server, CannotOpen> {
    let at = |port| {
        let address = SocketAddr::new(args.bind, port);
        Server::bind(address, args.token.clone(), games, minds(maker.clone()))
    };
    match args.port {
        Some(port) => at(port),
        None => match at(USUAL_PORT) {
            Err(CannotOpen::Io(error)) if error.kind() == ErrorKind::AddrInUse => at(0),
            other => other,
        },
    }
}

fn minds(mut maker: EngineMaker) -> Minds {
    // Many games, one memory of what the nets said.
    let megabytes = maker.parameters.searching.search.net_cache as usize * CACHED_GAMES;
    maker.cache = Some(Arc::new(Cache::new(megabytes)));
    // Engines are handed the game with every request; this one is never looked at.
    let no_game = || Game::new(MAX_SIZE, Rules::default());
    let mut player = maker.clone();
    let megabytes = &mut player.parameters.searching.search.tree_megabytes;
    *megabytes = (*megabytes).min(PLAYER_MEGABYTES);
    #[cfg(feature = "cluster")]
    let cluster = machines::look(&maker);
    #[cfg(not(feature = "cluster"))]
    let cluster = None;
    let (analyst, models, nets) = (maker.clone(), maker.net.in_use(), maker.nets.clone());
    let guest = maker.shared_by(ANALYSIS_WORKERS);
    let largest_batch = guest.parameters.searching.search.net_batch;
    let options =
        Options { workers: ANALYSIS_WORKERS, models, largest_batch, nets: Some(nets.clone()), ..Options::default() };
    let service = AnalysisService::new(Box::new(move || guest.make(no_game())), options);
    Minds {
        player: Box::new(move |level: Level| EngineMaker { level: Some(level), ..player.clone() }.make(no_game())),
        analyst: Box::new(move || analyst.make(no_game())),
        analysis: Box::new(move |answer| {
            let client = service.client(answer);
            Box::new(move |line: &str| client.line(line))
        }),
        nets,
        analyst_net: Mutex::default(),
        cluster,
    }
}
