// The machine of a host program, driven by the host protocol: memory, copies, launches, streams and events on the
// virtual clock, errors, defects, and commands that only a hostile client sends.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/prng.h"
#include "host/devices/devices.h"

// add: out[i] = in[i] + k for i < n · bad: stores to address 64 · own: counter += 1 · loop: without end
static const char ptx[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .global .align 4 .u32 counter = 5;\n"
    ".visible .const .align 4 .u32 scale[2] = {3, 4};\n"
    ".visible .entry add(.param .u64 in, .param .u64 out, .param .u32 n, .param .u32 k)\n"
    "{ .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<8>;\n"
    "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u32 %r1, [n]; ld.param.u32 %r2, [k];\n"
    "mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x; mad.lo.s32 %r6, %r3, %r4, %r5;\n"
    "setp.ge.u32 %p1, %r6, %r1; @%p1 bra DONE;\n"
    "cvta.to.global.u64 %rd3, %rd1; mul.wide.u32 %rd4, %r6, 4; add.s64 %rd5, %rd3, %rd4; ld.global.u32 %r7, [%rd5];\n"
    "add.s32 %r8, %r7, %r2; cvta.to.global.u64 %rd6, %rd2; add.s64 %rd7, %rd6, %rd4; st.global.u32 [%rd7], %r8;\n"
    "DONE: ret; }\n"
    ".visible .entry bad() { .reg .b64 %rd<2>; mov.u64 %rd1, 64; st.global.u64 [%rd1], %rd1; ret; }\n"
    ".visible .entry own() { .reg .b32 %r<3>; ld.global.u32 %r1, [counter]; add.s32 %r2, %r1, 1;\n"
    "st.global.u32 [counter], %r2; ret; }\n"
    ".visible .entry loop() { AGAIN: bra AGAIN; }\n";

struct fixture {
    struct devices *m;
    unsigned char *data;
    struct host_command q;
    struct host_reply r;
    int descriptor;
    uint32_t number, device;
};
static struct fixture f;

static uint32_t call(uint32_t op)
{
    int close_it = 0;
    f.q.op = op;
    f.q.number = ++f.number;
    f.q.device = f.device;
    f.q.place = (struct host_place){.object = HOST_OBJECT_PROGRAM, .offset = f.number};
    memset(&f.r, 0, sizeof f.r);
    f.descriptor = devices_obey(f.m, &f.q, f.data, &f.r, &close_it);
    memset(&f.q, 0, sizeof f.q);
    return f.r.result;
}
#define CALL(name, ...) (f.q.name = (struct host_##name){__VA_ARGS__}, call(HOST_OP_##name))
#define OK(name, ...) assert_int_equal(CALL(name, __VA_ARGS__), HOST_SUCCESS)

static void load(const char *text)
{
    uint64_t size = strlen(text);
    memcpy(f.data, &size, sizeof size);
    memcpy(f.data + sizeof size, text, size);
    OK(load, .units = 1, .bytes = size + sizeof size);
}

static void begin_with(struct devices_options options)
{
    char message[OBSERVATION_MESSAGE];
    memset(&f, 0, sizeof f);
    f.data = calloc(1, HOST_DATA);
    f.m = devices_new(&options, NULL, message);
    assert_non_null(f.m);
    OK(hello, .version = HOST_VERSION);
    load(ptx);
}

static void begin(uint32_t devices, uint32_t checks)
{
    begin_with((struct devices_options){.devices = devices, .threads = 1, .checks = checks, .budget = 1 << 20});
}

static void end(void)
{
    struct host_trace *s = f.m->trace;
    devices_free(f.m);
    free(s);
    free(f.data);
}

static uint64_t alloc(uint32_t kind, uint64_t bytes)
{
    OK(alloc, .kind = kind, .bytes = bytes);
    return f.r.address;
}

static uint32_t function(const char *name)
{
    f.q.function.module = 0;
    snprintf(f.q.function.name, HOST_NAME, "%s", name);
    assert_int_equal(call(HOST_OP_function), HOST_SUCCESS);
    return f.r.function;
}

static uint32_t launch_add(uint32_t function, uint32_t stream, uint64_t in, uint64_t out, uint32_t n, uint32_t k)
{
    memcpy(f.data, &in, 8);
    memcpy(f.data + 8, &out, 8);
    memcpy(f.data + 16, &n, 4);
    memcpy(f.data + 20, &k, 4);
    return CALL(launch, .function = function, .grid = {(n + 127) / 128, 1, 1}, .block = {128, 1, 1}, .stream = stream,
                .param_bytes = 24);
}

static uint32_t launch_plain(uint32_t function)
{
    return CALL(launch, .function = function, .grid = {1, 1, 1}, .block = {1, 1, 1});
}

#define HOST_MEMORY ((uint64_t)0x7f1234560000) // of the pretended host: the machine never looks there
static void write_device(uint64_t to, const void *bytes, uint64_t n)
{
    OK(copy, .to = {.address = to}, .from = {.address = HOST_MEMORY}, .width = n, .height = 1, .depth = 1,
       .direction = HOST_H2D, .to_device = HOST_NO_PEER, .from_device = HOST_NO_PEER);
    assert_int_equal(f.r.transfer, HOST_TRANSFER_PUT);
    memcpy(f.data, bytes, n);
    OK(put, .offset = 0, .bytes = n);
}

static void read_device(uint64_t from, void *bytes, uint64_t n)
{
    OK(copy, .to = {.address = HOST_MEMORY}, .from = {.address = from}, .width = n, .height = 1, .depth = 1,
       .direction = HOST_D2H, .to_device = HOST_NO_PEER, .from_device = HOST_NO_PEER);
    assert_int_equal(f.r.transfer, HOST_TRANSFER_GET);
    OK(get, .offset = 0, .bytes = n);
    memcpy(bytes, f.data, n);
}

static uint32_t copy_async(uint64_t to, uint64_t from, uint64_t bytes, uint32_t direction, uint32_t stream)
{
    return CALL(copy, .to = {.address = to}, .from = {.address = from}, .width = bytes, .height = 1, .depth = 1,
                .direction = direction, .async = 1, .stream = stream, .to_device = HOST_NO_PEER,
                .from_device = HOST_NO_PEER);
}

static uint32_t new_stream(void)
{
    OK(stream_create, .flags = HOST_STREAM_NON_BLOCKING);
    return f.r.stream;
}

static uint32_t new_event(void)
{
    OK(event_create, .flags = 0);
    return f.r.event;
}

// ---------------------------------------------------------------- what works

static void a_kernel_adds(void **state)
{
    (void)state;
    begin(1, 1);
    uint32_t in[200], out[200], add = function("add");
    assert_int_equal(f.r.bytes, 4 * sizeof(struct host_param));
    assert_int_equal(((struct host_param *)f.data)[3].offset, 20);
    for (uint32_t i = 0; i < 200; i++) in[i] = i * i;
    uint64_t a = alloc(HOST_MEMORY_DEVICE, sizeof in), b = alloc(HOST_MEMORY_DEVICE, sizeof out);
    write_device(a, in, sizeof in);
    OK(fill, .to = {.address = b}, .width = sizeof out, .height = 1, .depth = 1, .value = 0xff, .element = 1);
    assert_int_equal(launch_add(add, 0, a, b, 199, 7), HOST_SUCCESS);
    OK(device_sync, 0);
    read_device(b, out, sizeof out);
    for (uint32_t i = 0; i < 199; i++) assert_int_equal(out[i], i * i + 7);
    assert_int_equal(out[199], 0xffffffff);
    OK(release, .address = a);
    OK(release, .address = b);
    assert_int_equal(CALL(release, .address = b), HOST_INVALID_VALUE);
    OK(goodbye, .exit_code = 0);
    struct host_trace *s = f.m->trace;
    char why[OBSERVATION_MESSAGE] = "";
    assert_int_equal(s->launches, 1);
    assert_string_equal(s->kernel[0].name, "add");
    assert_int_equal(s->nfindings, 1); // the address freed twice
    assert_int_equal(s->finding[0].defect, DEFECT_USE_AFTER_FREE);
    assert_int_equal(host_trace_check(s, why), 0);
    assert_int_equal(s->nspans, 4);
    for (uint32_t i = 0; i < 3; i++) assert_true(s->span[i].end_ps <= s->span[i + 1].start_ps);
    s->span[0].kind = SPAN_KINDS;
    assert_int_equal(host_trace_check(s, why), -1);
    end();
}

static void launches_of_a_kernel_add_up_and_the_longest_is_kept(void **state)
{
    (void)state;
    begin(1, 0);
    uint32_t add = function("add");
    uint64_t a = alloc(HOST_MEMORY_DEVICE, 1 << 16);
    assert_int_equal(launch_add(add, 0, a, a, 128, 1), HOST_SUCCESS);
    assert_int_equal(launch_add(add, 0, a, a, 12800, 1), HOST_SUCCESS);
    assert_int_equal(launch_add(add, 0, a, a, 256, 1), HOST_SUCCESS);
    const struct host_trace_kernel *k = &f.m->trace->kernel[0];
    assert_int_equal(k->launches, 3);
    assert_int_equal(k->grid[0], 1); // of the first launch
    assert_int_equal(k->longest.grid[0], 100);
    assert_int_equal(k->longest.time_ps, k->longest_ps);
    assert_true(k->longest.resource_ps[k->longest.bound] > 0);
    assert_int_equal(k->longest.linked, 0);
    end();
}

static void lines_add_up_by_kernel_and_file(void **state)
{
    (void)state;
    begin(1, 0);
    struct host_trace *s = f.m->trace;
    char why[OBSERVATION_MESSAGE] = "";
    struct line_counters line = {.line = 5, .counters = {.warp_inst = 2}};
    for (uint32_t i = 0; i < 8; i++) devices_trace_line(f.m, i / 4, i / 2 % 2, &line);
    assert_int_equal(s->nlines, 4);
    for (uint32_t i = 0; i < 4; i++) assert_int_equal(s->line[i].counters.warp_inst, 4);
    for (line.line = 1; line.line < 2 * HOST_TRACE_LINES; line.line++) devices_trace_line(f.m, 0, 0, &line);
    assert_int_equal(s->nlines, HOST_TRACE_LINES);
    assert_int_equal(s->line[0].counters.warp_inst, 6); // a full table still counts the lines that it has
    assert_int_equal(host_trace_check(s, why), -1);     // no kernel and no file is listed
    s->nkernels = s->nsources = 2;
    assert_int_equal(host_trace_check(s, why), 0);
    end();
}

static void rows_of_a_box(void **state)
{
    (void)state;
    begin(1, 0);
    uint8_t image[6 * 16], rows[6 * 5];
    uint64_t a = alloc(HOST_MEMORY_DEVICE, sizeof image);
    for (unsigned i = 0; i < sizeof image; i++) image[i] = (uint8_t)i;
    write_device(a, image, sizeof image);
    OK(copy, .to = {.address = HOST_MEMORY, .pitch = 5}, .from = {.address = a + 3, .pitch = 16}, .width = 5,
       .height = 5, .depth = 1, .direction = HOST_D2H, .to_device = HOST_NO_PEER, .from_device = HOST_NO_PEER);
    OK(get, .offset = 0, .bytes = 7); // in two pieces, the border within a row
    memcpy(rows, f.data, 7);
    OK(get, .offset = 7, .bytes = 18);
    memcpy(rows + 7, f.data, 18);
    for (unsigned i = 0; i < 25; i++) assert_int_equal(rows[i], i / 5 * 16 + i % 5 + 3);
    assert_int_equal(CALL(get, .offset = 25, .bytes = 1), HOST_INVALID_VALUE);
    end();
}

static void variables_of_the_module(void **state)
{
    (void)state;
    begin(2, 1);
    uint32_t own = function("own"), value;
    assert_int_equal(launch_plain(own), HOST_SUCCESS);
    for (f.device = 0; f.device < 2; f.device++) { // each device has its own
        f.q.variable.module = 0;
        strcpy(f.q.variable.name, "counter");
        assert_int_equal(call(HOST_OP_variable), HOST_SUCCESS);
        assert_int_equal(f.r.bytes, 4);
        read_device(f.r.address, &value, 4);
        assert_int_equal(value, f.device ? 5 : 6);
    }
    f.device = 0;
    strcpy(f.q.variable.name, "scale");
    assert_int_equal(call(HOST_OP_variable), HOST_SUCCESS);
    uint64_t scale = f.r.address;
    write_device(scale + 4, &(uint32_t){77}, 4);
    read_device(scale + 4, &value, 4);
    assert_int_equal(value, 77);
    strcpy(f.q.variable.name, "nothing");
    assert_int_equal(call(HOST_OP_variable), HOST_INVALID_SYMBOL);
    end();
}

static void pinned_memory_is_shared_and_filled_in_time(void **state)
{
    (void)state;
    begin(1, 1);
    uint64_t d = alloc(HOST_MEMORY_DEVICE, 1 << 20), h = alloc(HOST_MEMORY_PINNED, 1 << 20);
    uint8_t *mine = mmap(NULL, f.r.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, f.descriptor, 0);
    assert_true(mine != MAP_FAILED);
    assert_true(ftruncate(f.descriptor, 0) != 0); // sealed
    uint64_t mapped = f.r.bytes;
    OK(fill, .to = {.address = d}, .width = 1 << 20, .height = 1, .depth = 1, .value = 9, .element = 1);
    uint32_t s = new_stream();
    OK(device_sync, 0);
    assert_int_equal(copy_async(h, d, 1 << 20, HOST_D2H, s), HOST_SUCCESS);
    uint64_t ticket = f.r.ticket;
    assert_int_equal(mine[0], 0); // too early
    assert_int_equal(CALL(stream_query, .stream = s), HOST_NOT_READY);
    OK(early_access, .ticket = ticket, .address = h + 5);
    OK(stream_sync, .stream = s);
    assert_int_equal(mine[0], 9);
    assert_int_equal(mine[(1 << 20) - 1], 9);
    assert_int_equal(f.r.pending, HOST_PENDING_TICKETS);
    OK(collect, .what = HOST_PENDING_TICKETS);
    assert_int_equal(f.r.bytes, 8);
    assert_memory_equal(f.data, &ticket, 8);
    OK(goodbye, .exit_code = 0);
    assert_int_equal(f.m->trace->finding[0].defect, DEFECT_EARLY_READ);
    assert_int_equal(f.m->trace->finding[0].offset, 5);
    munmap(mine, mapped);
    end();
}

static void a_polling_loop_ends_and_events_measure(void **state)
{
    (void)state;
    begin(1, 0);
    uint64_t d = alloc(HOST_MEMORY_DEVICE, 16 << 20), h = alloc(HOST_MEMORY_PINNED, 16 << 20);
    uint32_t s = new_stream(), a = new_event(), b = new_event(), polls = 0;
    OK(event_record, .event = a, .stream = s);
    assert_int_equal(copy_async(d, h, 16 << 20, HOST_H2D, s), HOST_SUCCESS);
    OK(event_record, .event = b, .stream = s);
    while (CALL(event_query, .event = b) == HOST_NOT_READY) polls++;
    assert_true(polls > 100);
    OK(event_elapsed, .start = a, .end = b);
    assert_in_range(f.r.time, 300000000, 310000000); // 16 MiB at 55.5 GB/s: 302 us
    end();
}

// ---------------------------------------------------------------- errors

static void faults_are_sticky_and_come_late(void **state)
{
    (void)state;
    begin(2, 0);
    uint32_t bad = function("bad"), own = function("own"), loop = function("loop");
    assert_int_equal(launch_plain(bad), HOST_SUCCESS);
    assert_int_equal(CALL(device_sync, 0), HOST_ILLEGAL_ADDRESS);
    assert_true(f.r.sticky);
    assert_int_equal(launch_plain(own), HOST_ILLEGAL_ADDRESS);
    assert_int_equal(CALL(alloc, .bytes = 4), HOST_ILLEGAL_ADDRESS);
    OK(device_reset, 0);
    assert_int_equal(launch_plain(own), HOST_SUCCESS);
    OK(device_sync, 0);
    f.device = 1;
    assert_int_equal(launch_plain(own), HOST_SUCCESS);
    assert_int_equal(launch_plain(loop), HOST_SUCCESS);
    assert_int_equal(CALL(device_sync, 0), HOST_LAUNCH_TIMEOUT);
    assert_false(f.m->trace->exhausted); // a finding says it
    end();
}

// The budget of 2^20 warp instructions covers 512 MiB, as many rows, and some thousand launches.
static void a_budget_counts_what_a_call_costs(void **state)
{
    (void)state;
    const uint64_t all = UINT64_C(512) << 20, mib = 1 << 20;
    begin(2, 0);
    uint64_t d = alloc(HOST_MEMORY_DEVICE, all);
    OK(fill, .to = {d, mib, 0}, .value = 1, .element = 1, .width = mib, .height = 1, .depth = 1);
    OK(fill, .to = {d, 16, 0}, .value = 1, .element = 1, .width = 1, .height = mib / 2, .depth = 1);
    assert_int_equal(CALL(fill, .to = {d, 16, 0}, .value = 1, .element = 1, .width = 1, .height = mib / 2, .depth = 1),
                     HOST_LAUNCH_TIMEOUT);
    assert_true(f.m->trace->exhausted);
    assert_int_equal(f.m->trace->error, HOST_LAUNCH_TIMEOUT);
    f.device = 1; // all devices are stopped
    assert_int_equal(CALL(alloc, .bytes = 4), HOST_LAUNCH_TIMEOUT);
    end();
    begin(1, 0);
    d = alloc(HOST_MEMORY_DEVICE, all);
    assert_int_equal(CALL(copy, .to = {d + all / 2, 4, 0}, .from = {d, 4, 0}, .width = 1, .height = 2 * mib, .depth = 1,
                          .direction = HOST_D2D, .to_device = HOST_NO_PEER, .from_device = HOST_NO_PEER),
                     HOST_LAUNCH_TIMEOUT);
    end();
    begin(1, 0);
    uint32_t own = function("own"), launches = 0;
    while (launches < 100000 && launch_plain(own) == HOST_SUCCESS) launches++;
    assert_in_range(launches, 500, 2048);
    assert_true(f.m->trace->exhausted);
    end();
}

static void what_a_driver_refuses(void **state)
{
    (void)state;
    begin(1, 0);
    uint32_t own = function("own");
    assert_int_equal(CALL(launch, .function = own, .grid = {1, 1, 1}, .block = {2048, 1, 1}),
                     HOST_INVALID_CONFIGURATION);
    assert_int_equal(CALL(launch, .function = own, .grid = {0, 1, 1}, .block = {1, 1, 1}), HOST_INVALID_CONFIGURATION);
    assert_int_equal(CALL(launch, .function = own, .grid = {1, 70000, 1}, .block = {1, 1, 1}),
                     HOST_INVALID_CONFIGURATION);
    assert_int_equal(CALL(launch, .function = own, .grid = {1, 1, 1}, .block = {1, 1, 1}, .shared = 50000),
                     HOST_INVALID_VALUE);
    OK(set_attribute, .function = own, .attribute = HOST_MAX_DYNAMIC_SHARED, .value = 100000);
    OK(launch, .function = own, .grid = {1, 1, 1}, .block = {1, 1, 1}, .shared = 50000);
    assert_int_equal(CALL(alloc, .bytes = UINT64_C(1) << 40), HOST_OUT_OF_MEMORY);
    assert_int_equal(CALL(alloc, .bytes = UINT64_MAX), HOST_OUT_OF_MEMORY);
    OK(alloc, .bytes = UINT64_C(100) << 30); // much memory that nobody touches
    assert_int_equal(CALL(alloc, .bytes = UINT64_C(100) << 30), HOST_OUT_OF_MEMORY);
    OK(memory_info, 0);
    assert_true(f.r.address == f.r.bytes - (UINT64_C(100) << 30));
    OK(occupancy, .function = own, .block = 256, .shared = 100000);
    assert_int_equal(f.r.bytes, 2);
    end();
}

static void peers(void **state)
{
    (void)state;
    begin(2, 0);
    uint32_t add = function("add");
    uint64_t a = alloc(HOST_MEMORY_DEVICE, 512);
    f.device = 1;
    uint64_t b = alloc(HOST_MEMORY_DEVICE, 512);
    OK(copy, .to = {.address = b}, .from = {.address = a}, .width = 512, .height = 1, .depth = 1,
       .direction = HOST_ANY_DIRECTION, .to_device = 1, .from_device = 0);
    OK(peer, .peer = 0, .action = HOST_PEER_CAN);
    assert_int_equal(f.r.bytes, 1);
    OK(peer, .peer = 0, .action = HOST_PEER_ENABLE);
    assert_int_equal(CALL(peer, .peer = 0, .action = HOST_PEER_ENABLE), HOST_PEER_ALREADY_ENABLED);
    assert_int_equal(launch_add(add, 0, a, b, 128, 1), HOST_SUCCESS);
    OK(device_sync, 0);
    OK(peer, .peer = 0, .action = HOST_PEER_DISABLE);
    assert_int_equal(launch_add(add, 0, a, b, 128, 1), HOST_SUCCESS);
    assert_int_equal(CALL(device_sync, 0), HOST_ILLEGAL_ADDRESS);
    end();
}

// ---------------------------------------------------------------- defects

static uint32_t defects(uint32_t kind)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f.m->trace->nfindings; i++) n += f.m->trace->finding[i].defect == kind;
    return n;
}

