// The simulator. Whatever loads runs to an end within its budget, its observation passes the judge's own check, and
// nothing outside the simulated memory is touched (a sanitizer sees that).
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "sim/sim.h"
#include "wire/wire.h"

enum { ELEMENTS = 256, WORD = 4, SHARED = 1024, KERNELS_MOST = 4 };
static const uint64_t BUDGET = 3000;

static const char *const words[] = {
    "ld.global.u32 %r1, [%rd1];",
    "st.global.u32 [%rd1], %r1;",
    "ld.shared.v4.u32",
    "st.shared.u64",
    "atom.global.add.u32 %r1, [%rd1], 1;",
    "atom.shared.cas.b64",
    "red.global.max.s32",
    "bar.sync 0;",
    "bar.warp.sync -1;",
    "bar.arrive 1, 64;",
    "shfl.sync.down.b32 %r1, %r1, 1, 31, -1;",
    "vote.sync.ballot.b32 %r1, %p1, -1;",
    "match.any.sync.b32",
    "cvta.to.global.u64 %rd1, %rd1;",
    "mov.u32 %r1, %tid.x;",
    "mov.u32 %r1, %laneid;",
    "@%p1 bra",
    "brx.idx",
    "call",
    "ret;",
    "exit;",
    "trap;",
    ".u64",
    ".s16",
    ".f64",
    ".v4",
    "4294967295",
    "-9223372036854775808",
    "%r1",
    "%rd1",
    "%p1",
    "cp.async.ca.shared.global",
    "div.s32",
    "rem.u64",
    "shl.b64 %rd1, %rd1, 63;",
    ";",
    "\n",
    NULL,
};

static struct engine_launch launch_of(const struct engine_kernel *k, int buffer, uint64_t seed)
{
    struct engine_launch l = {.grid = {2, 1, 1},
                              .block = {48, 1, 1},
                              .shared = SHARED,
                              .nargs = k->params,
                              .checks = CHECK_ALL,
                              .schedule_seed = seed,
                              .jitter = seed != 0,
                              .cold = seed == 0,
                              .budget = BUDGET};
    memcpy(l.kernel, k->name, sizeof l.kernel);
    for (uint32_t i = 0; i < k->params && i < ENGINE_ARGS; ++i)
        l.arg[i] = k->param_bytes[i] == 8
                       ? (struct engine_arg){.kind = ARG_BUFFER, .bytes = 8, .buffer = buffer}
                       : (struct engine_arg){.kind = ARG_VALUE, .bytes = k->param_bytes[i], .value = ELEMENTS};
    return l;
}

static void launch(struct engine *e, const struct engine_launch *l, const uint8_t *data, size_t size)
{
    static struct observation o;
    char why[OBSERVATION_MESSAGE], said[2 * OBSERVATION_MESSAGE];
    sim_engine_ops.launch(e, l, &o);
    if (!wire_check_observation(&o, l, why)) return;
    snprintf(said, sizeof said, "the judge refuses the observation: %s", why);
    fuzz_failed(said, data, size);
}

static void run(const uint8_t *data, size_t size)
{
    static const struct engine_options options = {.threads = 1};
    struct engine_image image;
    char message[OBSERVATION_MESSAGE];
    struct engine *e = sim_engine_ops.open(&options, message);
    if (!e) die("%s", message);
    if (!sim_engine_ops.load(e, (const char *)data, size, &image, message)) {
        if (wire_check_image(&image, message)) fuzz_failed("the judge refuses the image", data, size);
        for (uint32_t k = 0; k < image.nkernels && k < KERNELS_MOST; ++k) {
            if (image.kernel[k].params > ENGINE_ARGS) continue;
            sim_engine_ops.reset(e);
            int buffer = sim_engine_ops.alloc(e, ELEMENTS * WORD, WORD);
            for (uint64_t seed = 0; seed < 2; ++seed) {
                struct engine_launch l = launch_of(&image.kernel[k], buffer, seed);
                launch(e, &l, data, size);
            }
        }
    }
    sim_engine_ops.close(e);
}

const struct fuzz_target fuzz_sim = {"sim", run, words};
