// The virtual clock, compared with a card: lab 6's pipeline, 16 MB in each direction, with 1 to 32 streams. The
// reference is the scaled time of an H200 for 256 MB (tests/truth/h200_streams.txt). Copies and launches are issued in
// the program's order with their cost on the host, and kernels take as long as on the card. Times must agree within 10
// % for page-locked memory and 20 % for pageable memory. With many small pieces of 16 MB, the host takes more than a
// sixteenth of its time for 256 MB. Breadth-first order with 16 and 32 streams must therefore lie between the scaled
// time and the card's time for 16 MB (h200_streams16.txt, median of 41).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "host/border/host.h"
#include "host/devices/virtual_clock.h"

enum { STREAMS = 32, FEW = 8 };
static unsigned scale;
#define BYTES ((uint64_t)(256 << 20) / scale)

struct row { // milliseconds, of 256 MB
    int load;
    double pageable, pinned, kernel, depth[5], breadth[5];
};

static struct virtual_clock *clock;
static const struct device_profile *profile;
static uint64_t last[STREAMS];

static void spend(uint32_t op)
{
    virtual_clock_spend(clock, (uint64_t)host_op_ns[op] * 1000);
}

static void issue(int stream, struct clock_op op)
{
    op.nafter = 1;
    op.after = &last[stream];
    spend(op.engine == CLOCK_COMPUTE ? HOST_OP_launch : HOST_OP_copy);
    last[stream] = virtual_clock_submit(clock, &op);
}

static void copy(int stream, enum clock_engine engine, uint64_t bytes, int64_t mbs, int direct)
{
    issue(stream, (struct clock_op){.engine = (uint8_t)engine,
                                    .direct = (uint8_t)direct,
                                    .work_ps = virtual_clock_bytes_ps(bytes, mbs) + (uint64_t)profile->copy_ns * 1000});
}

static void kernel(int stream, double ms)
{
    issue(stream, (struct clock_op){.engine = CLOCK_COMPUTE,
                                    .demand = 1000,
                                    .work_ps = (uint64_t)(ms * 1e9),
                                    .drain_ps = (uint64_t)profile->kernel_ns * 1000});
}

static double finish(void)
{
    for (int s = 0; s < STREAMS; s++) virtual_clock_wait(clock, last[s]);
    double ms = (double)virtual_clock_host(clock) / 1e9;
    virtual_clock_free(clock);
    return ms;
}

static void begin(void)
{
    memset(last, 0, sizeof last);
    clock = virtual_clock_new(profile);
}

static double one_stream(const struct row *r, int pinned)
{
    int64_t to = pinned ? profile->host_write_mbs : profile->host_pageable_mbs;
    int64_t from = pinned ? profile->host_read_mbs : profile->host_pageable_mbs;
    begin();
    copy(0, CLOCK_WRITE, BYTES, to, pinned);
    virtual_clock_wait(clock, last[0]);
    kernel(0, r->kernel / scale);
    copy(0, CLOCK_READ, BYTES, from, pinned);
    return finish();
}

static double several(const struct row *r, int n, int breadth)
{
    begin();
    for (int step = 0; step < (breadth ? 3 : 1); step++)
        for (int s = 0; s < n; s++) {
            if (!breadth || step == 0) copy(s, CLOCK_WRITE, BYTES / (uint64_t)n, profile->host_write_mbs, 1);
            if (!breadth || step == 1) kernel(s, r->kernel / scale / n);
            if (!breadth || step == 2) copy(s, CLOCK_READ, BYTES / (uint64_t)n, profile->host_read_mbs, 1);
        }
    return finish();
}

// Milliseconds: at least `least` and at most `most` of the card's, but for the tolerance.
static void between(const char *what, int load, double model, double least, double most, double tolerance)
{
    print_message("load %4d %-16s %6.3f ms, on the card %6.3f to %.3f\n", load, what, model, least, most);
    if (!(model >= least * (1 - tolerance) && model <= most * (1 + tolerance)))
        fail_msg("%s at load %d is %.3f of the card's", what, load, model / least);
}

static void near(const char *what, int load, double model, double card, double tolerance)
{
    between(what, load, model, card, card, tolerance);
}

