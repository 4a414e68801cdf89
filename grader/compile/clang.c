// The command line of clang, which compiles CUDA C without any file of NVIDIA's: no CUDA folder is searched for, no
// library of device functions linked, no header of the host read. All that a kernel may use comes from the kit's
// cuda.h, included before the first line, and from stand-ins for the usual headers beside it (kit/clang).
//
// -target-sdk-version and +ptx75 allow the instructions of compute_80, which every profile executes; a card older than
// that needs PTX of its own. -ffp-contract=fast fuses products into sums as nvcc does by default. Line tables without
// variables (-gline-tables-only) give the same .loc as -g at half the size. Known: clang 14 compiles (long long)i << 31
// of an int to a product with -2^31, a fault of its own; 30 and 32 are right. Warnings are those that name mistakes;
// what says that a loop was not unrolled, or that a pragma is unknown, is noise. An argument that no path sets is no
// sign that a lane never comes there: `int old; if (leader) old = atomicAdd(…); old = __shfl_sync(mask, old, 0)` is
// right, and clang would take the guard away (compile_keeps_undefined). That a negative number does not fit a field of
// LAUNCH is said when it is launched, as with nvcc.
#include "compile/invocation.h"

#include <stdio.h>
#include <string.h>

const char *compile_keeps_undefined(const struct compiler *compiler)
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
        compile_keeps_undefined(compiler),
        "-ffp-contract=fast",
        "-fno-math-errno",
        "-fno-crash-diagnostics",
        image == IMAGE_UNOPTIMISED ? "-g" : "-gline-tables-only", // -g: what lies where in a frame
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
