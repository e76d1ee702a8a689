//! `rmlcut lsp`: a language server on the standard input and output.
//!
//! The only folder that names the crates of the protocol. Messages that cannot be read are answered
//! by errors; only `exit` and the end of the input end the server.

mod documents;
mod positions;

use std::io::{self, BufRead, ErrorKind, Write};

use lsp_server::{ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::Notification as _;
use lsp_types::request::Request as _;
use lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DocumentFormattingParams, InitializeParams, InitializeResult, OneOf, PublishDiagnosticsParams,
    ServerCapabilities, ServerInfo, TextDocumentSyncCapability, TextDocumentSyncKind, TextEdit,
    Uri, notification, request,
};
use serde_json::Value;

use super::Format;
use super::command_output::{CommandAnswer, CommandResult, ExitStatus};
use crate::source::Span;
use documents::Documents;
use positions::Encoding;

const HELP: &str = "\
An editor starts this program and talks to it on the standard input and output. Protocols (.rml, .ivy,
.pyv, .mer, .ch) and certificates (.cut, with the protocol of the same name beside them) get messages
while you type; RML is formatted.

Example, in the settings of an editor:
  rmlcut lsp --stdio

Exit code: 0 after `shutdown` and `exit`, 1 after `exit` alone, 3 if the client closes the connection.";

/// The arguments of `rmlcut lsp`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(super) struct LspArguments {
    /// Accepted because some editors add it: there is no other way to talk to the server
    #[arg(long)]
    stdio: bool,
}

/// Serves one editor.
pub(super) fn run(_arguments: &LspArguments, format: Format) -> CommandResult {
    let mut server =
        Server { phase: Phase::New, encoding: Encoding::Utf16, documents: Documents::default() };
    match serve(&mut server, &mut io::stdin().lock(), &mut io::stdout().lock()) {
        Ok(Ended::Exit) => {
            let orderly = server.phase == Phase::ShutDown;
            let status = if orderly { ExitStatus::Success } else { ExitStatus::No };
            Ok(CommandAnswer { status, ..CommandAnswer::success(String::new()) })
        }
        Ok(Ended::Closed) => Err(closed(format)),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(closed(format)),
        Err(error) => Err(CommandAnswer::failure(format, ExitStatus::EnvironmentError, &error)),
    }
}

/// The client has gone without a word; there may be no one to read a result.
fn closed(_format: Format) -> CommandAnswer {
    let message = "the editor closed the connection without `exit`";
    CommandAnswer::failure(Format::Text, ExitStatus::EnvironmentError, &message)
}

/// How far the conversation has got.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    New,
    Initialized,
    ShutDown,
}

/// Why there is nothing more to do.
enum Ended {
    Exit,
    Closed,
}

struct Server {
    phase: Phase,
    encoding: Encoding,
    documents: Documents,
}

/// An answer to a request that is none: a code and a reason.
type Refusal = (ErrorCode, String);

