// Barriers of block and warp: which uses are legal and which are findings; thread counts, reductions and masks.
#include "sim_run.h"

static struct run r;

static void run(const char *kernel, uint32_t block)
{
    r = (struct run){.kernel = kernel, .block = block};
    run_kernel(&r);
}

static void early_return_is_legal(void **state)
{
    (void)state;
    run(KERNEL("", "setp.ge.u32 %p1, %r1, 40;\n@%p1 bra E;\nbar.sync 0;\nst.global.u32 [%d3], %r1;\nE:"), 64);
    assert_int_equal(r.observation.status, OBSERVED_OK);
    assert_int_equal(r.observation.nfindings, 0);
    assert_int_equal(r.out[39], 39);
    assert_int_equal(r.observation.counters.block_barriers, 2);
}

static void barrier_in_half_a_warp(void **state)
{
    (void)state;
    // The other half has something to do behind the branch.
    run(KERNEL("", "setp.ge.u32 %p1, %r1, 16;\n@%p1 bra E;\n.loc 1 7 1\nbar.sync 0;\nE: .loc 1 8 1\n"
                   "st.global.u32 [%d3], %r1;"),
        32);
    const struct finding *f = run_finding(&r, FINDING_barrier_divergent);
    assert_int_equal(f->at.line, 7);
    assert_int_equal(f->value, 0xffff0000);
    assert_int_equal(r.observation.nfindings, 1);
    assert_int_equal(r.observation.status, OBSERVED_OK); // the others exit, and the barrier opens
}

static void whole_warps_may_part(void **state)
{
    (void)state;
    // Warp 0 and warp 1 meet at two barriers of the source: a finding; and the kernel ends.
    run(KERNEL(
            "",
            "setp.ge.u32 %p1, %r1, 32;\n@%p1 bra B;\n.loc 1 7 1\nbar.sync 0;\nbra E;\n.loc 1 9 1\nB: bar.sync 0;\nE:"),
        64);
    const struct finding *f = run_finding(&r, FINDING_barrier_mismatch);
    assert_int_equal(f->second, 1);
    assert_int_equal(f->at.line + f->other.line, 16);
    assert_int_equal(r.observation.status, OBSERVED_OK);
}

static void a_turn_may_end_at_a_barrier(void **state)
{
    (void)state;
    // Blocks that look at each other run in turns, which are short where lanes stray: some end just where a warp waits.
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        r = (struct run){.grid = 2, .block = 64, .seed = seed, .stray = 1};
        r.kernel =
            KERNEL("", "atom.global.add.u32 %r6, [%d1 + 4000], 1;\nst.global.u32 [%d3 + 2048], %r6;\nmov.u32 %r5, 0;\n"
                       "L: .loc 1 7 1\nbar.sync 0;\nadd.u32 %r5, %r5, 1;\n.loc 1 8 1\nbar.sync 0;\n"
                       "setp.lt.u32 %p1, %r5, 40;\n@%p1 bra L;\nst.global.u32 [%d3], %r5;");
        run_kernel(&r);
        assert_int_equal(r.observation.status, OBSERVED_OK);
        assert_int_equal(r.observation.nfindings, 0);
        for (int i = 0; i < 128; i++) assert_int_equal(r.out[i], 40);
    }
}

static void named_barrier_with_count(void **state)
{
    (void)state;
    // Warp 0 produces and only arrives; warp 1 waits for 64 threads, then reads.
    run(KERNEL("", ".shared .b32 s;\nsetp.ge.u32 %p1, %r1, 32;\n@%p1 bra C;\nsetp.ne.u32 %p2, %r1, 0;\n"
                   "@%p2 bra A;\nmov.u32 %r5, 77;\nst.shared.u32 [s], %r5;\nA: bar.arrive 3, 64;\nbra E;\n"
                   "C: bar.sync 3, 64;\nld.shared.u32 %r6, [s];\nst.global.u32 [%d3], %r6;\nE:"),
        64);
    assert_int_equal(r.observation.status, OBSERVED_OK);
    assert_int_equal(r.observation.nfindings, 0);
    assert_int_equal(r.out[40], 77);
}

static void reductions(void **state)
{
    (void)state;
    run(KERNEL("", "setp.lt.u32 %p1, %r1, 5;\nbarrier.red.popc.u32 %r5, 0, %p1;\nbarrier.red.and.pred %p2, 0, %p1;\n"
                   "barrier.red.or.pred %p3, 0, %p1;\nselp.u32 %r6, 1, 0, %p2;\nselp.u32 %r7, 2, 0, %p3;\n"
                   "shl.b32 %r5, %r5, 4;\nor.b32 %r5, %r5, %r6;\nor.b32 %r5, %r5, %r7;\nst.global.u32 [%d3], %r5;"),
        96);
    for (int i = 0; i < 96; i++) assert_int_equal(r.out[i], 5 << 4 | 2);
}

