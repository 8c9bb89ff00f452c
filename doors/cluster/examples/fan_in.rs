//! What a coordinator pays for so many workers: time for merging, time for bulletins, messages and bytes per second; and what
//! each of the workers pays. The numbers of docs/cluster.md come from here.
//!
//!     cargo run --release -p jigo-cluster --example fan_in -- 4 200 1000

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cpu_time::ThreadTime;
use jigo_board::{Game, Move, Point, Rng, Rules};
use jigo_cluster::wire::{Bulletin, Passport, WorkerReport};
use jigo_cluster::{Channel, Coordinator, Member, Order, Permission, PlayoutRule, Role, Seal, SecretSeal, Task};
use jigo_search::{Counts, Limits, Parameters, Path, SearchRequest};

/// How long the simulated search takes.
const SEARCH: Duration = Duration::from_secs(20);
/// Simulations of one worker in one second.
const SPEED: usize = 2000;

fn main() {
    println!(
        "workers  sealed  interval ms  in msg/s  in kB/s  out kB/s to each  merging %  bulletins %  each worker %"
    );
    for workers in std::env::args().skip(1).filter_map(|text| text.parse().ok()) {
        measure(workers, "no", Arc::new(NoSeal));
        measure(workers, "yes", Arc::new(SecretSeal::new("secret", "fan_in")));
    }
}

/// Messages as they would be if nobody had to be proved anything: what sealing costs is the difference.
struct NoSeal;

impl Seal for NoSeal {
    fn close(&self, _: &[u8], _: Role, plain: &[u8]) -> Vec<u8> {
        plain.to_vec()
    }

    fn open(&self, _: &[u8], sealed: &[u8]) -> Option<(Vec<u8>, Permission)> {
        Some((sealed.to_vec(), Permission::Everything))
    }

    fn permission(&self) -> Permission {
        Permission::Everything
    }
}

struct Machine {
    member: Member,
    channel: Channel,
    tree: HashMap<Path, Counts>,
    search: u64,
}

fn measure(workers: u64, sealed: &str, seal: Arc<dyn Seal>) {
    let passport = Passport { version: "0.1.0".into(), net: 0 };
    let mut coordinator = Coordinator::new(1 << 40, passport.clone(), 1, PlayoutRule::Half);
    let channel = |id, role| Channel::new(seal.clone(), "fan_in", id, role);
    let mut ours = channel(1 << 40, Role::Coordinator);
    let new = |id| Machine {
        member: Member::new(1 + id, format!("machine {id}"), passport.clone(), 8),
        channel: channel(1 + id, Role::Worker),
        tree: HashMap::new(),
        search: 0,
    };
    let mut machines: Vec<Machine> = (0..workers).map(new).collect();
    let game = Game::new(19, Rules::default());
    let never = AtomicBool::new(false);
    let request = SearchRequest::new(&game, game.to_move(), Limits::default(), &never);
    coordinator.begin(Task::new(&request, &Parameters::default(), 1), Duration::ZERO);
    let mut rng = Rng::new(1);
    let (mut merging, mut announcing, mut working) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let mut now = Duration::ZERO;
    while now < SEARCH {
        for machine in &mut machines {
            let simulations = (SPEED as f64 * coordinator.interval().as_secs_f64()) as usize;
            if machine.search != 0 {
                let changed = simulate(&mut machine.tree, simulations, &mut rng);
                machine.member.put(machine.search, changed, false);
            }
            let began = ThreadTime::now();
            let reports = machine.member.reports();
            let sent: Vec<_> = reports.iter().map(|report| machine.channel.close("up", None, report).0).collect();
            working += began.elapsed();
            for bytes in sent {
                let began = ThreadTime::now();
                let heard = ours.open::<WorkerReport>("up", Role::Worker, &bytes).expect("a member's report");
                if heard.is_present {
                    coordinator.receive(heard.sender, heard.body, bytes.len(), now);
                }
                merging += began.elapsed();
            }
        }
        let began = ThreadTime::now();
        let (bulletin, _) = ours.close("down", None, &coordinator.bulletin(now));
        coordinator.count_out(bulletin.len());
        announcing += began.elapsed();
        let began = ThreadTime::now();
        for machine in &mut machines {
            let heard = machine.channel.open::<Bulletin>("down", Role::Coordinator, &bulletin).expect("a bulletin");
            if heard.is_present
                && let Order::Think { search, .. } = machine.member.receive(heard.sender, heard.body, now)
            {
                machine.search = search;
            }
            machine.member.others(machine.search);
        }
        working += began.elapsed();
        now += coordinator.interval();
    }
    let traffic = coordinator.status(now).traffic;
    let (seconds, share) = (now.as_secs_f64(), |time: Duration| 100.0 * time.as_secs_f64() / now.as_secs_f64());
    println!(
        "{workers:7}  {sealed:>6}  {:11}  {:8.0}  {:7.1}  {:16.1}  {:9.3}  {:11.3}  {:13.3}",
        coordinator.interval().as_millis(),
        traffic.messages_in as f64 / seconds,
        traffic.bytes_in as f64 / seconds / 1e3,
        traffic.bytes_out as f64 / seconds / 1e3,
        share(merging),
        share(announcing),
        share(working) / workers as f64,
    );
}

/// Few moves get most of the simulations, as in a real search.
fn simulate(tree: &mut HashMap<Path, Counts>, simulations: usize, rng: &mut Rng) -> Vec<(Path, Counts)> {
    let mut changed = HashMap::new();
    for _ in 0..simulations {
        let most = 1 + rng.below(361);
        let most = 1 + rng.below(most);
        let place = rng.below(most);
        let child = Path::ROOT.then(Move::Play(Point::new(place % 19, place / 19))).expect("one level");
        let result = Counts { visits: 1, wins: 32768, black_score: 7 };
        for path in [Path::ROOT, child] {
            let counts = tree.entry(path).or_default();
            *counts = *counts + result;
            changed.insert(path, *counts);
        }
    }
    changed.into_iter().collect()
}