// Two streams: the second copies what the first one's kernel writes, `n` words from word `at` on.
static uint32_t two_streams(uint32_t at, uint32_t n, int ordered)
{
    begin(1, 1);
    uint32_t add = function("add"), s = new_stream(), t = new_stream(), e = new_event();
    uint64_t a = alloc(HOST_MEMORY_DEVICE, 4096), b = alloc(HOST_MEMORY_DEVICE, 8192),
             h = alloc(HOST_MEMORY_PINNED, 8192);
    OK(fill, .to = {.address = a}, .width = 4096, .height = 1, .depth = 1, .element = 1);
    OK(fill, .to = {.address = b}, .width = 8192, .height = 1, .depth = 1, .element = 1);
    OK(device_sync, 0);
    assert_int_equal(launch_add(add, s, a, b, 1024, 3), HOST_SUCCESS); // writes the first half of b
    if (ordered) {
        OK(event_record, .event = e, .stream = s);
        OK(stream_wait, .stream = t, .event = e);
    }
    assert_int_equal(copy_async(h, b + at * 4, n * 4, HOST_D2H, t), HOST_SUCCESS);
    OK(device_sync, 0);
    uint32_t found = defects(DEFECT_UNORDERED);
    OK(release, .address = a);
    OK(release, .address = b);
    OK(release, .address = h, .kind = HOST_MEMORY_PINNED);
    OK(stream_destroy, .stream = s);
    OK(stream_destroy, .stream = t);
    OK(event_destroy, .event = e);
    OK(goodbye, .exit_code = 0);
    assert_int_equal(f.m->trace->nfindings, found);
    end();
    return found;
}