static void deadlock_says_where(void **state)
{
    (void)state;
    run(KERNEL("", "setp.ge.u32 %p1, %r1, 32;\n@%p1 bra B;\n.loc 1 12 1\nbar.sync 1, 64;\nbra E;\n"
                   "B: .loc 1 20 1\nbar.sync 2, 64;\nE:"),
        64);
    const struct finding *f = run_finding(&r, FINDING_deadlock);
    assert_int_equal(r.observation.status, OBSERVED_FAULT);
    assert_int_equal(f->waits, 2);
    assert_memory_equal(f->wait, (&(struct finding_wait[]){{0, 31, 12}, {32, 63, 20}}), 2 * sizeof f->wait[0]);
}

static void unaligned_barrier_may_be_divergent(void **state)
{
    (void)state;
    run(KERNEL("", "setp.ge.u32 %p1, %r1, 16;\n@%p1 bra B;\nbarrier.sync 0;\nbra E;\nB: barrier.sync 0;\n"
                   "E: st.global.u32 [%d3], %r1;"),
        32);
    assert_int_equal(run_findings(&r, FINDING_barrier_divergent), 0);
    assert_int_equal(r.observation.status, OBSERVED_OK);
    assert_int_equal(r.out[31], 31);
}

static void syncwarp_waits_for_its_lanes(void **state)
{
    (void)state;
    // Both sides of a branch meet in one __syncwarp of the whole warp each: by mask, not by place.
    run(KERNEL("",
               ".shared .b32 s[32];\nmov.u32 %r9, s;\nshl.b32 %r5, %r1, 2;\nadd.u32 %r5, %r9, %r5;\n"
               "st.shared.u32 [%r5], %r1;\nsetp.ge.u32 %p1, %r1, 16;\n@%p1 bra B;\nbar.warp.sync 0xffffffff;\nbra C;\n"
               "B: bar.warp.sync 0xffffffff;\nC: xor.b32 %r6, %r1, 31;\nshl.b32 %r6, %r6, 2;\nadd.u32 %r6, %r9, %r6;\n"
               "ld.shared.u32 %r7, [%r6];\nst.global.u32 [%d3], %r7;"),
        32);
    assert_int_equal(r.observation.nfindings, 0);
    assert_int_equal(r.out[3], 28);
}

static void mask_of_absent_lanes(void **state)
{
    (void)state;
    run(KERNEL("", "setp.ge.u32 %p1, %r1, 16;\n@%p1 exit;\n.loc 1 4 1\n"
                   "shfl.sync.bfly.b32 %r5|%p2, %r1, 1, 31, 0xffffffff;\nst.global.u32 [%d3], %r5;"),
        32);
    const struct finding *f = run_finding(&r, FINDING_bad_mask);
    assert_int_equal(f->at.line, 4);
    assert_int_equal(f->value, 0xffff0000);
    assert_int_equal(r.out[2], 3);
}

static void lane_not_in_its_own_mask(void **state)
{
    (void)state;
    run(KERNEL("", "bar.warp.sync 0xffff;\nst.global.u32 [%d3], %r1;"), 32);
    assert_int_equal(run_finding(&r, FINDING_bad_mask)->value, 0xffff0000);
    assert_int_equal(r.observation.status, OBSERVED_OK);
}

static void groups_with_masks_of_their_own(void **state)
{
    (void)state;
    // match.any makes four groups; each sums up within itself.
    run(KERNEL("", "and.b32 %r5, %r1, 3;\nmatch.any.sync.b32 %r6, %r5, 0xffffffff;\nredux.sync.add.u32 %r7, %r1, %r6;\n"
                   "st.global.u32 [%d3], %r7;"),
        32);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(r.out[i], 8 * (i & 3) + 4 * 28);
    assert_int_equal(r.observation.nfindings, 0);
}

static void shuffles(void **state)
{
    (void)state;
    run(KERNEL(
            "",
            "shfl.sync.up.b32 %r5|%p1, %r1, 3, 0, 0xffffffff;\nshfl.sync.down.b32 %r6|%p2, %r1, 4, 6175, 0xffffffff;\n"
            "selp.u32 %r7, 256, 0, %p1;\nselp.u32 %r8, 512, 0, %p2;\nshl.b32 %r6, %r6, 16;\nor.b32 %r5, %r5, %r6;\n"
            "or.b32 %r5, %r5, %r7;\nor.b32 %r5, %r5, %r8;\nst.global.u32 [%d3], %r5;"),
        32);
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t up = i < 3 ? i : (i - 3) | 256;
        // 6175 = 0x181f: segments of 8 lanes
        uint32_t down = i % 8 < 4 ? (i + 4) << 16 | 512 : i << 16;
        assert_int_equal(r.out[i], up | down);
    }
}

