//! Emacs as a client, in batch mode, where it and eglot are installed.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::LOCK;

/// The mode of `editors/emacs` starts the server; each line of the output is one thing that works.
const EDITOR: &str = r#"
(require 'eglot)
(setq eglot-sync-connect 60 eglot-autoshutdown nil)
(defun say (&rest words) (princ (concat (mapconcat (lambda (word) (format "%s" word)) words " ") "\n")))
(defun wait (condition)
  (let ((end (+ (float-time) 60)))
    (while (and (not (funcall condition)) (< (float-time) end)) (accept-process-output nil 0.05))))
(defun changed () (eglot--signal-textDocument/didChange))
(defun ask (method params) (jsonrpc-request (eglot-current-server) method params :timeout 60))
(defun messages () (length (flymake-diagnostics)))
(defun at (text) (goto-char (point-min)) (search-forward text) (goto-char (match-beginning 0)))
(load (expand-file-name (getenv "RMLCUT_MODE")) nil t)
(setq rmlcut-program (getenv "RMLCUT_PROGRAM"))
(find-file "lock.rml")
;; What `eglot-ensure' leaves for the next command happens now.
(run-hooks 'post-command-hook)
(wait #'eglot-current-server)
(say 'mode major-mode 'served (and (eglot-current-server) t))
(wait (lambda () (= (messages) 1)))
(say 'messages (messages))
(at "holdz")
(delete-char 5)
(insert "holds")
(changed)
(wait (lambda () (= (messages) 0)))
(say 'messages (messages))
(at "holds(n)")
(let* ((hover (ask :textDocument/hover (eglot--TextDocumentPositionParams)))
       (value (plist-get (plist-get hover :contents) :value)))
  (say 'hover (nth 1 (split-string value "\n"))))
(call-interactively #'xref-find-definitions)
(say 'definition (line-number-at-pos))
(eglot-rename "has_lock")
(say 'rename (how-many "has_lock" (point-min) (point-max)))
(at "require")
(insert "    ")
(changed)
(eglot-format-buffer)
(at "require")
(say 'formatted (current-column))
(at "safety")
(let* ((range (list :start (eglot--pos-to-lsp-position) :end (eglot--pos-to-lsp-position)))
       (actions (ask :textDocument/codeAction
                     (list :textDocument (eglot--TextDocumentIdentifier)
                           :range range :context '(:diagnostics [])))))
  (say 'actions (mapconcat (lambda (action) (plist-get action :title)) actions ", ")))
(let ((answer (ask :workspace/executeCommand
                   (list :command "rmlcut.prove"
                         :arguments (vector (plist-get (eglot--TextDocumentIdentifier) :uri))))))
  (say 'proved (plist-get answer :verdict)))
"#;

#[test]
fn emacs_uses_the_server() {
    let with_eglot = Command::new("emacs").args(["--batch", "-q", "-l", "eglot"]).output();
    if !with_eglot.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no Emacs with eglot (Debian: apt-get install emacs-nox elpa-eglot)");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder for the session");
    let write = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).expect("the folder is writable");
    };
    write("lock.rml", &LOCK.replace("  holds(n)", "  holdz(n)"));
    write("session.el", EDITOR);
    let mode = Path::new(env!("CARGO_MANIFEST_DIR")).join("editors/emacs/rmlcut-mode.el");
    let output = Command::new("emacs")
        .args(["--batch", "-q", "-l", "session.el"])
        .current_dir(folder.path())
        .env("HOME", folder.path())
        .env("RMLCUT_MODE", mode)
        .env("RMLCUT_PROGRAM", env!("CARGO_BIN_EXE_rmlcut"))
        .stdin(Stdio::null())
        .output()
        .expect("Emacs runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaints = String::from_utf8_lossy(&output.stderr);
    let wanted = [
        "mode rmlcut-mode served t",
        "messages 1",
        "messages 0",
        "hover relation holds(node)",
        "definition 2",
        "rename 5",
        "formatted 2",
        "actions Explore small instances, Prove for every size",
        "proved safe",
    ];
    assert_eq!(said.trim().lines().collect::<Vec<_>>(), wanted, "{complaints}");
}