static void streams_must_be_ordered_where_they_meet(void **state)
{
    (void)state;
    assert_int_equal(two_streams(0, 1024, 0), 1);
    assert_int_equal(two_streams(0, 1024, 1), 0);
    assert_int_equal(two_streams(1023, 8, 0), 1);
    assert_int_equal(two_streams(1024, 1024, 0), 0); // the other half
}

static void what_is_left_behind(void **state)
{
    (void)state;
    begin(1, 1);
    uint32_t own = function("own");
    new_stream();
    new_event();
    alloc(HOST_MEMORY_DEVICE, 100);
    assert_int_equal(launch_plain(own), HOST_SUCCESS);
    f.q.unchecked.code = HOST_OUT_OF_MEMORY;
    strcpy(f.q.unchecked.call, "cudaMalloc");
    assert_int_equal(call(HOST_OP_unchecked), HOST_SUCCESS);
    OK(goodbye, .exit_code = 0);
    assert_int_equal(defects(DEFECT_LEAKED_STREAM), 1);
    assert_int_equal(defects(DEFECT_LEAKED_EVENT), 1);
    assert_int_equal(defects(DEFECT_LEAKED_MEMORY), 1);
    assert_int_equal(defects(DEFECT_NEVER_SYNCED), 1);
    assert_int_equal(defects(DEFECT_UNCHECKED), 1);
    end();
}