static void votes(void **state)
{
    (void)state;
    run(KERNEL("", "setp.lt.u32 %p1, %r1, 3;\nvote.sync.ballot.b32 %r5, %p1, 0xffffffff;\n"
                   "vote.sync.any.pred %p2, %p1, 0xffffffff;\nvote.sync.all.pred %p3, %p1, 0xffffffff;\n"
                   "vote.sync.uni.pred %p4, !%p1, 0xffffffff;\nselp.u32 %r6, 16, 0, %p2;\nselp.u32 %r7, 32, 0, %p3;\n"
                   "selp.u32 %r8, 64, 0, %p4;\nor.b32 %r5, %r5, %r6;\nor.b32 %r5, %r5, %r7;\nor.b32 %r5, %r5, %r8;\n"
                   "st.global.u32 [%d3], %r5;"),
        32);
    assert_int_equal(r.out[9], 7 | 16);
    assert_int_equal(r.observation.counters.votes, 4);
}

// One value of all lanes, five, and all different; 64 bits count twice, and match.all compares with one lane.
static void matches_count_different_values(void **state)
{
    (void)state;
    static const struct row {
        const char *kernel;
        uint64_t words;
    } rows[] = {
        {KERNEL("", "match.any.sync.b32 %r5, %r2, 0xffffffff;"), 1},
        {KERNEL("", "rem.u32 %r5, %r1, 5;\nmatch.any.sync.b32 %r6, %r5, 0xffffffff;"), 5},
        {KERNEL("", "match.any.sync.b32 %r6, %r1, 0xffffffff;"), 32},
        {KERNEL("", "cvt.u64.u32 %d4, %r1;\nmatch.any.sync.b64 %r6, %d4, 0xffffffff;"), 64},
        {KERNEL("", "match.all.sync.b32 %r6|%p1, %r1, 0xffffffff;"), 1},
        {KERNEL("", "setp.ge.u32 %p1, %r1, 9;\n@%p1 bra L;\nmatch.any.sync.b32 %r6, %r1, 0x1ff;\nL:"), 9},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        run(rows[k].kernel, 32);
        assert_int_equal(r.observation.counters.votes, 1);
        assert_int_equal(r.observation.counters.match_words, rows[k].words);
    }
}

// A thread stores its index plus 1 in s[], waits as `wait` says, and gets what thread %r1 xor `distance` stored.
#define SWAP(wait, distance)                                                                                           \
    KERNEL(                                                                                                            \
        "",                                                                                                            \
        ".shared .b32 s[64];\nmov.u32 %r9, s;\nshl.b32 %r5, %r1, 2;\nadd.u32 %r5, %r9, %r5;\nadd.u32 %r7, %r1, 1;\n"   \
        "st.shared.u32 [%r5], %r7;\n" wait "\nxor.b32 %r6, %r1, " distance                                             \
        ";\nshl.b32 %r6, %r6, 2;\nadd.u32 %r6, %r9, %r6;\nld.shared.u32 %r8, [%r6];\nst.global.u32 [%d3], %r8;")

// How many of 64 threads got what another stored.
static int swapped(const char *kernel, uint32_t without, uint32_t apart)
{
    int n = 0;
    r = (struct run){.kernel = kernel, .block = 64, .without = without, .apart = apart};
    run_kernel(&r);
    assert_int_equal(r.observation.status, OBSERVED_OK);
    for (int i = 0; i < 64; i++) n += r.out[i] != 0;
    return n;
}

static void without_a_barrier_a_warp_reads_what_ran_before(void **state)
{
    (void)state;
    const char *across = SWAP("bar.sync 0;", "32"), *inside = SWAP("bar.sync 0;", "1");
    for (uint32_t apart = APART_NONE; apart <= APART_LANES_BACKWARDS; ++apart) {
        assert_int_equal(swapped(across, 0, apart), 64);
        assert_int_equal(swapped(inside, 0, apart), 64);
    }
    // The second warp to run reads what the first stored; a warp in step reads what its own lanes stored.
    assert_int_equal(swapped(across, WITHOUT_BLOCK_BARRIERS, APART_WARPS), 32);
    assert_int_equal(r.out[0], 0);
    assert_int_equal(swapped(across, WITHOUT_BLOCK_BARRIERS, APART_WARPS_BACKWARDS), 32);
    assert_int_equal(r.out[63], 0);
    assert_int_equal(swapped(inside, WITHOUT_BLOCK_BARRIERS, APART_WARPS), 64);
    assert_int_equal(swapped(inside, WITHOUT_BLOCK_BARRIERS, APART_LANES), 32);
    assert_int_equal(r.out[0], 0);
    assert_int_equal(swapped(inside, WITHOUT_BLOCK_BARRIERS, APART_LANES_BACKWARDS), 32);
    assert_int_equal(r.out[63], 0);
    assert_int_equal(swapped(across, WITHOUT_WARP_BARRIERS, APART_LANES), 64);
}

