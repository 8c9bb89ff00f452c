//! Whole clusters in one thread, on a network that loses, repeats and reorders messages: whatever happens, no simulation is
//! lost and none is counted twice.

mod network;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use jigo_board::{Game, Rules};
use jigo_cluster::wire::{self, Passport, Share, Unreadable, WireNode, WorkerReport};
use jigo_cluster::{Coordinator, Member, Order, PlayoutRule, Role, Task};
use jigo_search::{Counts, Limits, Parameters, Path, SearchRequest};

use network::{COORDINATOR, Chaos, Cluster, NET, channel, deliver, passport};

fn task(playouts: Option<u64>) -> Task {
    let never = AtomicBool::new(false);
    let game = Game::new(19, Rules::default());
    let request = SearchRequest::new(&game, game.to_move(), Limits { playouts, visits: None, time: None }, &never);
    Task::new(&request, &Parameters::default(), 1)
}

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

#[test]
fn lost_repeated_and_reordered_messages_are_harmless() {
    for seed in 0..40 {
        let mut cluster = Cluster::new(5, seed);
        cluster.chaos = Chaos { lose: 0.3, repeat: 0.2, delay_ms: 400 };
        cluster.coordinator.begin(task(None), cluster.now);
        cluster.run(ms(6000));
        // Once the network behaves, everybody knows everything within a few exchanges.
        cluster.chaos = Chaos::default();
        cluster.pause_thinking();
        cluster.run(ms(2000));
        cluster.check_exact(&[]);
        cluster.check_everybody_knows_the_others();
    }
}

#[test]
fn workers_die_freeze_are_cut_off_and_join_late() {
    for seed in 0..20 {
        let mut cluster = Cluster::new(4, 100 + seed);
        cluster.chaos = Chaos { lose: 0.05, repeat: 0.05, delay_ms: 50 };
        cluster.coordinator.begin(task(None), cluster.now);
        cluster.run(ms(1000));
        cluster.kill(0);
        cluster.freeze(1);
        cluster.cut(2);
        cluster.run(ms(1500));
        assert_eq!(cluster.coordinator.rank(cluster.now).of, 2, "the coordinator and the one that is left");
        cluster.join();
        cluster.run(ms(8000));
        cluster.thaw(1);
        cluster.mend(2);
        cluster.run(ms(1500));
        assert_eq!(cluster.coordinator.rank(cluster.now).of, 5, "two are back and one is new");
        cluster.pause_thinking();
        cluster.run(ms(2000));
        cluster.check_exact(&[0]);
        cluster.check_everybody_knows_the_others();
    }
}

#[test]
fn the_end_of_a_search_is_known_even_if_the_link_was_down_then() {
    let mut cluster = Cluster::new(3, 7);
    cluster.coordinator.begin(task(None), cluster.now);
    cluster.run(ms(1000));
    cluster.cut(1);
    cluster.run(ms(700));
    // A move is played and the next search begins while the worker cannot know.
    cluster.coordinator.end();
    cluster.run(ms(300));
    cluster.coordinator.begin(task(None), cluster.now);
    cluster.run(ms(1000));
    cluster.mend(1);
    cluster.run(ms(1000));
    cluster.pause_thinking();
    cluster.run(ms(2000));
    cluster.check_exact(&[]);
    assert_eq!(cluster.searches_seen(1), 2, "it caught up");
}

#[test]
fn two_hundred_workers_agree() {
    let mut cluster = Cluster::new(200, 9);
    cluster.chaos = Chaos { lose: 0.02, repeat: 0.02, delay_ms: 30 };
    cluster.coordinator.begin(task(None), cluster.now);
    cluster.run(ms(6000));
    cluster.pause_thinking();
    cluster.run(ms(4000));
    cluster.check_exact(&[]);
    let status = cluster.coordinator.status(cluster.now);
    assert_eq!(status.workers.iter().filter(|worker| worker.is_alive).count(), 200);
    let seconds = cluster.now.as_secs_f64();
    let (messages, bytes) = (status.traffic.messages_in as f64 / seconds, status.traffic.bytes_in as f64 / seconds);
    assert!(messages < 600.0, "{messages} messages a second");
    assert!(bytes < 2e6, "{bytes} bytes a second");
}

#[test]
fn the_cluster_plays_when_half_have_reached_their_number_or_all_together_theirs() {
    for (rule, least, most) in [(PlayoutRule::Half, 3000, 8000), (PlayoutRule::Total, 1000, 1800)] {
        let mut cluster = Cluster::new(4, 3);
        cluster.coordinator = Coordinator::new(COORDINATOR, passport(), 1, rule);
        cluster.coordinator.begin(task(Some(1000)), cluster.now);
        while !cluster.coordinator.is_decided(cluster.now) {
            cluster.run(ms(20));
        }
        let playouts = cluster.coordinator.playouts();
        assert!((least..most).contains(&playouts), "{rule:?}: {playouts}");
    }
}

