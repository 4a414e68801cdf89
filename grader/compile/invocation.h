// Inside compile alone: the command line of one compiler for one image, and what its sources share.
#ifndef COMPILE_INVOCATION_H
#define COMPILE_INVOCATION_H

#include "compile/compile.h"

struct invocation {
    const char *argv[48]; // NULL-terminated; strings are literals, the compiler's, or lie in `storage`
    unsigned count;
    char storage[3][1040];
};

// The compute capability that the image's PTX is for: COMPILE_PTX, or the card's where it is older and the image its
// own.
unsigned compile_ptx_for(const struct compiler *, enum compile_image);

// Each fills a zeroed invocation. `kit` is an absolute path without a slash at its end; `output` is a plain file name.
void compile_nvcc_invocation(struct invocation *, const struct compiler *, const char *kit, enum compile_image,
                             const char *output);
void compile_clang_invocation(struct invocation *, const struct compiler *, const char *kit, enum compile_image,
                              const char *output);
// Clang's own word (behind "-Xclang") for: an argument may be undefined.
const char *compile_keeps_undefined(const struct compiler *);

// The program of that name on PATH, as an absolute path. 1; or 0: there is none.
int compile_find_tool(const char *name, char path[COMPILE_PATH]);

// The first word of the host's in `source`, where a kernel lab has device code alone: a launch with <<<, main(, a call
// of the CUDA runtime. NULL: none; else a name of it, with its line in *line. See scan.c.
const char *compile_find_host_code(const char *source, size_t bytes, char name[64], unsigned *line);

// Adds lines "// registers N KERNEL" for the PTX in directory/image; none where nobody can tell. `home`: the compiler's
// folder, or "". See registers.c.
void compile_count_registers(const struct compiler *, const char *directory, const char *image, const char *home,
                             struct text *header);

// Rewrites what a compiler printed in `directory` for the student's eyes, or the paths in an image. See paths.c.
void compile_rewrite_messages(struct text *out, const struct text *in, const char *directory, const char *kit,
                              const char *shown);
void compile_rewrite_image(struct text *out, const struct text *in, const char *directory, const char *kit);

#endif
