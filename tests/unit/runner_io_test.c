// A host test on the machine: which of a program's output words count, and what a program gains that does not keep to
// the order of the test.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/devices/devices.h"

enum { N = 1 << 16, BYTES = 4 * N, BLOCK = 64, IMAGE_MOST = 4096 };

// out[i] = in[i] + K for i < n
#define KERNEL(name, k)                                                                                                \
    ".visible .entry " name "(.param .u64 in, .param .u64 out, .param .u32 n)\n"                                       \
    "{ .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<8>;\n"                                                         \
    "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u32 %r1, [n];\n"                                      \
    "mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x; mad.lo.s32 %r6, %r3, %r4, %r5;\n"               \
    "setp.ge.u32 %p1, %r6, %r1; @%p1 bra DONE;\n"                                                                      \
    "cvta.to.global.u64 %rd3, %rd1; mul.wide.u32 %rd4, %r6, 4; add.s64 %rd5, %rd3, %rd4;\n"                            \
    "ld.global.u32 %r7, [%rd5]; add.s32 %r8, %r7, " k ";\n"                                                            \
    "cvta.to.global.u64 %rd6, %rd2; add.s64 %rd7, %rd6, %rd4; st.global.u32 [%rd7], %r8;\n"                            \
    "DONE: ret; }\n"
#define HEAD ".version 7.5\n.target sm_75\n.address_size 64\n"
static const char given[] = HEAD KERNEL("work", "7"), own[] = HEAD KERNEL("work", "1") KERNEL("mine", "7");

struct block {
    struct host_io io;
    _Alignas(64) char image[IMAGE_MOST];
    uint32_t in[N], out[N];
    uint8_t origin[N + 1];
};
static struct block *block;
static struct devices *m;
static unsigned char *data;
static struct host_command q;
static struct host_reply r;
static uint64_t in, out, device_in, device_out; // page-locked; of the device
static uint32_t work, mine;

static uint32_t call(uint32_t op)
{
    int close_it = 0;
    q.op = op;
    memset(&r, 0, sizeof r);
    devices_obey(m, &q, data, &r, &close_it);
    memset(&q, 0, sizeof q);
    return r.result;
}
#define CALL(name, ...) (q.name = (struct host_##name){__VA_ARGS__}, call(HOST_OP_##name))
#define OK(name, ...) assert_int_equal(CALL(name, __VA_ARGS__), HOST_SUCCESS)
#define NO(name, ...) assert_int_equal(CALL(name, __VA_ARGS__), HOST_INVALID_VALUE)

static uint64_t allocate(uint32_t kind)
{
    OK(alloc, .kind = kind, .bytes = BYTES);
    return r.address;
}

static uint32_t *host(uint64_t address) // the runner's view of page-locked memory
{
    return (uint32_t *)m->mem[devices_find(m, address, 0, NULL)].data;
}

static uint32_t function(const char *name)
{
    q.function.module = 1; // behind the given one
    strcpy(q.function.name, name);
    assert_int_equal(call(HOST_OP_function), HOST_SUCCESS);
    return r.function;
}

static int start_with(uint64_t sample)
{
    char message[OBSERVATION_MESSAGE];
    block = calloc(1, sizeof *block);
    data = calloc(1, HOST_DATA);
    block->io = (struct host_io){
        .build = HOST_IO_BUILD,
        .nbuffers = 2,
        .total = sizeof *block,
        .dim = {N},
        .host_ps = 1000,
        .image = offsetof(struct block, image),
        .nimage = strlen(given),
        .buffer = {{.at = offsetof(struct block, in), .bytes = BYTES},
                   {.at = offsetof(struct block, out), .bytes = BYTES, .origin = offsetof(struct block, origin)}}};
    strcpy(block->image, given);
    for (uint32_t i = 0; i < N; i++) block->in[i] = 100 + i;
    m = devices_new(
        &(struct devices_options){.devices = 1, .threads = 1, .checks = 1, .sample_inst = sample, .io = &block->io},
        NULL, message);
    OK(hello, .version = HOST_VERSION);
    uint64_t size = strlen(own);
    memcpy(data, &size, sizeof size);
    memcpy(data + sizeof size, own, size);
    OK(load, .units = 1, .bytes = size + sizeof size);
    work = function("work");
    mine = function("mine");
    in = allocate(HOST_MEMORY_PINNED);
    out = allocate(HOST_MEMORY_PINNED);
    device_in = allocate(HOST_MEMORY_DEVICE);
    device_out = allocate(HOST_MEMORY_DEVICE);
    return 0;
}