#[test]
fn without_workers_the_coordinator_decides_alone() {
    let mut coordinator = Coordinator::new(COORDINATOR, passport(), 1, PlayoutRule::Half);
    coordinator.begin(task(None), ms(0));
    assert!(!coordinator.is_decided(ms(10)));
    coordinator.put(&[], true);
    assert!(coordinator.is_decided(ms(20)));
}

#[test]
fn the_dead_have_no_vote() {
    let mut cluster = Cluster::new(4, 5);
    cluster.coordinator.begin(task(None), cluster.now);
    cluster.run(ms(500));
    cluster.coordinator.put(&[], true);
    assert!(!cluster.coordinator.is_decided(cluster.now), "one of five");
    (0..4).for_each(|worker| cluster.kill(worker));
    cluster.run(ms(1200));
    cluster.coordinator.put(&[], true);
    assert!(cluster.coordinator.is_decided(cluster.now), "one of one");
    // Liveliness tokens tell at once.
    let mut cluster = Cluster::new(1, 5);
    cluster.coordinator.begin(task(None), cluster.now);
    cluster.run(ms(300));
    cluster.coordinator.put(&[], true);
    assert!(!cluster.coordinator.is_decided(cluster.now));
    cluster.kill(0);
    cluster.coordinator.lost(cluster.id(0));
    assert!(cluster.coordinator.is_decided(cluster.now));
}

#[test]
fn another_version_net_or_protocol_is_refused_with_a_reason() {
    let mut coordinator = Coordinator::new(COORDINATOR, passport(), 1, PlayoutRule::Half);
    coordinator.begin(task(None), ms(0));
    let strangers = [
        (11, Passport { version: "0.0.9".into(), net: NET }, "version"),
        (12, Passport { net: NET + 1, ..passport() }, "net"),
    ];
    for (id, passport, reason) in strangers {
        let mut member = Member::new(id, "stranger".into(), passport, 1);
        for report in member.reports() {
            coordinator.receive(id, report, 0, ms(1));
        }
        assert_eq!(member.receive(COORDINATOR, coordinator.bulletin(ms(2)), ms(2)), Order::Continue);
        assert!(member.refused().unwrap().contains(reason), "{:?}", member.refused());
    }
    let (mut bytes, _) = channel(13, Role::Worker).close("up", None, &7u32);
    bytes[4] = 99;
    let mut ours = channel(COORDINATOR, Role::Coordinator);
    assert_eq!(ours.open::<WorkerReport>("up", Role::Worker, &bytes), Err(Unreadable::OtherProtocol(99)));
    deliver(&bytes, &mut ours, &mut coordinator, ms(3));
    assert_eq!(coordinator.status(ms(3)).traffic.foreign, 1);
    let mut member = Member::new(14, "young".into(), passport(), 1);
    member.drop_unread(Unreadable::OtherProtocol(99));
    assert!(member.refused().unwrap().contains("protocol 99"));
    assert_eq!(coordinator.rank(ms(3)).of, 1);
}

#[test]
fn a_worker_that_cannot_do_it_says_so_and_is_not_waited_for() {
    let mut coordinator = Coordinator::new(COORDINATOR, passport(), 1, PlayoutRule::Half);
    let mut member = Member::new(11, "old".into(), passport(), 1);
    let report = |member: &mut Member, coordinator: &mut Coordinator, at: u64| {
        member.reports().into_iter().for_each(|report| coordinator.receive(11, report, 0, ms(at)));
    };
    report(&mut member, &mut coordinator, 0);
    coordinator.begin(task(None), ms(1));
    let Order::Think { search, .. } = member.receive(COORDINATOR, coordinator.bulletin(ms(2)), ms(2)) else {
        panic!("no work")
    };
    member.decline(search, "it does not know these rules".into());
    report(&mut member, &mut coordinator, 3);
    assert_eq!(member.receive(COORDINATOR, coordinator.bulletin(ms(4)), ms(4)), Order::Continue);
    coordinator.put(&[], true);
    assert!(coordinator.is_decided(ms(5)));
    assert_eq!(coordinator.status(ms(5)).workers[0].declines.as_deref(), Some("it does not know these rules"));
}

