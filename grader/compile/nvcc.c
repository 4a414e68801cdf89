// The command line of nvcc.
//
// PTX for compute_80 is what every profile executes. -ptx stops before ptxas and never builds host code: half a second
// is the preprocessor and the device compiler, and nothing is gained by calling them oneself (the driver itself takes 2
// ms). The optimised image carries line tables (-lineinfo), the unoptimised one comes from -G: both are needed for
// findings with lines. A card's image goes through ptxas too, for the card's own instructions, but from the same PTX: a
// source that asked __CUDA_ARCH__ would otherwise hand the card another program than the one that was judged to be safe
// and to use the lab's technique. A card older than compute_80 needs PTX of its own. Host-side warnings about
// architectures are of no use to a student.
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
