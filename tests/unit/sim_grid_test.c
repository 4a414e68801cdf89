// The grid: the same report with any number of host threads, blocks that communicate, instruction budgets, samples, and
// launches that a device refuses.
#include "sim_run.h"

static struct run r, other;

static void same_report(const struct run *a, const struct run *b)
{
    assert_memory_equal(a->out, b->out, sizeof a->out);
    assert_memory_equal(&a->observation, &b->observation, sizeof a->observation);
}

// Runs the kernel with 1, 2 and 5 host threads and expects one report.
static void run_with_threads(const char *kernel, uint32_t grid, uint32_t block, uint64_t budget)
{
    r = (struct run){.kernel = kernel, .grid = grid, .block = block, .threads = 1, .budget = budget};
    run_kernel(&r);
    for (uint32_t threads = 2; threads <= 5; threads += 3) {
        other = (struct run){.kernel = kernel, .grid = grid, .block = block, .threads = threads, .budget = budget};
        run_kernel(&other);
        same_report(&r, &other);
    }
}

static const char own_words[] = KERNEL("", "mul.lo.u32 %r5, %r4, 3;\nst.global.u32 [%d3], %r5;");

static void independent_blocks(void **state)
{
    (void)state;
    run_with_threads(own_words, 16, 64, 0);
    for (uint32_t i = 0; i < 1024; i++) assert_int_equal(r.out[i], 3 * i);
    assert_int_equal(r.observation.blocks_run, 16);
}

static void shuffled_blocks(void **state)
{
    (void)state;
    r = (struct run){.kernel = own_words, .grid = 16, .block = 64};
    run_kernel(&r);
    other = (struct run){.kernel = own_words, .grid = 16, .block = 64, .seed = 99};
    run_kernel(&other);
    assert_memory_equal(r.out, other.out, sizeof r.out);
    assert_int_equal(r.observation.counters.warp_inst, other.observation.counters.warp_inst);
}

// Each block stores where its neighbour reads: the launch runs again in a fixed order.
static void blocks_that_touch(void **state)
{
    (void)state;
    run_with_threads(KERNEL("", "shl.b32 %r5, %r2, 2;\ncvt.u64.u32 %d4, %r5;\nadd.u64 %d5, %d1, %d4;\n"
                                "ld.global.u32 %r6, [%d5];\nadd.u32 %r6, %r6, 1;\nst.global.u32 [%d5+4], %r6;"),
                     40, 32, 0);
    assert_int_equal(r.out[40], 40);
}

static void float_sums_keep_their_order(void **state)
{
    (void)state;
    run_with_threads(KERNEL("", "cvt.rn.f32.u32 %f1, %r4;\nrcp.rn.f32 %f1, %f1;\nsetp.eq.u32 %p1, %r4, 0;\n"
                                "@!%p1 red.global.add.f32 [%d1], %f1;"),
                     30, 64, 0);
    assert_int_not_equal(r.out[0], 0);
}

static void last_block_sums_up(void **state)
{
    (void)state;
    // Tickets: a block that waits for all others to have come needs them to run.
    run_with_threads(KERNEL("", "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra E;\natom.global.add.u32 %r5, [%d1], 1;\n"
                                "L: ld.volatile.global.u32 %r6, [%d1];\nsetp.lt.u32 %p2, %r6, 20;\n@%p2 bra L;\n"
                                "shl.b32 %r7, %r2, 2;\ncvt.u64.u32 %d4, %r7;\nadd.u64 %d5, %d1, %d4;\n"
                                "st.global.u32 [%d5+4], %r6;\nE:"),
                     20, 32, 0);
    assert_int_equal(r.observation.status, OBSERVED_OK);
    for (int i = 1; i <= 20; i++) assert_int_equal(r.out[i], 20);
}

static void endless_loop(void **state)
{
    (void)state;
    run_with_threads(
        KERNEL("", "setp.ne.u32 %p1, %r2, 3;\n@%p1 bra E;\nL: .loc 1 33 1\nadd.u32 %r5, %r1, 1;\nbra L;\nE:"), 8, 32,
        100000);
    assert_int_equal(r.observation.status, OBSERVED_FAULT);
    assert_int_equal(run_finding(&r, FINDING_too_long)->at.line, 33);
    assert_int_equal(r.observation.blocks_run, 4);
}

