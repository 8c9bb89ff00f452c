//! `jigo gtp`: the engine for other programs.

use std::io::{BufReader, ErrorKind, stderr, stdin, stdout};

use jigo_gtp::{Asides, Chat, Introduction, Session, serve};

use crate::game_options::GameOptions;

#[derive(clap::Args)]
#[command(after_help = list_of_commands())]
pub struct Args {
    #[command(flatten)]
    game: GameOptions,

    /// Another name for the program; clients that know only KataGo want one that begins with KataGo
    #[arg(long, value_name = "NAME")]
    gtp_name: Option<String>,

    /// Another version
    #[arg(long, value_name = "VERSION")]
    gtp_version: Option<String>,

    /// Say win rate and score after each move on standard error, which gtp2ogs passes on to the chat of a game
    #[arg(long, value_name = "AUDIENCE")]
    chat: Option<Audience>,

    /// Draw the search while it runs, as GoGui's live graphics on standard error
    #[arg(long)]
    live_graphics: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Audience {
    /// Everybody but the opponent, until the game is over
    Malkovich,
    /// Everybody
    Discussion,
    /// The expected continuation as KataGo writes it, which gtp2ogs shows as a variation on the board
    Variation,
}

#[cfg(feature = "cluster")]
impl Args {
    /// The player that these words would start, for workers who start it themselves. Whatever they do not do is refused.
    pub fn handed(words: &[String], lend: &mut crate::handed::Lend<'_>) -> anyhow::Result<crate::handed::HandedPlayer> {
        use anyhow::{anyhow, ensure};
        use clap::{Args as _, FromArgMatches};
        let is_ours = |program: &String| std::path::Path::new(program).file_stem().is_some_and(|stem| stem == "jigo");
        ensure!(
            words.first().is_some_and(is_ours) && words.get(1).is_some_and(|word| word == "gtp"),
            "another program"
        );
        let command = Args::augment_args(clap::Command::new("gtp"));
        let read = command.try_get_matches_from(&words[1..]).and_then(|matches| Args::from_arg_matches(&matches));
        let args =
            read.map_err(|error| anyhow!("{}", error.render().to_string().lines().next().unwrap_or_default()))?;
        let only_plays =
            args.gtp_name.is_none() && args.gtp_version.is_none() && args.chat.is_none() && !args.live_graphics;
        ensure!(only_plays, "names, chat and graphics are not for games elsewhere");
        args.game.handed(lend)
    }
}

pub fn run(args: Args) -> anyhow::Result<()> {
    let chat = args.chat.map(|audience| match audience {
        Audience::Malkovich => Chat::Malkovich,
        Audience::Discussion => Chat::Discussion,
        Audience::Variation => Chat::Variation,
    });
    let usual = Introduction::default();
    let introduction =
        Introduction { name: args.gtp_name.unwrap_or(usual.name), version: args.gtp_version.unwrap_or(usual.version) };
    let asides = Asides::new(stderr(), chat, args.live_graphics);
    let (engine, net, nets) = args.game.new_engine_with_nets()?;
    let session = Session::new(engine).introduced_as(introduction).with_asides(asides);
    let mut session = session.with_net(net).with_nets(nets);
    match serve(&mut session, BufReader::new(stdin()), &mut stdout().lock()) {
        // Nobody is left to hear the rest, which is how many programs say goodbye.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

fn list_of_commands() -> String {
    let rows = jigo_gtp::commands().map(|command| format!("  {:32}{}\n", command.name, command.help));
    format!("Commands:\n{}", rows.collect::<String>())
}

#[cfg(all(test, feature = "cluster"))]
mod tests {
    use super::*;
    use crate::handed::{HandedNet, HandedPlayer};

    fn handed(options: &[&str]) -> anyhow::Result<HandedPlayer> {
        let words: Vec<String> = ["jigo", "gtp"].iter().chain(options).map(|word| word.to_string()).collect();
        Args::handed(&words, &mut |_| Ok([7; 32]))
    }

    #[test]
    fn a_player_elsewhere_is_the_one_that_was_described() {
        let player = handed(&["--visits", "30", "--net", "none", "--set", "search.criticality=0.5"]).unwrap();
        let settings = [("search.criticality", "0.5"), ("engine.most_visits", "30")];
        assert_eq!(player.settings, settings.map(|(name, value)| (name.to_string(), value.to_string())));
        assert_eq!((player.playouts, player.net), (None, HandedNet::None));
        let katago = concat!(env!("CARGO_MANIFEST_DIR"), "/../mind/katago/tests/data/tiny-v15-meta.bin.gz");
        assert_eq!(handed(&["--net", katago]).unwrap().net, HandedNet::Lent([7; 32]));
    }

    #[test]
    fn what_cannot_be_had_elsewhere_is_refused_and_not_forgotten() {
        for options in [&["--exact"][..], &["--like", "rank_5k"], &["--human-net", "x"], &["--net", "no-such-net"]] {
            assert!(handed(options).is_err(), "{options:?}");
        }
    }
}