#[test]
fn rubbish_is_dropped_and_counted() {
    let mut coordinator = Coordinator::new(COORDINATOR, passport(), 1, PlayoutRule::Half);
    coordinator.begin(task(None), ms(0));
    let mut rng = jigo_board::Rng::new(3);
    let mut ours = channel(COORDINATOR, Role::Coordinator);
    let report = Member::new(11, "good".into(), passport(), 1).reports().remove(0);
    let good = channel(11, Role::Worker).close("up", None, &report).0;
    for _ in 0..20_000 {
        let mut bytes = good.clone();
        for _ in 0..1 + rng.below(4) {
            match rng.below(3) {
                0 => bytes.truncate(rng.below(bytes.len() + 1)),
                1 => bytes.push(rng.below(256) as u8),
                _ if !bytes.is_empty() => {
                    let at = rng.below(bytes.len());
                    bytes[at] = rng.below(256) as u8;
                }
                _ => {}
            }
        }
        deliver(&bytes, &mut ours, &mut coordinator, ms(1));
    }
    deliver(&vec![0; wire::LARGEST_MESSAGE + 1], &mut ours, &mut coordinator, ms(1));
    let status = coordinator.status(ms(2));
    assert_eq!(status.traffic.oversize, 1);
    assert!(status.traffic.malformed > 500 && status.traffic.foreign > 5000, "{:?}", status.traffic);
    assert_eq!(coordinator.totals().iter().find(|(path, _)| *path == Path::ROOT), None);
}

/// A report of a member that belongs to the cluster and lies.
fn lie(search: u64, position: u64, visits: u64) -> WorkerReport {
    let counts = Counts { visits, wins: 65536 * visits, black_score: 0 };
    let node = Path::ROOT.then(jigo_board::Move::Pass).unwrap();
    let nodes = [Path::ROOT, node].map(|path| WireNode::new(&path, counts)).to_vec();
    let share = Share { search, position, base: 0, sequence: 1, heard: 0, would_play: true, nodes };
    WorkerReport {
        name: "liar".into(),
        passport: passport(),
        threads: u16::MAX,
        thinking: search,
        declines: None,
        share: Some(share),
    }
}

#[test]
fn absurd_counts_are_refused_and_nothing_said_outlives_its_member_or_the_game() {
    let mut coordinator = Coordinator::new(COORDINATOR, passport(), 1, PlayoutRule::Half);
    let task = task(None);
    let position = task.position;
    coordinator.begin(task, ms(0));
    let search = COORDINATOR + 1;
    coordinator.receive(11, lie(search, position, 1 << 31), 0, ms(1));
    assert_eq!((coordinator.playouts(), coordinator.status(ms(1)).traffic.malformed), (0, 1));
    // What is possible counts, and goes with the one who said it.
    coordinator.receive(11, lie(search, position, 500), 0, ms(2));
    assert_eq!(coordinator.playouts(), 500);
    coordinator.lost(11);
    assert_eq!(coordinator.playouts(), 0);
    assert!(coordinator.others().iter().all(|(_, counts)| counts.visits == 0));
    coordinator.receive(11, lie(search, position, 500), 0, ms(3));
    assert_eq!(coordinator.playouts(), 500, "it is back");
    // One who turns out to be of another version is a member no more.
    let other = WorkerReport { passport: Passport { net: NET + 1, ..passport() }, ..lie(search, position, 500) };
    coordinator.receive(11, other, 0, ms(4));
    assert_eq!(coordinator.playouts(), 0);
    coordinator.forget();
    assert!(coordinator.contributions().is_empty());
}

#[test]
fn a_flood_of_lies_leaves_bulletins_that_can_be_read() {
    let mut coordinator = Coordinator::new(COORDINATOR, passport(), 1, PlayoutRule::Half);
    let task = task(None);
    let position = task.position;
    coordinator.begin(task, ms(0));
    // About searches that never were; of thousands who are of another version; with nodes where nothing was asked.
    for number in 0..20_000 {
        coordinator.receive(11, lie(number, position, 1), 0, ms(1));
    }
    for id in 0..5000 {
        let other = Passport { version: "x".repeat(10_000), ..passport() };
        let declines = Some((COORDINATOR + 1, "x".repeat(10_000)));
        let report = WorkerReport { passport: other, declines, ..lie(1, position, 1) };
        coordinator.receive(100 + id, report, 0, ms(1));
    }
    let mut deep = lie(COORDINATOR + 1, position, 1);
    let pass = jigo_board::Move::Pass;
    let below = Path::ROOT.then(pass).and_then(|path| path.then(pass)).unwrap();
    let counts = Counts { visits: 1, wins: 0, black_score: 0 };
    deep.share.as_mut().unwrap().nodes.push(WireNode::new(&below, counts));
    coordinator.receive(11, deep, 0, ms(1));
    assert_eq!(coordinator.playouts(), 0);
    let bulletin = coordinator.bulletin(ms(2));
    let (bytes, _) = channel(COORDINATOR, Role::Coordinator).close("down", None, &bulletin);
    assert!(bytes.len() < wire::LARGEST_MESSAGE, "{} bytes", bytes.len());
    let told =
        coordinator.status(ms(2)).workers.iter().filter_map(|worker| worker.declines.clone()).all(|r| r.len() <= 200);
    assert!(told, "what somebody says of itself has an end");
}