static int start(void **state)
{
    (void)state;
    return start_with(0);
}

static int start_sampled(void **state)
{
    (void)state;
    return start_with(1);
}

static int stop(void **state)
{
    (void)state;
    free(m->trace);
    devices_free(m);
    free(block);
    free(data);
    return 0;
}

static void take_inputs(void)
{
    OK(test_begin, .address = {in, out});
    OK(test_take, .buffer = 0, .bytes = BYTES);
    assert_memory_equal(data, block->in, BYTES);
    memcpy(host(in), data, BYTES);
}

static void copy(uint64_t to, uint64_t from, uint32_t async, uint32_t stream)
{
    OK(copy, .to.address = to, .from.address = from, .width = BYTES, .height = 1, .depth = 1,
       .direction = HOST_ANY_DIRECTION, .async = async, .stream = stream, .to_device = HOST_NO_PEER,
       .from_device = HOST_NO_PEER);
}

static void launch(uint32_t which, uint64_t from, uint64_t to)
{
    uint32_t n = N;
    memcpy(data, &from, 8);
    memcpy(data + 8, &to, 8);
    memcpy(data + 16, &n, 4);
    OK(launch, .function = which, .grid = {N / BLOCK, 1, 1}, .block = {BLOCK, 1, 1}, .param_bytes = 20);
}

// Ends the test and hands in what lies in `out`. All words must have this origin.
static void hand_in(enum host_io_origin origin)
{
    OK(test_end, 0);
    memcpy(data, host(out), BYTES);
    OK(test_give, .buffer = 1, .bytes = BYTES);
    assert_int_equal(block->io.ended, 1);
    for (int i = 0; i < N; i++) assert_int_equal(block->origin[i], origin);
}

static void the_way_it_is_meant(void **state)
{
    (void)state;
    take_inputs();
    copy(device_in, in, 0, 0);
    launch(work, device_in, device_out);
    copy(out, device_out, 0, 0);
    hand_in(ORIGIN_KERNEL);
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal(block->out[i], 107 + i); // the given kernel's, not the program's own
    assert_true(block->io.end_ps > block->io.begin_ps);
    assert_int_equal(block->io.mapped_bytes, 0);
    assert_int_equal(block->io.device_words[0], N);
    assert_int_equal(block->io.host_words, 0);
}

static void a_copy_on_the_device_carries_it_on(void **state)
{
    (void)state;
    take_inputs();
    copy(device_in, in, 0, 0);
    launch(work, device_in, device_out);
    copy(device_in, device_out, 0, 0);
    copy(out, device_in, 0, 0);
    hand_in(ORIGIN_KERNEL);
}

// Checks of which operations the outputs come from: the digits of `used`, in the order of the calls.
static void expect_used(const char *used)
{
    assert_int_equal(m->trace->nspans, strlen(used));
    for (uint32_t i = 0; i < m->trace->nspans; i++) assert_int_equal(m->trace->span[i].used, used[i] == '1');
}

static void outputs_come_from_the_last_that_wrote(void **state)
{
    (void)state;
    uint64_t waste = allocate(HOST_MEMORY_DEVICE), other = allocate(HOST_MEMORY_DEVICE);
    copy(device_in, in, 0, 0); // before the timed part
    take_inputs();
    copy(device_in, in, 0, 0);           // overwritten
    copy(waste, in, 0, 0);               // read by a launch whose results are not used
    launch(work, waste, device_out);     // overwritten
    copy(other, in, 0, 0);               // used
    copy(device_in, other, 0, 0);        // used
    launch(mine, waste, waste);          // not the given kernel
    launch(work, device_in, device_out); // used
    copy(out, device_out, 0, 0);         // brought again
    copy(out, device_out, 0, 0);         // used
    copy(waste, device_out, 0, 0);       // read by nobody
    hand_in(ORIGIN_KERNEL);
    expect_used("00001101010");
}

static void parts_are_used_in_part(void **state)
{
    (void)state;
    take_inputs();
    copy(device_in, in, 0, 0);
    launch(work, device_in, device_out);
    copy(out, device_out, 0, 0);
    // a copy that rewrites half of the inputs, and a launch in place that reads both
    OK(copy, .to.address = device_in + BYTES / 2, .from.address = in + BYTES / 2, .width = BYTES / 2, .height = 1,
       .depth = 1, .direction = HOST_ANY_DIRECTION, .to_device = HOST_NO_PEER, .from_device = HOST_NO_PEER);
    launch(work, device_in, device_in);
    copy(out, device_in, 0, 0);
    hand_in(ORIGIN_KERNEL);
    expect_used("100111");
}

