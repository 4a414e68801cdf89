// Declares a compiler's command line for an image, and functions that several files in grader/compile use. Only files
// in grader/compile include this header.
#ifndef COMPILE_INVOCATION_H
#define COMPILE_INVOCATION_H

#include "compile/compile.h"

struct invocation {
    const char *argv[48]; // NULL-terminated; literals, strings of the compiler, or pointers into `storage`
    unsigned count;
    char storage[3][1040];
};

// Returns the compute capability of the image's PTX, as 10 * major + minor. The function returns the GPU's own
// capability for IMAGE_CARD if the GPU is older than COMPILE_PTX, and COMPILE_PTX otherwise.
unsigned compile_ptx_for(const struct compiler *, enum compile_image);

// compile_nvcc_invocation() and compile_clang_invocation() fill a zeroed invocation with a compiler's command line.
// `kit` is an absolute path without a slash at the end. `output` is a file name without a folder.
void compile_nvcc_invocation(struct invocation *, const struct compiler *, const char *kit, enum compile_image,
                             const char *output);
void compile_clang_invocation(struct invocation *, const struct compiler *, const char *kit, enum compile_image,
                              const char *output);
// Returns clang's option (after "-Xclang") that allows undefined arguments of functions. clang.c explains why.
const char *compile_clang_keeps_undefined(const struct compiler *);

// Finds a program on PATH and stores its absolute path. Returns 1, or 0 if there is no such program.
int compile_find_tool(const char *name, char path[COMPILE_PATH]);

// Finds host code in the source of a kernel lab, which may contain only device code. Host code is a launch with <<<,
// main(, or a call of the CUDA runtime. Returns a name for the first host code and stores its line in *line, or returns
// NULL if there is no host code. See scan.c.
const char *compile_scan_host_code(const char *source, size_t bytes, char name[64], unsigned *line);

// Appends a line "// registers N KERNEL" for each kernel of the PTX file directory/image. Appends nothing if ptxas is
// missing. `home` is the compiler's folder, or "". See registers.c.
void compile_registers_count(const struct compiler *, const char *directory, const char *image, const char *home,
                             struct text *header);

// Both functions below replace the paths of the source's copy. compile_paths_rewrite_messages() rewrites the messages
// of a compiler that ran in `directory`. compile_paths_rewrite_image() rewrites an image. See paths.c.
void compile_paths_rewrite_messages(struct text *out, const struct text *in, const char *directory, const char *kit,
                                    const char *shown);
void compile_paths_rewrite_image(struct text *out, const struct text *in, const char *directory, const char *kit);

#endif
