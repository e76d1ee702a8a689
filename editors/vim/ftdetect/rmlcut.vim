" The files of rmlcut
autocmd BufRead,BufNewFile *.rml setfiletype rml
autocmd BufRead,BufNewFile *.cut setfiletype rmlcert
" `.ch` means something else to Vim.
autocmd BufRead,BufNewFile *.mer,*.ch set filetype=rmlmercury