static int read_row(FILE *in, struct row *r)
{
    double h2d, d2h;
    if (fscanf(in, " load %d pageable %lf ms pinned %lf ms h2d %lf kernel %lf d2h %lf |", &r->load, &r->pageable,
               &r->pinned, &h2d, &r->kernel, &d2h) != 6)
        return 0;
    for (int i = 0; i < 5; i++)
        if (fscanf(in, " S%*d depth %lf breadth %lf", &r->depth[i], &r->breadth[i]) != 2) return 0;
    return fscanf(in, " | pageable4streams %*f") == 0;
}

static void pipeline(unsigned part)
{
    struct row r, own;
    int rows = 0;
    scale = part;
    FILE *in = fopen("tests/truth/h200_streams.txt", "r"), *whole = fopen("tests/truth/h200_streams16.txt", "r");
    assert_true(in && whole);
    profile = device_profile_find("h200");
    for (; read_row(in, &r) && read_row(whole, &own); rows++) {
        double before = one_stream(&r, 1);
        near("pageable", r.load, one_stream(&r, 0), r.pageable / scale, 0.20);
        near("pinned", r.load, before, r.pinned / scale, 0.10);
        for (int i = 0, n = 2; n <= STREAMS; i++, n *= 2) {
            char what[32];
            double depth = several(&r, n, 0);
            snprintf(what, sizeof what, "%d streams", n);
            near(what, r.load, depth, r.depth[i] / scale, 0.10);
            between("breadth first", r.load, several(&r, n, 1), r.breadth[i] / scale,
                    scale > 1 && n > FEW ? own.breadth[i] : r.breadth[i] / scale, 0.10);
            assert_true(depth < before); // same order: more streams, less time
            before = depth;
        }
    }
    assert_int_equal(rows, 4);
    fclose(whole);
    fclose(in);
}

static void the_pipeline_takes_its_time(void **state)
{
    (void)state;
    pipeline(1);
    pipeline(16);
}

// Two kernels of half the multiprocessors run side by side; two that want all of them one after the other.
static void kernels_share_the_multiprocessors(void **state)
{
    (void)state;
    profile = device_profile_find("h200");
    for (uint32_t demand = 500; demand <= 1000; demand += 500) {
        begin();
        for (int s = 0; s < 2; s++)
            issue(s, (struct clock_op){.engine = CLOCK_COMPUTE, .demand = demand, .work_ps = 1000000000});
        double ms = finish();
        assert_true(demand == 500 ? ms < 1.1 : ms > 2.0);
    }
}

// The multiprocessors are free while a kernel drains; the stream's next kernel waits for its end.
static void another_stream_s_kernel_runs_while_one_drains(void **state)
{
    const struct clock_op op = {.engine = CLOCK_COMPUTE, .demand = 1000, .work_ps = 10000000, .drain_ps = 4000000};
    (void)state;
    profile = device_profile_find("h200");
    for (int streams = 1; streams <= 2; streams++) {
        begin();
        issue(0, op);
        uint64_t first = last[0];
        issue(streams - 1, op);
        uint64_t second = last[streams - 1];
        virtual_clock_finish(clock);
        assert_int_equal(virtual_clock_end(clock, first) - virtual_clock_start(clock, first), 14000000);
        assert_int_equal(virtual_clock_end(clock, second) - virtual_clock_start(clock, second), 14000000);
        assert_int_equal(virtual_clock_start(clock, second) - virtual_clock_start(clock, first),
                         streams == 1 ? 14000000 : 10000000);
        virtual_clock_free(clock);
    }
}

