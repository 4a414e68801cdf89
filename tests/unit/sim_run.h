// Runs a kernel given as PTX text through the engine, for tests of sim's executor.
#ifndef TESTS_UNIT_SIM_RUN_H
#define TESTS_UNIT_SIM_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"

enum { RUN_WORDS = 1024 };

// One launch of `kernel` with a single parameter, a buffer of words (zeros at first).
struct run {
    const char *kernel;                                   // its body; parameter p is the buffer
    uint32_t grid, block, threads, stray, without, apart; // with `without`, nothing is checked
    uint64_t seed, budget, sample;
    int unwritten; // 1: the zeros count as never written
    uint32_t out[RUN_WORDS];
    struct observation observation;
};

#define RUN_HEAD ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"student.cu\"\n"
#define RUN_BODY                                                                                                       \
    ".reg .pred %p<9>;\n.reg .b32 %r<20>;\n.reg .b64 %d<9>;\n.reg .f32 %f<9>;\nld.param.u64 %d1, [p];\n"               \
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmad.lo.u32 %r4, %r2, %r3, %r1;\n"            \
    "mul.wide.u32 %d2, %r4, 4;\nadd.u64 %d3, %d1, %d2;\n"
// A module with functions before and one kernel `k`: %r1 thread, %r2 block, %r4 global index, %d3 its word in p.
#define KERNEL(functions, body) RUN_HEAD functions ".visible .entry k(.param .u64 p)\n{\n" RUN_BODY body "\nret;\n}\n"

static inline void run_kernel(struct run *r)
{
    char message[OBSERVATION_MESSAGE] = "";
    static struct engine_image image;
    struct engine_options options = {.threads = r->threads ? r->threads : 1};
    struct engine *e = sim_engine_ops.open(&options, message);
    assert_non_null(e);
    if (sim_engine_ops.load(e, r->kernel, strlen(r->kernel), &image, message)) fail_msg("%s", message);
    memset(r->out, 0, sizeof r->out);
    int buffer = sim_engine_ops.alloc(e, sizeof r->out, 4);
    assert_int_equal(sim_engine_ops.write(e, buffer, 0, r->out, sizeof r->out, r->unwritten), 0);
    struct engine_launch launch = {.kernel = "k",
                                   .grid = {r->grid ? r->grid : 1, 1, 1},
                                   .block = {r->block ? r->block : 32, 1, 1},
                                   .nargs = 1,
                                   .checks = r->without ? 0 : CHECK_ALL,
                                   .without = r->without,
                                   .apart = r->apart,
                                   .cold = 1,
                                   .schedule_seed = r->seed,
                                   .jitter = r->stray,
                                   .budget = r->budget,
                                   .sample_inst = r->sample};
    launch.arg[0] = (struct engine_arg){.kind = ARG_BUFFER, .buffer = buffer};
    sim_engine_ops.launch(e, &launch, &r->observation);
    sim_engine_ops.read(e, buffer, 0, r->out, sizeof r->out);
    sim_engine_ops.close(e);
}

// How many findings of the kind there are.
static inline int run_findings(const struct run *r, uint32_t kind)
{
    int n = 0;
    for (uint32_t i = 0; i < r->observation.nfindings; i++) n += r->observation.finding[i].kind == kind;
    return n;
}

static inline const struct finding *run_finding(const struct run *r, uint32_t kind)
{
    for (uint32_t i = 0; i < r->observation.nfindings; i++)
        if (r->observation.finding[i].kind == kind) return &r->observation.finding[i];
    fail_msg("no finding '%s'", finding_info[kind].id);
    return NULL;
}

#endif
