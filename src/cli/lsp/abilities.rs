//! What client and server can do.

use lsp_types::{
    CodeActionProviderCapability, CodeLensOptions, CompletionOptions, ExecuteCommandOptions,
    HoverProviderCapability, InitializeParams, InitializeResult, OneOf, RenameOptions,
    SemanticTokensFullOptions, SemanticTokensOptions, SemanticTokensServerCapabilities,
    ServerCapabilities, ServerInfo, SignatureHelpOptions, TextDocumentSyncCapability,
    TextDocumentSyncKind, WorkDoneProgressOptions,
};

use super::lenses::COMMANDS;
use super::outline;
use super::positions::Encoding;

/// What a client can do, as far as it matters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client {
    /// What its columns count.
    pub(super) encoding: Encoding,
    /// Whether it asks for lenses again on request.
    pub(super) refreshes_lenses: bool,
    /// Whether it shows the progress of work that it did not give a token for.
    pub(super) shows_progress: bool,
}

impl Default for Client {
    fn default() -> Self {
        Client { encoding: Encoding::Utf16, refreshes_lenses: false, shows_progress: false }
    }
}

impl Client {
    pub(super) fn new(params: InitializeParams) -> Self {
        let capabilities = params.capabilities;
        let offered = capabilities.general.and_then(|general| general.position_encodings);
        let lenses = capabilities.workspace.and_then(|workspace| workspace.code_lens);
        let progress = capabilities.window.and_then(|window| window.work_done_progress);
        Client {
            encoding: Encoding::negotiated(&offered.unwrap_or_default()),
            refreshes_lenses: lenses.and_then(|lenses| lenses.refresh_support) == Some(true),
            shows_progress: progress == Some(true),
        }
    }
}

/// What the server can do.
pub(super) fn abilities(client: Client) -> InitializeResult {
    let sync = TextDocumentSyncCapability::Kind(TextDocumentSyncKind::INCREMENTAL);
    let capabilities = ServerCapabilities {
        position_encoding: Some(client.encoding.kind()),
        text_document_sync: Some(sync),
        document_formatting_provider: Some(OneOf::Left(true)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        completion_provider: Some(CompletionOptions::default()),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(vec!["(".to_owned(), ",".to_owned()]),
            ..SignatureHelpOptions::default()
        }),
        semantic_tokens_provider: Some(SemanticTokensServerCapabilities::SemanticTokensOptions(
            SemanticTokensOptions {
                legend: outline::legend(),
                range: None,
                full: Some(SemanticTokensFullOptions::Bool(true)),
                work_done_progress_options: WorkDoneProgressOptions::default(),
            },
        )),
        code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: COMMANDS.iter().map(|command| (*command).to_owned()).collect(),
            work_done_progress_options: WorkDoneProgressOptions { work_done_progress: Some(true) },
        }),
        ..ServerCapabilities::default()
    };
    InitializeResult {
        capabilities,
        server_info: Some(ServerInfo {
            name: "rmlcut".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    }
}