static void freed_in_use(void **state)
{
    (void)state;
    begin(1, 1);
    uint32_t add = function("add"), s = new_stream();
    uint64_t a = alloc(HOST_MEMORY_DEVICE, 4096);
    OK(fill, .to = {.address = a}, .width = 4096, .height = 1, .depth = 1, .element = 1);
    OK(device_sync, 0);
    assert_int_equal(launch_add(add, s, a, a, 1024, 3), HOST_SUCCESS);
    OK(release, .address = a);
    assert_int_equal(defects(DEFECT_FREED_IN_USE), 1);
    end();
}

static void page_locked_memory_is_freed_in_use(void **state)
{
    (void)state;
    for (int waits = 0; waits < 2; waits++) {
        begin(1, 1);
        uint32_t s = new_stream();
        uint64_t a = alloc(HOST_MEMORY_DEVICE, 4096), h = alloc(HOST_MEMORY_PINNED, 4096);
        assert_int_equal(copy_async(a, h, 4096, HOST_H2D, s), HOST_SUCCESS);
        if (waits) OK(stream_sync, .stream = s);
        OK(release, .address = h, .kind = HOST_MEMORY_PINNED);
        assert_int_equal(defects(DEFECT_FREED_IN_USE), !waits);
        end();
    }
}

// A function of the host has its place behind a copy to page-locked memory. Whoever waits for that place has waited for
// the copy. A function that is called early finds the bytes, and the host has not waited.
static void a_host_function_waits_for_its_place(void **state)
{
    (void)state;
    for (uint32_t force = 0; force < 2; force++) {
        begin(1, 1);
        uint32_t s = new_stream();
        uint64_t a = alloc(HOST_MEMORY_DEVICE, 1 << 20), h = alloc(HOST_MEMORY_PINNED, 1 << 20);
        const uint32_t *bytes = (const uint32_t *)f.m->mem[devices_find(f.m, h, 0, NULL)].data;
        OK(fill, .to = {.address = a}, .width = 1 << 20, .height = 1, .depth = 1, .element = 4, .value = 7);
        OK(device_sync, 0);
        assert_int_equal(copy_async(h, a, 1 << 20, HOST_D2H, s), HOST_SUCCESS);
        uint64_t copy = f.r.ticket;
        OK(host_function, .stream = s);
        uint64_t ticket = f.r.ticket;
        assert_int_equal(bytes[0], 0);
        OK(host_wait, .ticket = ticket, .force = force);
        assert_int_equal(bytes[0], 7);
        assert_int_equal(virtual_clock_is_done(f.m->clock, copy), !force);
        assert_true(devices_order_host_has(f.m, copy));
        assert_int_equal(devices_order_has(&f.m->host, s, 1), !force);
        assert_int_equal(CALL(host_wait, .ticket = ticket + 1), HOST_INVALID_VALUE);
        end();
    }
}

