//! The player in a real terminal: editing, completion, history and Ctrl-C, inside tmux.

use std::io::Write;
use std::process::Command;
use std::time::{Duration, Instant};

use super::Workplace;

/// A terminal with a program in it.
struct Terminal {
    socket: String,
}

impl Terminal {
    /// `None`, with a message, where there is no tmux.
    fn start(work: &Workplace, program: &str) -> Option<Self> {
        if Command::new("tmux").arg("-V").output().is_err() {
            let _ = writeln!(std::io::stderr(), "skipped: tmux is needed");
            return None;
        }
        let terminal = Terminal { socket: work.path("tmux").display().to_string() };
        let folder = work.path("").display().to_string();
        let new = ["-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "50", "-c", &folder];
        terminal.tmux(&[&new[..], &[program]].concat());
        Some(terminal)
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let run = Command::new("tmux").args(["-S", &self.socket]).args(arguments).output();
        String::from_utf8_lossy(&run.expect("tmux runs").stdout).into_owned()
    }

    fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    fn wait_for(&self, wanted: &str) {
        self.wait_for_several(wanted, 1);
    }

    fn wait_for_several(&self, wanted: &str, count: usize) {
        let begin = Instant::now();
        while self.screen().matches(wanted).count() < count {
            let late = begin.elapsed() > Duration::from_secs(20);
            assert!(!late, "no `{wanted}` in\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

#[test]
fn lines_are_completed_recalled_and_interrupted() {
    let work = Workplace::new();
    let program = env!("CARGO_BIN_EXE_rmlcut");
    let game = format!("{program} play lock.rml; echo ended with $?; sleep 60");
    let Some(terminal) = Terminal::start(&work, &game) else { return };
    // tmux leaves spaces at the end of a line out.
    terminal.wait_for("\n>");
    terminal.keys(&["ta", "Tab", "(node0)", "Enter"]);
    terminal.wait_for("after 1 step: take(node0)");
    terminal.keys(&["back", "Enter"]);
    terminal.wait_for("undid 1 step");
    terminal.keys(&["Up", "Up", "Enter"]);
    // The first time is still on the screen.
    terminal.wait_for_several("after 1 step: take(node0)", 2);
    terminal.wait_for("> take(node0)");
    terminal.keys(&["random 3", "Enter"]);
    terminal.wait_for("took 3 random steps");
    terminal.keys(&["C-c"]);
    terminal.wait_for("ended with 0");
}
