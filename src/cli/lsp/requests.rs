//! Requests about open texts, and the commands of lenses.

use lsp_server::{ErrorCode, Request, RequestId};
use lsp_types::request::{self, Request as _};
use lsp_types::{
    CodeActionParams, CodeLensParams, CompletionParams, DocumentFormattingParams,
    DocumentHighlightParams, DocumentSymbolParams, ExecuteCommandParams, GotoDefinitionParams,
    HoverParams, NumberOrString, ReferenceParams, RenameParams, SemanticTokensParams,
    SignatureHelpParams, TextDocumentPositionParams, TextEdit, Uri,
};
use serde_json::Value;

use super::findings::Work;
use super::lenses::{CANCEL, CHECK, COMMANDS, EXPLORE, Known, PROVE};
use super::positions::Lines;
use super::server::{Answer, Server, read, write};
use super::view::View;
use super::{Refusal, documents, fixes, lenses, navigation, outline, writing};
use crate::source::Span;

impl Server {
    /// Answers a request about an open text.
    pub(super) fn about_text(&self, asked: Request) -> Result<Value, Refusal> {
        let params = asked.params;
        match asked.method.as_str() {
            request::Formatting::METHOD => {
                let params: DocumentFormattingParams = read(params)?;
                self.open(&params.text_document.uri)?;
                write(&self.formatting(&params.text_document.uri))
            }
            request::CodeActionRequest::METHOD => {
                let params: CodeActionParams = read(params)?;
                self.open(&params.text_document.uri)?;
                write(&fixes::actions(&self.documents, &params, self.client.encoding))
            }
            request::CodeLensRequest::METHOD => {
                let params: CodeLensParams = read(params)?;
                let uri = &params.text_document.uri;
                self.open(uri)?;
                let findings = self.findings.get(uri.as_str());
                let known = Known { findings, job: self.jobs.about(uri) };
                write(&lenses::lenses(&self.documents, uri, &known, self.client.encoding))
            }
            request::DocumentSymbolRequest::METHOD => {
                let params: DocumentSymbolParams = read(params)?;
                self.viewed(&params.text_document.uri, |view| write(&outline::outline(view)))
            }
            request::SemanticTokensFullRequest::METHOD => {
                let params: SemanticTokensParams = read(params)?;
                self.viewed(&params.text_document.uri, |view| write(&outline::colours(view)))
            }
            _ => self.about_place(&asked.method, params),
        }
    }

    /// Answers a request about a place of an open text.
    fn about_place(&self, method: &str, params: Value) -> Result<Value, Refusal> {
        match method {
            request::HoverRequest::METHOD => {
                let at = read::<HoverParams>(params)?.text_document_position_params;
                self.at(&at, |view| write(&navigation::hover(view, &at)))
            }
            request::GotoDefinition::METHOD => {
                let at = read::<GotoDefinitionParams>(params)?.text_document_position_params;
                self.at(&at, |view| write(&navigation::definition(view, &at)))
            }
            request::References::METHOD => {
                let asked: ReferenceParams = read(params)?;
                self.at(&asked.text_document_position, |view| {
                    write(&navigation::references(view, &asked))
                })
            }
            request::DocumentHighlightRequest::METHOD => {
                let at = read::<DocumentHighlightParams>(params)?.text_document_position_params;
                self.at(&at, |view| write(&navigation::highlights(view, &at)))
            }
            request::PrepareRenameRequest::METHOD => {
                let at: TextDocumentPositionParams = read(params)?;
                self.at(&at, |view| write(&navigation::prepared_rename(view, &at)?))
            }
            request::Rename::METHOD => {
                let asked: RenameParams = read(params)?;
                self.at(&asked.text_document_position, |view| {
                    write(&navigation::rename(view, &asked)?)
                })
            }
            request::Completion::METHOD => {
                let asked: CompletionParams = read(params)?;
                self.at(&asked.text_document_position, |view| {
                    write(&writing::completion(view, &asked))
                })
            }
            request::SignatureHelpRequest::METHOD => {
                let asked: SignatureHelpParams = read(params)?;
                self.at(&asked.text_document_position_params, |view| {
                    write(&writing::signature(view, &asked))
                })
            }
            other => Err((ErrorCode::MethodNotFound, format!("`{other}` is not supported"))),
        }
    }

