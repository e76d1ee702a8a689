" Neovim starts the language server for the files of rmlcut; Vim has the colours alone.
" `let g:rmlcut_path = '…'` names another program.

if exists("g:loaded_rmlcut")
  finish
endif
let g:loaded_rmlcut = 1

if has("nvim-0.7")
  lua require("rmlcut").setup()
endif
