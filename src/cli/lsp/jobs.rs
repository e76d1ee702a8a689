//! Searches and checks that run while the server answers: at most one for each text, each ended by
//! the next edit or by the client.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use lsp_server::RequestId;
use lsp_types::{NumberOrString, Uri};

use super::Event;
use super::findings::{Findings, Work, find_out};
use crate::budget::Stop;
use crate::finite::{Progress, StateCounts};
use crate::pipeline::WatchMemory;

/// The number of a job.
pub(super) type JobNumber = u64;

/// How long a client waits between two reports of progress.
const PAUSE: Duration = Duration::from_millis(500);

/// The stack of a job: as large as that of the main thread.
const STACK: usize = 8 << 20;

/// A search or check that runs.
pub(super) struct Job {
    /// The request that is answered when it ends.
    pub(super) request: RequestId,
    /// The text whose lenses show its result.
    pub(super) uri: Uri,
    /// What it is doing, such as `proving`.
    pub(super) word: &'static str,
    /// Every text that it reads: an edit of one of them ends it.
    pub(super) reads: Vec<Uri>,
    /// Where its progress is reported, if the client asked for that.
    pub(super) token: Option<NumberOrString>,
    stop: Stop,
}

/// The jobs that run.
pub(super) struct Jobs {
    events: Sender<Event>,
    running: BTreeMap<JobNumber, Job>,
    next: JobNumber,
    /// How many threads have not ended, also of jobs that were cancelled.
    alive: usize,
    /// Answers of earlier checks: after an edit, only what changed is asked again.
    memory: Arc<WatchMemory>,
}

impl Jobs {
    pub(super) fn new(events: Sender<Event>) -> Self {
        Jobs { events, running: BTreeMap::new(), next: 0, alive: 0, memory: Arc::default() }
    }

    /// Starts a job, with a word for what it is doing.
    ///
    /// # Errors
    /// When the system has no thread for it.
    pub(super) fn start(
        &mut self,
        work: Work,
        (request, uri, reads): (RequestId, Uri, Vec<Uri>),
        token: Option<NumberOrString>,
    ) -> Result<JobNumber, String> {
        let number = self.next;
        self.next += 1;
        let stop = Stop::never();
        let word = match &work {
            Work::Explore(_) => "exploring",
            Work::Prove(_) => "proving",
            Work::Check { .. } => "checking",
        };
        let reports = Reports { events: self.events.clone(), number, last: Mutex::default() };
        let (memory, own_stop) = (Arc::clone(&self.memory), stop.clone());
        let run = move || {
            let found = catch_unwind(AssertUnwindSafe(|| {
                crate::smt::z3::load().map_err(|error| error.to_string())?;
                find_out(&work, &own_stop, &memory, &reports)
            }));
            let found =
                found.unwrap_or_else(|_| Err("internal error: please report it".to_owned()));
            // Where the server has ended, there is no one to tell.
            let _ = reports.events.send(Event::Finished(number, found.map(Box::new)));
        };
        let spawned = thread::Builder::new().stack_size(STACK).spawn(run);
        spawned.map_err(|error| format!("cannot start: {error}"))?;
        self.alive += 1;
        self.running.insert(number, Job { request, uri, word, reads, token, stop });
        Ok(number)
    }

    /// How many threads have not ended.
    pub(super) fn alive(&self) -> usize {
        self.alive
    }

    /// The thread of a job has ended.
    pub(super) fn buried(&mut self) {
        self.alive = self.alive.saturating_sub(1);
    }

    /// The job about a text.
    pub(super) fn about(&self, uri: &Uri) -> Option<&Job> {
        self.running.values().find(|job| job.uri == *uri)
    }

    /// A job has ended; none if it was cancelled before.
    pub(super) fn ended(&mut self, number: JobNumber) -> Option<Job> {
        self.running.remove(&number)
    }

    /// A job that runs.
    pub(super) fn get(&self, number: JobNumber) -> Option<&Job> {
        self.running.get(&number)
    }

    /// Ends every job of a kind, and returns them.
    pub(super) fn cancel(&mut self, is_meant: impl Fn(&Job) -> bool) -> Vec<Job> {
        let meant = self.running.iter().filter(|(_, job)| is_meant(job));
        let numbers: Vec<JobNumber> = meant.map(|(number, _)| *number).collect();
        let jobs = numbers.iter().filter_map(|number| self.running.remove(number));
        let jobs: Vec<Job> = jobs.collect();
        jobs.iter().for_each(|job| job.stop.cancel());
        jobs
    }
}

/// What a job sends while it runs.
struct Reports {
    events: Sender<Event>,
    number: JobNumber,
    last: Mutex<Option<Instant>>,
}

impl Progress for Reports {
    fn report(&self, counts: &StateCounts) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| last.elapsed() >= PAUSE) {
            *last = Some(Instant::now());
            let _ = self.events.send(Event::Progress(self.number, counts.states));
        }
    }
}

/// What a job results in.
pub(super) type Outcome = Result<Box<Findings>, String>;
