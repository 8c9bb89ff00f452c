//! A member that lends another net than the one that was named: nobody plays with it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use jigo_cluster::zenoh::Wait;
use jigo_cluster::{Channel, ClusterLink, JobServer, LinkOptions, ParcelPiece, ParcelRequest, Role, Security};
use serde_json::json;

use crate::hostile::{game, plain_player};
use crate::hosts::wait_for;
use crate::member::Cluster;

fn net(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../mind/katago/tests/data");
    std::fs::read(PathBuf::from(folder).join(name)).expect("a net")
}

#[test]
fn a_net_that_is_not_the_one_that_was_named_is_not_played_with() {
    let cluster = Cluster::new("lender");
    let owner = Security::Password(cluster.password());
    let options = LinkOptions { listen: vec![cluster.place.clone()], ..LinkOptions::new(&cluster.name, owner) };
    let link = Arc::new(ClusterLink::open(&options).expect("a cluster"));
    let server = JobServer::open(link, env!("CARGO_PKG_VERSION")).expect("a server");
    let (wanted, other) = (net("tiny-v10-relu.bin.gz"), net("tiny-v8-relu.bin.gz"));

    // One who knows the password answers whoever asks for a net with a sound one, and not with the one that was asked for.
    let (session, seal) = cluster.link(&cluster.password());
    let voice = Mutex::new(Channel::new(seal, &cluster.name, 1 << 30, Role::Jobs));
    let lent = Arc::new(AtomicU64::new(0));
    let count = lent.clone();
    let lender = session.declare_queryable(cluster.key("parcel")).callback(move |query| {
        let mut voice = voice.lock().unwrap();
        let bytes = query.payload().map(|payload| payload.to_bytes().into_owned()).unwrap_or_default();
        let Ok(asked) = voice.open::<ParcelRequest>("parcel", Role::Worker, &bytes) else { return };
        let piece = ParcelPiece::of(&other, asked.body.piece).expect("a piece");
        count.fetch_add(u64::from(asked.body.piece + 1 == piece.pieces), Relaxed);
        let (bytes, _) = voice.close("parcel", Some((asked.sender, asked.sequence)), &piece);
        query.reply(query.key_expr().clone(), bytes).wait().ok();
    });
    let lender = lender.wait().expect("a lender");

    let mut job = game(plain_player());
    job["Game"]["players"][0]["player"]["net"] = json!({"Lent": jigo_cluster::parcel_name(&wanted)});
    server.put(0, job.to_string());
    let mut worker = cluster.worker();
    worker.says("joined");
    // It asks again and again, since nobody brings what was named.
    wait_for("a second delivery of the wrong net", || (lent.load(Relaxed) >= 2).then_some(()));
    lender.undeclare().wait().expect("the lender goes");
    let wrong = lent.load(Relaxed);
    server.lend(wanted);
    let (_, played) = server.next().expect("a result");
    assert!(played.is_ok(), "{played:?} after {wrong} wrong nets");
    session.close().wait().ok();
}
