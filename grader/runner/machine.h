// The machine that a host program sees: simulated devices with their memory, modules, streams and events, on a virtual
// clock. Each command of the host protocol (wire/host.h) is one function here, whose return value is the call's result.
//
// Theory of operation. A command takes effect at once, when it is obeyed: kernels run, bytes are copied. The order of
// issue is always a legal order, since an event is recorded before a stream can wait for it. Only time is simulated:
// each operation is handed to the clock, and calls of the host wait for the clock. Two effects are delayed until their
// time has come, because a program can see them: the bytes that a copy brings to pinned memory, and the errors of a
// kernel.
//
// The host program is hostile: each function checks every field of its command before it uses the field.
//
// Names. Every function begins with machine_. The functions machine_<name> for the names in wire/host.def are declared
// by that list and defined in the files of their subjects: machine_put, for example, in machine_copy.c.
#ifndef RUNNER_MACHINE_H
#define RUNNER_MACHINE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "engine/engine.h"
#include "runner/clock.h"
#include "sim/core/region.h"
#include "sim/lower/image.h"
#include "wire/host.h"
#include "wire/host_io.h"
#include "wire/host_trace.h"

struct machine_options {
    const char *device;     // the profile's name; NULL: the default
    uint32_t devices;       // 1 … HOST_DEVICES
    uint32_t threads;       // host threads that simulate; 0: one for each core
    uint32_t checks;        // 1: look for hazards, races and reads of unwritten memory
    uint32_t deterministic; // 1: the program's clocks show the virtual clock alone
    uint64_t budget;        // maximum warp instructions of a launch; 0: the default
    uint64_t sample_inst;   // execute only a sample of a launch, about so many warp instructions; 0: execute all
    struct host_io *io;     // of a host test, sound; outlives the machine; NULL: there is none
};

// A vector clock: the number of operations of each stream that happen before a point.
struct machine_order {
    uint32_t *seen; // [count]
    uint32_t count;
};

struct machine_stream {
    uint8_t alive, flags, used; // flags: enum host_stream_flags
    uint8_t device;
    int32_t priority;
    uint32_t issued; // number of operations so far
    uint64_t last;   // ticket of the latest operation
    struct machine_order order;
    struct host_place origin;
};

struct machine_event {
    uint8_t alive, flags, device, recorded;
    uint64_t ticket;
    struct machine_order order;
    struct host_place origin;
};

// An operation that was issued; it stands at the index of its ticket.
struct machine_op {
    uint32_t stream, issued;
    int32_t span; // index into the host trace's spans, or -1
};

// One access of an operation to an allocation; see machine_hazard.c.
struct machine_access {
    uint64_t from, to; // bytes
    uint32_t stream, issued;
    uint8_t write;
    struct host_place place;
};

// What the machine knows about the simulator's memory region of the same number.
struct machine_memory {
    uint8_t kind; // enum host_kind; NONE: the region is a variable, or free
    uint8_t device;
    uint8_t variable; // 1: a managed variable, which the program cannot free
    int descriptor;   // of pinned and managed memory, owned; else -1
    uint8_t *data;
    uint64_t bytes, mapped; // bytes of the allocation; bytes of whole pages
    uint64_t host;          // registered memory: its address in the host process
    struct host_place origin;
    struct machine_access *access;
    uint32_t naccesses;
    uint8_t *given; // host test: a byte for each word, 1 if the given kernel wrote the word; NULL: none
};

// Bytes that a copy will bring to pinned memory when its time has come.
struct machine_delivery {
    uint64_t ticket;
    uint8_t *to, *bytes;
    uint64_t width, height, depth, pitch, slice;
};

struct machine_module {
    char *text; // the PTX of all units in a row
    struct sim_image *image[HOST_DEVICES];
    size_t *bytes; // [units]: their sizes
    uint32_t units;
};

struct machine_function {
    uint32_t module, func;
    char name[HOST_NAME];
    uint32_t max_dynamic; // maximum bytes of dynamic shared memory
    int32_t carveout;
};

struct machine_device {
    uint32_t sticky, fault; // enum host_result: an error that the program knows of; one that it will learn of
    uint64_t fault_ticket;  // the operation whose end makes the fault known
    uint32_t peers;         // bit d: may access the memory of device d
    uint32_t pools;         // bit d: may access the memory pools of device d, and so all of that device's memory
    uint64_t allocated;     // bytes
    uint64_t limit[HOST_LIMITS];
    uint64_t workspace; // address of the barrier of cooperative grids; 0: none yet
};

