" One sign begins a comment, and a level is two blanks
setlocal commentstring=#\ %s
setlocal shiftwidth=2 expandtab
let b:undo_ftplugin = "setlocal commentstring< shiftwidth< expandtab<"
