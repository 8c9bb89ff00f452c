//! Whole clusters in one thread, on a network that loses, repeats and reorders messages: whatever happens, no simulation is
//! lost and none is counted twice.

mod network;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use jigo_board::{Game, Rules};
use jigo_cluster::wire::{self, Passport};
use jigo_cluster::{Coordinator, Member, Order, PlayoutRule, Task};
use jigo_search::{Limits, Parameters, Path, SearchRequest};

use network::{Chaos, Cluster, NET, passport};

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
        cluster.coordinator = Coordinator::new(1 << 20, passport(), 1, rule);
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
    let mut coordinator = Coordinator::new(1 << 20, passport(), 1, PlayoutRule::Half);
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
    let mut coordinator = Coordinator::new(1 << 20, passport(), 1, PlayoutRule::Half);
    coordinator.begin(task(None), ms(0));
    let strangers = [
        (11, Passport { version: "0.0.9".into(), net: NET }, "version"),
        (12, Passport { net: NET + 1, ..passport() }, "net"),
    ];
    for (id, passport, reason) in strangers {
        let mut member = Member::new(id, "stranger".into(), passport, 1);
        for report in member.sealed_reports() {
            coordinator.receive(&report, ms(1));
        }
        assert_eq!(member.hear(coordinator.bulletin(ms(2)), ms(2)), Order::Continue);
        assert!(member.refused().unwrap().contains(reason), "{:?}", member.refused());
    }
    let mut future = Member::new(13, "future".into(), passport(), 1);
    let mut report = future.sealed_reports().remove(0);
    report[4] = 99;
    coordinator.receive(&report, ms(3));
    let status = coordinator.status(ms(3));
    assert_eq!(status.traffic.foreign, 1);
    assert!(status.workers[2].refused.as_ref().unwrap().contains("protocol 99"));
    assert_eq!(coordinator.rank(ms(3)).of, 1);
}

#[test]
fn a_worker_that_cannot_do_it_says_so_and_is_not_waited_for() {
    let mut coordinator = Coordinator::new(1 << 20, passport(), 1, PlayoutRule::Half);
    let mut member = Member::new(11, "old".into(), passport(), 1);
    let report = |member: &mut Member, coordinator: &mut Coordinator, at: u64| {
        member.sealed_reports().iter().for_each(|bytes| coordinator.receive(bytes, ms(at)));
    };
    report(&mut member, &mut coordinator, 0);
    coordinator.begin(task(None), ms(1));
    let Order::Think { search, .. } = member.hear(coordinator.bulletin(ms(2)), ms(2)) else { panic!("no work") };
    member.decline(search, "it does not know these rules".into());
    report(&mut member, &mut coordinator, 3);
    assert_eq!(member.hear(coordinator.bulletin(ms(4)), ms(4)), Order::Continue);
    coordinator.put(&[], true);
    assert!(coordinator.is_decided(ms(5)));
    assert_eq!(coordinator.status(ms(5)).workers[0].declines.as_deref(), Some("it does not know these rules"));
}

#[test]
fn rubbish_is_dropped_and_counted() {
    let mut coordinator = Coordinator::new(1 << 20, passport(), 1, PlayoutRule::Half);
    coordinator.begin(task(None), ms(0));
    let mut rng = jigo_board::Rng::new(3);
    let good = Member::new(11, "good".into(), passport(), 1).sealed_reports().remove(0);
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
        coordinator.receive(&bytes, ms(1));
        Member::new(12, "w".into(), passport(), 1).receive(&bytes, ms(1));
    }
    coordinator.receive(&vec![0; wire::LARGEST_MESSAGE + 1], ms(1));
    let status = coordinator.status(ms(2));
    assert_eq!(status.traffic.oversize, 1);
    assert!(status.traffic.malformed > 5000, "{}", status.traffic.malformed);
    assert_eq!(coordinator.totals().iter().find(|(path, _)| *path == Path::ROOT), None);
}
