//! A coordinator, workers that pretend to search, and a network between them that does its worst.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use jigo_board::{Move, Point, Rng};
use jigo_cluster::wire::{Bulletin, Passport, WorkerReport};
use jigo_cluster::{Channel, Coordinator, Member, Order, PlayoutRule, Role, Seal, SecretSeal};
use jigo_search::{Counts, Path};

pub const NET: u64 = 77;
/// One step of simulated time.
const STEP: Duration = Duration::from_millis(10);
const FIRST_ID: u64 = 1000;

pub fn passport() -> Passport {
    Passport { version: "0.1.0".into(), net: NET }
}

pub const COORDINATOR: u64 = 1 << 20;

/// A member's voice, in the one cluster of these tests.
pub fn channel(id: u64, role: Role) -> Channel {
    static SEAL: LazyLock<Arc<dyn Seal>> = LazyLock::new(|| Arc::new(SecretSeal::new("open sesame", "simulated")));
    Channel::new(SEAL.clone(), "simulated", id, role)
}

/// A report as it travels, heard by a coordinator.
pub fn deliver(bytes: &[u8], channel: &mut Channel, coordinator: &mut Coordinator, now: Duration) {
    match channel.open::<WorkerReport>("up", Role::Worker, bytes) {
        Ok(heard) if heard.is_present => coordinator.receive(heard.sender, heard.body, bytes.len(), now),
        Ok(_) => {}
        Err(why) => coordinator.drop_unread(why, bytes.len()),
    }
}

/// What happens to messages on their way.
#[derive(Clone, Copy, Default)]
pub struct Chaos {
    pub lose: f32,
    pub repeat: f32,
    pub delay_ms: usize,
}

pub struct Cluster {
    pub coordinator: Coordinator,
    pub channel: Channel,
    pub now: Duration,
    pub chaos: Chaos,
    machines: Vec<Machine>,
    /// Our own simulations by search, as a worker would log them.
    own: HashMap<Path, Counts>,
    flying: Vec<(Duration, Packet)>,
    next_bulletin: Duration,
    rng: Rng,
    is_thinking: bool,
}

struct Machine {
    member: Member,
    channel: Channel,
    next_report: Duration,
    is_dead: bool,
    is_frozen: bool,
    is_cut: bool,
    search: Option<u64>,
    /// What the present tree search has found; lost when it begins anew.
    tree: HashMap<Path, Counts>,
    others: HashMap<Path, Counts>,
    /// Everything it ever found, by search: its log.
    log: HashMap<u64, HashMap<Path, Counts>>,
}

enum Packet {
    Report { from: usize, bytes: Vec<u8> },
    Bulletin { to: usize, bytes: Vec<u8> },
}

impl Cluster {
    pub fn new(workers: usize, seed: u64) -> Cluster {
        let mut cluster = Cluster {
            coordinator: Coordinator::new(COORDINATOR, passport(), 1, PlayoutRule::Half),
            channel: channel(COORDINATOR, Role::Coordinator),
            now: Duration::ZERO,
            chaos: Chaos::default(),
            machines: Vec::new(),
            own: HashMap::new(),
            flying: Vec::new(),
            next_bulletin: Duration::ZERO,
            rng: Rng::new(seed),
            is_thinking: true,
        };
        (0..workers).for_each(|_| cluster.join());
        cluster
    }

    pub fn id(&self, worker: usize) -> u64 {
        FIRST_ID + worker as u64
    }

    pub fn join(&mut self) {
        let number = self.machines.len();
        self.machines.push(Machine {
            member: Member::new(self.id(number), format!("machine {number}"), passport(), 2),
            channel: channel(self.id(number), Role::Worker),
            next_report: self.now,
            is_dead: false,
            is_frozen: false,
            is_cut: false,
            search: None,
            tree: HashMap::new(),
            others: HashMap::new(),
            log: HashMap::new(),
        });
    }

    pub fn kill(&mut self, worker: usize) {
        self.machines[worker].is_dead = true;
    }

    pub fn freeze(&mut self, worker: usize) {
        self.machines[worker].is_frozen = true;
    }

    pub fn thaw(&mut self, worker: usize) {
        self.machines[worker].is_frozen = false;
    }

    pub fn cut(&mut self, worker: usize) {
        self.machines[worker].is_cut = true;
    }

    pub fn mend(&mut self, worker: usize) {
        self.machines[worker].is_cut = false;
    }

    /// No more simulations; messages go on.
    pub fn pause_thinking(&mut self) {
        self.is_thinking = false;
    }

    pub fn searches_seen(&self, worker: usize) -> usize {
        self.machines[worker].log.len()
    }

    pub fn run(&mut self, time: Duration) {
        let end = self.now + time;
        while self.now < end {
            self.step();
        }
    }

    fn step(&mut self) {
        self.now += STEP;
        self.deliver();
        for number in 0..self.machines.len() {
            let machine = &mut self.machines[number];
            if machine.is_dead || machine.is_frozen {
                continue;
            }
            if self.is_thinking {
                machine.think(&mut self.rng);
            }
            if machine.member.is_abandoned(self.now) {
                machine.member.rest();
                machine.finish();
            }
            if self.now >= machine.next_report {
                machine.next_report = self.now + machine.member.interval();
                let Machine { member, channel, .. } = &mut self.machines[number];
                let reports: Vec<Vec<u8>> =
                    member.reports().iter().map(|report| channel.close("up", None, report).0).collect();
                for bytes in reports {
                    self.send(number, Packet::Report { from: number, bytes });
                }
            }
        }
        if self.is_thinking {
            let changed = simulate(&mut self.own, &mut self.rng);
            self.coordinator.put(&changed, false);
        }
        if self.now >= self.next_bulletin {
            self.next_bulletin = self.now + self.coordinator.interval();
            let (bytes, _) = self.channel.close("down", None, &self.coordinator.bulletin(self.now));
            for to in 0..self.machines.len() {
                self.send(to, Packet::Bulletin { to, bytes: bytes.clone() });
            }
        }
    }

