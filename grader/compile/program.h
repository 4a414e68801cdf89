// Builds a host program of CUDA C++: host and device code in one or more files, linked with the kit's libcudart.
#ifndef COMPILE_PROGRAM_H
#define COMPILE_PROGRAM_H

#include "box/box.h"
#include "compile/compile.h"

enum { PROGRAM_FILES = 64, PROGRAM_WORDS = 32 };

struct program_spec {
    const char *const *file; // .cu, .cpp, .c: at most PROGRAM_FILES
    unsigned files;
    const char *source;      // content of a single file; NULL: it is read from the file
    size_t bytes;            // bytes of source
    const char *before;      // a file to include before each .cu; NULL: none
    const char *const *word; // options of the compiler, NULL-terminated: "-I", "dir", "-DNAME", …; or NULL
    const char *kit;         // folder of kit headers (grader/compile/kit)
    const char *include;     // folder of the runtime API's headers (grader/cudart/include)
    const char *cudart;      // folder of libcudart.so.12 and .13
    int graded;              // 1: a submission, which gets less time and memory than a user's own program
    int unoptimised;         // 1: do not optimise device code, for the most precise findings
    int open;                // 1: no sandbox
};
struct program {
    enum compile_status status;
    char directory[BOX_PATH]; // contains all files made; empty: none
    char path[BOX_PATH + 16]; // the program
    enum box_level level;     // weakest level of the boxes used
    struct text messages;     // messages of the compilers; for COMPILE_FAILED one sentence
};
// Builds the program of `spec`. In its line tables, a single .cu file has the name COMPILE_SOURCE, several files have
// their absolute paths. Free the program with compile_program_free().
void compile_program(const struct compiler *, const struct program_spec *, struct program *);
// Removes the directory and frees the messages.
void compile_program_free(struct program *);

#endif