    fn at(
        &self,
        at: &TextDocumentPositionParams,
        work: impl FnOnce(&View<'_>) -> Result<Value, Refusal>,
    ) -> Result<Value, Refusal> {
        self.viewed(&at.text_document.uri, work)
    }

    /// Works on the names of an open text; there is no answer where its language has no index.
    fn viewed(
        &self,
        uri: &Uri,
        work: impl FnOnce(&View<'_>) -> Result<Value, Refusal>,
    ) -> Result<Value, Refusal> {
        self.open(uri)?;
        let view = View::new(&self.documents, uri, self.client.encoding);
        view.as_ref().map_or(Ok(Value::Null), work)
    }

    /// Refuses what is about a text that is not open.
    fn open(&self, uri: &Uri) -> Result<&str, Refusal> {
        let closed = || (ErrorCode::InvalidParams, format!("{} is not open", uri.as_str()));
        self.documents.text(uri).ok_or_else(closed)
    }

    /// The edit that puts a text into its canonical form; none where it is, or cannot be read.
    fn formatting(&self, uri: &Uri) -> Option<Vec<TextEdit>> {
        let text = self.documents.text(uri)?;
        let formatted = self.documents.formatted(uri)?;
        if formatted == text {
            return Some(Vec::new());
        }
        let whole = Lines::new(text, self.client.encoding).range(Span::new(0, text.len()));
        Some(vec![TextEdit::new(whole, formatted)])
    }

    /// Starts what a command asks for; its request is answered when it ends.
    pub(super) fn commanded(&mut self, id: RequestId, params: Value) -> Result<Answer, Refusal> {
        let params: ExecuteCommandParams = read(params)?;
        let command = params.command.as_str();
        if !COMMANDS.contains(&command) {
            return Err((ErrorCode::InvalidParams, format!("`{command}` is not a command")));
        }
        let uri = params.arguments.into_iter().next();
        let needed = || (ErrorCode::InvalidParams, "the argument is the address of a text".into());
        let uri: Uri = read(uri.ok_or_else(needed)?)?;
        self.open(&uri)?;
        self.cancel(|job| job.uri == uri, ErrorCode::RequestCanceled, "cancelled");
        if command == CANCEL {
            return Ok(Answer::Now(Value::Null));
        }
        let (work, reads) = self.work(command, &uri)?;
        let given = params.work_done_progress_params.work_done_token;
        let own = || NumberOrString::String(format!("rmlcut/{id}"));
        let token = given.clone().or_else(|| self.client.shows_progress.then(own));
        let started = self.jobs.start(work, (id, uri, reads), token);
        let number = started.map_err(|reason| (ErrorCode::RequestFailed, reason))?;
        self.started(number, given.is_none());
        Ok(Answer::Later)
    }

    /// What a command is about, and the texts that it reads.
    fn work(&self, command: &str, uri: &Uri) -> Result<(Work, Vec<Uri>), Refusal> {
        let refused = |reason: &str| (ErrorCode::RequestFailed, reason.to_owned());
        let closed = || refused("the text is not open");
        let source = self.documents.source(uri).ok_or_else(closed)?;
        match (command, documents::is_certificate(uri)) {
            (EXPLORE, false) => Ok((Work::Explore(source), vec![uri.clone()])),
            (PROVE, false) => Ok((Work::Prove(source), vec![uri.clone()])),
            (CHECK, true) => {
                let missing = || refused("the protocol is not beside this certificate");
                let protocol = self.documents.protocol_beside(uri).ok_or_else(missing)?;
                let reads = vec![uri.clone(), self.documents.address(&protocol, uri)];
                Ok((Work::Check { protocol, certificate: source }, reads))
            }
            (CHECK, false) => Err(refused("only a certificate can be checked")),
            _ => Err(refused("this is a certificate: it can only be checked")),
        }
    }
}
