// Finds the source lines of return addresses in a host program (struct host_place, host/border/host.h).
//
// Because the line tables of a program may be hostile, addr2line (a part of binutils) reads them in a sandbox. The
// output of addr2line is text of bounded length.
#ifndef COMPILE_PLACE_H
#define COMPILE_PLACE_H

#include <stdint.h>

#include "compile/program.h"

enum { PLACE_FILE = 256 };

struct compile_place {
    char file[PLACE_FILE]; // name as the user gave it, or as in the line tables; printable; empty: unknown
    uint32_t line;         // from 1; 0: unknown
};

// Finds the source file and line of each of the `count` return addresses in the program at `path`. Each address is an
// offset from the program's load address, and must not be 0. `spec` has the program's sources and folders, and tells
// whether addr2line runs in a sandbox. For a program that the grader did not build, `spec` lists no source files. For
// an address in inlined functions, the stored source line is the innermost line in a file of the user. A struct
// compile_place stays empty if the program has no line tables, addr2line is missing, or the address is in no function.
void compile_places(const char *path, const struct program_spec *, const uint64_t address[], uint32_t count,
                    struct compile_place place[]);

// Converts a path in the line tables of the program or its device code to the name that the user gave the file.
void compile_place_file(const struct program_spec *, const char *path, char file[PLACE_FILE]);

#endif
