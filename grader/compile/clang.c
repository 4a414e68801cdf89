// Builds the command line of clang, which compiles CUDA C without any file of NVIDIA's. Clang uses no CUDA folder, no
// library of device functions and no header of the host. All functions for kernels come from the kit's cuda.h, which is
// included before the first line. The kit also has replacements of the usual headers (kit/clang).
//
// -target-sdk-version and +ptx75 allow the instructions of compute_80, which every profile executes. A GPU older than
// compute_80 needs PTX of its own. -ffp-contract=fast fuses products into sums as nvcc does by default. Line tables
// without variables (-gline-tables-only) contain the same .loc directives as -g at half the size. Only warnings about
// mistakes are enabled. Warnings about loops that were not unrolled, or about unknown pragmas, are disabled. Clang 14
// has a known defect: for an int i, clang 14 compiles (long long)i << 31 to a product with -2^31.
//
// An argument of a function may be undefined: `int old; if (leader) old = atomicAdd(…); old = __shfl_sync(mask, old,
// 0)` is correct. Without compile_clang_keeps_undefined(), clang would remove the condition. A negative number in a
// field of LAUNCH is reported at the launch, as with nvcc.
#include "compile/invocation.h"

#include <stdio.h>
#include <string.h>

const char *compile_clang_keeps_undefined(const struct compiler *compiler)
{
    int old = strncmp(compiler->version, "clang 14.", strlen("clang 14.")) == 0;
    return old ? "-disable-noundef-analysis" : "-no-enable-noundef-analysis";
}

void compile_clang_invocation(struct invocation *call, const struct compiler *compiler, const char *kit,
                              enum compile_image image, const char *output)
{
    snprintf(call->storage[0], sizeof call->storage[0], "%s/clang", kit);
    snprintf(call->storage[1], sizeof call->storage[1], "%s/clang/cuda.h", kit);
    snprintf(call->storage[2], sizeof call->storage[2], "--cuda-gpu-arch=sm_%u", compile_ptx_for(compiler, image));
    const char *const common[] = {
        compiler->path,
        "-x",
        "cuda",
        "--cuda-device-only",
        call->storage[2],
        "--cuda-path=/nonexistent",
        "-nocudainc",
        "-nocudalib",
        "-nostdinc",
        "-S",
        "-std=c++17",
        "-Xclang",
        "-target-sdk-version=11.5",
        "-Xclang",
        "-target-feature",
        "-Xclang",
        "+ptx75",
        "-Xclang",
        compile_clang_keeps_undefined(compiler),
        "-ffp-contract=fast",
        "-fno-math-errno",
        "-fno-crash-diagnostics",
        image == IMAGE_UNOPTIMISED ? "-g" : "-gline-tables-only", // -g describes the variables of a frame
        "-fdebug-compilation-dir=.",
        "-Wall",
        "-Wno-unknown-pragmas",
        "-Wno-pass-failed",
        "-Wno-c++11-narrowing",
        "-ferror-limit=20",
        "-isystem",
        call->storage[0],
        "-I",
        kit,
        "-include",
        call->storage[1],
        image == IMAGE_UNOPTIMISED ? "-O0" : "-O3",
        "-o",
        output,
        COMPILE_SOURCE,
    };
    for (unsigned i = 0; i < sizeof common / sizeof *common; ++i) call->argv[call->count++] = common[i];
}
