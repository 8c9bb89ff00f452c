//! A router that lets everybody in, whatever the password, and belongs to a stranger: nobody stays there.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use jigo_cluster::{ClusterLink, JobServer, LinkOptions, Security};

use crate::games::Worker;
use crate::hostile::{free_address, game, plain_player};
use crate::hosts::{Process, complaint, on_this_host, secret, text, wait_for};

/// What the network library asks of a keeper that wants a password: a challenge, and after the answer its consent. A keeper
/// that does not care what the answer is needs to know nothing.
const CHALLENGE: &[u8] = &[AUTHENTICATION, 2, 0x22, 7];
const CONSENT: &[u8] = &[AUTHENTICATION, 1, 0x02];
const AUTHENTICATION: u8 = 0x43;
/// More extensions follow: in the head of a message, and in that of an extension.
const MORE: u8 = 0x80;
/// The head of a message also says whether sizes are in it.
const SIZES: u8 = 0x40;

/// Stands before a place without any password and says yes to everybody. Counts those who came.
fn let_everybody_in(place: &str, behind: String) -> Arc<AtomicUsize> {
    let came = Arc::new(AtomicUsize::new(0));
    let count = came.clone();
    let door = TcpListener::bind(place).expect("the place is free");
    std::thread::spawn(move || {
        for guest in door.incoming().flatten() {
            count.fetch_add(1, Relaxed);
            let Ok(router) = TcpStream::connect(&behind) else { continue };
            let (mut from, mut to) = (guest.try_clone().expect("a socket"), router.try_clone().expect("a socket"));
            std::thread::spawn(move || std::io::copy(&mut from, &mut to));
            std::thread::spawn(move || answer_for(router, guest));
        }
    });
    came
}

/// Adds to the first two answers of a router what one that knew the password would have said, and passes on the rest.
fn answer_for(mut router: TcpStream, mut guest: TcpStream) -> std::io::Result<()> {
    let welcome = read_message(&mut router)?;
    let name = 1 + usize::from(welcome[2] >> 4);
    let sizes = if welcome[0] & SIZES != 0 { 3 } else { 0 };
    let (cookie, read) = number(&welcome[3 + name + sizes..]);
    write_with(&mut guest, &welcome, 3 + name + sizes + read + cookie, CHALLENGE)?;
    let open = read_message(&mut router)?;
    let (_, lease) = number(&open[1..]);
    let (_, first) = number(&open[1 + lease..]);
    write_with(&mut guest, &open, 1 + lease + first, CONSENT)?;
    std::io::copy(&mut router, &mut guest).map(drop)
}

/// Messages are preceded by their length in two bytes.
fn read_message(from: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let mut length = [0; 2];
    from.read_exact(&mut length)?;
    let mut message = vec![0; u16::from_le_bytes(length).into()];
    from.read_exact(&mut message)?;
    Ok(message)
}

/// With this extension before all others, which begin at `place`.
fn write_with(to: &mut TcpStream, message: &[u8], place: usize, extension: &[u8]) -> std::io::Result<()> {
    let mut told = message.to_vec();
    told.splice(place..place, extension.iter().copied());
    told[place] |= message[0] & MORE;
    told[0] |= MORE;
    to.write_all(&[&(told.len() as u16).to_le_bytes()[..], &told].concat())
}

/// A number in bytes of seven bits, and how many bytes it takes.
fn number(bytes: &[u8]) -> (usize, usize) {
    let last = bytes.iter().position(|byte| byte & 0x80 == 0).expect("a number has an end");
    (bytes[..=last].iter().rev().fold(0, |value, byte| (value << 7) + usize::from(byte & 0x7F)), last + 1)
}

#[test]
fn a_router_that_accepts_every_password_is_refused_by_all_who_come_there() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let password = folder.path().join("password");
    secret(&password, "open sesame\n");
    let cluster = format!("anybody-{}", std::process::id());
    let (place, behind) = (free_address(), free_address());
    // A stranger's meeting place, with somebody in it who hands out games and somebody who works.
    let stranger = |words: &[&str], more: &[&str]| {
        let open = ["--cluster", &cluster, "--open-network"];
        on_this_host(&[words, &open[..], more].concat())
    };
    let hub = stranger(&["cluster", "hub"], &["--listen", &behind]).spawn().expect("a hub");
    let _hub = Process::new(hub);
    let options = LinkOptions { connect: vec![behind.clone()], ..LinkOptions::new(&cluster, Security::OpenNetwork) };
    let link = Arc::new(wait_for("the meeting place", || ClusterLink::open(&options).ok()));
    let server = JobServer::open(link, env!("CARGO_PKG_VERSION")).expect("somebody with jobs");
    server.put(0, game(plain_player()).to_string());
    let came = let_everybody_in(&place, behind.clone());
    let ours = ["--connect", &place, "--password-file", text(&password)];

    let mut worker = Worker::start_with(&cluster, &ours);
    let said = worker.says("a stranger is at");
    assert!(said.contains(&place) && said.contains("cannot prove to be a member"), "{said}");
    // It comes again and has nothing new to say, and nobody has worked for the stranger.
    wait_for("more attempts", || (came.load(Relaxed) >= 4).then_some(()));
    worker.process.signal("KILL");
    let said = worker.everything();
    assert_eq!(said, [""; 0], "one trouble, one line");

    // A coordinator, somebody who hands out games and somebody who asks go away at once, and say why.
    let out = folder.path().join("match");
    let players = ["match", "-p", "a=jigo gtp --playouts 5", "-p", "b=jigo gtp --playouts 6", "--out", text(&out)];
    for words in [&["gtp", "--net", "none"][..], &players, &["cluster", "status"]] {
        let complaint = complaint(on_this_host(&[words, &["--cluster", &cluster], &ours].concat()));
        assert_eq!(complaint.lines().count(), 1, "{words:?}: {complaint}");
        assert!(complaint.contains("a stranger is at") && complaint.contains(&place), "{words:?}: {complaint}");
    }

    // The stranger's own worker stays: there is a place, and it is one for those who ask for nothing.
    let mut theirs = Worker::of(stranger(&["worker"], &["--connect", &behind, "--net", "none", "--nice", "0"]));
    theirs.says("joined");
    let (_, played) = server.next().expect("a result");
    assert!(played.is_ok(), "{played:?}");
}
