// Builds a host program of CUDA C++. The program has host and device code in one or more files, and is linked with
// libcudart, the autograder's own implementation of the CUDA runtime.
#ifndef COMPILE_PROGRAM_H
#define COMPILE_PROGRAM_H

#include "box/box.h"
#include "compile/compile.h"

enum { PROGRAM_FILES = 64, PROGRAM_WORDS = 32 };

struct program_spec {
    const char *const *file; // names of .cu, .cpp or .c files, at most PROGRAM_FILES
    unsigned files;
    const char *source;      // content of a single file; NULL: the compiler reads the file
    size_t bytes;            // bytes of source
    const char *before;      // a file to include before each .cu; NULL: none
    const char *const *word; // options of the compiler, such as "-I", "dir", "-DNAME"; NULL-terminated; or NULL
    const char *kit;         // folder of kit headers (grader/kit)
    const char *cudart;      // folder of libcudart.so.11.0, .12 and .13
    int graded;              // 1: a submission, which gets less time and memory than a user's own program
    int unoptimised;         // 1: do not optimise device code, so that findings are most precise
    int open;                // 1: run the compilers without a sandbox
};
struct program {
    enum compile_status status;
    char directory[BOX_PATH]; // directory that contains all files of the build; empty: no directory
    char path[BOX_PATH + 16]; // path of the program
    double cpu_s;             // processor seconds of the compilers
    enum box_level level;     // weakest level of the sandboxes used
    struct text messages;     // messages of the compilers; for COMPILE_FAILED, one sentence
};
// Builds the program of `spec`. In the program's line tables, a single .cu file has the name COMPILE_SOURCE. In the
// line tables of a program with several source files, the names of the source files are absolute paths. The caller
// frees the program with compile_program_free().
void compile_program(const struct compiler *, const struct program_spec *, struct program *);
// Removes the private directory in which the program was built, and frees the compilers' messages.
void compile_program_free(struct program *);

#endif