// A copy from or to pageable memory, whose bytes move by `put` or `get`.
struct machine_transfer {
    uint32_t kind; // enum host_transfer
    struct host_box box;
    uint64_t width, height, depth, done;
    uint8_t *at;     // the machine's side
    int region;      // the region that contains `at`, or -1
    uint64_t offset; // of `at` in the region
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
    struct machine_memory *mem; // by the region's number
    struct machine_module *module;
    struct machine_function *function;
    struct machine_delivery *delivery;
    uint64_t *waiting; // tickets of pinned copies that may still be running as far as the program knows
    uint32_t nstreams, nevents, nmem, nmodules, nfunctions, ndeliveries, nwaiting;
    uint64_t nops, mapped; // mapped: bytes of all allocations in whole pages
    uint64_t streams_capacity, events_capacity, ops_capacity, mem_capacity, modules_capacity, functions_capacity,
        deliveries_capacity, waiting_capacity, released_capacity;
    uint64_t *released; // tickets for `collect`
    uint32_t nreleased;
    struct machine_order host; // the operations that happen before the host's next step
    struct machine_transfer transfer;
    struct text print;               // what kernels printed, for `collect`
    struct observation *observation; // of the latest launch
    struct host_trace *trace;
    struct machine_io *io;       // NULL: there is no host test
    struct machine_cache *cache; // NULL: nothing was launched yet
    int greeted;                 // 1: the program has said hello
};

// A command that is being obeyed.
struct machine_call {
    struct machine *m;
    const struct host_command *command;
    unsigned char *data; // shared with the host: it may change at any time
    struct host_reply *reply;
    int descriptor, close_it; // to send with the reply, or -1; 1: to close afterwards
};

// Makes a machine. `trace` (mapped, zeroed) receives the host trace; NULL: the machine keeps one of its own. Returns
// NULL with a sentence in `message` if the device or the number of devices does not exist.
struct machine *machine_new(const struct machine_options *, struct host_trace *trace,
                            char message[OBSERVATION_MESSAGE]);
void machine_free(struct machine *);
// Obeys one command, as struct host_handler wants it; self is the struct machine.
int machine_obey(void *self, const struct host_command *, unsigned char *data, struct host_reply *, int *close_it);
// Completes the host trace when the program has ended, with the times of all operations. After a goodbye it also adds
// what the program left behind: leaks, and operations that nothing waited for. exit_code -1: unknown.
void machine_end(struct machine *, int said_goodbye, int exit_code);

// Each obeys the command of its name, and returns its result.
#define HOST(name, ns, source) uint32_t machine_##name(struct machine_call *);
#include "wire/host.def"
#undef HOST

// ---------------------------------------------------------------- between the files of the machine

// Returns the device of the command.
struct machine_device *machine_device_of(const struct machine_call *);
// Writes the reply's message.
void machine_say(const struct machine_call *, const char *format, ...) __attribute__((format(printf, 2, 3)));

// machine_stream.c
// Returns the stream of that handle, with its index in *index, or NULL; handle 0 is the default stream of the command's
// device.
struct machine_stream *machine_stream_of(const struct machine_call *, uint32_t stream, uint32_t *index);
// Issues an operation in the stream of that index, after all operations that the rules of streams put before it. Adds
// *span (may be NULL) to the host trace. Returns the operation's ticket.
uint64_t machine_submit(struct machine_call *, uint32_t stream, struct clock_op *, const struct host_trace_span *);
// Joins the second vector clock into the first: what happens before either happens before the result.
void machine_order_join(struct machine_order *, const struct machine_order *);
// Returns 1 if operation number `issued` of the stream happens before this point.
int machine_order_has(const struct machine_order *, uint32_t stream, uint32_t issued);
// Lets the host wait for a ticket of the stream, or for all operations of a device. They then happen before the host's
// next step.
void machine_wait(struct machine *, uint32_t stream, uint64_t ticket);
void machine_wait_device(struct machine *, uint32_t device);
// Returns the device's sticky error. A fault becomes sticky when its time has come, or if the host has `waited` for it.
uint32_t machine_fault(struct machine *, uint32_t device, int waited);

// machine_memory.c
// Returns the live region that contains [address, address + bytes), or -1. *freed (may be NULL) becomes 1 if the
// address belongs to a freed region.
int machine_find(const struct machine *, uint64_t address, uint64_t bytes, int *freed);
// Frees the memory of a region.
void machine_release_region(struct machine *, int region);
// Moves the variable at `address` to memory that the host can map, and puts its descriptor in the call. Returns 0, or
// -1 if that is not possible.
int machine_share(struct machine_call *, uint64_t address);

// machine_copy.c
// Writes delayed bytes to pinned memory: those of copies that happen before `order`, or (NULL) whose time has come.
void machine_deliver(struct machine *, const struct machine_order *order);

