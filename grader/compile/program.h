// Builds a host program of CUDA C++: host and device code in one or more files, linked with the kit's libcudart.
#ifndef COMPILE_PROGRAM_H
#define COMPILE_PROGRAM_H

#include "box/box.h"
#include "compile/compile.h"

enum { PROGRAM_FILES = 64, PROGRAM_WORDS = 32 };

struct program_spec {
    const char *const *file; // .cu, .cpp, .c: at most PROGRAM_FILES
    unsigned files;
    const char *source;      // the text of a single file, where it is at hand; NULL: it is read
    size_t bytes;            // of it
    const char *before;      // a file to include before each .cu; NULL: none
    const char *const *word; // for the compiler, NULL-terminated: "-I", "dir", "-Idir", "-DNAME", "-std=…"; or NULL
    const char *kit;         // folder of kit headers (grader/compile/kit)
    const char *include;     // folder of the runtime API's headers (grader/cudart/include)
    const char *cudart;      // folder of libcudart.so.12 and .13
    int graded;              // 1: a stranger's, that has less time and room than a user's own
    int unoptimised;         // 1: device code as written, for the sharpest findings
    int open;                // 1: no sandbox
};
struct program {
    enum compile_status status;
    char directory[BOX_PATH]; // holds all that was made; empty: nothing was
    char path[BOX_PATH + 16]; // the program
    enum box_level level;     // the weakest that held a compiler
    struct text messages;     // what the compilers said; for COMPILE_FAILED one sentence
};
// A single .cu file stands as COMPILE_SOURCE in the program's line tables, several under their own absolute names. Free
// with compile_program_free.
void compile_program(const struct compiler *, const struct program_spec *, struct program *);
void compile_program_free(struct program *); // removes the directory too

#endif
