//! Neovim as a client, headless, where it is installed.

use std::fs;
use std::process::{Command, Stdio};

use super::LOCK;

/// Neovim starts the server, shows its message, and sees it go after an edit.
const EDITOR: &str = r#"
local function count() return #vim.diagnostic.get(0) end
vim.cmd('edit lock.rml')
local id = vim.lsp.start_client({ name = 'rmlcut', cmd = { 'PROGRAM', 'lsp' } })
vim.lsp.buf_attach_client(0, id)
local shown = vim.wait(20000, function() return count() == 1 end, 20)
vim.api.nvim_buf_set_text(0, 7, 2, 7, 7, { 'holds' })
local gone = vim.wait(20000, function() return count() == 0 end, 20)
io.stdout:write(tostring(shown) .. ' ' .. tostring(gone))
vim.cmd('qall!')
"#;

#[test]
fn neovim_shows_the_messages() {
    if Command::new("nvim").arg("--version").output().is_err() {
        eprintln!("skipped: neovim is not installed (Debian: apt-get install neovim)");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder for the session");
    fs::write(folder.path().join("lock.rml"), LOCK.replace("  holds(n)", "  holdz(n)"))
        .expect("the folder is writable");
    let script = folder.path().join("session.lua");
    fs::write(&script, EDITOR.replace("PROGRAM", env!("CARGO_BIN_EXE_rmlcut")))
        .expect("the folder is writable");
    let output = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-n", "-c"])
        .arg(format!("luafile {}", script.display()))
        .current_dir(folder.path())
        .env("XDG_CACHE_HOME", folder.path())
        .env("XDG_STATE_HOME", folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("neovim runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said.trim(), "true true", "{complaints}");
}
