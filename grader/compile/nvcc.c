// Builds the command line of nvcc.
//
// The images are PTX for compute_80, because every simulated GPU executes PTX for compute_80. With -ptx, nvcc stops
// before ptxas and never builds host code. The preprocessor and device compiler that nvcc runs take half a second, but
// the program nvcc itself takes only 2 ms. Calling nvcc's preprocessor and device compiler without the program nvcc
// would therefore save almost no time. The optimised image has line tables (-lineinfo), and the unoptimised image is
// compiled with -G. Findings name source lines, so the optimised and the unoptimised image both need line information.
// The image for a real GPU also goes through ptxas, but is made from PTX for compute_80 like the other images. A source
// that tests __CUDA_ARCH__ therefore cannot run other code on the GPU than the code that the grader checked for safety
// and technique. For a real GPU older than compute_80, nvcc compiles PTX for that GPU's own compute capability.
// Warnings of nvcc about deprecated GPU architectures are disabled. Lambdas with __device__ and constexpr functions of
// the C++ library are accepted, because clang accepts them without an option. plain.c warns of the latter.
//
// nvcc makes the names of static variables unique by a random number and by a checksum of the source's path, which here
// is in a folder with a random name. nvcc 12.9 and newer draw the number from the option -frandom-seed, and the path
// can be replaced, so that the same source gives the same bytes. Both stand for one file: of two files that are linked,
// each could define the same name.
#define _GNU_SOURCE
#include "compile/invocation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Returns 1 if the nvcc has the option -frandom-seed.
static int takes_seed(const struct compiler *compiler)
{
    static const char name[] = "nvcc ";
    if (strncmp(compiler->version, name, strlen(name)) != 0) return 0;
    char *end;
    long major = strtol(compiler->version + strlen(name), &end, 10);
    long minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
    return major > 12 || (major == 12 && minor >= 9);
}

void compile_nvcc_seed(struct invocation *call, const struct compiler *compiler)
{
    static const char *const words[] = {"-frandom-seed=warpwise", "-Xcudafe", "--orig_src_path_name=" COMPILE_SOURCE,
                                        NULL};
    if (takes_seed(compiler)) invocation_add_list(call, words);
}

void compile_nvcc_language(struct invocation *call, int plain)
{
    invocation_add_list(call, (const char *const[]){"--extended-lambda", "-Wno-deprecated-gpu-targets", NULL});
    if (!plain) invocation_add(call, "--expt-relaxed-constexpr");
}

void compile_nvcc_invocation(struct invocation *call, const struct compiler *compiler, const char *kit,
                             enum compile_image image, int plain, const char *output)
{
    char number[16];
    snprintf(number, sizeof number, "%u", compile_ptx_for(compiler, image));
    invocation_add(call, compiler->path);
    compile_nvcc_language(call, plain);
    compile_nvcc_seed(call, compiler);
    invocation_add_list(call, (const char *const[]){invocation_joined(call, "-arch=compute_", number),
                                                    invocation_joined(call, "-I", kit), "-o", output, NULL});
    if (image == IMAGE_CARD) {
        snprintf(number, sizeof number, "%u", compiler->capability);
        invocation_add_list(call,
                            (const char *const[]){"-cubin", invocation_joined(call, "-code=sm_", number), "-O3", NULL});
    } else if (image == IMAGE_OPTIMISED) {
        invocation_add_list(call, (const char *const[]){"-ptx", "-O3", "-lineinfo", NULL});
    } else {
        invocation_add_list(call, (const char *const[]){"-ptx", "-G", NULL});
    }
    invocation_add(call, COMPILE_SOURCE);
}
