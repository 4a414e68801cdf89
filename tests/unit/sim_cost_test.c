// Average cost of one execution of an op: of a load, including the share of L2 hits that wait for DRAM; of a match, by
// its number of values.
#include "sim_run.h"

#include "device/profile.h"
#include "sim/core/op.h"
#include "sim/core/program.h"
#include "sim/timing/cost.h"

enum { SECTORS = 1 << 20 };

// Of REPLAY_WHOLE loads that leave a multiprocessor, those that wait for DRAM, in a launch of one load. Of all sectors
// `dram` come from DRAM, and `pending` had been asked for by another block a moment before.
static uint32_t waiting(uint32_t blocks_per_sm, uint64_t blocks, uint64_t dram, uint64_t pending)
{
    struct sim_op op = {.run = NULL};
    struct sim_op_info info = {.pipe = PIPE_LSU, .slots = 1};
    struct sim_program program = {.op = &op, .info = &info, .nops = 1};
    struct engine_launch request = {.cold = 1};
    struct sim_launch launch = {.request = &request,
                                .device = device_profile_find("h200"),
                                .program = &program,
                                .nops = 1,
                                .blocks = blocks,
                                .threads = 128,
                                .warps = 4,
                                .blocks_per_sm = blocks_per_sm};
    struct counters c = {.warp_inst = SECTORS / 4,
                         .global_ld_requests = SECTORS / 4,
                         .global_ld_sectors = SECTORS,
                         .global_ld_missed_requests = SECTORS / 4};
    uint64_t ran = SECTORS / 4;
    struct l2_loads loads = {.dram = dram, .pending = pending};
    struct timing_input work = {.launch = &launch,
                                .total = &c,
                                .op = &c,
                                .ran = &ran,
                                .loads = &loads,
                                .loads_blocks = blocks,
                                .dram_part = REPLAY_WHOLE};
    struct cost_traffic none = {0};
    struct replay_op cost;
    cost_ops(&work, &none, 1, 1, &cost);
    assert_true(cost.is_load && cost.missing == REPLAY_WHOLE);
    return cost.far;
}

// h200: DRAM loads 381.4 cycles after the L2 would, and blocks of a multiprocessor are 331 cycles behind one another.
static void late_loads_wait_less_the_further_blocks_stand_apart(void **state)
{
    (void)state;
    assert_int_equal(waiting(1, 132, 0, 0), 0);
    assert_int_equal(waiting(1, 132, SECTORS, 0), REPLAY_WHOLE);
    assert_int_equal(waiting(1, 132, 0, SECTORS), REPLAY_WHOLE); // 2 x 381.4 of 331: all
    assert_int_equal(waiting(2, 264, 0, SECTORS), REPLAY_WHOLE); // of 662
    uint64_t four = waiting(4, 528, 0, SECTORS), eight = waiting(8, 1056, 0, SECTORS);
    assert_int_equal(four, 2 * (66200 - 28060) * (uint64_t)REPLAY_WHOLE / 132400);
    assert_int_equal(eight, 2 * (66200 - 28060) * (uint64_t)REPLAY_WHOLE / 264800);
    assert_int_equal(waiting(8, 1056, 0, SECTORS / 2), eight / 2);
    assert_int_equal(waiting(8, 1056, SECTORS / 2, SECTORS / 2), REPLAY_WHOLE / 2 + eight / 2);
    assert_int_equal(waiting(8, 10560, 0, SECTORS), eight);      // more blocks than have room stand no further apart
    assert_int_equal(waiting(8, 132, 0, SECTORS), REPLAY_WHOLE); // nor where there are few
}

// By what a card took (tests/truth/h200_micro.txt): a chain of 64 matches, 256 cycles each with all values different,
// and many warps' matches, two cycles a value.
static void matches_take_their_values_time(void **state)
{
    (void)state;
#define MATCH "match.any.sync.b32 %r5, %r5, 0xffffffff;\n"
#define EIGHT(x) x x x x x x x x
    static struct run none, chain, crowd;
    uint64_t cycle = 1000000000 / (uint64_t)device_profile_find("h200")->clock_khz; // ps
    none = (struct run){.kernel = KERNEL("", "mov.u32 %r5, %r1;\n")};
    chain = (struct run){.kernel = KERNEL("", "mov.u32 %r5, %r1;\n" EIGHT(EIGHT(MATCH)))};
    crowd = (struct run){.kernel = chain.kernel, .block = 1024};
    run_kernel(&none);
    run_kernel(&chain);
    run_kernel(&crowd);
    uint64_t base = none.observation.time_ps;
    // The first finds 32 values; their masks are as different.
    assert_in_range((chain.observation.time_ps - base) / cycle / 64, 370, 390);
    assert_in_range((crowd.observation.time_ps - base) / cycle / 64, 2040, 2070);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(late_loads_wait_less_the_further_blocks_stand_apart),
                                       cmocka_unit_test(matches_take_their_values_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