static void memory_pools_grow_in_steps(void **state)
{
    (void)state;
    begin(1, 1);
    uint64_t cost[3];
    for (int i = 0; i < 3; i++) {
        uint64_t before = virtual_clock_host(f.m->clock);
        OK(alloc, .kind = HOST_MEMORY_DEVICE, .bytes = 1 << 20, .ordered = 1);
        cost[i] = virtual_clock_host(f.m->clock) - before;
        if (i) OK(release, .kind = HOST_MEMORY_DEVICE, .address = f.r.address, .ordered = 1);
    }
    assert_true(cost[0] > 10 * cost[1]); // the first one took memory from the device
    assert_int_equal(cost[1], cost[2]);
    end();
}

// ---------------------------------------------------------------- a hostile client

// Commands of random bytes, many of them near what is allowed: the machine answers each.
static void nonsense_is_answered(void **state)
{
    (void)state;
    begin(2, 1);
    struct prng p = prng_stream(1, "host");
    function("add");
    uint64_t known[3] = {alloc(HOST_MEMORY_DEVICE, 1000), alloc(HOST_MEMORY_PINNED, 5000), HOST_MEMORY};
    new_stream();
    new_event();
    for (int i = 0; i < 20000; i++) {
        uint32_t *words = (uint32_t *)&f.q;
        for (size_t k = 0; k < sizeof f.q / 4; k++)
            words[k] = prng_below(&p, 3) ? prng_below(&p, 4) : prng_below(&p, 2) ? prng_u32(&p) : 0xffffffff;
        uint32_t op = prng_below(&p, HOST_OPS + 1);
        if (op == HOST_OP_goodbye || op == HOST_OP_load) continue;
        uint64_t near = known[prng_below(&p, 3)] + prng_below(&p, 2000) - 500;
        if (op == HOST_OP_copy) f.q.copy.to.address = near, f.q.copy.from.address = known[prng_below(&p, 3)];
        if (op == HOST_OP_fill) f.q.fill.to.address = near;
        if (op == HOST_OP_refresh) f.q.refresh.address = near;
        if (op == HOST_OP_alloc && prng_below(&p, 4)) f.q.alloc.bytes &= 0xffff;
        if (op == HOST_OP_pin) f.q.pin.bytes &= 0xffffff;
        f.device = prng_below(&p, 3);
        call(op);
        if (f.descriptor >= 0) assert_true(f.r.has_descriptor == 0 && f.r.result == HOST_SUCCESS);
    }
    f.device = 0;
    devices_end(f.m, 1, 0);
    char why[OBSERVATION_MESSAGE] = "";
    assert_int_equal(host_trace_check(f.m->trace, why), 0);
    end();
}

