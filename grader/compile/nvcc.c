// Builds the command line of nvcc.
//
// Every profile executes PTX for compute_80. With -ptx, nvcc stops before ptxas and never builds host code. The
// preprocessor and the device compiler take half a second, but nvcc's driver takes only 2 ms. So calling the
// preprocessor and the device compiler directly would not help. The optimised image has line tables (-lineinfo), and
// the unoptimised image is compiled with -G. Findings name source lines, so both images need line information. The
// image for a GPU also goes through ptxas, but is made from the same PTX. Otherwise, a source that tests __CUDA_ARCH__
// could run a program on the GPU that differs from the program checked for safety and technique. A GPU older than
// compute_80 needs PTX of its own. Warnings about architectures are disabled. Lambdas with __device__ and constexpr
// functions of the C++ library are accepted, because clang accepts them without an option.
#define _GNU_SOURCE
#include "compile/invocation.h"

#include <stdio.h>

void compile_nvcc_language(struct invocation *call)
{
    invocation_add_list(call, (const char *const[]){"--extended-lambda", "--expt-relaxed-constexpr",
                                                    "-Wno-deprecated-gpu-targets", NULL});
}

void compile_nvcc_invocation(struct invocation *call, const struct compiler *compiler, const char *kit,
                             enum compile_image image, const char *output)
{
    char number[16];
    snprintf(number, sizeof number, "%u", compile_ptx_for(compiler, image));
    invocation_add(call, compiler->path);
    compile_nvcc_language(call);
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
