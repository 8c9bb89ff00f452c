//! The nets a person has, for doors that change from one to another: the embedded one, those kept, and any file that was named.
//! What is in use by one engine is shared with the next that asks, and the one asked for last stays: engines that rest give their nets
//! back, and a large one takes more than a second to read.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use jigo_engine::{Human, NetCard, NetCollection, OpenNet};
use jigo_katago::{EMBEDDED_NET, Header, KataNet};
use jigo_net::Net;
use jigo_net::kernel::points::Kernel;

use crate::engine_options::{EMBEDDED, FAST};
use crate::nets::{self, AnyNet};

/// Where no net is wanted.
pub const NONE: &str = "none";
/// More than a header takes, packed or not.
const BEGINNING: u64 = 1 << 14;

#[derive(Default)]
pub struct InstalledNets {
    /// All in f32.
    exact: bool,
    /// Stands beside every net.
    human: Option<Human>,
    /// A file named on the command line, which need not be among the kept ones.
    named: Option<String>,
    open: Mutex<OpenFiles>,
}

#[derive(Default)]
struct OpenFiles {
    known: Vec<(PathBuf, InUse)>,
    last: Option<AnyNet>,
}

/// A net that somebody may still think with.
enum InUse {
    Ours(Weak<Net>),
    KataGo(Weak<KataNet>),
}

impl InstalledNets {
    pub fn new(exact: bool, named: Option<String>) -> InstalledNets {
        InstalledNets { exact, named, ..InstalledNets::default() }
    }

    /// A net for human play stands beside every other from now on.
    pub fn with_human(self, human: Human) -> InstalledNets {
        InstalledNets { human: Some(human), ..self }
    }

    pub fn open_net(&self, wanted: &str) -> anyhow::Result<OpenNet> {
        let card = NetCard::ours(wanted);
        match wanted {
            NONE => return Ok(OpenNet { card, net: None, human: self.human.clone() }),
            FAST => return Ok(OpenNet { card, net: Some(Net::embedded()), human: self.human.clone() }),
            EMBEDDED => {
                let net = if self.exact { KataNet::embedded_on(Kernel::exact()).into() } else { KataNet::embedded() };
                return Ok(OpenNet { card: embedded_card(), net: Some(net), human: self.human.clone() });
            }
            _ => {}
        }
        match self.shared(&nets::find(wanted)?)? {
            AnyNet::Ours(net) => Ok(OpenNet { card, net: Some(net), human: self.human.clone() }),
            AnyNet::KataGo(net) => {
                let mut card = NetCard { internal_name: net.name().into(), version: net.version(), ..card };
                let human = match &self.human {
                    None if net.profile().is_some() => {
                        card.knows_people = true;
                        Some(Human::new(Arc::clone(&net), None)?)
                    }
                    beside => beside.clone(),
                };
                Ok(OpenNet { card, net: Some(net), human })
            }
        }
    }

    /// The net in a file: the one in memory, if somebody uses it.
    fn shared(&self, file: &Path) -> anyhow::Result<AnyNet> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.known.retain(|(_, net)| match net {
            InUse::Ours(net) => net.strong_count() > 0,
            InUse::KataGo(net) => net.strong_count() > 0,
        });
        let known = open.known.iter().find(|(path, _)| path == file).and_then(|(_, net)| match net {
            InUse::Ours(net) => net.upgrade().map(AnyNet::Ours),
            InUse::KataGo(net) => net.upgrade().map(AnyNet::KataGo),
        });
        let net = match known {
            Some(net) => net,
            None => {
                // Two at once would take the memory of both.
                open.last = None;
                let net = if self.exact { AnyNet::read_exact(file)? } else { AnyNet::read(file)? };
                open.known.push((
                    file.to_owned(),
                    match &net {
                        AnyNet::Ours(net) => InUse::Ours(Arc::downgrade(net)),
                        AnyNet::KataGo(net) => InUse::KataGo(Arc::downgrade(net)),
                    },
                ));
                net
            }
        };
        open.last = Some(net.clone());
        Ok(net)
    }
}

impl NetCollection for InstalledNets {
    fn cards(&self) -> Vec<NetCard> {
        let named = self.named.iter().filter_map(|name| Some((name.clone(), nets::find(name).ok()?)));
        let kept = nets::kept().into_iter().map(|file| (nets::name(&file), file));
        let mut files: Vec<(String, PathBuf)> = named.collect();
        for (name, file) in kept {
            if files.iter().all(|(_, known)| *known != file) {
                files.push((name, file));
            }
        }
        let in_the_box = [embedded_card(), NetCard::ours(FAST)].into_iter();
        in_the_box.chain(files.into_iter().filter_map(|(name, file)| card(name, &file))).collect()
    }

    fn open(&self, name: &str) -> Result<OpenNet, String> {
        // A door is open to others than the owner of the files, so only what is listed can be asked for.
        if name != NONE && !self.cards().iter().any(|card| card.name == name) {
            return Err(format!("there is no net {name:?} here"));
        }
        self.open_net(name).map_err(|error| format!("{error:#}"))
    }
}

fn embedded_card() -> NetCard {
    katagos_card(EMBEDDED.into(), EMBEDDED_NET).expect("the embedded net is sound; a test reads it")
}

/// What a file says of itself at its beginning; none if it is no net.
fn card(name: String, file: &Path) -> Option<NetCard> {
    let mut beginning = Vec::new();
    File::open(file).ok()?.take(BEGINNING).read_to_end(&mut beginning).ok()?;
    if jigo_net::Weights::are_in(&beginning) {
        return Some(NetCard::ours(&name));
    }
    katagos_card(name, &beginning)
}

fn katagos_card(name: String, beginning: &[u8]) -> Option<NetCard> {
    let header = Header::of(beginning).ok()?;
    Some(NetCard { name, internal_name: header.name, knows_people: header.metadata, version: header.version })
}
