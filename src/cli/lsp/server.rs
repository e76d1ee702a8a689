//! The conversation with a client: its requests and notifications, and what it is sent.

use std::collections::BTreeMap;
use std::sync::mpsc::Sender;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use lsp_types::{
    CancelParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, InitializeParams, NumberOrString, ProgressParams,
    ProgressParamsValue, PublishDiagnosticsParams, Uri, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressCancelParams, WorkDoneProgressCreateParams, WorkDoneProgressEnd,
    WorkDoneProgressReport,
};
use serde::Serialize;
use serde_json::Value;

use super::abilities::{Client, abilities};
use super::documents::Documents;
use super::findings::Findings;
use super::jobs::{Job, JobNumber, Jobs, Outcome};
use super::lenses;
use super::{Event, Refusal};

/// How far the conversation has got.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    New,
    Initialized,
    ShutDown,
}

/// The state of the conversation.
pub(super) struct Server {
    pub(super) phase: Phase,
    pub(super) client: Client,
    pub(super) documents: Documents,
    pub(super) jobs: Jobs,
    /// What was found out about texts that were not edited since.
    pub(super) findings: BTreeMap<String, Findings>,
    /// What the client is to be sent.
    pub(super) outbox: Vec<Message>,
    /// How many requests the client was sent.
    requests: i32,
}

/// The answer to a request: now, or when its job ends.
pub(super) enum Answer {
    Now(Value),
    Later,
}

impl Server {
    pub(super) fn new(events: Sender<Event>) -> Self {
        Server {
            phase: Phase::New,
            client: Client::default(),
            documents: Documents::default(),
            jobs: Jobs::new(events),
            findings: BTreeMap::new(),
            outbox: Vec::new(),
            requests: 0,
        }
    }

    /// Answers a request.
    pub(super) fn asked(&mut self, asked: Request) {
        let id = asked.id.clone();
        match self.answer(asked) {
            Ok(Answer::Now(result)) => self.respond(Response::new_ok(id, result)),
            Ok(Answer::Later) => {}
            Err((code, reason)) => self.respond(Response::new_err(id, code as i32, reason)),
        }
    }

    fn respond(&mut self, response: Response) {
        self.outbox.push(Message::Response(response));
    }

    fn notify(&mut self, method: &str, params: Value) {
        let note = Notification { method: method.to_owned(), params };
        self.outbox.push(Message::Notification(note));
    }

    fn request(&mut self, method: &str, params: Value) {
        self.requests += 1;
        let id = RequestId::from(format!("rmlcut-{}", self.requests));
        self.outbox.push(Message::Request(Request { id, method: method.to_owned(), params }));
    }

    fn answer(&mut self, asked: Request) -> Result<Answer, Refusal> {
        match (self.phase, asked.method.as_str()) {
            (Phase::New, request::Initialize::METHOD) => {
                let params: InitializeParams = read(asked.params)?;
                self.phase = Phase::Initialized;
                self.client = Client::new(params);
                Ok(Answer::Now(write(&abilities(self.client))?))
            }
            (Phase::New, _) => {
                Err((ErrorCode::ServerNotInitialized, "send `initialize` first".to_owned()))
            }
            (Phase::Initialized, request::Initialize::METHOD) => {
                Err((ErrorCode::InvalidRequest, "`initialize` was sent before".to_owned()))
            }
            (Phase::Initialized, request::Shutdown::METHOD) => {
                self.phase = Phase::ShutDown;
                self.cancel(|_| true, ErrorCode::ServerCancelled, "the server is shutting down");
                Ok(Answer::Now(Value::Null))
            }
            (Phase::Initialized, request::ExecuteCommand::METHOD) => {
                self.commanded(asked.id, asked.params)
            }
            (Phase::Initialized, _) => self.about_text(asked).map(Answer::Now),
            (Phase::ShutDown, _) => {
                Err((ErrorCode::InvalidRequest, "the server is shutting down".to_owned()))
            }
        }
    }

