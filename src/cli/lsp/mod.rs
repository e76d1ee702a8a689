//! `rmlcut lsp`: a language server on the standard input and output.
//!
//! The only folder that names the crates of the protocol. Messages that cannot be read are answered
//! by errors; only `exit` and the end of the input end the server. One thread reads, one answers,
//! and every search or check has its own.

mod abilities;
mod documents;
mod findings;
mod fixes;
mod jobs;
mod lenses;
mod measure;
mod navigation;
mod outline;
mod positions;
mod requests;
mod server;
mod view;
mod writing;

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use lsp_server::{ErrorCode, Message, Request, Response};
use lsp_types::notification::{self, Notification as _};
use serde_json::Value;

use super::Format;
use super::command_output::{CommandAnswer, CommandResult, ExitStatus};
use jobs::{JobNumber, Outcome};
pub(super) use measure::measure;
use server::{Phase, Server};

const HELP: &str = "\
An editor starts this program and talks to it on the standard input and output. Protocols (.rml, .ivy,
.pyv, .mer, .ch) and certificates (.cut, with the protocol of the same name beside them) get messages
while you type, and lenses that explore, prove and check. RML and certificates also get hover texts,
definitions, references, renaming, completion, outlines, colours and quick fixes; RML is formatted.

Example, in the settings of an editor:
  rmlcut lsp --stdio

Exit code: 0 after `shutdown` and `exit`, 1 after `exit` alone, 3 if the client closes the connection.";

/// How long the end waits for searches that were asked to stop.
const FAREWELL: Duration = Duration::from_secs(2);

/// The arguments of `rmlcut lsp`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(super) struct LspArguments {
    /// Accepted because some editors add it: there is no other way to talk to the server
    #[arg(long)]
    stdio: bool,
}

/// Something that happens to the server.
enum Event {
    /// A message came, or could not be read, or the input ended.
    Read(io::Result<Option<Message>>),
    /// A job has visited so many states.
    Progress(JobNumber, u64),
    /// A job has ended.
    Finished(JobNumber, Outcome),
}

/// Why there is nothing more to do.
enum Ended {
    Exit,
    Closed,
}

/// An answer to a request that is none: a code and a reason.
type Refusal = (ErrorCode, String);

/// Serves one editor.
pub(super) fn run(_arguments: &LspArguments, format: Format) -> CommandResult {
    let (sender, events) = channel();
    let mut server = Server::new(sender.clone());
    thread::spawn(move || read(&sender));
    let ended = serve(&mut server, &events, &mut io::stdout().lock());
    let _ = server.jobs.cancel(|_| true);
    farewell(&server, &events);
    match ended {
        Ok(Ended::Exit) => {
            let orderly = server.phase == Phase::ShutDown;
            let status = if orderly { ExitStatus::Success } else { ExitStatus::No };
            Ok(CommandAnswer { status, ..CommandAnswer::success(String::new()) })
        }
        Ok(Ended::Closed) => Err(closed()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(closed()),
        Err(error) => Err(CommandAnswer::failure(format, ExitStatus::EnvironmentError, &error)),
    }
}

/// The client has gone without a word; there may be no one to read a result.
fn closed() -> CommandAnswer {
    let message = "the editor closed the connection without `exit`";
    CommandAnswer::failure(Format::Text, ExitStatus::EnvironmentError, &message)
}

/// Reads messages until the input ends.
fn read(events: &Sender<Event>) {
    let mut input = io::stdin().lock();
    loop {
        let message = Message::read(&mut input);
        let goes_on = match &message {
            Ok(message) => message.is_some(),
            Err(error) => error.kind() == ErrorKind::InvalidData,
        };
        if events.send(Event::Read(message)).is_err() || !goes_on {
            return;
        }
    }
}

/// Lets cancelled searches end: the solver must not be torn down under them.
fn farewell(server: &Server, events: &Receiver<Event>) {
    let deadline = Instant::now() + FAREWELL;
    let mut alive = server.jobs.alive();
    while alive > 0 {
        match events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Event::Finished(..)) => alive -= 1,
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn serve(
    server: &mut Server,
    events: &Receiver<Event>,
    output: &mut impl Write,
) -> io::Result<Ended> {
    let mut waiting: VecDeque<Event> = VecDeque::new();
    loop {
        // What has arrived meanwhile may cancel what is next.
        waiting.extend(events.try_iter());
        let next = waiting.pop_front().or_else(|| events.recv().ok());
        let Some(event) = next else { return Ok(Ended::Closed) };
        match event {
            Event::Read(Ok(Some(message))) => {
                if is_exit(&message) {
                    return Ok(Ended::Exit);
                }
                received(server, message, &waiting);
            }
            Event::Read(Ok(None)) => return Ok(Ended::Closed),
            Event::Read(Err(error)) if error.kind() == ErrorKind::InvalidData => {
                unreadable(output)?;
            }
            Event::Read(Err(error)) if error.kind() == ErrorKind::UnexpectedEof => {
                return Ok(Ended::Closed);
            }
            Event::Read(Err(error)) => return Err(error),
            Event::Progress(job, states) => server.progressed(job, states),
            Event::Finished(job, outcome) => {
                server.jobs.buried();
                server.finished(job, outcome);
            }
        }
        for message in server.outbox.drain(..) {
            message.write(output)?;
        }
    }
}

fn is_exit(message: &Message) -> bool {
    matches!(message, Message::Notification(note) if note.method == notification::Exit::METHOD)
}

/// Reacts to a message; a bug in the reaction is an answer, not the end.
fn received(server: &mut Server, message: Message, waiting: &VecDeque<Event>) {
    match message {
        Message::Request(asked) => {
            let id = asked.id.clone();
            if is_cancelled(&asked, waiting) {
                let code = ErrorCode::RequestCanceled as i32;
                let refused = Response::new_err(id, code, "cancelled".to_owned());
                return server.outbox.push(Message::Response(refused));
            }
            if catch_unwind(AssertUnwindSafe(|| server.asked(asked))).is_err() {
                let code = ErrorCode::InternalError as i32;
                let reason = "internal error: please report it with the text".to_owned();
                server.outbox.push(Message::Response(Response::new_err(id, code, reason)));
            }
        }
        Message::Notification(note) => {
            // It has printed its place, and there is no one to answer.
            let _ = catch_unwind(AssertUnwindSafe(|| server.notified(note)));
        }
        // Nothing depends on what the client says to our requests.
        Message::Response(_) => {}
    }
}

/// Whether a request was cancelled while it waited.
fn is_cancelled(asked: &Request, waiting: &VecDeque<Event>) -> bool {
    let id = serde_json::to_value(&asked.id).unwrap_or(Value::Null);
    waiting.iter().any(|event| match event {
        Event::Read(Ok(Some(Message::Notification(note)))) => {
            note.method == notification::Cancel::METHOD && note.params["id"] == id
        }
        _ => false,
    })
}

/// The answer to a message that cannot be read, which has no id.
fn unreadable(output: &mut impl Write) -> io::Result<()> {
    let code = ErrorCode::ParseError as i32;
    let reason = "this is not a message of the language server protocol";
    let body = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{{\"code\":{code},\"message\":\"{reason}\"}}}}"
    );
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}
