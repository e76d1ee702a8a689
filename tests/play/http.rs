//! The server refuses whatever does not come from its own page, and ends when told.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::Workplace;

/// The host and the path of an address.
fn parts(address: &str) -> (&str, &str) {
    let rest = address.strip_prefix("http://").expect("an address");
    let slash = rest.find('/').expect("a path");
    rest.split_at(slash)
}

fn ask(host: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(host).expect("the server listens");
    stream.write_all(request.as_bytes()).expect("the server reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the server answers");
    answer
}

#[test]
fn only_its_own_page_is_served() {
    let work = Workplace::new();
    let (_server, address) = work.serve(&[]);
    let (host, path) = parts(&address);
    assert!(host.starts_with("127.0.0.1:"), "{host}");
    assert_eq!(path.len(), 34, "a token of 128 bits: {path}");
    let get = |path: &str, named: &str, more: &str| {
        ask(host, &format!("GET {path} HTTP/1.1\r\nHost: {named}\r\n{more}\r\n"))
    };
    let own = get(path, host, "");
    assert!(own.starts_with("HTTP/1.1 200 OK\r\n"), "{own}");
    assert!(own.contains("Content-Security-Policy: default-src 'none'"), "{own}");
    assert!(own.contains("frame-ancestors 'none'"), "{own}");
    assert!(get("/", host, "").starts_with("HTTP/1.1 404"));
    assert!(get("/0123456789abcdef0123456789abcdef/", host, "").starts_with("HTTP/1.1 404"));
    assert!(get(path, "evil.example", "").starts_with("HTTP/1.1 403"), "another host");
    assert!(get(path, host, "Host: evil.example\r\n").starts_with("HTTP/1.1 400"), "two hosts");
    let foreign = "Origin: http://evil.example\r\n";
    assert!(get(path, host, foreign).starts_with("HTTP/1.1 403"), "another origin");
    assert!(ask(host, "nonsense\r\n\r\n").starts_with("HTTP/1.1 400"));
    let post = |origin: &str, body: &str| {
        let head = format!("POST {path} HTTP/1.1\r\nHost: {host}\r\n{origin}");
        ask(host, &format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()))
    };
    let ours = format!("Origin: http://{host}\r\n");
    assert!(post("", "do=1").starts_with("HTTP/1.1 403"), "no origin");
    assert!(post(foreign, "do=1").starts_with("HTTP/1.1 403"));
    assert!(post("Origin: null\r\n", "do=1").starts_with("HTTP/1.1 403"));
    assert!(get(path, host, "").contains("initial state"), "nothing was done");
    assert!(post(&ours, "do=save+x").starts_with("HTTP/1.1 400"), "no files from a browser");
    assert!(post(&ours, "do=1").starts_with("HTTP/1.1 303"));
    assert!(get(path, host, "").contains("1. take(node0)"));
    let saved = get(&format!("{path}run.itf.json"), host, "");
    assert!(saved.contains("\"mbt::actionTaken\": \"take\""), "{saved}");
}

#[test]
fn a_slow_client_does_not_keep_others_waiting() {
    let work = Workplace::new();
    let (_server, address) = work.serve(&[]);
    let (host, path) = parts(&address);
    let mut slow = TcpStream::connect(host).expect("the server listens");
    slow.write_all(b"GET / HT").expect("the server reads");
    let begin = Instant::now();
    let answer = ask(host, &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(begin.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_port_in_use_is_one_line() {
    let work = Workplace::new();
    let (_server, address) = work.serve(&[]);
    let port = parts(&address).0.rsplit(':').next().expect("a port");
    let run = work.rmlcut(&["play", "lock.rml", "--serve", "--port", port]);
    assert_eq!(run.status.code(), Some(3), "{run:?}");
    let error = String::from_utf8(run.stderr).expect("text");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.starts_with(&format!("error: cannot listen on 127.0.0.1:{port}: ")), "{error}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_server() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let work = Workplace::new();
    let (mut server, address) = work.serve(&[]);
    // A client that says nothing more does not hold it up.
    let _open = TcpStream::connect(parts(&address).0).expect("the server listens");
    let begin = Instant::now();
    let id = i32::try_from(server.0.id()).expect("a process");
    kill(Pid::from_raw(id), Signal::SIGINT).expect("a signal");
    let status = server.0.wait().expect("it ends");
    assert!(status.success(), "{status}");
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}
