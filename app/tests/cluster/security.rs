//! Who is let in: certificates, passwords, and hubs between networks.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::games::Worker;
use crate::hosts::{ENDLESS, Gtp, complaint, on_this_host, secret, text, wait_for};
use crate::skipped::skipped;
use crate::{COORDINATOR, Faults};

fn openssl(folder: &Path, arguments: &str) -> bool {
    let mut command = Command::new("openssl");
    command.args(arguments.split(' ')).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// An authority and certificates for these names; false without openssl.
fn certificates(folder: &Path, authority: &str, names: &[&str]) -> bool {
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    let own = format!("req -x509 {key} -days 30 -subj /CN={authority} -keyout {authority}.key -out {authority}.pem");
    std::fs::write(folder.join("member.ext"), "subjectAltName=DNS:member\n").expect("a file");
    openssl(folder, &own)
        && names.iter().all(|name| {
            let sign =
                format!("-CA {authority}.pem -CAkey {authority}.key -CAcreateserial -days 30 -extfile member.ext");
            openssl(folder, &format!("req {key} -subj /CN={name} -keyout {name}.key -out {name}.csr"))
                && openssl(folder, &format!("x509 -req -in {name}.csr {sign} -out {name}.pem"))
        })
}

#[test]
fn without_the_right_certificate_or_password_nobody_gets_anything() {
    let Some(mut cluster) = Faults::new("tls") else { return };
    let folder = cluster.folder.path().to_path_buf();
    let file = |name: &str| text(&folder.join(name)).to_string();
    if !certificates(&folder, "ours", &["master", "friend"]) || !certificates(&folder, "theirs", &["stranger"]) {
        skipped("no openssl to make certificates with");
        return;
    }
    let tls = |authority: &str, name: &str| {
        let files = [format!("{authority}.pem"), format!("{name}.pem"), format!("{name}.key")].map(|name| file(&name));
        ["--tls-ca", "--tls-cert", "--tls-key"].into_iter().map(str::to_string).zip(files).collect::<Vec<_>>()
    };
    let flat = |pairs: Vec<(String, String)>| pairs.into_iter().flat_map(|(a, b)| [a, b]).collect::<Vec<_>>();
    let host = cluster.hosts.add();

    // The coordinator's certificate lets friends in, and nobody else.
    let master = flat(tls("ours", "master"));
    let begin = ["gtp", "--cluster", "safe", "--net", "none", "--listen", COORDINATOR];
    let arguments: Vec<&str> = begin.into_iter().chain(master.iter().map(String::as_str)).collect();
    let mut gtp = Gtp::start(cluster.hosts.jigo(0, &arguments));
    gtp.ask("name");
    let status = |credentials: &[String]| {
        let begin = ["cluster", "status", "--cluster", "safe", "--json", "--connect", COORDINATOR];
        let arguments: Vec<&str> = begin.into_iter().chain(credentials.iter().map(String::as_str)).collect();
        cluster.hosts.run(host, &arguments)
    };
    let friend = flat(tls("ours", "friend"));
    wait_for("a friend's question", || status(&friend).status.success().then_some(()));
    // Signed by somebody else; with our authority but a foreign certificate; with a password; with nothing.
    let stranger = flat(tls("theirs", "stranger"));
    let impostor: Vec<String> = friend[..2].iter().chain(&stranger[2..]).cloned().collect();
    let password = ["--password-file".to_string(), cluster.secret.clone()];
    for credentials in [&stranger[..], &impostor, &password, &["--open-network".to_string()]] {
        let output = status(credentials);
        assert!(!output.status.success() && output.stdout.is_empty(), "{credentials:?} got {output:?}");
    }
    wait_for("a friend's question, none the worse for it", || status(&friend).status.success().then_some(()));
    gtp.quit();

    // The same with passwords: the wrong one, and none.
    let mut gtp = cluster.coordinator();
    gtp.ask("name");
    wait_for("the right password", || cluster.ask("--json"));
    let wrong = file("wrong");
    secret(Path::new(&wrong), "jigo:open barley\n");
    for credentials in [["--password-file", &wrong].as_slice(), &["--open-network"]] {
        let arguments = ["cluster", "status", "--cluster", "faults", "--json", "--connect", COORDINATOR];
        let output = cluster.hosts.run(host, &[&arguments[..], credentials].concat());
        assert!(!output.status.success() && output.stdout.is_empty(), "{credentials:?} got {output:?}");
    }
    gtp.quit();
}

#[test]
fn what_cannot_be_used_as_a_proof_is_named() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let file = |name: &str| text(&folder.path().join(name)).to_string();
    let complaint = |proof: &[&str]| {
        let told = complaint(on_this_host(&[&["worker", "--cluster", "proofs", "--net", "none"], proof].concat()));
        assert!(!told.contains("panicked") && told.lines().count() <= 2, "{told}");
        told.lines().last().unwrap_or_default().to_string()
    };
    assert!(complaint(&["--password-file", &file("missing")]).contains("missing"));
    std::fs::write(file("shared"), "open sesame\n").expect("a file");
    let told = complaint(&["--password-file", &file("shared")]);
    assert!(told.contains("shared") && told.contains("others"), "{told}");
    if !certificates(folder.path(), "ours", &["me", "other"]) || !certificates(folder.path(), "theirs", &["foreign"]) {
        skipped("no openssl to make certificates with");
        return;
    }
    std::fs::write(file("broken.key"), "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
        .expect("a file");
    let proof = |ca: &str, certificate: &str, key: &str| {
        complaint(&["--tls-ca", &file(ca), "--tls-cert", &file(certificate), "--tls-key", &file(key)])
    };
    for (told, name) in [
        (proof("ours.pem", "me.pem", "broken.key"), "broken.key"),
        (proof("ours.pem", "broken.key", "me.key"), "broken.key"),
        (proof("broken.key", "me.pem", "me.key"), "broken.key"),
        (proof("ours.pem", "me.pem", "other.key"), "other.key"),
        (proof("ours.pem", "foreign.pem", "foreign.key"), "foreign.pem"),
    ] {
        assert!(told.contains(name) && told.contains("cannot be used"), "{told}");
    }
}

#[test]
fn trouble_is_told_once_then_how_often_and_then_that_it_is_over() {
    let Some(mut cluster) = Faults::new("trouble") else { return };
    let host = cluster.hosts.add();
    let arguments = ["worker", "--cluster", "faults", "--password-file", &cluster.secret, "--net", "none"];
    let mut worker = Worker::of(cluster.hosts.jigo(host, &arguments));
    let nobody = "jigo worker: nobody of the cluster \"faults\" answers";
    assert_eq!(worker.first_news(), format!("{nobody}; trying again and again"));
    assert_eq!(worker.says(""), format!("{nobody}; tried 10 times"));
    let gtp = cluster.coordinator();
    // On a starved machine it may find the door and not get an answer in time, which is another trouble.
    let mut news =
        std::iter::repeat_with(|| worker.says("")).take_while(|news| news != "jigo worker: joined the cluster");
    let again = news.find(|news| news.contains(nobody) && !news.ends_with("tried 100 times"));
    assert_eq!(again, None, "told too often");
    gtp.quit();
}

#[test]
fn members_who_know_only_a_hub_meet_there() {
    let Some(mut cluster) = Faults::new("hub") else { return };
    let folder = cluster.folder.path().to_path_buf();
    if !certificates(&folder, "ours", &["hub", "worker", "me"]) {
        skipped("no openssl to make certificates with");
        return;
    }
    // A command line of a member with a certificate.
    let command = |words: &str, name: &str, more: &str| {
        let file = |name: &str| text(&folder.join(name)).to_string();
        let tls = format!(
            "--tls-ca {} --tls-cert {} --tls-key {}",
            file("ours.pem"),
            file(&format!("{name}.pem")),
            file(&format!("{name}.key"))
        );
        format!("{words} --cluster far {tls} {more}").split_whitespace().map(str::to_string).collect::<Vec<_>>()
    };
    let (near, far) = (cluster.hosts.add(), cluster.hosts.add());
    let start = |host, words: Vec<String>| cluster.hosts.start(host, &words);
    let _hub = start(0, command("cluster hub", "hub", &format!("--listen {COORDINATOR}")));
    let engine = format!("--connect {COORDINATOR} --net none --threads 1");
    let _worker = start(far, command("worker", "worker", &format!("{engine} --nice 0")));
    let status = || {
        let words = command("cluster status", "me", &format!("--connect {COORDINATOR} --json"));
        cluster.hosts.run(near, &words)
    };
    wait_for("the hub", || String::from_utf8_lossy(&status().stderr).contains("no coordinator").then_some(()));
    let words = command("gtp", "me", &format!("{engine} --size 9"));
    let mut gtp = Gtp::start(cluster.hosts.jigo(near, &words));
    let of_worker = |name: &str| {
        let status: Value = serde_json::from_slice(&status().stdout).unwrap_or_default();
        status["workers"].get(0).map(|worker| worker[name].clone())
    };
    wait_for("the worker", || (of_worker("is_alive")? == true).then_some(()));
    gtp.ask(ENDLESS);
    gtp.send("genmove b");
    wait_for("the worker's share", || (of_worker("playouts")?.as_u64() > Some(0)).then_some(()));
    gtp.interrupt();
    gtp.quit();
}
