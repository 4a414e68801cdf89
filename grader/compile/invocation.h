// Declares a compiler's command line for an image, and functions that several files in grader/compile use. Only files
// in grader/compile include this header.
#ifndef COMPILE_INVOCATION_H
#define COMPILE_INVOCATION_H

#include <limits.h>

#include "base/bundle.h"
#include "compile/compile.h"

enum { INVOCATION_WORDS = 288 }; // maximum number of words of a command line, including the NULL

struct invocation {
    const char *argv[INVOCATION_WORDS]; // NULL-terminated; literals, the caller's strings, or pointers into `storage`
    unsigned count;
    char storage[8][PATH_MAX + 32];
    unsigned stored;
};
// Appends a word to the command line. The function invocation_add_list() appends all words of a list that ends with
// NULL. Both functions, invocation_add() and invocation_add_list(), store pointers to the caller's words and do not
// copy the words. The function invocation_joined() makes the word `prefix` followed by `text` in the field `storage` of
// struct invocation, and returns this word.
void invocation_add(struct invocation *, const char *word);
void invocation_add_list(struct invocation *, const char *const *words);
const char *invocation_joined(struct invocation *, const char *prefix, const char *text);

// Returns the compute capability for which the PTX of an image is compiled, as 10 * major + minor. For IMAGE_CARD on a
// GPU whose compute capability is less than COMPILE_PTX, returns the compute capability of this GPU. For all other
// images and GPUs, returns COMPILE_PTX.
unsigned compile_ptx_for(const struct compiler *, enum compile_image);

// compile_nvcc_invocation() and compile_clang_invocation() fill a zeroed invocation with the command line that makes an
// image of `source`. `kit` is an absolute path without a slash at the end. `source` and `output` are file names without
// a folder. `stage` says what clang reads and makes.
// If `plain` is 1, nvcc gets no option that lets device code call constexpr functions of the host's library.
void compile_nvcc_invocation(struct invocation *, const struct compiler *, const char *kit, enum compile_image,
                             int plain, const char *output);
enum compile_stage {
    STAGE_WHOLE,        // from a source to PTX
    STAGE_PREPROCESS,   // from a source to preprocessed text
    STAGE_PREPROCESSED, // from preprocessed text to PTX
};
void compile_clang_invocation(struct invocation *, const struct compiler *, const char *kit, enum compile_image,
                              enum compile_stage stage, const char *source, const char *output);
// Appends nvcc's options for the CUDA language, which images and programs share.
void compile_nvcc_language(struct invocation *, int plain);
// Appends the option that makes nvcc give the same bytes each time, if this nvcc knows it. Only for a single source.
void compile_nvcc_seed(struct invocation *, const struct compiler *);
// Appends the options for the CUDA language that clang's host pass and device pass share. `capability` is 10 * major +
// minor. The function compile_clang_device() appends the options of the device pass, which makes PTX.
void compile_clang_language(struct invocation *, const char *kit, unsigned capability, enum compile_stage stage);
void compile_clang_device(struct invocation *, const struct compiler *, int unoptimised, enum compile_stage stage);

// Returns 1 if nvcc's only errors are calls of constexpr host functions in device code. compile_plain_warn() appends a
// warning for each of the first of these errors in `messages`, which hold the student's path. See plain.c.
int compile_plain_refuses(const struct text *output);
void compile_plain_warn(struct text *to, const struct text *messages);

// Returns 1 if clang's messages are about code that nvcc accepts and that compile_rewrite() mends. compile_rewrite()
// appends the preprocessed code `from` to `to`, in a form that clang accepts. See rewrite.c.
int compile_rewrite_wanted(const struct text *messages);
void compile_rewrite(struct text *to, const char *from);
// Rewrites the preprocessed code in a file. Returns 0 or an errno value.
int compile_rewrite_file(const char *path);

// Finds the program `name` on PATH and stores its absolute path. Returns 1, or 0 if no folder on PATH has the program.
int compile_find_tool(const char *name, char path[COMPILE_PATH]);

// Stores the folders above bin in which the compiler and nvcc's g++ are installed and which a sandbox must let them
// read, as absolute paths. A path is "" for a program below /usr, which every sandbox may read, and for a g++ whose
// folder is no installation of GCC.
struct compile_homes {
    char compiler[PATH_MAX], host[PATH_MAX];
};
void compile_find_homes(const struct compiler *, struct compile_homes *);

// Writes a file that a compiler in a sandbox may read. Returns 0, or -1 with errno set.
int compile_copy_write(const char *path, const char *text, size_t bytes);
struct compile_copies {
    char header[BUNDLE_HEADERS][PATH_MAX + BUNDLE_NAME]; // paths of the copies of headers
    unsigned headers;
};
// Writes copies of a bundle's files into the folder `directory`: the lab's file as COMPILE_SOURCE, and its headers. See
// copy.c. Returns 0, or -1 with errno set.
int compile_copy_bundle(const char *directory, const char *kit, const char *bundle, size_t bytes,
                        struct compile_copies *);

// Appends an explanation from explain.def to the compiler's messages if the messages contain words that explain.def
// lists. `compiler` is the compiler's name that the explanation of a message mentions. `submission` is 1 if the source
// is a lab's file, whose own headers must be in the same folder.
void compile_explain(struct text *messages, const char *compiler, int submission);

// Appends the lines "// registers N KERNEL" and "// spills N KERNEL" for each kernel of the PTX file directory/image.
// Appends nothing if ptxas is missing. `home` is the compiler's folder, or "". See registers.c.
void compile_registers_count(const struct compiler *, const char *directory, const char *image, const char *home,
                             struct text *header);

// A compiler reads a copy of the source in the temporary folder `directory`. In the compiler's messages,
// compile_paths_rewrite_messages() replaces the path of this copy by the student's path, and a header's line number in
// the bundle by the line number in the header. compile_paths_rewrite_image() replaces the path of the source's copy in
// an image. See paths.c.
void compile_paths_rewrite_messages(struct text *out, const struct text *in, const char *directory, const char *kit,
                                    const struct bundle *);
void compile_paths_rewrite_image(struct text *out, const struct text *in, const char *directory, const char *kit);

#endif