    fn send(&mut self, machine: usize, packet: Packet) {
        if self.machines[machine].is_cut || self.rng.unit() < self.chaos.lose {
            return;
        }
        let copies = if self.rng.unit() < self.chaos.repeat { 2 } else { 1 };
        for _ in 0..copies {
            let delay = Duration::from_millis(self.rng.below(self.chaos.delay_ms + 1) as u64);
            let copy = match &packet {
                Packet::Report { from, bytes } => Packet::Report { from: *from, bytes: bytes.clone() },
                Packet::Bulletin { to, bytes } => Packet::Bulletin { to: *to, bytes: bytes.clone() },
            };
            self.flying.push((self.now + delay, copy));
        }
    }

    fn deliver(&mut self) {
        let (arrived, flying) = std::mem::take(&mut self.flying).into_iter().partition(|(at, _)| *at <= self.now);
        self.flying = flying;
        let arrived: Vec<(Duration, Packet)> = arrived;
        for (_, packet) in arrived {
            match packet {
                Packet::Report { from, .. } if self.machines[from].is_cut => {}
                Packet::Report { bytes, .. } => deliver(&bytes, &mut self.channel, &mut self.coordinator, self.now),
                Packet::Bulletin { to, bytes } => {
                    let machine = &mut self.machines[to];
                    if !machine.is_dead && !machine.is_frozen && !machine.is_cut {
                        machine.receive(&bytes, self.now);
                    }
                }
            }
        }
    }

    /// The merged counts are those of the logs, to the last simulation, for all but these workers.
    pub fn check_exact(&self, dead: &[usize]) {
        let mut merged: HashMap<(u64, u64), HashMap<Path, Counts>> = HashMap::new();
        for (search, worker, path, counts) in self.coordinator.contributions() {
            merged.entry((search, worker)).or_default().insert(path, counts);
        }
        let mut simulations = 0;
        for (number, machine) in self.machines.iter().enumerate() {
            for (search, log) in &machine.log {
                let known = merged.get(&(*search, self.id(number)));
                if dead.contains(&number) {
                    let known = known.and_then(|known| known.get(&Path::ROOT)).map_or(0, |counts| counts.visits);
                    assert!(known <= log[&Path::ROOT].visits, "more than it ever played");
                } else {
                    assert_eq!(known, Some(log), "worker {number}, search {search}");
                }
                simulations += log[&Path::ROOT].visits;
            }
        }
        assert!(simulations > 1000, "something happened");
    }

    pub fn check_everybody_knows_the_others(&self) {
        let totals: HashMap<Path, Counts> = self.coordinator.totals().into_iter().collect();
        for (number, machine) in self.machines.iter().enumerate().filter(|(_, machine)| !machine.is_dead) {
            for (path, &total) in &totals {
                let own = machine.tree.get(path).copied().unwrap_or_default();
                let others = machine.others.get(path).copied().unwrap_or_default();
                assert_eq!(own + others, total, "worker {number} at {path:?}");
            }
        }
    }
}

impl Machine {
    fn receive(&mut self, bytes: &[u8], now: Duration) {
        let order = match self.channel.open::<Bulletin>("down", Role::Coordinator, bytes) {
            Ok(heard) if heard.is_present => self.member.receive(heard.sender, heard.body, now),
            _ => Order::Continue,
        };
        match order {
            Order::Think { search, .. } => {
                self.finish();
                self.search = Some(search);
                self.next_report = now;
                self.tree.clear();
                self.others.clear();
            }
            Order::Rest => self.finish(),
            Order::Continue => {}
        }
        if let Some(search) = self.search {
            self.others.extend(self.member.others(search));
        }
    }

    fn finish(&mut self) {
        if let Some(search) = self.search.take() {
            self.member.finish(search);
        }
    }

    fn think(&mut self, rng: &mut Rng) {
        let Some(search) = self.search else { return };
        let before = self.tree.clone();
        let changed = simulate(&mut self.tree, rng);
        let log = self.log.entry(search).or_default();
        for (path, counts) in &changed {
            let added = *counts - before.get(path).copied().unwrap_or_default();
            let entry = log.entry(*path).or_default();
            *entry = *entry + added;
        }
        self.member.put(search, changed, false);
    }
}

/// A few simulations; the nodes that changed, as a search would tell them.
fn simulate(tree: &mut HashMap<Path, Counts>, rng: &mut Rng) -> Vec<(Path, Counts)> {
    let mut changed = HashMap::new();
    for _ in 0..1 + rng.below(8) {
        // Few moves get most of the simulations.
        let most = 1 + rng.below(361);
        let place = rng.below(most);
        let child = Path::ROOT.then(Move::Play(Point::new(place % 19, place / 19))).expect("one level");
        let result = Counts { visits: 1, wins: rng.below(65537) as u64, black_score: rng.below(100) as i64 - 50 };
        for path in [Path::ROOT, child] {
            let counts = tree.entry(path).or_default();
            *counts = *counts + result;
            changed.insert(path, *counts);
        }
    }
    changed.into_iter().collect()
}
