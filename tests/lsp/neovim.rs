//! Neovim as a client, headless, where it is installed.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::LOCK;

/// The plugin of `editors/vim` starts the server; each line of the output is one thing that works.
const EDITOR: &str = r#"
local said = {}
local function say(...) table.insert(said, table.concat({ ... }, ' ')) end
local function wait(condition) return vim.wait(60000, condition, 20) end
local function text() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') end
local function titles()
  local list = {}
  for _, lens in ipairs(vim.lsp.codelens.get(0)) do table.insert(list, lens.command.title) end
  return table.concat(list, ', ')
end

vim.cmd('edit lock.rml')
say('syntax', vim.bo.filetype, vim.b.current_syntax)
wait(function() return #vim.diagnostic.get(0) == 1 end)
say('messages', #vim.diagnostic.get(0))
vim.api.nvim_buf_set_text(0, 7, 2, 7, 7, { 'holds' })
wait(function() return #vim.diagnostic.get(0) == 0 end)
say('messages', #vim.diagnostic.get(0))

vim.api.nvim_win_set_cursor(0, { 8, 3 })
local at = vim.lsp.util.make_position_params()
local answers = vim.lsp.buf_request_sync(0, 'textDocument/hover', at, 60000)
for _, answer in pairs(answers) do say('hover', vim.split(answer.result.contents.value, '\n')[2]) end
vim.lsp.buf.definition()
wait(function() return vim.api.nvim_win_get_cursor(0)[1] == 2 end)
say('definition', vim.api.nvim_win_get_cursor(0)[1])
vim.lsp.buf.rename('has_lock')
wait(function() return text():find('has_lock') ~= nil end)
say('rename', select(2, text():gsub('has_lock', '')))

vim.lsp.codelens.refresh()
wait(function() return titles() ~= '' end)
say('lenses', titles())
local prove = vim.lsp.codelens.get(0)[2].command
vim.lsp.buf.execute_command(prove)
wait(function() return titles():find('safe') ~= nil end)
say('lenses', titles())
io.stdout:write(table.concat(said, '\n'))
vim.cmd('qall!')
"#;

#[test]
fn neovim_uses_the_server() {
    if Command::new("nvim").arg("--version").output().is_err() {
        eprintln!("skipped: neovim is not installed (Debian: apt-get install neovim)");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder for the session");
    let write = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).expect("the folder is writable");
    };
    write("lock.rml", &LOCK.replace("  holds(n)", "  holdz(n)"));
    write("session.lua", EDITOR);
    let plugin = Path::new(env!("CARGO_MANIFEST_DIR")).join("editors/vim");
    let output = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-n"])
        .args(["--cmd", &format!("set runtimepath^={}", plugin.display())])
        .args(["--cmd", &format!("let g:rmlcut_path = '{}'", env!("CARGO_BIN_EXE_rmlcut"))])
        .args(["--cmd", "filetype plugin on | syntax on | runtime plugin/rmlcut.vim"])
        .args(["-c", "luafile session.lua"])
        .current_dir(folder.path())
        .env("XDG_CACHE_HOME", folder.path())
        .env("XDG_STATE_HOME", folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("neovim runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaints = String::from_utf8_lossy(&output.stderr);
    let wanted = [
        "syntax rml rml",
        "messages 1",
        "messages 0",
        "hover relation holds(node)",
        "definition 2",
        "rename 5",
        "lenses explore, prove",
        "lenses explore, prove, safe",
    ];
    assert_eq!(said.trim().lines().collect::<Vec<_>>(), wanted, "{complaints}");
}
