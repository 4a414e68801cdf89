// Host runs whose runner was taken over. Whatever such a runner leaves in the I/O block and the trace, the judge keeps
// its own copy of what it wrote, and accepts only values that are possible. This program is the runner, which reads its
// lie from the name of its device, and also the student's program, which does nothing.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "host/border/host_trace.h"
#include "judge/host/host_run.h"

enum { RECORD = 5, IO = 6, N = 100 };
static char self[4096];

// ------------------------------------------------------------------------------------------------------- the runner
static void *shared(int fd, size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED) _exit(9);
    return at;
}

static int is(const char *lie, const char *name)
{
    return !strcmp(lie, name);
}

static int run(const char *lie)
{
    struct host_trace *record = shared(RECORD, sizeof *record);
    struct host_io *io = shared(IO, sizeof *io);
    *record = (struct host_trace){.build = HOST_TRACE_BUILD, .devices = 1, .goodbye = 1};
    io->begun = io->ended = 1;
    io->begin_ps = 1000, io->end_ps = 3000;
    if (is(lie, "backwards")) io->begin_ps = 4000;
    if (is(lie, "far-backwards")) io->begin_ps = UINT64_MAX, io->end_ps = 0;
    if (is(lie, "not-begun")) io->begun = 0;
    if (is(lie, "not-ended")) io->ended = 0;
    if (is(lie, "odd-flags")) io->begun = 77, io->ended = 1u << 31;
    if (is(lie, "another-block")) {
        io->build.magic = io->total = io->image = io->nimage = io->host_ps = UINT64_MAX;
        io->build.version = io->nbuffers = UINT32_MAX;
        memset(io->dim, 0xff, sizeof io->dim);
        memset(io->buffer, 0xff, sizeof io->buffer);
    }
    if (is(lie, "record")) record->nspans = UINT32_MAX;
    if (is(lie, "dies")) abort();
    return 0;
}

// ---------------------------------------------------------------------------------------------------------- the judge
static void plan(struct lab_plan *p)
{
    lab_buffer(p, "in", LAB_U32, LAB_INPUT, p->dim[0]);
    lab_buffer(p, "out", LAB_U32, LAB_OUTPUT, p->dim[0]);
}

static void fill(struct lab_plan *p, struct prng *r)
{
    for (int i = 0; i < N; ++i) p->buffer[0].u32[i] = prng_u32(r);
}

static struct host_run run_program(const char *lie)
{
    static const struct lab_case which = {"100", {N}, "random", .flags = CASE_SMALL};
    static const struct lab_host host = {.devices = 1};
    static const struct lab lab = {.name = "labx", .plan = plan, .fill = fill, .host = &host};
    const char *const runner[] = {self, NULL};
    struct text image = {0};
    struct host_run s;
    text_puts(&image, "// PTX");
    struct judge_job job = {.lab = &lab, .runner = runner, .device = lie, .cudart = "/", .open = 1};
    host_run_start(&s, &job, &which, self, &image);
    text_free(&image);
    return s;
}

// Checks that the I/O block keeps what only the judge writes.
static void check_io(const struct host_run *s, const char *lie)
{
    const struct host_io *e = s->io;
    if (!channel_same_build(&e->build, &HOST_IO_BUILD) || e->nbuffers != 2 || e->dim[0] != N || e->host_ps ||
        e->nimage != strlen("// PTX") || e->buffer[0].bytes != N * HOST_IO_WORD ||
        e->buffer[1].bytes != N * HOST_IO_WORD || e->buffer[0].origin || !e->buffer[1].origin ||
        e->buffer[1].origin + N >= e->total)
        fail_msg("%s: another I/O block", lie);
}

static void ends_as(const char *lie, enum case_result result, const char *says)
{
    struct host_run s = run_program(lie);
    if (s.result != result || (says && !strstr(s.message, says)))
        fail_msg("%s: ended %d, saying '%s'", lie, s.result, s.message);
    if (result == CASE_RIGHT) assert_true(s.io->ended && s.io->end_ps >= s.io->begin_ps);
    check_io(&s, lie);
    host_run_free(&s);
}

static void honest(void **state)
{
    (void)state;
    ends_as("honest", CASE_RIGHT, NULL);
}

static void times_that_cannot_be(void **state)
{
    (void)state;
    static const char *const lies[] = {"backwards", "far-backwards", "not-begun", "not-ended"};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; ++i)
        ends_as(lies[i], CASE_STOPPED, "before its outputs were handed in");
}

static void flags_are_yes_or_no(void **state)
{
    (void)state;
    struct host_run s = run_program("odd-flags");
    assert_int_equal(s.io->begun, 1);
    assert_int_equal(s.io->ended, 1);
    host_run_free(&s);
}

static void another_block(void **state)
{
    (void)state;
    ends_as("another-block", CASE_RIGHT, NULL);
}

static void records_that_cannot_be(void **state)
{
    (void)state;
    ends_as("record", CASE_STOPPED, "the record of the run is not valid");
}

int main(int argc, char **argv)
{
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return 2;
    if (argc == 1 && getenv("WARPWISE_HOST")) return 0; // the student's program
    for (int i = 1; i + 1 < argc; ++i)
        if (!strcmp(argv[i], "--device")) return run(argv[i + 1]);
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(honest),
        cmocka_unit_test(times_that_cannot_be),
        cmocka_unit_test(flags_are_yes_or_no),
        cmocka_unit_test(another_block),
        cmocka_unit_test(records_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
