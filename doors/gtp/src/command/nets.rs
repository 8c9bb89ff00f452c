//! Which net thinks, and changing to another one without a restart.

use jigo_engine::{Human, NetCard};
use serde_json::{Value, json};

use super::Run::Once;
use super::{Command, DONE};
use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::session::Session;

pub const COMMANDS: &[Command] = &[
    Command { name: "kata-get-models", help: "the net's name as JSON, in a list", run: Once(get_models) },
    Command {
        name: "jigo-net",
        help: "[NAME]: the nets there are, the one in use first; with a name, think with that one from now on",
        run: Once(net),
    },
];

fn get_models(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    let beside = session.engine.human().map(Human::card).filter(|_| !knows_people(&session.net));
    let largest_batch = session.engine.parameters().searching.search.net_batch;
    let models = session.net.iter().chain(&beside).map(|card| model(card, largest_batch));
    Ok(models.collect::<Value>().to_string())
}

fn knows_people(net: &Option<NetCard>) -> bool {
    net.as_ref().is_some_and(|card| card.knows_people)
}

/// As KataGo tells it; nothing is computed in floating point of 16 bits.
fn model(card: &NetCard, largest_batch: u32) -> Value {
    json!({
        "name": card.name, "internalName": card.internal_name, "usesHumanSLProfile": card.knows_people,
        "version": card.version, "maxBatchSize": largest_batch, "usingFP16": "false",
    })
}

fn net(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let Some(name) = arguments.optional_word() else { return Ok(list(session)) };
    let refused = Failure::CannotChangeNet;
    let nets = session.nets.as_ref().ok_or_else(|| refused("there are no others".into()))?;
    let open = nets.open(name).map_err(refused)?;
    session.engine.change_net(&open).map_err(|error| refused(error.to_string()))?;
    session.net = open.net.is_some().then_some(open.card);
    DONE
}

fn list(session: &Session) -> String {
    let others = session.nets.iter().flat_map(|nets| nets.cards());
    let in_use = session.net.as_ref().map(|card| card.name.clone());
    let others = others.map(|card| card.name).filter(|name| Some(name) != in_use.as_ref());
    in_use.clone().into_iter().chain(others).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use jigo_board::{Game, Rules};
    use jigo_engine::{Engine, NetCollection, OpenNet};
    use jigo_net::Net;
    use jigo_search::{Parameters, TreeSearcher};

    use super::*;

    /// One net, which is called like its maker.
    struct OneNet;

    fn card() -> NetCard {
        NetCard { internal_name: "jigo-1".into(), ..NetCard::ours("ours") }
    }

    impl NetCollection for OneNet {
        fn cards(&self) -> Vec<NetCard> {
            vec![card()]
        }

        fn open(&self, name: &str) -> Result<OpenNet, String> {
            let net = (name == "ours").then(Net::embedded).ok_or("no such net")?;
            Ok(OpenNet { card: card(), net: Some(net), human: None })
        }
    }

    fn session(searcher: Box<dyn jigo_search::Searcher>) -> Session {
        Session::new(Engine::new(Game::new(5, Rules::default()), searcher, 1)).with_nets(Arc::new(OneNet))
    }

    fn say(session: &mut Session, line: &str) -> String {
        session.respond(line.as_bytes()).unwrap().to_string()
    }

    #[test]
    fn the_net_changes_and_the_game_stays() {
        let mut session = session(Box::new(TreeSearcher::new(Parameters::default(), None, 1, 1)));
        say(&mut session, "play b C3");
        assert_eq!(say(&mut session, "kata-get-models"), "= []\n\n");
        assert_eq!(say(&mut session, "jigo-net"), "= ours\n\n");
        assert!(say(&mut session, "kata-raw-nn 0").starts_with("? there is no net"));
        assert_eq!(say(&mut session, "jigo-net theirs"), "? cannot change the net: no such net\n\n");
        assert_eq!(say(&mut session, "jigo-net ours"), "=\n\n");
        assert!(say(&mut session, "kata-raw-nn 0").contains("whiteWin"));
        let models = say(&mut session, "kata-get-models");
        assert!(models.contains(r#""internalName":"jigo-1""#), "{models}");
        assert!(models.contains(r#""usesHumanSLProfile":false"#), "{models}");
        assert_eq!(session.engine().game().moves().len(), 1);
    }

    #[test]
    fn a_search_that_cannot_change_says_so() {
        let mut session = session(Box::new(jigo_search::RandomMover::new(1)));
        assert!(say(&mut session, "jigo-net ours").starts_with("? cannot change the net: "));
    }
}
