// Turns a submission's source into the images that the engines run: PTX, optimised and unoptimised, and a cubin for a
// card.
//
// Compilers: nvcc where there is one, else clang with the kit's own device headers (kit/), which need no NVIDIA file.
// The compiler runs in a box, on a copy of the source under a fixed name (a file name is shell code to nvcc), and both
// images are made at once, side by side.
#ifndef COMPILE_COMPILE_H
#define COMPILE_COMPILE_H

#include <stddef.h>

#include "base/text.h"
#include "box/box.h"

// The name under which the source is compiled: in an image's .file directives, and so in findings, it stands for the
// student's file. No directory stands before it.
#define COMPILE_SOURCE "student.cu"

enum {
    COMPILE_MOST = 256 << 10, // bytes of a source at the most
    COMPILE_PATH = 512,       // of a program's path, NUL included
    COMPILE_PTX = 80, // compute capability that PTX is for: what a course meets ends there (cp.async, redux.sync)
    COMPILE_CAPABILITY = 90, // compute capability of a device that nobody named: an H200's
};

enum compile_kind { COMPILE_AUTO, COMPILE_NVCC, COMPILE_CLANG };
// IMAGE_CARD is a cubin from nvcc, and from clang PTX that a card's driver compiles.
// Before IMAGE_OPTIMISED of nvcc stand comments that say how many registers ptxas gives each kernel (ptx/ptx.h).
enum compile_image { IMAGE_OPTIMISED, IMAGE_UNOPTIMISED, IMAGE_CARD, IMAGES };

struct compiler {
    enum compile_kind kind;
    char path[COMPILE_PATH];
    char version[96];    // "nvcc 13.0", "clang 14.0.6"
    unsigned capability; // of the device, 10 * major + minor: IMAGE_CARD's, and the one whose registers are counted
};
// Finds a compiler: $WARPWISE_COMPILER (nvcc, clang or a path), nvcc on PATH or in /usr/local/cuda, clang, clang-14 …
// 0; or -1 with a sentence that says how to get one in *why.
int compile_find(enum compile_kind wanted, struct compiler *, struct text *why);

enum compile_status {
    COMPILED,
    COMPILE_REJECTED, // the source does not compile: the student's
    COMPILE_FAILED,   // the compiler is missing, crashed or ran out of time: the machine's
};
struct compile_result {
    enum compile_status status;
    struct text image[IMAGES];
    // What the compiler said, with the student's own path instead of the copy's, at most 64 KiB, control characters
    // stripped (warnings of a source that compiled, too); or, for COMPILE_FAILED, one sentence.
    struct text messages;
    enum box_level level; // the weakest that held a compiler
};
// `shown` is the path that messages use for the source, fit to be shown (utf8_clean_line); `kit` the folder of kit
// headers. Free with compile_result_free. images: bit set of 1 << enum compile_image.
void compile_source(const struct compiler *, const char *source, size_t bytes, const char *shown, const char *kit,
                    unsigned images, struct compile_result *);
void compile_result_free(struct compile_result *);

#endif
