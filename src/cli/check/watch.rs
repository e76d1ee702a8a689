//! `rmlcut check --watch`: checks again whenever a file is saved.

use std::path::Path;

use super::{CheckArguments, once};
use crate::budget::Stop;
use crate::cli::command_output::CommandAnswer;
use crate::cli::files::Voice;
use crate::cli::terminal::watch::Watched;
use crate::cli::{Format, write_out};
use crate::pipeline::{Round, WatchMemory};
use crate::report::ci::shown;

/// Checks again whenever a file is saved, until interrupted. The last answer is the answer.
pub(super) fn watching(arguments: &CheckArguments, format: Format, stop: &Stop) -> CommandAnswer {
    let memory = WatchMemory::default();
    let mut watched = Watched::new([arguments.protocol.clone(), arguments.certificate()]);
    loop {
        let answer = once(arguments, format, stop, Some(&memory)).unwrap_or_else(|ended| ended);
        let status = answer.status;
        let silent = CommandAnswer { status, ..CommandAnswer::success(String::new()) };
        if stop.is_set() {
            return silent;
        }
        let Round { known, asked } = memory.end_round();
        let answer = answer.coloured(format, Voice::Terminal);
        write_out(&answer);
        let cached =
            if known > 0 { format!(" ({known} cached, {asked} checked)") } else { String::new() };
        remark(&format!("watching{cached}: save a file to check again, Ctrl-C to quit\n"));
        if format == Format::Text {
            // The end of a long report is what is on the screen.
            let verdict = answer.output.lines().next().unwrap_or("refused: see the messages above");
            write_out(&CommandAnswer::success(format!("{verdict}\n")));
        }
        let mut away =
            |path: &Path| remark(&format!("{} was removed: waiting for it\n", shown(path)));
        let saved = watched.wait(&|| stop.is_set(), &mut away);
        if stop.is_set() {
            return silent;
        }
        let names: Vec<String> = saved.iter().map(|path| shown(path)).collect();
        remark(&format!("\n{}: saved\n", names.join(", ")));
    }
}

fn remark(text: &str) {
    write_out(&CommandAnswer { remarks: text.to_owned(), ..CommandAnswer::success(String::new()) });
}
