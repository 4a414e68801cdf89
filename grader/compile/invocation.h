// The command line of a compiler for an image, and functions that the sources of compile share. Used only inside
// compile.
#ifndef COMPILE_INVOCATION_H
#define COMPILE_INVOCATION_H

#include "compile/compile.h"

struct invocation {
    const char *argv[48]; // NULL-terminated; literals, strings of the compiler, or pointers into `storage`
    unsigned count;
    char storage[3][1040];
};

// Returns the compute capability of the image's PTX: COMPILE_PTX, or for IMAGE_CARD that of an older GPU.
unsigned compile_ptx_for(const struct compiler *, enum compile_image);

// Fill a zeroed invocation. `kit` is an absolute path without a slash at the end, `output` a file name without a
// folder.
void compile_nvcc_invocation(struct invocation *, const struct compiler *, const char *kit, enum compile_image,
                             const char *output);
void compile_clang_invocation(struct invocation *, const struct compiler *, const char *kit, enum compile_image,
                              const char *output);
// Returns clang's option (after "-Xclang") that allows undefined arguments.
const char *compile_clang_keeps_undefined(const struct compiler *);

// Finds a program on PATH as an absolute path. Returns 1, or 0 if there is none.
int compile_find_tool(const char *name, char path[COMPILE_PATH]);

// Finds host code in the source of a kernel lab, which may contain only device code: a launch with <<<, main(, or a
// call of the CUDA runtime. Returns a name of the first one, with its line in *line, or NULL if there is none. See
// scan.c.
const char *compile_scan_host_code(const char *source, size_t bytes, char name[64], unsigned *line);

// Appends lines "// registers N KERNEL" for the PTX in directory/image, if ptxas is there. `home` is the compiler's
// folder, or "". See registers.c.
void compile_registers_count(const struct compiler *, const char *directory, const char *image, const char *home,
                             struct text *header);

// Replace the paths of our copy in the messages of a compiler that ran in `directory`, or in an image. See paths.c.
void compile_paths_rewrite_messages(struct text *out, const struct text *in, const char *directory, const char *kit,
                                    const char *shown);
void compile_paths_rewrite_image(struct text *out, const struct text *in, const char *directory, const char *kit);

#endif