static void another_kernel_does_not_count(void **state)
{
    (void)state;
    take_inputs();
    copy(device_in, in, 0, 0);
    launch(work, device_in, device_out);
    launch(mine, device_in, device_out);
    copy(out, device_out, 0, 0);
    hand_in(ORIGIN_COPY);
    assert_int_equal(block->out[0], 107); // right, and not the given kernel's
}

static void a_fill_and_a_copy_in_wipe_it_out(void **state)
{
    (void)state;
    take_inputs();
    copy(device_in, in, 0, 0);
    launch(work, device_in, device_out);
    OK(fill, .to.address = device_out, .width = BYTES / 2, .height = 1, .depth = 1, .element = 1);
    OK(copy, .to.address = device_out + BYTES / 2, .from.address = in, .width = BYTES / 2, .height = 1, .depth = 1,
       .direction = HOST_H2D, .to_device = HOST_NO_PEER, .from_device = HOST_NO_PEER);
    copy(out, device_out, 0, 0);
    hand_in(ORIGIN_COPY);
}

static void only_launches_of_the_timed_part_count(void **state)
{
    (void)state;
    memcpy(host(in), block->in, BYTES); // the program knows the inputs before it is given them
    copy(device_in, in, 0, 0);
    launch(work, device_in, device_out);
    take_inputs();
    copy(out, device_out, 0, 0);
    hand_in(ORIGIN_COPY);
    assert_int_equal(block->out[0], 107);
}

static void page_locked_memory_carries_nothing_on(void **state)
{
    (void)state;
    take_inputs();
    copy(device_in, in, 0, 0);
    launch(work, device_in, device_out);
    copy(in, device_out, 0, 0);
    copy(device_in, in, 0, 0);
    copy(out, device_in, 0, 0);
    hand_in(ORIGIN_COPY);
    assert_int_equal(block->out[0], 107);
}

static void overlapping_rows_carry_their_own_marks(void **state)
{
    (void)state;
    enum { ROW = BYTES / 4 };
    take_inputs();
    copy(device_in, in, 0, 0);
    launch(work, device_in, device_out);
    OK(fill, .to.address = device_out + ROW, .width = ROW, .height = 1, .depth = 1, .element = 1);
    OK(copy, .to = {.address = device_out + ROW, .pitch = ROW}, .from = {.address = device_out, .pitch = ROW},
       .width = ROW, .height = 2, .depth = 1, .direction = HOST_D2D, .to_device = HOST_NO_PEER,
       .from_device = HOST_NO_PEER);
    copy(out, device_out, 0, 0);
    for (int i = 0; i < N; i++)
        assert_int_equal(block->origin[i], i / (N / 4) == 2 ? ORIGIN_COPY : ORIGIN_KERNEL); // the filled row moved
}

static void a_copy_within_the_device_is_no_output(void **state)
{
    (void)state;
    OK(test_begin, .address = {in, device_in}); // as if the program had memory of its own at the device's address
    copy(device_in, device_out, 0, 0);
    launch(work, device_in, device_out);
    copy(device_in, device_out, 0, 0);
    for (int i = 0; i < N; i++) assert_int_equal(block->origin[i], ORIGIN_PROGRAM);
}

static void managed_memory_lies_behind_the_bus(void **state)
{
    (void)state;
    uint64_t managed = allocate(HOST_MEMORY_MANAGED), began;
    take_inputs();
    began = virtual_clock_host(m->clock);
    copy(device_in, in, 0, 0);
    uint64_t pinned_ps = virtual_clock_host(m->clock) - began;
    began = virtual_clock_host(m->clock);
    copy(device_in, managed, 0, 0);
    assert_int_equal(virtual_clock_host(m->clock) - began, pinned_ps);
}

static void what_the_host_wrote_does_not_count(void **state)
{
    (void)state;
    take_inputs();
    copy(device_in, in, 0, 0);
    launch(work, device_in, device_out);
    copy(out, device_out, 0, 0);
    uint32_t *mine_now = host(out);
    for (int i = 0; i < N; i++) mine_now[i]++;
    hand_in(ORIGIN_PROGRAM);
}

static void memory_that_a_kernel_reaches_by_itself_is_counted(void **state)
{
    (void)state;
    take_inputs();
    launch(work, in, out);
    OK(device_sync, 0);
    hand_in(ORIGIN_PROGRAM);
    assert_int_equal(block->out[0], 107);
    assert_int_equal(block->io.mapped_bytes, 2 * BYTES);
}