// A header beside the student's file is the student's, and CUB's is not.
static void headers_have_an_owner(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        uint8_t file;
    } row[] = {{KERNEL(".file 2 \"tiles.cuh\"\n", "L: .loc 2 33 1\nadd.u32 %r5, %r1, 1;\nbra L;"), FILE_STUDENT},
               {KERNEL(".file 2 \"/usr/include/cub/tiles.cuh\"\n", "L: .loc 2 33 1\nadd.u32 %r5, %r1, 1;\nbra L;"),
                FILE_OTHER}};
    for (int i = 0; i < 2; i++) {
        r = (struct run){.kernel = row[i].kernel, .budget = 1000};
        run_kernel(&r);
        assert_int_equal(run_finding(&r, FINDING_too_long)->at.file, row[i].file);
    }
}

static void all_that_wait_share_a_budget(void **state)
{
    (void)state;
    // Nobody comes: together the blocks spend what the launch may, and atomics cost more than instructions. The loop
    // counts, so that nobody sleeps (sim_poll_test.c).
    static const char kernel[] = KERNEL("", "L: atom.global.or.b32 %r5, [%d1], 0;\nadd.u32 %r6, %r6, 1;\n"
                                            "setp.eq.u32 %p1, %r5, 0;\n@%p1 bra L;");
    run_with_threads(kernel, 8, 32, 4000000);
    assert_non_null(run_finding(&r, FINDING_too_long));
    uint64_t few = r.observation.counters.warp_inst;
    assert_true(few > 10000 && few < 4000000);
    run_with_threads(kernel, 16, 32, 4000000);
    assert_true(r.observation.counters.warp_inst < few + few / 10);
}

static void samples_scale_exactly(void **state)
{
    (void)state;
    r = (struct run){.kernel = KERNEL("", "and.b32 %r5, %r4, 1023;\nshl.b32 %r5, %r5, 2;\ncvt.u64.u32 %d4, %r5;\n"
                                          "add.u64 %d5, %d1, %d4;\nld.global.u32 %r6, [%d5];"),
                     .grid = 10000,
                     .block = 64};
    run_kernel(&r);
    other = r;
    other.sample = 20000;
    run_kernel(&other);
    assert_int_equal(other.observation.blocks, 10000);
    assert_true(other.observation.blocks_run < 2000);
    assert_int_equal(other.observation.counters.warp_inst, r.observation.counters.warp_inst);
    assert_int_equal(other.observation.counters.global_ld_sectors, r.observation.counters.global_ld_sectors);
}

// Each block writes 32 words of its own; the last block writes 8. Blocks from `lazy` on write nothing.
#define WRITES(lazy)                                                                                                   \
    KERNEL("", "setp.eq.u32 %p1, %r2, 29;\nsetp.ge.u32 %p2, %r1, 8;\nand.pred %p2, %p1, %p2;\n@%p2 bra E;\n"           \
               "setp.ge.u32 %p1, %r2, " lazy ";\n@%p1 bra E;\nst.global.u32 [%d3], %r4;\nE:")

static uint64_t words_of_a_sample(const char *kernel)
{
    r = (struct run){.kernel = kernel, .grid = 30, .block = 32, .sample = 40, .unwritten = 1};
    run_kernel(&r);
    assert_true(r.observation.blocks_run < 30);
    assert_int_equal(r.observation.exact, 1);
    return r.observation.written_words;
}

// The last block stores a quarter of what the others store, and is a stratum of its own.
static void a_sample_knows_what_all_blocks_write(void **state)
{
    (void)state;
    assert_int_equal(words_of_a_sample(WRITES("30")), 29 * 32 + 8);
    assert_int_equal(r.observation.counters.global_st_bytes, 29 * 128 + 32);
    assert_int_equal(words_of_a_sample(WRITES("20")), 20 * 32); // blocks that leave their part out are seen
}