fn serve(
    server: &mut Server,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> io::Result<Ended> {
    loop {
        match Message::read(input) {
            Ok(None) => return Ok(Ended::Closed),
            Ok(Some(Message::Notification(note))) if note.method == notification::Exit::METHOD => {
                return Ok(Ended::Exit);
            }
            Ok(Some(Message::Notification(note))) => {
                for published in server.notified(note) {
                    Message::Notification(published).write(output)?;
                }
            }
            Ok(Some(Message::Request(asked))) => {
                let id = asked.id.clone();
                let answer = match server.asked(asked) {
                    Ok(result) => Response::new_ok(id, result),
                    Err((code, reason)) => Response::new_err(id, code as i32, reason),
                };
                Message::Response(answer).write(output)?;
            }
            // We ask nothing.
            Ok(Some(Message::Response(_))) => {}
            Err(error) if error.kind() == ErrorKind::InvalidData => unreadable(output)?,
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(Ended::Closed),
            Err(error) => return Err(error),
        }
    }
}

/// The answer to a message that cannot be read, which has no id.
fn unreadable(output: &mut impl Write) -> io::Result<()> {
    let code = ErrorCode::ParseError as i32;
    let reason = "this is no message of the language server protocol";
    let body = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{{\"code\":{code},\"message\":\"{reason}\"}}}}"
    );
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}

impl Server {
    fn asked(&mut self, asked: Request) -> Result<Value, Refusal> {
        match (self.phase, asked.method.as_str()) {
            (Phase::New, request::Initialize::METHOD) => {
                let params: InitializeParams = read(asked.params)?;
                self.phase = Phase::Initialized;
                let general = params.capabilities.general;
                let offered = general.and_then(|general| general.position_encodings);
                self.encoding = Encoding::negotiated(&offered.unwrap_or_default());
                write(&self.abilities())
            }
            (Phase::New, _) => {
                Err((ErrorCode::ServerNotInitialized, "send `initialize` first".to_owned()))
            }
            (Phase::Initialized, request::Initialize::METHOD) => {
                Err((ErrorCode::InvalidRequest, "`initialize` was sent before".to_owned()))
            }
            (Phase::Initialized, request::Shutdown::METHOD) => {
                self.phase = Phase::ShutDown;
                Ok(Value::Null)
            }
            (Phase::Initialized, request::Formatting::METHOD) => {
                let params: DocumentFormattingParams = read(asked.params)?;
                write(&self.formatting(&params.text_document.uri))
            }
            (Phase::Initialized, other) => {
                Err((ErrorCode::MethodNotFound, format!("`{other}` is not supported")))
            }
            (Phase::ShutDown, _) => {
                Err((ErrorCode::InvalidRequest, "the server is shutting down".to_owned()))
            }
        }
    }

    fn abilities(&self) -> InitializeResult {
        let sync = TextDocumentSyncCapability::Kind(TextDocumentSyncKind::INCREMENTAL);
        InitializeResult {
            capabilities: ServerCapabilities {
                position_encoding: Some(self.encoding.kind()),
                text_document_sync: Some(sync),
                document_formatting_provider: Some(OneOf::Left(true)),
                ..ServerCapabilities::default()
            },
            server_info: Some(ServerInfo {
                name: "rmlcut".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        }
    }

    /// The edit that puts a text into its canonical form; none where it is, or cannot be read.
    fn formatting(&self, uri: &Uri) -> Option<Vec<TextEdit>> {
        let text = self.documents.text(uri)?;
        let formatted = self.documents.formatted(uri)?;
        if formatted == text {
            return Some(Vec::new());
        }
        let whole = self.encoding.range(text, Span::new(0, text.len()));
        Some(vec![TextEdit::new(whole, formatted)])
    }

    /// What is to be published after a notification. A wrong one has no answer in the protocol.
    fn notified(&mut self, note: Notification) -> Vec<Notification> {
        if self.phase != Phase::Initialized {
            return Vec::new();
        }
        let changed = match note.method.as_str() {
            notification::DidOpenTextDocument::METHOD => self.opened(note.params),
            notification::DidChangeTextDocument::METHOD => self.changed(note.params),
            notification::DidCloseTextDocument::METHOD => self.closed(note.params),
            _ => None,
        };
        let Some(uri) = changed else { return Vec::new() };
        let beside = self.documents.beside(&uri);
        [uri].into_iter().chain(beside).filter_map(|uri| self.published(uri)).collect()
    }

    fn opened(&mut self, params: Value) -> Option<Uri> {
        let document = read::<DidOpenTextDocumentParams>(params).ok()?.text_document;
        self.documents.put(document.uri.clone(), document.text);
        Some(document.uri)
    }

    fn changed(&mut self, params: Value) -> Option<Uri> {
        let params: DidChangeTextDocumentParams = read(params).ok()?;
        let uri = params.text_document.uri;
        let mut text = self.documents.text(&uri)?.to_owned();
        for change in &params.content_changes {
            text = self.encoding.edited(&text, change);
        }
        self.documents.put(uri.clone(), text);
        Some(uri)
    }

    fn closed(&mut self, params: Value) -> Option<Uri> {
        let params: DidCloseTextDocumentParams = read(params).ok()?;
        self.documents.close(&params.text_document.uri);
        Some(params.text_document.uri)
    }

    fn published(&self, uri: Uri) -> Option<Notification> {
        let diagnostics = self.documents.messages(&uri, self.encoding);
        let params = PublishDiagnosticsParams { uri, diagnostics, version: None };
        let params = serde_json::to_value(params).ok()?;
        Some(Notification { method: notification::PublishDiagnostics::METHOD.to_owned(), params })
    }
}

fn read<P: for<'a> serde::Deserialize<'a>>(params: Value) -> Result<P, Refusal> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

fn write<R: serde::Serialize>(result: &R) -> Result<Value, Refusal> {
    serde_json::to_value(result).map_err(|error| (ErrorCode::InternalError, error.to_string()))
}