// machine_module.c
// Returns the function of that handle, or NULL.
struct machine_function *machine_function_of(const struct machine_call *, uint32_t function);
// Returns 1 if the module has a kernel of that name.
int machine_module_has(struct machine_call *, uint32_t module, const char *name);
// Returns the function's program on a device, or NULL with a sentence in the reply's message.
const struct sim_program *machine_program(struct machine_call *, const struct machine_function *, uint32_t device);

// machine_hazard.c
// Notes that the stream's latest operation accesses bytes [from, to) of a region, and reports accesses of other streams
// that conflict with it. Does nothing for a region that is not the machine's memory, or without checks.
void machine_hazard_access(struct machine_call *, int region, uint64_t from, uint64_t to, int write, uint32_t stream);
// Does the same for all bytes that the latest launch accessed.
void machine_hazard_kernel(struct machine_call *, uint32_t stream);
// Reports operations that may still use a region which the command frees.
void machine_hazard_release(struct machine_call *, int region);
// Adds a finding to the host trace, or counts it with an equal one.
void machine_hazard_add(struct machine *, const struct host_trace_finding *);
// Reports what a program that ended left behind.
void machine_hazard_end(struct machine *);

// machine_io.c
// One copy as the host test sees it. Each side is an offset in a region, or (region -1) the host's own memory.
struct machine_io_copy {
    const struct host_copy *q;
    int to, from;            // regions, or -1
    uint64_t to_at, from_at; // offsets in them
    const uint8_t *bytes;    // the source, laid out as q->from; NULL: the host's own memory
    uint64_t ticket;
};
// Prepare and free the state of a host test. These functions do nothing if the machine has no I/O block.
void machine_io_new(struct machine *);
void machine_io_free(struct machine *);
// Makes the lab's PTX the first module, when the program says hello.
void machine_io_open(struct machine *);
// Returns the lab's module if it has a kernel of that name, else `module`.
uint32_t machine_io_module(struct machine_call *, uint32_t module, const char *name);
// Follow the words that a copy moved, and those that a fill overwrote (bytes [from, to) of a region).
void machine_io_copied(struct machine *, const struct machine_io_copy *);
void machine_io_filled(struct machine *, int region, uint64_t from, uint64_t to);
// Follows the words that a launch wrote. Returns the time in ps that its accesses to host memory take; 0: it made none.
uint64_t machine_io_launched(struct machine_call *, const struct machine_function *, const uint8_t *params);

// machine_heap.c
// Returns PTX that defines malloc and free, if one of the texts calls them without a definition, else NULL. The PTX is
// to be linked with the texts.
const char *machine_heap_ptx(const char *const text[], const size_t bytes[], uint32_t units);
// Gives a module the heap of the device, before one of its kernels is launched. Returns 0, or -1 if there is no memory.
int machine_heap_open(struct machine *, const struct ptx_module *, uint32_t device);

// machine_cache.c
enum { CACHE_KEY_BYTES = 128 + PLAN_PARAM_BYTES };
struct machine_launching { // a launch that is about to run
    const struct sim_program *program;
    const struct engine_launch *request;
    const uint8_t *params;
    uint32_t device, cooperative;
};
// Looks the launch up in the cache. Returns 1 if the same launch has run on the same memory before; then memory and
// observation become what they were after it.
int machine_cache_recall(struct machine *, const struct machine_launching *);
// Stores the result of a launch that was not recalled and has run; printed 1: it printed something.
void machine_cache_store(struct machine *, int printed);
// Is called before each command (enum host_op), and flushes or invalidates as the command needs it.
void machine_cache_command(struct machine *, uint32_t op);
// Forgets the digest of memory, because a copy has changed memory of the machine.
void machine_cache_invalidate(struct machine *);
// Writes back what recalled launches left pending, before anything reads memory.
void machine_cache_flush(struct machine *);
void machine_cache_free(struct machine *);

// machine_trace.c
// Adds an operation that is issued now to the timeline of the host trace. Returns its index, or -1 if the timeline is
// full.
int32_t machine_trace_span(struct machine *, const struct host_trace_span *);
// Counts a launch of the kernel. Returns the kernel's index in the host trace.
uint32_t machine_trace_kernel(struct machine *, const char *name, const struct engine_launch *,
                              const struct observation *, uint64_t time_ps);
// Fills in the times of all operations after the clock has finished.
void machine_trace_close(struct machine *);
// Returns the index of a source file in host_trace.source; adds the file if it is new.
uint32_t machine_trace_source(struct machine *, const char *path);

#endif
