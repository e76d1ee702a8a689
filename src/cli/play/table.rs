//! What each command of a player does, and what is answered.

use std::path::Path;

use crate::budget::Stop;
use crate::cli::Format;
use crate::cli::command_output::{CommandAnswer, ExitStatus, read};
use crate::cli::terminal::output;
use crate::finite::replay::{EFFORT, ReplayAnswer, replay};
use crate::pipeline;
use crate::play::{CommandError, GivenArguments, Options, PlayCommand, Session, parse};
use crate::protocol::{Protocol, Step};
use crate::report;
use crate::report::text::counts::count;
use crate::source::SourceFile;

/// What is played with.
pub(super) struct Table {
    pub(super) protocol: Protocol,
    pub(super) source: SourceFile,
    pub(super) stop: Stop,
    pub(super) format: Format,
}

/// A trace that is not a run.
#[derive(Debug, thiserror::Error)]
#[error("{0}: this is not a run of the protocol; `rmlcut replay` says why")]
struct NotARun(String);

impl Table {
    pub(super) fn command(
        &self,
        session: &Session,
        line: &str,
    ) -> Result<PlayCommand, CommandError> {
        parse(&self.protocol, session.state(), line)
    }

    pub(super) fn options(&self, session: &Session) -> Options {
        session.options(&self.protocol, &self.stop)
    }

    /// What holds and what is possible; below what the command had to say.
    pub(super) fn shown(&self, session: &Session, message: Option<&str>) -> String {
        let options = self.options(session);
        match self.format {
            Format::Json => {
                report::json::play::document(&self.protocol, session, &options, message)
            }
            Format::Text | Format::Itf => {
                let message = message.map(|message| format!("{message}\n")).unwrap_or_default();
                let process = pipeline::read_process(&self.source);
                let subject = (&self.protocol, process.as_ref());
                message + &report::text::play::text(subject, session, &options)
            }
        }
    }

    /// A line that is not a command.
    pub(super) fn complained(
        &self,
        session: &Session,
        error: &dyn std::fmt::Display,
    ) -> CommandAnswer {
        match self.format {
            Format::Json => CommandAnswer::success(self.shown(session, Some(&error.to_string()))),
            Format::Text | Format::Itf => {
                let remarks = format!("error: {error}\n");
                CommandAnswer { remarks, ..CommandAnswer::success(String::new()) }
            }
        }
    }

    /// Only a text, where nothing has changed.
    fn with_message(&self, session: &Session, text: &str) -> CommandAnswer {
        CommandAnswer::success(match self.format {
            Format::Json => self.shown(session, Some(text.trim_end())),
            Format::Text | Format::Itf => text.to_owned(),
        })
    }

    pub(super) fn play(&self, session: &mut Session, command: PlayCommand) -> CommandAnswer {
        let message = match command {
            PlayCommand::Show | PlayCommand::Quit => None,
            PlayCommand::Take(number) => match self.taken(session, number) {
                Ok(()) => None,
                Err(error) => return self.complained(session, &error),
            },
            PlayCommand::Invoke(action, args) => {
                let options = self.options(session).steps;
                let agrees = |step: &&Step| {
                    let given = args.iter().zip(&step.invocation.args);
                    step.invocation.action == action
                        && given.into_iter().all(|(given, own)| given.is_none_or(|it| it == *own))
                };
                let found: Vec<&Step> = options.iter().filter(agrees).collect();
                match found.as_slice() {
                    [] => return self.why(session, action, &args),
                    [only] => session.take((*only).clone()),
                    [_, ..] => {
                        let several =
                            format!("{} steps match: choose one by its number", found.len());
                        return self.complained(session, &several);
                    }
                }
                None
            }
            PlayCommand::Why(action, args) => return self.why(session, action, &args),
            PlayCommand::Back(steps) => {
                let undone = session.back(steps);
                Some(format!("undid {}", count(undone, "step")))
            }
            PlayCommand::Restart(start) => match session.restart(start.saturating_sub(1)) {
                true => None,
                false => {
                    let most = count(session.starts.len(), "initial state");
                    return self.complained(session, &format!("{most} can be chosen, from 1"));
                }
            },
            PlayCommand::Random(steps) => {
                let made = session.random_walk(&self.protocol, steps, &self.stop);
                Some(format!("took {}", count(made, "random step")))
            }
            PlayCommand::Run => {
                let text = report::text::trace::run(&self.protocol, &session.run);
                return self.with_message(session, &text);
            }
            PlayCommand::Save(file) => return self.saved(session, &file),
            PlayCommand::Load(file) => match self.load(Path::new(&file), 1) {
                Ok(loaded) => {
                    *session = loaded;
                    Some(format!("read {file}"))
                }
                Err(answer) => return CommandAnswer { output: String::new(), ..answer },
            },
            PlayCommand::Help => return self.with_message(session, report::text::play::HELP),
        };
        CommandAnswer::success(self.shown(session, message.as_deref()))
    }

    /// Takes the step with a number, from 1.
    pub(super) fn taken(&self, session: &mut Session, number: usize) -> Result<(), String> {
        let mut options = self.options(session).steps;
        let most = options.len();
        match number.checked_sub(1).filter(|index| *index < most) {
            Some(index) => {
                session.take(options.swap_remove(index));
                Ok(())
            }
            None if most == 0 => Err("no step is possible".to_owned()),
            None => Err(format!("the steps have the numbers 1 to {most}")),
        }
    }

    fn why(&self, session: &Session, action: usize, args: &GivenArguments) -> CommandAnswer {
        match session.blocked(&self.protocol, action, args, &self.stop) {
            Ok(refused) => {
                let text = report::text::play::why(&self.protocol, &self.source, action, &refused);
                self.with_message(session, &text)
            }
            Err(error) => self.complained(session, &error),
        }
    }

    /// The run in the format of other tools.
    pub(super) fn itf(&self, session: &Session) -> String {
        report::json::itf::document(&self.protocol, &session.run, "run", "played by hand")
    }

    fn saved(&self, session: &Session, file: &str) -> CommandAnswer {
        match output::replace(Path::new(file), &self.itf(session)) {
            Ok(()) => self.with_message(session, &format!("the run is in {file}\n")),
            Err(error) => self.complained(session, &error),
        }
    }

    /// A session that continues a trace from a file.
    pub(super) fn load(&self, path: &Path, seed: u64) -> Result<Session, CommandAnswer> {
        let source = read(self.format, path)?;
        let (given, _) = pipeline::read_trace(&self.protocol, &source)
            .map_err(|messages| CommandAnswer::refused(self.format, &source, &messages))?;
        let replayed = replay(&self.protocol, &given, EFFORT).map_err(|error| {
            CommandAnswer::failure(self.format, ExitStatus::InternalError, &error)
        })?;
        if matches!(replayed.answer, ReplayAnswer::NotARun(_)) {
            let error = NotARun(path.display().to_string());
            return Err(CommandAnswer::failure(self.format, ExitStatus::WrongInput, &error));
        }
        Ok(Session::continuing(replayed.run, seed))
    }
}