    /// Reacts to a notification. A wrong one has no answer in the protocol.
    pub(super) fn notified(&mut self, note: Notification) {
        if self.phase != Phase::Initialized {
            return;
        }
        let changed = match note.method.as_str() {
            notification::DidOpenTextDocument::METHOD => self.opened(note.params),
            notification::DidChangeTextDocument::METHOD => self.changed(note.params),
            notification::DidCloseTextDocument::METHOD => self.closed(note.params),
            notification::Cancel::METHOD => return self.cancelled(note.params),
            notification::WorkDoneProgressCancel::METHOD => return self.unwanted(note.params),
            _ => None,
        };
        let Some(uri) = changed else { return };
        let beside = self.documents.beside(&uri);
        for uri in [uri].into_iter().chain(beside) {
            self.outdated(&uri);
            self.publish(uri);
        }
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
            text = self.client.encoding.edited(&text, change);
        }
        self.documents.put(uri.clone(), text);
        Some(uri)
    }

    fn closed(&mut self, params: Value) -> Option<Uri> {
        let params: DidCloseTextDocumentParams = read(params).ok()?;
        self.documents.close(&params.text_document.uri);
        Some(params.text_document.uri)
    }

    /// Forgets what was found out about a text, and ends what reads it.
    fn outdated(&mut self, uri: &Uri) {
        self.findings.remove(uri.as_str());
        self.cancel(
            |job| job.reads.contains(uri),
            ErrorCode::ContentModified,
            "the text was changed",
        );
    }

    /// The client cancels a request: one that still runs is a job.
    fn cancelled(&mut self, params: Value) {
        let Ok(CancelParams { id }) = read(params) else { return };
        let id = match id {
            NumberOrString::Number(number) => RequestId::from(number),
            NumberOrString::String(text) => RequestId::from(text),
        };
        self.cancel(|job| job.request == id, ErrorCode::RequestCanceled, "cancelled");
    }

    /// The client cancels what it was shown the progress of.
    fn unwanted(&mut self, params: Value) {
        let Ok(WorkDoneProgressCancelParams { token }) = read(params) else { return };
        self.cancel(
            |job| job.token.as_ref() == Some(&token),
            ErrorCode::RequestCanceled,
            "cancelled",
        );
    }

    /// Ends jobs, and answers their requests.
    pub(super) fn cancel(
        &mut self,
        is_meant: impl Fn(&Job) -> bool,
        code: ErrorCode,
        reason: &str,
    ) {
        let jobs = self.jobs.cancel(is_meant);
        let any = !jobs.is_empty();
        for job in jobs {
            self.end_progress(&job, reason);
            self.respond(Response::new_err(job.request, code as i32, reason.to_owned()));
        }
        if any {
            self.refresh_lenses();
        }
    }

    /// A job has started: the client may show that it runs.
    pub(super) fn started(&mut self, number: JobNumber, is_ours: bool) {
        let Some(job) = self.jobs.get(number) else { return };
        let (token, word) = (job.token.clone(), job.word);
        let file = job.uri.as_str().rsplit('/').next().unwrap_or_default().to_owned();
        if let Some(token) = token {
            if is_ours {
                let create = WorkDoneProgressCreateParams { token: token.clone() };
                self.request(request::WorkDoneProgressCreate::METHOD, as_value(&create));
            }
            let title = format!("rmlcut: {word} {file}");
            let cancellable = Some(true);
            let begin = WorkDoneProgressBegin { title, cancellable, ..Default::default() };
            self.show_progress(token, WorkDoneProgress::Begin(begin));
        }
        self.refresh_lenses();
    }

    /// A job has visited so many states.
    pub(super) fn progressed(&mut self, number: JobNumber, states: u64) {
        let Some(token) = self.jobs.get(number).and_then(|job| job.token.clone()) else { return };
        let message = Some(format!("{states} states"));
        let report = WorkDoneProgressReport { message, ..Default::default() };
        self.show_progress(token, WorkDoneProgress::Report(report));
    }

    /// A job has ended.
    pub(super) fn finished(&mut self, number: JobNumber, outcome: Outcome) {
        let Some(job) = self.jobs.ended(number) else { return };
        match outcome {
            Ok(found) => {
                self.end_progress(&job, &found.verdict);
                let found_out = JobAnswer {
                    verdict: &found.verdict,
                    certificate: found.certificate.as_deref(),
                };
                self.respond(Response::new_ok(job.request, as_value(&found_out)));
                self.findings.insert(job.uri.as_str().to_owned(), *found);
            }
            Err(reason) => {
                self.end_progress(&job, &reason);
                let code = ErrorCode::RequestFailed as i32;
                self.respond(Response::new_err(job.request, code, reason));
            }
        }
        self.publish(job.uri);
        self.refresh_lenses();
    }

    fn end_progress(&mut self, job: &Job, message: &str) {
        if let Some(token) = &job.token {
            let end = WorkDoneProgressEnd { message: Some(message.to_owned()) };
            self.show_progress(token.clone(), WorkDoneProgress::End(end));
        }
    }

    fn show_progress(&mut self, token: NumberOrString, progress: WorkDoneProgress) {
        let params = ProgressParams { token, value: ProgressParamsValue::WorkDone(progress) };
        self.notify(notification::Progress::METHOD, as_value(&params));
    }

    fn refresh_lenses(&mut self) {
        if self.client.refreshes_lenses && self.phase == Phase::Initialized {
            self.request(request::CodeLensRefresh::METHOD, Value::Null);
        }
    }

    /// Sends the messages about a text.
    fn publish(&mut self, uri: Uri) {
        let encoding = self.client.encoding;
        let mut diagnostics = self.documents.messages(&uri, encoding);
        if let (Some(found), Some(text)) =
            (self.findings.get(uri.as_str()), self.documents.text(&uri))
        {
            diagnostics.extend(lenses::messages(found, text, encoding));
        }
        let params = PublishDiagnosticsParams { uri, diagnostics, version: None };
        self.notify(notification::PublishDiagnostics::METHOD, as_value(&params));
    }
}

/// The answer to a command that searched.
#[derive(Serialize)]
struct JobAnswer<'a> {
    verdict: &'a str,
    certificate: Option<&'a str>,
}

/// Structures of the protocol have string keys, so each of them is a value.
pub(super) fn as_value(own: &impl Serialize) -> Value {
    serde_json::to_value(own).unwrap_or_default()
}

pub(super) fn read<P: for<'a> serde::Deserialize<'a>>(params: Value) -> Result<P, Refusal> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

pub(super) fn write<R: Serialize>(result: &R) -> Result<Value, Refusal> {
    serde_json::to_value(result).map_err(|error| (ErrorCode::InternalError, error.to_string()))
}