static void without_syncwarp_a_lane_reads_what_ran_before(void **state)
{
    (void)state;
    const char *inside = SWAP("bar.warp.sync 0xffffffff;", "1");
    assert_int_equal(swapped(inside, 0, APART_LANES), 64);
    assert_int_equal(swapped(inside, WITHOUT_BLOCK_BARRIERS, APART_LANES), 64);
    assert_int_equal(swapped(inside, WITHOUT_WARP_BARRIERS, APART_LANES), 32);
    assert_int_equal(r.out[0], 0);
    assert_int_equal(swapped(inside, WITHOUT_WARP_BARRIERS, APART_LANES_BACKWARDS), 32);
    assert_int_equal(r.out[1], 0);
}

static void what_is_left_out_takes_only_its_own_lanes(void **state)
{
    (void)state;
    r = (struct run){.kernel = KERNEL("", "setp.lt.u32 %p1, %r1, 5;\nbarrier.red.popc.u32 %r5, 0, %p1;\n"
                                          "st.global.u32 [%d3], %r5;"),
                     .block = 64,
                     .without = WITHOUT_BLOCK_BARRIERS};
    run_kernel(&r);
    for (int i = 0; i < 64; i++) assert_int_equal(r.out[i], i < 32 ? 5 : 0);
    // Lanes that nobody waits for arrive nowhere, and a wait for an mbarrier is over at once.
    r = (struct run){.kernel = KERNEL("", "bar.arrive 3, 64;\nst.global.u32 [%d3], %r1;"),
                     .block = 32,
                     .without = WITHOUT_BLOCK_BARRIERS};
    run_kernel(&r);
    assert_int_equal(r.out[31], 31);
    r.kernel = KERNEL("", ".shared .align 8 .b64 m;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra W;\n"
                          "mbarrier.init.shared.b64 [m], 99;\nW: mbarrier.test_wait.parity.shared.b64 %p2, [m], 0;\n"
                          "@!%p2 bra W;\nst.global.u32 [%d3], %r1;");
    run_kernel(&r);
    assert_int_equal(r.observation.status, OBSERVED_OK);
    assert_int_equal(r.out[31], 31);
}

static void atomics_that_are_left_out_change_nothing(void **state)
{
    (void)state;
    const char *kernel = KERNEL("", ".shared .b32 s;\nmov.u32 %r5, 7;\nst.shared.u32 [s], %r5;\nbar.sync 0;\n"
                                    "atom.shared.add.u32 %r6, [s], 1;\nbar.sync 0;\nld.shared.u32 %r7, [s];\n"
                                    "shl.b32 %r7, %r7, 8;\nor.b32 %r7, %r7, %r6;\nst.global.u32 [%d3], %r7;");
    r = (struct run){.kernel = kernel, .block = 1};
    run_kernel(&r);
    assert_int_equal(r.out[0], 8 << 8 | 7);
    r = (struct run){.kernel = kernel, .block = 1, .without = WITHOUT_SHARED_ATOMICS};
    run_kernel(&r);
    assert_int_equal(r.out[0], 7 << 8 | 7);
    assert_int_equal(r.observation.counters.shared_atom_inst, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(without_a_barrier_a_warp_reads_what_ran_before),
                                       cmocka_unit_test(without_syncwarp_a_lane_reads_what_ran_before),
                                       cmocka_unit_test(what_is_left_out_takes_only_its_own_lanes),
                                       cmocka_unit_test(atomics_that_are_left_out_change_nothing),
                                       cmocka_unit_test(early_return_is_legal),
                                       cmocka_unit_test(barrier_in_half_a_warp),
                                       cmocka_unit_test(whole_warps_may_part),
                                       cmocka_unit_test(a_turn_may_end_at_a_barrier),
                                       cmocka_unit_test(named_barrier_with_count),
                                       cmocka_unit_test(reductions),
                                       cmocka_unit_test(deadlock_says_where),
                                       cmocka_unit_test(unaligned_barrier_may_be_divergent),
                                       cmocka_unit_test(syncwarp_waits_for_its_lanes),
                                       cmocka_unit_test(mask_of_absent_lanes),
                                       cmocka_unit_test(lane_not_in_its_own_mask),
                                       cmocka_unit_test(groups_with_masks_of_their_own),
                                       cmocka_unit_test(shuffles),
                                       cmocka_unit_test(votes),
                                       cmocka_unit_test(matches_count_different_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