// One block in the midst of the grid ends at once. No block of its neighbourhood is sampled, and yet it is known.
static void a_sample_knows_who_ends_early(void **state)
{
    (void)state;
    static const char kernel[] =
        KERNEL("", "setp.eq.u32 %p1, %r2, 17;\n@%p1 bra E;\nmov.u32 %r5, 0;\nC: add.u32 %r5, %r5, 1;\n"
                   "setp.lt.u32 %p1, %r5, 1000;\n@%p1 bra C;\nst.global.u32 [%d3], %r4;\nE:");
    r = (struct run){.kernel = kernel, .grid = 30, .block = 32, .sample = 6000, .unwritten = 1};
    run_kernel(&r);
    assert_true(r.observation.blocks_run < 12);
    assert_int_equal(r.observation.written_words, 29 * 32);
    assert_int_equal(r.observation.counters.global_st_bytes, 29 * 128);
}

// An access of block scope observes no other block, so a sample stands for the launch.
static void block_scope_observes_no_other_block(void **state)
{
    (void)state;
    static const char *const kernel[] = {KERNEL("", "ld.acquire.gpu.global.u32 %r6, [%d3];"),
                                         KERNEL("", "ld.acquire.cta.global.u32 %r6, [%d3];")};
    for (int k = 0; k < 2; k++) {
        r = (struct run){.kernel = kernel[k], .grid = 30, .block = 32, .sample = 40};
        run_kernel(&r);
        assert_int_equal(r.observation.blocks_run < 30, k);
    }
}

static void printf_and_assert(void **state)
{
    (void)state;
#define TEXTS                                                                                                          \
    ".extern .func (.param .b32 q) vprintf(.param .b64 a, .param .b64 b);\n"                                           \
    ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n"         \
    ".global .align 1 .b8 text[12] = {37, 100, 58, 37, 53, 46, 49, 102, 37, 37, 10, 0};\n"                             \
    ".global .align 1 .b8 why[6] = {105, 32, 60, 32, 51, 0};\n"
    run_with_threads(
        KERNEL(TEXTS, ".local .align 8 .b8 buffer[16];\nmov.u64 %d4, buffer;\ncvta.local.u64 %d5, %d4;\n"
                      "st.local.u32 [%d4], %r4;\nmov.f64 %d6, 0d3FF8000000000000;\nst.local.f64 [%d4+8], %d6;\n"
                      "mov.u64 %d7, text;\ncvta.global.u64 %d7, %d7;\n{\n.param .b64 x;\nst.param.b64 [x], %d7;\n"
                      ".param .b64 y;\nst.param.b64 [y], %d5;\n.param .b32 z;\ncall.uni (z), vprintf, (x, y);\n}"),
        3, 1, 0);
    assert_int_equal(r.observation.status, OBSERVED_OK);
    assert_string_equal(r.observation.print, "0:  1.5%\n1:  1.5%\n2:  1.5%\n");
    run_with_threads(KERNEL(TEXTS,
                            "setp.lt.u32 %p1, %r4, 3;\n@%p1 bra E;\nmov.u64 %d7, why;\ncvta.global.u64 %d7, %d7;\n{\n"
                            ".param .b64 x;\nst.param.b64 [x], %d7;\n.param .b64 y;\nst.param.b64 [y], %d7;\n"
                            ".param .b32 z;\nst.param.b32 [z], %r1;\n.param .b64 u;\nst.param.b64 [u], %d7;\n"
                            ".param .b64 v;\nst.param.b64 [v], 1;\ncall.uni __assertfail, (x, y, z, u, v);\n}\nE:"),
                     1, 32, 0);
    assert_int_equal(r.observation.status, OBSERVED_FAULT);
    assert_string_equal(run_finding(&r, FINDING_assertion)->text, "i < 3");
    assert_int_equal(run_finding(&r, FINDING_assertion)->at.thread[0], 3);
}

// ---------------------------------------------------------------- refusals

static void refused(struct engine_launch launch, const char *what)
{
    char message[OBSERVATION_MESSAGE] = "";
    static struct engine_image image;
    struct engine *e = sim_engine_ops.open(NULL, message);
    assert_non_null(e);
    assert_int_equal(sim_engine_ops.load(e, own_words, strlen(own_words), &image, message), 0);
    int buffer = sim_engine_ops.alloc(e, 16, 4);
    launch.arg[0].buffer = buffer;
    sim_engine_ops.launch(e, &launch, &r.observation);
    assert_int_equal(r.observation.status, OBSERVED_BAD_LAUNCH);
    if (!strstr(r.observation.message, what)) fail_msg("says \"%s\"", r.observation.message);
    sim_engine_ops.close(e);
}

