// The machine that a host program sees: simulated devices with their memory, modules, streams and events, on a virtual
// clock. One command of the host protocol (wire/host.h) is one function here; what it returns is the call's result.
//
// Theory of operation. A command takes effect at once, when it is obeyed: kernels run, bytes are copied. The order of
// issue is always a legal order, since an event is recorded before it can be waited for. Time alone is simulated: each
// operation is handed to the clock, and the host's calls wait on it. Two things do wait for their time, because a
// program can see them: bytes that a copy brings to pinned memory, and the errors of a kernel.
//
// The host program is hostile: each function checks every field of its command before it uses it.
#ifndef RUNNER_MACHINE_H
#define RUNNER_MACHINE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "engine/engine.h"
#include "runner/clock.h"
#include "sim/core/memory.h"
#include "sim/core/region.h"
#include "sim/lower/image.h"
#include "wire/host.h"
#include "wire/host_io.h"
#include "wire/host_trace.h"

struct machine_options {
    const char *device; // profile's name; NULL: the default
    uint32_t devices;   // 1 … HOST_DEVICES
    uint32_t threads;   // of this machine; 0: all
    uint32_t checks;    // 1: hazards, races and reads of what was never written are looked for
    uint32_t deterministic;
    uint64_t budget;      // warp instructions of a launch; 0: the machine's default
    uint64_t sample_inst; // execute about so many warp instructions of a launch, and leave the rest undone; 0: all
    struct host_io *io;   // a sound one, outlives the machine; NULL: there is none
};

// What is ordered before a point: of each stream, how many operations.
struct machine_order {
    uint32_t *seen; // [count]
    uint32_t count;
};

struct machine_stream {
    uint8_t alive, flags, used; // flags: enum host_stream_flags
    uint8_t device;
    int32_t priority;
    uint32_t issued; // operations so far
    uint64_t last;   // ticket of the latest
    struct machine_order order;
    struct host_place origin;
};

struct machine_event {
    uint8_t alive, flags, device, recorded;
    uint64_t ticket;
    struct machine_order order;
    struct host_place origin;
};

// An operation that was issued; index: its ticket.
struct machine_op {
    uint32_t stream, issued;
    int32_t span; // in the session's timeline, or -1
};

// One access of an operation to an allocation, see hazard.c.
struct machine_access {
    uint64_t from, to; // bytes
    uint32_t stream, issued;
    uint8_t write;
    struct host_place place;
};

struct machine_memory { // beside the simulator's region of the same number
    uint8_t kind;       // enum host_kind; NONE: it is a variable, or free
    uint8_t device;
    uint8_t variable; // 1: it is a managed variable, which the program cannot free
    int descriptor;   // of pinned and managed memory, or -1
    uint8_t *data;
    uint64_t bytes, mapped, host; // host: of registered memory
    struct host_place origin;
    struct machine_access *access;
    uint32_t naccesses;
    uint8_t *given; // of an exam: a byte a word, 1: the given kernel wrote it; NULL: none of it
};

// Bytes on their way into pinned memory.
struct machine_delivery {
    uint64_t ticket;
    uint8_t *to, *bytes;
    uint64_t width, height, depth, pitch, slice;
};

struct machine_module {
    char *text; // all units, NUL-terminated each
    struct sim_image *image[HOST_DEVICES];
    size_t *bytes; // [units]
    uint32_t units;
};

struct machine_function {
    uint32_t module, func;
    char name[HOST_NAME];
    uint32_t max_dynamic; // bytes of dynamic shared memory allowed
    int32_t carveout;
};

struct machine_device {
    uint32_t sticky, fault; // enum host_result: told; not told yet
    uint64_t fault_ticket;  // when it happens
    uint32_t peers;         // bit d: may access device d's memory
    uint32_t pools;         // bit d: may access memory pools of device d; no less than all of its memory is told apart
    uint64_t allocated;     // bytes
    uint64_t limit[HOST_LIMITS];
    uint64_t workspace; // address of the cooperative grid's barrier; 0: none yet
};

// A pageable copy whose bytes come or go by put and get.
struct machine_transfer {
    uint32_t kind; // enum host_transfer
    struct host_box box;
    uint64_t width, height, depth, done;
    uint8_t *at;     // the machine's side
    int region;      // that it lies in, or -1
    uint64_t offset; // there
};

struct machine {
    struct machine_options options;
    const struct device_profile *profile;
    const struct sim_handlers *handlers;
    struct sim_memory *memory;
    struct clock *clock;
    struct machine_device device[HOST_DEVICES];
    struct machine_stream *stream; // the first `devices` are the legacy default streams
    struct machine_event *event;
    struct machine_op *op;
    struct machine_memory *mem; // by region
    struct machine_module *module;
    struct machine_function *function;
    struct machine_delivery *delivery;
    uint64_t *waiting; // tickets of pinned copies that the host is not ordered behind
    uint32_t nstreams, nevents, nmem, nmodules, nfunctions, ndeliveries, nwaiting;
    uint64_t nops, mapped; // mapped: bytes of all allocations
    uint64_t streams_capacity, events_capacity, ops_capacity, mem_capacity, modules_capacity, functions_capacity,
        deliveries_capacity, waiting_capacity, released_capacity;
    uint64_t *released; // tickets to hand over
    uint32_t nreleased;
    struct machine_order host; // what the host is ordered behind
    struct machine_transfer transfer;
    struct text print;
    struct observation *observation; // of the latest launch
    struct host_trace *trace;
    struct machine_io *io;       // NULL: there is none
    struct machine_cache *cache; // NULL: nothing was launched yet
    int greeted;
};

// One command on its way.
struct machine_call {
    struct machine *m;
    const struct host_command *command;
    unsigned char *data; // shared with the host: it may change at any time
    struct host_reply *reply;
    int descriptor, close_it;
};

