// Compiles the source of a submission to the images that engines run. The images of a submission are its kernels as
// optimised PTX, as unoptimised PTX, and as machine code (a cubin) for a GPU.
//
// The grader compiles with nvcc if the machine has nvcc. On a machine without nvcc, the grader compiles with clang and
// the autograder's own device headers (grader/kit), which need no file of NVIDIA's. The compiler runs in a sandbox on a
// copy of the source with a fixed name, because nvcc runs shell code in file names. The images are compiled in
// parallel.
#ifndef COMPILE_COMPILE_H
#define COMPILE_COMPILE_H

#include <stddef.h>

#include "base/text_struct.h"
#include "box/box.h"

// COMPILE_SOURCE is the name, without a directory, of the copy of the source that is compiled. In .file directives of
// the image, and therefore also in findings, COMPILE_SOURCE stands for the student's file.
#define COMPILE_SOURCE "student.cu"

enum {
    COMPILE_MOST = 256 << 10, // maximum size of a source in bytes
    COMPILE_PATH = 512,       // maximum bytes of the path of a program, including the NUL
    COMPILE_PTX = 80,        // compute capability of PTX; 80 has all features that a course uses (cp.async, redux.sync)
    COMPILE_CAPABILITY = 90, // compute capability of the default device, an H200
};

enum compile_kind { COMPILE_AUTO, COMPILE_NVCC, COMPILE_CLANG };
// IMAGE_CARD is a cubin by nvcc, or PTX by clang that the driver of the GPU compiles. IMAGE_OPTIMISED starts with
// comments that contain the registers of each kernel, unless ptxas is missing (registers.c).
enum compile_image { IMAGE_OPTIMISED, IMAGE_UNOPTIMISED, IMAGE_CARD, IMAGES };
extern const char *const compile_image_name[IMAGES]; // "optimised", "unoptimised", "card"

struct compiler {
    enum compile_kind kind;
    char path[COMPILE_PATH];
    char version[96];    // "nvcc 13.0", "clang 14.0.6"
    unsigned capability; // compute capability of the device, 10 * major + minor, for IMAGE_CARD and register counts
};
// Finds a compiler. The environment variable WARPWISE_COMPILER names the compiler (nvcc, clang or a path). If
// WARPWISE_COMPILER is not set, the grader looks for nvcc on PATH and in CUDA_HOME (/usr/local/cuda and its versions,
// if it is not set), then for clang, clang-14 and so on. Returns 0, or -1 with a sentence in *why that tells how to
// install a compiler.
int compile_find(enum compile_kind wanted, struct compiler *, struct text *why);

enum compile_status {
    COMPILED,
    COMPILE_REJECTED, // the source does not compile: an error of the student
    COMPILE_FAILED,   // the compiler is missing, crashed or took too long: an error of the machine
};
struct compile_result {
    enum compile_status status;
    struct text image[IMAGES];
    // Holds the compiler's messages, at most 64 KiB, with the student's path and without control characters. If the
    // source compiles, the compiler's messages may be warnings. For COMPILE_FAILED, `messages` holds one sentence.
    struct text messages;
    enum box_level level; // weakest level of the sandboxes used
    double cpu_s;         // processor seconds of all compilers
};
// Compiles a source to the images in the set `images` (bits 1 << enum compile_image). `shown` is the path of the source
// in messages. `shown` must be safe to print (utf8_clean_line). `kit` is the folder of the autograder's headers
// (grader/kit). The caller frees the result with compile_result_free().
void compile_source(const struct compiler *, const char *source, size_t bytes, const char *shown, const char *kit,
                    unsigned images, struct compile_result *);
void compile_result_free(struct compile_result *);

#endif
