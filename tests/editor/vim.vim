" Writes what Vim's list of errors holds after :make, with Vim's own settings, to the file $LIST:
" LIST=FILE vim -Nu NONE -es -S vim.vim COMMAND… writes a line "COMMAND FILE:LINE:SEVERITY: MESSAGE" for each entry.
let lines = []
for command in argv()
    let &makeprg = command
    silent make!
    for entry in getqflist()
        if entry.valid
            call add(lines, command . ' ' . bufname(entry.bufnr) . ':' . entry.lnum . ':' . trim(entry.text))
        endif
    endfor
endfor
call writefile(lines, $LIST)
quitall!