// `session` (mapped, zeroed) may be NULL: then the machine keeps one of its own. NULL with a sentence in message.
struct machine *machine_new(const struct machine_options *, struct host_trace *trace,
                            char message[OBSERVATION_MESSAGE]);
void machine_free(struct machine *);
// A struct host_handler's function; self is the machine.
int machine_obey(void *self, const struct host_command *, unsigned char *data, struct host_reply *, int *close_it);
// The program is gone: what it left behind goes into the session. exit_code -1: it did not say goodbye.
void machine_end(struct machine *, int said_goodbye, int exit_code);

// The commands, one function each: result of the call.
#define HOST(name, ns, source) uint32_t machine_##name(struct machine_call *);
#include "wire/host.def"
#undef HOST

// ---------------------------------------------------------------- between the files of the machine

struct machine_device *machine_device_of(const struct machine_call *);
void machine_say(const struct machine_call *, const char *format, ...) __attribute__((format(printf, 2, 3)));

// machine_stream.c
// The stream a command names, its index in *index; NULL: there is none.
struct machine_stream *machine_stream_of(const struct machine_call *, uint32_t stream, uint32_t *index);
// Hands an operation to a stream: it comes after all that the stream's rules say.
uint64_t machine_submit(struct machine_call *, uint32_t stream, struct clock_op *, const struct host_trace_span *);
void machine_order_join(struct machine_order *, const struct machine_order *);
int machine_order_has(const struct machine_order *, uint32_t stream, uint32_t issued);
// The host waits for a ticket of the stream, and is ordered behind all of it.
void machine_wait(struct machine *, uint32_t stream, uint64_t ticket);
void machine_wait_device(struct machine *, uint32_t device);
// The device's error, once the host waited or its time has come.
uint32_t machine_fault(struct machine *, uint32_t device, int waited);

// machine_memory.c
// The live region that [address, address + bytes) lies in, or -1; *freed is set where it is a freed one's (may be
// NULL).
int machine_find(const struct machine *, uint64_t address, uint64_t bytes, int *freed);
void machine_release_region(struct machine *, int region);
// Makes the variable at the address memory that the host maps too, unless it is already. -1: no memory.
int machine_share(struct machine_call *, uint64_t address);

// machine_copy.c
void machine_deliver(struct machine *,
                     const struct machine_order *); // what is ordered before goes to its pinned memory
void machine_deliver_due(struct machine *);

// machine_module.c
struct machine_function *machine_function_of(const struct machine_call *, uint32_t function);
// 1 when the module has a kernel of that name.
int machine_module_has(struct machine_call *, uint32_t module, const char *name);
// Its program on a device; NULL with a sentence in the reply's message.
const struct sim_program *machine_program(struct machine_call *, const struct machine_function *, uint32_t device);

// machine_hazard.c
void machine_hazard_access(struct machine_call *, int region, uint64_t from, uint64_t to, int write, uint32_t stream);
void machine_hazard_kernel(struct machine_call *, uint32_t stream);
void machine_hazard_release(struct machine_call *, int region);
void machine_hazard_add(struct machine *, const struct host_trace_finding *);
void machine_hazard_end(struct machine *);

// machine_io.c
// One copy as the exam sees it: rows of memory, each side at `at` of a region, or (region -1) of the host's own.
struct machine_io_copy {
    const struct host_copy *q;
    int to, from;            // regions, or -1
    uint64_t to_at, from_at; // offsets there
    const uint8_t *bytes;    // of the source, laid out as q->from; NULL: the host's own
    uint64_t ticket;
};
void machine_io_new(struct machine *);
void machine_io_free(struct machine *);
void machine_io_open(struct machine *);                                               // the program says hello
uint32_t machine_io_module(struct machine_call *, uint32_t module, const char *name); // whose kernel of that name it is
void machine_io_copied(struct machine *, const struct machine_io_copy *);
void machine_io_filled(struct machine *, int region, uint64_t from, uint64_t to);
// After a launch: what it wrote, and how long its accesses to the host's memory take, 0: it made none.
uint64_t machine_io_launched(struct machine_call *, const struct machine_function *, const uint8_t *params);

// machine_heap.c
// The text that a module of these texts is joined with, as they call malloc or free; NULL: they do not.
const char *machine_heap_ptx(const char *const text[], const size_t bytes[], uint32_t units);
// Before a kernel of the module is launched: gives the module the device's heap. -1: no memory.
int machine_heap_open(struct machine *, const struct ptx_module *, uint32_t device);

// machine_cache.c
enum { CACHE_KEY_BYTES = 128 + PLAN_PARAM_BYTES };
struct machine_launching {
    const struct sim_program *program;
    const struct engine_launch *request;
    const uint8_t *params;
    uint32_t device, cooperative;
};
// 1: the launch was made before on memory that was the same, which is now as it was afterwards, and so is the
// observation.
int machine_cache_recall(struct machine *, const struct machine_launching *);
// After the run of a launch that was not recalled; printed: 1, it wrote something.
void machine_cache_store(struct machine *, int printed);
void machine_cache_command(struct machine *, uint32_t op); // before a command of the program's is obeyed: enum host_op
void machine_cache_invalidate(struct machine *);           // a copy's target is memory of the machine's
void machine_cache_flush(struct machine *);                // before memory is looked at while a launch is prepared
void machine_cache_free(struct machine *);

// machine_trace.c
int32_t machine_trace_span(struct machine *, const struct host_trace_span *);
uint32_t machine_trace_kernel(struct machine *, const char *name, const struct engine_launch *,
                              const struct observation *, uint64_t time_ps);
void machine_trace_close(struct machine *);
uint32_t machine_trace_source(struct machine *, const char *path); // its index in session.source

#endif