// Who waits for a mark goes on when it ends, though other engines are busy for longer; what he issues then starts then.
static void a_mark_does_not_take_the_clock_along(void **state)
{
    (void)state;
    profile = device_profile_find("h200");
    begin();
    issue(0, (struct clock_op){.engine = CLOCK_COMPUTE, .demand = 1000, .work_ps = 10000000000});
    issue(1, (struct clock_op){.engine = CLOCK_WRITE, .work_ps = 1000000000});
    issue(1, (struct clock_op){.engine = CLOCK_NONE});
    virtual_clock_wait(clock, last[1]);
    uint64_t seen = virtual_clock_host(clock);
    assert_in_range(seen, 1000000000, 1100000000);
    issue(2, (struct clock_op){.engine = CLOCK_WRITE, .work_ps = 1000000000});
    uint64_t ticket = last[2];
    virtual_clock_wait(clock, ticket);
    assert_in_range(virtual_clock_start(clock, ticket), seen, seen + 100000000);
    assert_in_range(virtual_clock_end(clock, ticket), virtual_clock_start(clock, ticket) + 1000000000, 2200000000);
    virtual_clock_free(clock);
}

// Two threads that issue the same work wait for it at the same time, although their commands come one after the other.
static void each_thread_has_its_own_time(void **state)
{
    uint32_t thread = 9;
    uint64_t ticket[2], seen[2];
    (void)state;
    profile = device_profile_find("h200");
    begin();
    for (uint32_t t = 0; t < 2; t++) {
        virtual_clock_turn(clock, t, t, 1);
        virtual_clock_spend(clock, 1000000);
        ticket[t] = virtual_clock_submit(clock, &(struct clock_op){.engine = CLOCK_WRITE + t, .work_ps = 1000000000});
        virtual_clock_wait(clock, ticket[t]);
        assert_true(virtual_clock_is_waiting(clock));
        assert_int_equal(virtual_clock_host(clock), 1000000 + t); // the wait does not take the time along
    }
    assert_int_equal(virtual_clock_progress(clock, 500000000, &thread), 0); // nothing is over by then
    for (uint32_t t = 0; t < 2; t++) {
        assert_int_equal(virtual_clock_progress(clock, UINT64_MAX, &thread), 1);
        assert_int_equal(thread, t);
        seen[t] = virtual_clock_host(clock);
        assert_false(virtual_clock_is_waiting(clock));
        assert_in_range(seen[t], 1000000000, 1100000000);
    }
    assert_int_equal(seen[1] - seen[0], 1);
    // A thread that was idle cannot act in the past of the simulation, and gathering takes the latest time.
    virtual_clock_turn(clock, 2, 0, 1);
    assert_in_range(virtual_clock_host(clock), 1000000000, seen[0]);
    virtual_clock_gather(clock);
    assert_int_equal(virtual_clock_host(clock), seen[1]);
    virtual_clock_free(clock);
}

// Returns the time in ns until two operations of 100 us have ended, which were issued at once in two streams.
static uint64_t both(struct clock_op one, struct clock_op two)
{
    begin();
    one.work_ps = two.work_ps = 100000000;
    last[0] = virtual_clock_submit(clock, &one);
    last[1] = virtual_clock_submit(clock, &two);
    return (uint64_t)(finish() * 1e6);
}

// Small kernels run side by side, but not if both wait for the link to the host.
static void kernels_share_the_link(void **state)
{
    const struct clock_op kernel = {.engine = CLOCK_COMPUTE, .demand = 100},
                          copy = {.engine = CLOCK_WRITE, .direct = 1},
                          reads = {.engine = CLOCK_COMPUTE, .demand = 100, .direct = 1, .link = {[CLOCK_WRITE] = 1}},
                          writes = {.engine = CLOCK_COMPUTE, .demand = 100, .direct = 1, .link = {[CLOCK_READ] = 1}};
    (void)state;
    profile = device_profile_find("h200");
    assert_in_range(both(kernel, reads), 100000, 120000);
    assert_in_range(both(kernel, copy), 100000, 120000);
    assert_in_range(both(reads, reads), 200000, 220000);
    assert_in_range(both(reads, copy), 200000, 220000);
    assert_in_range(both(copy, reads), 200000, 220000);
    assert_in_range(both(writes, copy), 101000, 190000); // opposite directions slow each other down
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pipeline_takes_its_time),
        cmocka_unit_test(kernels_share_the_multiprocessors),
        cmocka_unit_test(another_stream_s_kernel_runs_while_one_drains),
        cmocka_unit_test(kernels_share_the_link),
        cmocka_unit_test(a_mark_does_not_take_the_clock_along),
        cmocka_unit_test(each_thread_has_its_own_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
