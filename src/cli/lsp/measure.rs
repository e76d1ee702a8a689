//! How long an editor waits: key strokes and requests, without the pipe.

use std::sync::mpsc::channel;
use std::time::Instant;

use lsp_server::{Message, Notification, Request, RequestId};
use serde_json::{Value, json};

use super::server::Server;
use crate::report::bench::lsp::{LspBench, LspRow};

const URI: &str = "file:///bench/generated.rml";

/// Edits a text so many times, one key stroke each, and asks about it after every edit.
pub(crate) fn measure(text: &str, strokes: u32) -> LspBench {
    let (events, _unused) = channel();
    let mut server = Server::new(events);
    ask(&mut server, "initialize", json!({ "capabilities": {} }));
    let document = json!({ "uri": URI, "languageId": "rml", "version": 0, "text": text });
    notify(&mut server, "textDocument/didOpen", json!({ "textDocument": document }));
    // In the middle of the text, at the end of a name.
    let line = text.lines().count() / 2;
    let place = |at: usize| json!({ "line": line, "character": at });
    let about = json!({ "textDocument": { "uri": URI } });
    let mut times: Vec<(&str, Vec<f64>)> = REQUESTS.iter().map(|own| (*own, Vec::new())).collect();
    for stroke in 0..strokes {
        // Typed and deleted again.
        let (from, to, typed) = if stroke % 2 == 0 { (0, 0, "x") } else { (0, 1, "") };
        let edit = json!({ "range": { "start": place(from), "end": place(to) }, "text": typed });
        let document = json!({ "uri": URI, "version": stroke + 1 });
        let params = json!({ "textDocument": document, "contentChanges": [edit] });
        for (request, times) in &mut times {
            let mut params = if *request == CHANGE { params.clone() } else { about.clone() };
            if matches!(*request, HOVER | COMPLETION) {
                params["position"] = json!({ "line": 2, "character": 10 });
            }
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