static void texts_that_do_not_fit(void **state)
{
    (void)state;
    begin(1, 0);
    uint64_t size = 1000;
    memcpy(f.data, &size, 8);
    assert_int_equal(CALL(load, .units = 1, .bytes = 20), HOST_INVALID_PTX);
    assert_int_equal(CALL(load, .units = 1, .bytes = 3), HOST_INVALID_PTX);
    assert_int_equal(CALL(load, .units = 0, .bytes = 20), HOST_INVALID_VALUE);
    assert_int_equal(CALL(load, .units = 1, .bytes = UINT64_MAX), HOST_INVALID_VALUE);
    size = 4;
    memcpy(f.data, &size, 8);
    memcpy(f.data + 8, "what", 4);
    assert_int_equal(CALL(load, .units = 1, .bytes = 12), HOST_INVALID_PTX);
    assert_true(f.r.message[0]);
    end();
}

// ---------------------------------------------------------------- across the border

static void the_wire_carries_descriptors(void **state)
{
    (void)state;
    struct host_client client;
    struct host_reply r;
    int descriptor;
    assert_int_equal(host_client_make(&client), 0);
    pid_t runner = fork();
    if (!runner) {
        char message[OBSERVATION_MESSAGE];
        struct devices_options options = {.devices = 1, .threads = 1};
        struct devices *m = devices_new(&options, NULL, message);
        struct host_handler handler = {.self = m, .obey = devices_obey};
        close(client.channel.doorbell);
        _exit(host_serve(client.channel.memory, client.channel.theirs, &handler, message) == 1 ? 0 : 1);
    }
    channel_started(&client.channel);
    struct host_command q = {.op = HOST_OP_hello, .hello = {.version = HOST_VERSION}};
    assert_int_equal(host_call(&client, &q, &r, NULL), 0);
    assert_int_equal(r.devices, 1);
    q = (struct host_command){.op = HOST_OP_alloc, .alloc = {.kind = HOST_MEMORY_PINNED, .bytes = 10}};
    assert_int_equal(host_call(&client, &q, &r, &descriptor), 0);
    assert_int_equal(r.result, HOST_SUCCESS);
    // Anywhere: AddressSanitizer keeps its own notes at the address that a program would take.
    char *at = mmap(NULL, r.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    assert_ptr_not_equal(at, MAP_FAILED);
    strcpy(at, "hello");
    munmap(at, r.bytes);
    close(descriptor);
    q = (struct host_command){.op = HOST_OP_goodbye};
    assert_int_equal(host_call(&client, &q, &r, NULL), 0);
    int status;
    assert_int_equal(waitpid(runner, &status, 0), runner);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(host_call(&client, &q, &r, NULL), -1);
    assert_true(client.broken);
    host_client_free(&client);
}

// A thread's wait delays its bytes and its order, but no other thread.
static void threads_wait_alone(void **state)
{
    (void)state;
    begin(1, 1);
    uint64_t pinned = alloc(HOST_MEMORY_PINNED, 1 << 20), device = alloc(HOST_MEMORY_DEVICE, 1 << 20);
    uint32_t stream = new_stream();
    assert_int_equal(copy_async(device, pinned, 1 << 20, HOST_H2D, stream), HOST_SUCCESS);
    uint64_t before = f.r.host_ps;
    f.q.shared = 1;
    OK(stream_sync, .stream = stream);
    assert_int_equal(f.r.waits, 1);
    assert_true(f.r.host_ps < before + 1000000);
    assert_false(f.r.pending & HOST_PENDING_TICKETS);
    f.q.clock = 1;
    f.q.at_ps = before;
    f.q.shared = 1;
    OK(event_create, .flags = 0);
    assert_int_equal(f.r.waits, 0);
    assert_int_equal(CALL(progress, .until_ps = before), HOST_NOT_READY);
    OK(progress, .until_ps = UINT64_MAX);
    assert_int_equal(f.r.clock, 0);
    assert_true(f.r.host_ps > before + 10000000);
    assert_true(f.r.pending & HOST_PENDING_TICKETS);
    f.q.clock = UINT32_MAX;
    assert_int_equal(CALL(read_clock, 0), HOST_INVALID_VALUE);
    f.q.shared = 2;
    assert_int_equal(CALL(read_clock, 0), HOST_INVALID_VALUE);
    f.q.at_ps = UINT64_MAX;
    OK(read_clock, 0);
    assert_true(f.r.host_ps < UINT64_C(1) << 51);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_adds),
        cmocka_unit_test(launches_of_a_kernel_add_up_and_the_longest_is_kept),
        cmocka_unit_test(lines_add_up_by_kernel_and_file),
        cmocka_unit_test(rows_of_a_box),
        cmocka_unit_test(variables_of_the_module),
        cmocka_unit_test(pinned_memory_is_shared_and_filled_in_time),
        cmocka_unit_test(a_polling_loop_ends_and_events_measure),
        cmocka_unit_test(faults_are_sticky_and_come_late),
        cmocka_unit_test(a_budget_counts_what_a_call_costs),
        cmocka_unit_test(what_a_driver_refuses),
        cmocka_unit_test(peers),
        cmocka_unit_test(streams_must_be_ordered_where_they_meet),
        cmocka_unit_test(what_is_left_behind),
        cmocka_unit_test(freed_in_use),
        cmocka_unit_test(page_locked_memory_is_freed_in_use),
        cmocka_unit_test(a_host_function_waits_for_its_place),
        cmocka_unit_test(memory_pools_grow_in_steps),
        cmocka_unit_test(nonsense_is_answered),
        cmocka_unit_test(texts_that_do_not_fit),
        cmocka_unit_test(the_wire_carries_descriptors),
        cmocka_unit_test(threads_wait_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