static void bad_launches(void **state)
{
    (void)state;
    struct engine_launch good = {.kernel = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .nargs = 1}, bad;
    bad = good, strcpy(bad.kernel, "nobody"), refused(bad, "no kernel 'nobody'");
    bad = good, bad.block[0] = 0, refused(bad, "no threads");
    bad = good, bad.grid[1] = 0, refused(bad, "no blocks");
    bad = good, bad.block[0] = 4096, refused(bad, "at most 1024");
    bad = good, bad.block[1] = 64, refused(bad, "2048 threads");
    bad = good, bad.grid[2] = 70000, refused(bad, "x 65535 are possible");
    bad = good, bad.shared = 1 << 20, refused(bad, "shared memory");
    bad = good, bad.nargs = 2, refused(bad, "takes 1 arguments");
    bad = good, bad.arg[0] = (struct engine_arg){.kind = ARG_VALUE, .bytes = 4}, refused(bad, "has 8 bytes");
}

static void unsupported_is_refused_with_its_line(void **state)
{
    (void)state;
    char message[OBSERVATION_MESSAGE] = "";
    static struct engine_image image;
    struct engine *e = sim_engine_ops.open(NULL, message);
    const char *text =
        KERNEL(".extern .func (.param .b64 q) nobody(.param .b64 n);\n",
               "{\n.param .b64 n;\nst.param.b64 [n], %d1;\n.param .b64 q;\ncall.uni (q), nobody, (n);\n}");
    assert_int_equal(sim_engine_ops.load(e, text, strlen(text), &image, message), ENGINE_UNDEFINED);
    assert_non_null(strstr(message, "function 'nobody' has no body"));
    assert_non_null(strchr(message, ':'));
    sim_engine_ops.close(e);
    struct engine_options nowhere = {.device = "toaster"};
    assert_null(sim_engine_ops.open(&nowhere, message));
}

// Block 0 writes word 100 and tells of it in word 101, or in word 102 where nobody looks; block 1 waits and reads.
#define TELL(fence, told)                                                                                              \
    KERNEL("", "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra END;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra READ;\n"                   \
               ".loc 1 5 1\nst.global.u32 [%d1+400], 7;\n" fence "st.volatile.global.u32 [%d1+" told "], 1;\n"         \
               "st.volatile.global.u32 [%d1+404], 1;\nbra.uni END;\n"                                                  \
               "READ:\nld.volatile.global.u32 %r5, [%d1+404];\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra READ;\n"             \
               ".loc 1 9 1\nld.global.u32 %r6, [%d1+400];\nst.global.u32 [%d1+800], %r6;\nEND:\n")

static void missing_fences_are_told(void **state)
{
    (void)state;
    r = (struct run){.kernel = TELL("membar.gl;\n", "408"), .grid = 2};
    run_kernel(&r);
    assert_int_equal(r.observation.nfindings, 0);
    assert_int_equal(r.out[200], 7);
    r = (struct run){.kernel = TELL("", "408"), .grid = 2};
    run_kernel(&r);
    const struct finding *f = run_finding(&r, FINDING_race_raw);
    assert_int_equal(f->fence, 1);
    assert_int_equal(f->epoch, 0);
    assert_int_equal(f->at.line, 9);
    assert_int_equal(f->other.line, 5);
    assert_int_equal(r.out[200], 7); // looking for the fence changes nothing else
    // Word 0 is written by all: nothing tells of that.
    r = (struct run){.kernel = KERNEL("", ".loc 1 5 1\nst.global.u32 [%d1], %r2;"), .grid = 2, .block = 1};
    run_kernel(&r);
    assert_int_equal(run_finding(&r, FINDING_race_waw)->fence, 0);
}

