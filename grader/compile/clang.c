// Builds the command line of clang, which compiles CUDA C without any file of NVIDIA's. Clang uses no CUDA folder and
// no library of device functions. The functions that kernels call come from the autograder's own headers in
// grader/kit/clang: from prelude.h, which is included before the first line, and from replacements of CUDA's headers.
// The C and C++ headers are those of the host system, and libcu++, CUB and Thrust come from the Linux distribution's
// packages. Clang compiles an image (a submission's kernels as PTX) in the same way as a program (an executable with
// host and device code). Clang reads the host code in a file by the same rules as device code, even when clang compiles
// only a submission's kernels.
//
// The options -target-sdk-version and +ptx75 allow the PTX instructions of compute_80, which every simulated GPU
// executes. For a real GPU older than compute_80, clang compiles PTX for that GPU's own compute capability. The option
// -ffp-contract=fast fuses products into sums as nvcc does by default. The option -gline-tables-only gives the
// optimised image the same .loc directives as -g at half the size. Clang's warnings are enabled only for likely
// mistakes. Warnings about loops that were not unrolled, or about unknown pragmas, are disabled. Designated
// initialisers in another order than the fields of the struct are errors, because nvcc refuses them. Variadic functions
// for the device are allowed, because libcu++ declares them. Clang 14 has a known defect: for an int i, clang 14
// compiles (long long)i << 31 to a product with -2^31.
//
// The compiler nvcc unrolls a loop by four even if the number of iterations is unknown, and unrolls longer loops than
// clang does by default. The options -unroll-… make clang unroll the same loops as nvcc. The number
// of iterations of a loop such as "for (c = lane; c < n; c += 32)" takes a few instructions to compute. With the option
// -scev-cheap-expansion-budget, clang also unrolls such a loop. The legacy
// pass manager of clang 14 splits arrays into registers after loops were unrolled, as nvcc does. The new pass manager
// of clang 14 leaves some of the arrays that nvcc splits into registers in local memory.
//
// CUDA code may pass an uninitialised variable to a function; for example, `int old; if (leader) old = atomicAdd(…);
// old = __shfl_sync(mask, old, 0)` is correct. Without the option from keeps_undefined(), clang would assume that `old`
// in `if (leader) old = atomicAdd(…)` is always initialised, and remove the condition `if (leader)`. A negative number
// in a field of LAUNCH, the macro of warpwise.h for launch shapes, is reported at the kernel launch, as with nvcc.
#define _GNU_SOURCE
#include "compile/invocation.h"

#include <stdio.h>
#include <string.h>

static int is_old(const struct compiler *compiler)
{
    return strncmp(compiler->version, "clang 14.", strlen("clang 14.")) == 0;
}

// Returns clang's option that allows undefined arguments of functions.
static const char *keeps_undefined(const struct compiler *compiler)
{
    return is_old(compiler) ? "-disable-noundef-analysis" : "-no-enable-noundef-analysis";
}

void compile_clang_language(struct invocation *call, const char *kit, unsigned capability, enum compile_stage stage)
{
    char arch[16];
    snprintf(arch, sizeof arch, "%u", capability);
    invocation_add(call, invocation_joined(call, "--cuda-gpu-arch=sm_", arch));
    static const char *const language[] = {
        "--cuda-path=/nonexistent",
        "-nocudainc",
        "-nocudalib",
        "-std=c++17",
        "-Xclang",
        "-target-sdk-version=11.5",
        "-Xclang",
        "-fcuda-allow-variadic-functions",
        "-fno-crash-diagnostics",
        "-Wall",
        "-Wno-unknown-pragmas",
        "-Wno-pass-failed",
        "-Wno-unused-function",
        "-Wno-c++11-narrowing",
        "-Werror=reorder-init-list",
        "-ferror-limit=20",
        "-x",
        "cuda",
        NULL,
    };
    invocation_add_list(call, language);
    if (stage == STAGE_PREPROCESSED) return;
    invocation_add_list(call, (const char *const[]){"-isystem", invocation_joined(call, kit, "/clang"), "-isystem",
                                                    invocation_joined(call, kit, "/runtime"), "-I", kit, "-include",
                                                    invocation_joined(call, kit, "/clang/prelude.h"), NULL});
}

void compile_clang_device(struct invocation *call, const struct compiler *compiler, int unoptimised,
                          enum compile_stage stage)
{
    static const char *const device[] = {
        "--cuda-device-only",
        "-Xclang",
        "-target-feature",
        "-Xclang",
        "+ptx75",
        "-ffp-contract=fast",
        "-fno-math-errno",
        "-fno-builtin-malloc",
        "-fno-builtin-free",
        "-fdebug-compilation-dir=.",
        "-mllvm",
        "-unroll-partial-threshold=300",
        "-mllvm",
        "-unroll-max-count=4",
        "-mllvm",
        "-scev-cheap-expansion-budget=20",
        "-Xclang",
        NULL,
    };
    invocation_add_list(call, device);
    invocation_add(call, keeps_undefined(compiler));
    if (is_old(compiler)) invocation_add(call, "-flegacy-pass-manager");
    invocation_add(call, stage == STAGE_PREPROCESS ? "-E" : "-S");
    invocation_add(call, unoptimised ? "-g" : "-gline-tables-only"); // -g describes the variables of a frame
    invocation_add(call, unoptimised ? "-O0" : "-O3");
}

void compile_clang_invocation(struct invocation *call, const struct compiler *compiler, const char *kit,
                              enum compile_image image, enum compile_stage stage, const char *source,
                              const char *output)
{
    invocation_add(call, compiler->path);
    compile_clang_language(call, kit, compile_ptx_for(compiler, image), stage);
    compile_clang_device(call, compiler, image == IMAGE_UNOPTIMISED, stage);
    invocation_add_list(call, (const char *const[]){"-o", output, source, NULL});
}
