// Where in a host program's source something was called: the line behind a return address of the session record
// (struct host_place, wire/host.h).
//
// A program is hostile input to whoever reads its line tables, so addr2line (of binutils, which every C compiler needs)
// reads them, in a box; what it says is text, and bounded.
#ifndef COMPILE_PLACE_H
#define COMPILE_PLACE_H

#include <stdint.h>

#include "compile/program.h"

enum { PLACE_FILE = 256 };

struct compile_place {
    char file[PLACE_FILE]; // as the user named it, or as the line tables do; printable; empty: not known
    uint32_t line;         // from 1; 0: not known
};

// Looks up `count` return addresses (in a program or its one object of code, less its base; never 0) in the program at
// `path`, made of the sources of `spec` (its files, headers and openness are looked at; no files for a program that
// was made elsewhere). Of functions inlined into each other it is the innermost in a file of the user's. What is not
// known stays empty: no line tables, no addr2line, an address of nothing.
void compile_places(const char *path, const struct program_spec *, const uint64_t address[], uint32_t count,
                    struct compile_place place[]);

// A path of the program's line tables, or of its device code's, as the user named the file.
void compile_place_file(const struct program_spec *, const char *path, char file[PLACE_FILE]);

#endif