static void a_copy_that_nobody_waited_for_is_late(void **state)
{
    (void)state;
    take_inputs();
    copy(device_in, in, 0, 0);
    launch(work, device_in, device_out);
    copy(out, device_out, 1, 0);
    hand_in(ORIGIN_LATE);
    assert_int_equal(m->trace->nfindings, 1);
    assert_int_equal(m->trace->finding[0].defect, DEFECT_EARLY_READ);
}

static void the_hosts_share_takes_its_time(void **state)
{
    (void)state;
    take_inputs();
    uint64_t before = block->io.begin_ps;
    OK(test_work, .address = out, .bytes = BYTES);
    hand_in(ORIGIN_HOST);
    assert_true(block->io.end_ps - before >= N * 1000);
    assert_int_equal(block->io.host_words, N);
}

// Of many blocks some are run: the others' words are what they would have read.
static void a_sampled_launch_holds_its_inputs(void **state)
{
    (void)state;
    int run = 0, left = 0;
    take_inputs();
    copy(device_in, in, 0, 0);
    launch(work, device_in, device_out);
    copy(out, device_out, 0, 0);
    hand_in(ORIGIN_KERNEL);
    for (uint32_t i = 0; i < N; i++) {
        run += block->out[i] == 107 + i;
        left += block->out[i] == 100 + i;
    }
    assert_int_equal(run + left, N);
    assert_true(run && left);
}

static void a_sampled_launch_in_place(void **state)
{
    (void)state;
    take_inputs();
    copy(device_in, in, 0, 0);
    launch(work, device_in, device_in);
    copy(out, device_in, 0, 0);
    hand_in(ORIGIN_KERNEL);
}

static void each_step_has_its_turn(void **state)
{
    (void)state;
    NO(test_take, .buffer = 0, .bytes = BYTES); // inputs before the clock runs
    NO(test_end, 0);
    NO(test_give, .buffer = 1, .bytes = BYTES);
    OK(test_work, .address = out, .bytes = BYTES); // takes time, and counts for nothing
    take_inputs();
    NO(test_begin, .address = {in, out});
    NO(test_take, .buffer = 1, .bytes = BYTES); // an output
    NO(test_take, .buffer = 0, .offset = 4, .bytes = BYTES);
    NO(test_take, .buffer = 2, .bytes = 4);
    OK(test_work, .address = out + 4, .bytes = BYTES);
    NO(test_work, .address = out, .bytes = (uint64_t)1 << 40);
    NO(test_give, .buffer = 1, .bytes = BYTES); // before its end
    hand_in(ORIGIN_PROGRAM);
    NO(test_end, 0);
    OK(test_work, .address = out, .bytes = BYTES); // takes time, and counts for nothing
    NO(test_give, .buffer = 0, .bytes = BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_way_it_is_meant, start, stop),
        cmocka_unit_test_setup_teardown(a_copy_on_the_device_carries_it_on, start, stop),
        cmocka_unit_test_setup_teardown(outputs_come_from_the_last_that_wrote, start, stop),
        cmocka_unit_test_setup_teardown(parts_are_used_in_part, start, stop),
        cmocka_unit_test_setup_teardown(another_kernel_does_not_count, start, stop),
        cmocka_unit_test_setup_teardown(a_fill_and_a_copy_in_wipe_it_out, start, stop),
        cmocka_unit_test_setup_teardown(only_launches_of_the_timed_part_count, start, stop),
        cmocka_unit_test_setup_teardown(page_locked_memory_carries_nothing_on, start, stop),
        cmocka_unit_test_setup_teardown(overlapping_rows_carry_their_own_marks, start, stop),
        cmocka_unit_test_setup_teardown(a_copy_within_the_device_is_no_output, start, stop),
        cmocka_unit_test_setup_teardown(managed_memory_lies_behind_the_bus, start, stop),
        cmocka_unit_test_setup_teardown(what_the_host_wrote_does_not_count, start, stop),
        cmocka_unit_test_setup_teardown(memory_that_a_kernel_reaches_by_itself_is_counted, start, stop),
        cmocka_unit_test_setup_teardown(a_copy_that_nobody_waited_for_is_late, start, stop),
        cmocka_unit_test_setup_teardown(the_hosts_share_takes_its_time, start, stop),
        cmocka_unit_test_setup_teardown(a_sampled_launch_holds_its_inputs, start_sampled, stop),
        cmocka_unit_test_setup_teardown(a_sampled_launch_in_place, start_sampled, stop),
        cmocka_unit_test_setup_teardown(each_step_has_its_turn, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