// A race says between which barriers of its block it was: the last one that the block passed, and the next one.
static void races_between_barriers(void **state)
{
    (void)state;
    static const char kernel[] =
        KERNEL(".shared .u32 s[64];\n", "mov.u32 %r5, s;\nmad.lo.u32 %r6, %r1, 4, %r5;\nxor.b32 %r7, %r6, 128;\n"
                                        ".loc 1 3 1\nbar.sync 0;\n.loc 1 5 1\nst.shared.u32 [%r6], %r1;\n"
                                        ".loc 1 6 1\nld.shared.u32 %r8, [%r7];\n.loc 1 7 1\nbar.sync 0;\n"
                                        ".loc 1 8 1\nst.shared.u32 [%r6], %r8;\n.loc 1 9 1\nld.shared.u32 %r8, [%r7];\n"
                                        "st.global.u32 [%d3], %r8;");
    for (uint32_t threads = 1; threads <= 3; threads++) {
        r = (struct run){.kernel = kernel, .grid = 3, .block = 64, .threads = threads};
        run_kernel(&r);
        int seen = 0;
        for (uint32_t i = 0; i < r.observation.nfindings; i++) {
            const struct finding *f = &r.observation.finding[i];
            if (f->kind != FINDING_race_raw) continue;
            int first = f->at.line == 6;
            assert_int_equal(f->epoch, 1);
            assert_int_equal(f->warp, 0);
            assert_int_equal(f->after, first ? 3 : 7);
            assert_int_equal(f->before, first ? 7 : 0);
            seen |= first ? 1 : 2;
        }
        assert_int_equal(seen, 3);
    }
}

// A load that another instruction waits for is what costs, and not the instruction that waits.
static void time_goes_to_the_line_that_makes_wait(void **state)
{
    (void)state;
    static struct run r;
    r = (struct run){.kernel = KERNEL("", ".loc 1 10 1\nld.global.u32 %r5, [%d3];\n.loc 1 20 1\nadd.u32 %r6, %r5, 1;\n"
                                          ".loc 1 30 1\nst.global.u32 [%d3], %r6;"),
                     .grid = 8};
    run_kernel(&r);
    uint64_t sum = 0, at[40] = {0};
    for (uint32_t i = 0; i < r.observation.nlines; i++) {
        const struct line_counters *l = &r.observation.line[i];
        sum += l->counters.warp_cycles;
        if (l->line < 40) at[l->line] = l->counters.warp_cycles;
    }
    assert_int_equal(r.observation.line[0].line, 10);
    assert_true(at[10] > 500 * 8); // DRAM's latency, eight warps
    assert_true(at[20] < 20 * 8);
    assert_int_equal(sum, r.observation.counters.warp_cycles);
}

#define LONG_FIRST_WARP(end)                                                                                           \
    KERNEL("", "setp.gt.u32 %p1, %r1, 31;\nmov.u32 %r5, 0;\n@%p1 bra E;\nL: add.u32 %r5, %r5, 1;\n"                    \
               "setp.lt.u32 %p2, %r5, 2000;\n@%p2 bra L;\nE: " end)

// Warps that have ended make room for the next block's, although their own block goes on; those at a barrier do not.
static void ended_warps_leave_their_room(void **state)
{
    (void)state;
    static struct run ending, waiting;
    ending = (struct run){.kernel = LONG_FIRST_WARP(""), .grid = 132 * 64, .block = 256, .sample = 100000};
    waiting = (struct run){.kernel = LONG_FIRST_WARP("bar.sync 0;"), .grid = 132 * 64, .block = 256, .sample = 100000};
    run_kernel(&ending);
    run_kernel(&waiting);
    assert_true(ending.observation.time_ps < waiting.observation.time_ps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(independent_blocks),
                                       cmocka_unit_test(shuffled_blocks),
                                       cmocka_unit_test(blocks_that_touch),
                                       cmocka_unit_test(float_sums_keep_their_order),
                                       cmocka_unit_test(last_block_sums_up),
                                       cmocka_unit_test(endless_loop),
                                       cmocka_unit_test(all_that_wait_share_a_budget),
                                       cmocka_unit_test(headers_have_an_owner),
                                       cmocka_unit_test(samples_scale_exactly),
                                       cmocka_unit_test(a_sample_knows_what_all_blocks_write),
                                       cmocka_unit_test(a_sample_knows_who_ends_early),
                                       cmocka_unit_test(block_scope_observes_no_other_block),
                                       cmocka_unit_test(printf_and_assert),
                                       cmocka_unit_test(bad_launches),
                                       cmocka_unit_test(unsupported_is_refused_with_its_line),
                                       cmocka_unit_test(missing_fences_are_told),
                                       cmocka_unit_test(races_between_barriers),
                                       cmocka_unit_test(time_goes_to_the_line_that_makes_wait),
                                       cmocka_unit_test(ended_warps_leave_their_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
