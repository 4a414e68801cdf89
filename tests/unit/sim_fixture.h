// A launch made by hand for tests of sim's memory: module, program, worker, block and warps, without an executor.
#ifndef TESTS_UNIT_SIM_FIXTURE_H
#define TESTS_UNIT_SIM_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "device/profile.h"
#include "ptx/ptx.h"
#include "sim/core/access.h"
#include "sim/core/launch.h"
#include "sim/core/layout.h"
#include "sim/core/program.h"
#include "sim/core/region.h"
#include "sim/hazard/finding_log.h"
#include "sim/hazard/origin.h"
#include "sim/hazard/shadow.h"
#include "sim/machine/block_memory.h"
#include "sim/machine/memory.h"
#include "sim/timing/l1.h"

enum { FIXTURE_OPS = 64, FIXTURE_VARS = 8 };

struct fixture {
    struct arena arena;
    struct ptx_var var[FIXTURE_VARS];
    struct ptx_inst inst[FIXTURE_OPS];
    struct ptx_loc loc[FIXTURE_OPS + 1]; // op k stands in line k + 1
    struct ptx_func func;
    struct ptx_module module;
    struct sim_op_info info[FIXTURE_OPS];
    struct shared_layout layout;
    struct sim_program program;
    struct engine_launch request;
    struct sim_launch launch;
    struct sim_worker worker;
    struct sim_block block;
    struct sim_warp warp[4];
    struct observation observation;
};

// Adds a variable and returns its index.
static inline int fixture_var(struct fixture *f, const char *name, enum ptx_space space, uint64_t bytes)
{
    struct ptx_var *v = &f->var[f->module.nvars];
    *v = (struct ptx_var){.name = name,
                          .space = (uint8_t)space,
                          .type = PTX_F32,
                          .align = 4,
                          .bytes = bytes,
                          .func = space == PTX_SHARED ? 0 : PTX_NO_REG,
                          .is_extern = space == PTX_SHARED && bytes == 0};
    return (int)f->module.nvars++;
}

static inline struct fixture *fixture_new(void)
{
    static const char *student[] = {"student.cu"};
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->module.var = f->var;
    f->module.func = &f->func;
    f->module.nfuncs = 1;
    f->func.name = "kernel";
    f->func.is_entry = f->func.has_body = 1;
    f->func.inst = f->inst;
    f->func.ninsts = FIXTURE_OPS;
    f->module.file = student;
    f->module.nfiles = 1;
    f->module.loc = f->loc;
    f->module.nlocs = FIXTURE_OPS + 1;
    for (uint32_t k = 0; k < FIXTURE_OPS; k++) {
        f->info[k].inst = k;
        f->inst[k].loc = k + 1;
        f->loc[k + 1].line = k + 1;
    }
    return f;
}

static inline void fixture_block(struct fixture *f, uint64_t linear)
{
    f->block.linear = linear;
    f->block.index[0] = (uint32_t)linear;
    block_memory_begin(&f->block);
    for (uint32_t w = 0; w < f->launch.warps; w++) f->warp[w].phase = 0;
}

// Makes the launch: `threads` (up to 128) in a row, `blocks` in the grid. Variables must have been added, and memory
// is f->launch.memory from now on.
static inline void fixture_start(struct fixture *f, uint32_t threads, uint64_t blocks, uint32_t dynamic, uint32_t local)
{
    f->layout = layout_shared(&f->module, 0, dynamic, &f->arena);
    f->program = (struct sim_program){
        .module = &f->module, .info = f->info, .nops = FIXTURE_OPS, .shared = &f->layout, .local_bytes = local};
    f->layout = layout_shared(&f->module, 0, dynamic, &f->arena);
    f->request.shared = dynamic;
    f->request.block[0] = threads;
    f->request.block[1] = f->request.block[2] = 1;
    f->request.grid[0] = (uint32_t)blocks;
    f->request.grid[1] = f->request.grid[2] = 1;
    f->request.checks = CHECK_ALL;
    f->launch = (struct sim_launch){.request = &f->request,
                                    .device = device_profile_find(NULL),
                                    .program = &f->program,
                                    .memory = sim_memory_new(),
                                    .checks = CHECK_ALL,
                                    .threads = threads,
                                    .warps = (threads + 31) / 32,
                                    .nops = FIXTURE_OPS,
                                    .blocks = blocks,
                                    .blocks_per_sm = 1,
                                    .shared_bytes = f->layout.placed_bytes,
                                    .local_bytes = local};
    assert_int_equal(sim_memory_add(f->launch.memory, &f->module), 0);
    f->worker = (struct sim_worker){
        .launch = &f->launch, .op = calloc(FIXTURE_OPS, sizeof(struct counters)), .findings = finding_log_new()};
    f->block.worker = &f->worker;
    f->block.shared = calloc(1, f->launch.shared_bytes + 64);
    f->block.shadow = shadow_new(&f->launch);
    for (uint32_t w = 0; w < f->launch.warps; w++) {
        uint32_t lanes = threads - w * 32 < 32 ? threads - w * 32 : 32;
        f->warp[w] = (struct sim_warp){.block = &f->block,
                                       .id = w,
                                       .live = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1,
                                       .local = calloc(WARP_LANES, local + 1),
                                       .local_valid = calloc(WARP_LANES, local + 1)};
    }
    sim_memory_begin(f->launch.memory, &f->launch, blocks == 1);
    fixture_block(f, 0);
}

static inline void fixture_free(struct fixture *f)
{
    for (uint32_t w = 0; w < f->launch.warps; w++) {
        free(f->warp[w].local);
        free(f->warp[w].local_valid);
        origin_free(&f->warp[w]);
    }
    l1_log_free(&f->block.sectors);
    l1_free(f->block.l1);
    shadow_free(f->block.shadow);
    free(f->block.shared);
    free(f->worker.op);
    finding_log_free(f->worker.findings);
    sim_memory_free(f->launch.memory);
    arena_free(&f->arena);
    free(f);
}

// A 32-bit access by the lanes of mask; lane l at base + l * stride.
static inline struct sim_access fixture_access(enum memory_space space, enum access_kind kind, uint32_t op,
                                               uint32_t mask, uint64_t base, int64_t stride)
{
    struct sim_access a = {.space = (uint8_t)space,
                           .kind = (uint8_t)kind,
                           .bytes = 4,
                           .count = 1,
                           .row_bytes = 4,
                           .atom_type = PTX_U32,
                           .op = op,
                           .mask = mask,
                           .symbol = -1};
    for (uint32_t l = 0; l < WARP_LANES; l++) a.address[l] = base + (uint64_t)((int64_t)l * stride);
    return a;
}

// The findings so far, worst first; the log goes on.
static inline uint32_t fixture_findings(struct fixture *f)
{
    memset(&f->observation, 0, sizeof f->observation);
    finding_log_write(f->worker.findings, &f->program, &f->observation);
    return f->observation.nfindings;
}

static inline const struct finding *fixture_finding(struct fixture *f, enum finding_kind kind)
{
    fixture_findings(f);
    for (uint32_t i = 0; i < f->observation.nfindings; i++) {
        if (f->observation.finding[i].kind == kind) return &f->observation.finding[i];
    }
    return NULL;
}

#endif
