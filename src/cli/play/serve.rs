//! `rmlcut play --serve`: the same in a browser. Listens on the loopback address only; a request
//! needs the token of the address, the right host, and, to change anything, the right origin.
//!
//! One player, one page, three kinds of requests: the standard library's listener is enough.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use super::table::Table;
use crate::cli::command_output::{CommandAnswer, CommandResult, ExitStatus};
use crate::play::Session;
use crate::report::html::{POLICY_OF_PLAY, play_page};

/// A client that is slower, or says more, is not served.
const PATIENCE: Duration = Duration::from_millis(800);
const LONGEST_REQUEST: usize = 16 << 10;

/// How often the server looks whether it is time to stop.
const PULSE: Duration = Duration::from_millis(20);

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
enum ServeError {
    #[error("cannot listen on 127.0.0.1:{0}: {1}")]
    Listen(u16, io::Error),
    #[error("the system has no random numbers for a token: {0}")]
    Token(String),
}

/// Serves until Ctrl-C.
pub(super) fn run(table: &Table, session: &mut Session, port: u16) -> CommandResult {
    let failed = |error: &ServeError| {
        CommandAnswer::failure(table.format, ExitStatus::EnvironmentError, error)
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .and_then(|listener| listener.set_nonblocking(true).map(|()| listener));
    let listener = listener.map_err(|error| failed(&ServeError::Listen(port, error)))?;
    let own = listener.local_addr().map_err(|error| failed(&ServeError::Listen(port, error)))?;
    let token = token().map_err(|error| failed(&error))?;
    let server = Server { table, host: format!("127.0.0.1:{}", own.port()), token };
    let address = format!("http://{}/{}/\n", server.host, server.token);
    crate::cli::write_out(&CommandAnswer::success(address));
    while !table.stop.is_set() {
        match listener.accept() {
            // A client that goes away is its own affair.
            Ok((stream, _)) => drop(server.serve(session, stream)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(PULSE),
            Err(error) => return Err(failed(&ServeError::Listen(own.port(), error))),
        }
    }
    Ok(CommandAnswer::success(String::new()))
}

/// 128 unguessable bits, as text.
fn token() -> Result<String, ServeError> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| ServeError::Token(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

struct Server<'a> {
    table: &'a Table,
    host: String,
    token: String,
}

/// What a client sends.
struct Request {
    method: String,
    path: String,
    host: Option<String>,
    origin: Option<String>,
    body: String,
}

/// What is sent back.
struct Response {
    status: &'static str,
    kind: &'static str,
    /// A header of its own.
    extra: String,
    body: String,
}

impl Response {
    fn plain(status: &'static str) -> Self {
        let body = format!("{status}\n");
        Response { status, kind: "text/plain; charset=utf-8", extra: String::new(), body }
    }
}

impl Server<'_> {
    fn serve(&self, session: &mut Session, mut stream: TcpStream) -> io::Result<()> {
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(PULSE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let response = match self.request(&mut stream)? {
            Some(request) => self.response(session, &request),
            None => Response::plain("400 Bad Request"),
        };
        let Response { status, kind, extra, body } = response;
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
             Content-Security-Policy: {POLICY_OF_PLAY}\r\nX-Content-Type-Options: nosniff\r\n\
             Referrer-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n\
             Cache-Control: no-store\r\nConnection: close\r\n{extra}\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(body.as_bytes())
    }

    /// Reads a request; `None` for what is none.
    fn request(&self, stream: &mut TcpStream) -> io::Result<Option<Request>> {
        let begin = Instant::now();
        let mut bytes = Vec::new();
        let mut part = [0; 4096];
        loop {
            if let Some(request) = parsed(&bytes) {
                return Ok(request);
            }
            if bytes.len() > LONGEST_REQUEST {
                return Ok(None);
            }
            if begin.elapsed() > PATIENCE || self.table.stop.is_set() {
                return Err(ErrorKind::TimedOut.into());
            }
            match stream.read(&mut part) {
                Ok(0) => return Ok(None),
                Ok(count) => bytes.extend_from_slice(&part[..count]),
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn response(&self, session: &mut Session, request: &Request) -> Response {
        // Another name for this machine may be an attempt to get around the same-origin rule.
        if request.host.as_deref() != Some(&self.host) {
            return Response::plain("403 Forbidden");
        }
        let own = format!("http://{}", self.host);
        let is_foreign = |origin: &String| *origin != own;
        if request.origin.as_ref().is_some_and(is_foreign) {
            return Response::plain("403 Forbidden");
        }
        let below = request.path.strip_prefix('/').and_then(|path| path.split_once('/'));
        let Some(place) = below.filter(|(token, _)| *token == self.token).map(|(_, place)| place)
        else {
            return Response::plain("404 Not Found");
        };
        match (request.method.as_str(), place) {
            ("GET", "") => self.page(session, None),
            ("GET", "run.itf.json") => Response {
                status: "200 OK",
                kind: "application/json",
                extra: "Content-Disposition: attachment; filename=\"run.itf.json\"\r\n".to_owned(),
                body: self.table.itf(session),
            },
            ("POST", "") if request.origin.is_none() => Response::plain("403 Forbidden"),
            ("POST", "") => self.play(session, &request.body),
            (_, "" | "run.itf.json") => Response::plain("405 Method Not Allowed"),
            _ => Response::plain("404 Not Found"),
        }
    }

    /// A form was sent: `do=3`, `do=back`.
    fn play(&self, session: &mut Session, form: &str) -> Response {
        let wanted = form.strip_prefix("do=").unwrap_or_default();
        let wanted = wanted.replace('+', " ");
        // Only what the buttons of the page send: no files are read or written from here.
        let done = match wanted.split_once(' ').unwrap_or((&wanted, "1")) {
            ("back", _) => {
                session.back(1);
                Ok(())
            }
            ("restart", number) => match number.parse::<usize>() {
                Ok(number) if session.restart(number.saturating_sub(1)) => Ok(()),
                _ => Err("there is no such initial state".to_owned()),
            },
            ("random", number) => {
                let steps = number.parse().unwrap_or(1).min(100);
                session.random_walk(&self.table.protocol, steps, &self.table.stop);
                Ok(())
            }
            (number, _) => match number.parse() {
                Ok(number) => self.table.taken(session, number),
                Err(_) => return Response::plain("400 Bad Request"),
            },
        };
        match done {
            Ok(()) => Response {
                status: "303 See Other",
                extra: format!("Location: /{}/\r\n", self.token),
                ..Response::plain("303 See Other")
            },
            Err(message) => self.page(session, Some(&message)),
        }
    }

    fn page(&self, session: &Session, message: Option<&str>) -> Response {
        let Table { protocol, source, stop, .. } = self.table;
        let options = self.table.options(session);
        let blocked = |action| session.blocked(protocol, action, &[], stop).unwrap_or_default();
        let body = play_page(protocol, source, session, &options, &blocked, message);
        Response { status: "200 OK", kind: "text/html; charset=utf-8", extra: String::new(), body }
    }
}

/// A whole request, once it is there; `Some(None)` for what is none.
fn parsed(bytes: &[u8]) -> Option<Option<Request>> {
    let end = bytes.windows(4).position(|part| part == b"\r\n\r\n")?;
    let Ok(head) = std::str::from_utf8(&bytes[..end]) else { return Some(None) };
    let mut lines = head.split("\r\n");
    let mut first = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(path), Some(version)) = (first.next(), first.next(), first.next())
    else {
        return Some(None);
    };
    if !version.starts_with("HTTP/1.") {
        return Some(None);
    }
    let mut request = Request {
        method: method.to_owned(),
        path: path.to_owned(),
        host: None,
        origin: None,
        body: String::new(),
    };
    let mut length = 0;
    for line in lines {
        let Some((name, value)) = line.split_once(':') else { return Some(None) };
        let value = value.trim();
        let place = match name.to_ascii_lowercase().as_str() {
            "host" => &mut request.host,
            "origin" => &mut request.origin,
            "content-length" => match value.parse::<usize>() {
                Ok(number) if number <= LONGEST_REQUEST => {
                    length = number;
                    continue;
                }
                _ => return Some(None),
            },
            _ => continue,
        };
        // A header that comes twice means two things at once.
        if place.replace(value.to_owned()).is_some() {
            return Some(None);
        }
    }
    let body = bytes.get(end + 4..end + 4 + length)?;
    Some(String::from_utf8(body.to_vec()).ok().map(|body| Request { body, ..request }))
}
