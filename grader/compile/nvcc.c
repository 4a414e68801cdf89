// Builds the command line of nvcc.
//
// Every profile executes PTX for compute_80. With -ptx, nvcc stops before ptxas and never builds host code. The
// preprocessor and the device compiler take half a second, but nvcc's driver takes only 2 ms. So calling the
// preprocessor and the device compiler directly would not help. The optimised image has line tables (-lineinfo), and
// the unoptimised image is compiled with -G. Findings name source lines, so both images need line information. The
// image for a GPU also goes through ptxas, but is made from the same PTX. Otherwise, a source that tests __CUDA_ARCH__
// could run a program on the GPU that differs from the program checked for safety and technique. A GPU older than
// compute_80 needs PTX of its own. Warnings about architectures are disabled.
#include "compile/invocation.h"

#include <stdio.h>

void compile_nvcc_invocation(struct invocation *call, const struct compiler *compiler, const char *kit,
                             enum compile_image image, const char *output)
{
    int card = image == IMAGE_CARD;
    snprintf(call->storage[0], sizeof call->storage[0], "-I%s", kit);
    snprintf(call->storage[1], sizeof call->storage[1], "-arch=compute_%u", compile_ptx_for(compiler, image));
    snprintf(call->storage[2], sizeof call->storage[2], "-code=sm_%u", compiler->capability);
    const char *const common[] = {
        compiler->path,   card ? "-cubin" : "-ptx",
        call->storage[1], "-Wno-deprecated-gpu-targets",
        call->storage[0], "-o",
        output,
    };
    for (unsigned i = 0; i < sizeof common / sizeof *common; ++i) call->argv[call->count++] = common[i];
    if (card) {
        call->argv[call->count++] = call->storage[2];
        call->argv[call->count++] = "-O3";
    } else if (image == IMAGE_OPTIMISED) {
        call->argv[call->count++] = "-O3";
        call->argv[call->count++] = "-lineinfo";
    } else {
        call->argv[call->count++] = "-G";
    }
    call->argv[call->count++] = COMPILE_SOURCE;
}
