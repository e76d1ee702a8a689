//! How long an editor waits: key strokes and requests, without the pipe.

use std::sync::mpsc::channel;
use std::time::Instant;

use lsp_server::{Message, Notification, Request, RequestId};
use lsp_types::{
    DidChangeTextDocumentParams, DidOpenTextDocumentParams, InitializeParams, Position, Range,
    TextDocumentContentChangeEvent, TextDocumentIdentifier, TextDocumentItem,
    TextDocumentPositionParams, Uri, VersionedTextDocumentIdentifier,
};
use serde::Serialize;
use serde_json::Value;

use super::server::{Server, as_value};
use crate::report::bench::lsp::{LspBench, LspRow};

const URI: &str = "file:///bench/generated.rml";

/// What requests about a whole text begin with.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AboutText<'a> {
    text_document: &'a TextDocumentIdentifier,
}

/// Edits a text so many times, one key stroke each, and asks about it after every edit.
pub(crate) fn measure(text: &str, strokes: u32) -> LspBench {
    let (events, _unused) = channel();
    let mut server = Server::new(events);
    ask(&mut server, "initialize", as_value(&InitializeParams::default()));
    let uri: Uri = URI.parse().expect("the address is one");
    let document = TextDocumentItem::new(uri.clone(), "rml".to_owned(), 0, text.to_owned());
    let opened = DidOpenTextDocumentParams { text_document: document };
    notify(&mut server, "textDocument/didOpen", as_value(&opened));
    // In the middle of the text, at the end of a name.
    let line = u32::try_from(text.lines().count() / 2).unwrap_or_default();
    let about = TextDocumentIdentifier::new(uri.clone());
    let at_name = TextDocumentPositionParams::new(about.clone(), Position::new(2, 10));
    let mut times: Vec<(&str, Vec<f64>)> = REQUESTS.iter().map(|own| (*own, Vec::new())).collect();
    for stroke in 0..strokes {
        // Typed and deleted again.
        let (end, typed) = if stroke % 2 == 0 { (0, "x") } else { (1, "") };
        let edit = TextDocumentContentChangeEvent {
            range: Some(Range::new(Position::new(line, 0), Position::new(line, end))),
            range_length: None,
            text: typed.to_owned(),
        };
        let version = i32::try_from(stroke).unwrap_or_default().saturating_add(1);
        let changed = DidChangeTextDocumentParams {
            text_document: VersionedTextDocumentIdentifier::new(uri.clone(), version),
            content_changes: vec![edit],
        };
        for (request, times) in &mut times {
            let params = match *request {
                CHANGE => as_value(&changed),
                HOVER | COMPLETION => as_value(&at_name),
                _ => as_value(&AboutText { text_document: &about }),
            };
            let start = Instant::now();
            let answered = match *request {
                CHANGE => notify(&mut server, CHANGE, params),
                _ => ask(&mut server, request, params),
            };
            if answered {
                times.push(start.elapsed().as_secs_f64());
            }
        }
    }
    let rows = times.into_iter().map(|(request, times)| LspRow::new(request, times));
    LspBench { lines: text.lines().count(), strokes, rows: rows.collect() }
}

const CHANGE: &str = "textDocument/didChange";
const HOVER: &str = "textDocument/hover";
const COMPLETION: &str = "textDocument/completion";
const REQUESTS: &[&str] = &[
    CHANGE,
    HOVER,
    COMPLETION,
    "textDocument/semanticTokens/full",
    "textDocument/documentSymbol",
    "textDocument/codeLens",
];

/// Sends a notification; whether messages were published.
fn notify(server: &mut Server, method: &str, params: Value) -> bool {
    server.notified(Notification { method: method.to_owned(), params });
    server.outbox.drain(..).any(|sent| matches!(sent, Message::Notification(_)))
}

/// Sends a request; whether it was answered by a result.
fn ask(server: &mut Server, method: &str, params: Value) -> bool {
    let id = RequestId::from(1);
    server.asked(Request { id, method: method.to_owned(), params });
    let mut sent = server.outbox.drain(..);
    sent.any(|sent| matches!(sent, Message::Response(answer) if answer.response_result.is_ok()))
}
