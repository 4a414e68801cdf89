// This file defines the machine that a host program sees: simulated devices with their memory, modules, streams and
// events, on a virtual clock. Each command of the host protocol (wire/host.h) has one function machine_<name>, which
// executes the command and returns its result.
//
// A command takes effect at once: kernels run and bytes are copied when the command is executed. Executing operations
// in the order of issue is always legal, because a stream can wait for an event only after the event was recorded. Only
// the times of operations are simulated; the operations themselves are executed at once. The machine passes each
// operation to the virtual clock, and a call that waits for an operation advances the host's virtual time. The bytes
// that an asynchronous copy brings to pinned memory, and the error of a failed kernel, become visible only at their
// simulated time. The machine delays the bytes of asynchronous copies to pinned memory and the errors of kernels,
// because a program can observe when these bytes and errors become visible.
//
// The host program may be hostile, so each function that executes a command checks every field of the command before it
// uses the field.
//
// The names of all functions of the machine begin with "machine_". For each row of wire/host.def, this file declares a
// function machine_<name>. Each function machine_<name> is defined in the file of its subject; for example,
// machine_put() is in machine_copy.c.
#ifndef RUNNER_MACHINE_H
#define RUNNER_MACHINE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "engine/engine.h"
#include "runner/clock.h"
#include "sim/core/region.h"
#include "sim/image.h"
#include "wire/host.h"
#include "wire/host_io.h"
#include "wire/host_trace.h"

struct machine_options {
    const char *device;     // name of the device profile; NULL: the default profile
    uint32_t devices;       // 1 … HOST_DEVICES
    uint32_t threads;       // host threads that simulate; 0: one thread per core
    uint32_t checks;        // 1: look for hazards, data races and reads of unwritten memory
    uint32_t no_time;       // 1: do not model the time of kernels, which takes a part of the simulator's time
    uint32_t deterministic; // 1: the program's clocks show only the virtual clock
    uint64_t budget;        // most warp instructions of all launches together, or other work that takes as long;
                            // 0: each launch has a budget of its own
    uint64_t sample_inst; // 0: execute all blocks; else execute a sample of a launch's blocks, of about this many warp
                          // instructions
    struct host_io *io;   // a checked I/O block of a host test, which outlives the machine; NULL: no host test
};

// Holds a vector clock: for each stream, the number of the stream's operations that happen before a certain point of
// the program.
struct machine_order {
    uint32_t *seen; // [count]
    uint32_t count;
};

struct machine_stream {
    uint8_t alive, flags, used; // flags: enum host_stream_flags
    uint8_t device;
    int32_t priority;
    uint32_t issued; // number of operations issued so far
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

// Describes an operation, such as a copy or a kernel launch, that the program has issued in a stream. The ticket
// (number) of an operation is the index of its struct machine_op in the array machine.op.
struct machine_op {
    uint32_t stream, issued;
    int32_t span; // index into the host trace's spans, or -1
};

// Describes one access of an operation to an allocation. The hazard checks (machine_hazard.c) compare accesses to the
// same allocation.
struct machine_access {
    uint64_t from, to; // bytes of the allocation, `to` not included
    uint32_t stream, issued;
    uint8_t write;
    struct host_place place;
};

struct machine_writer { // bytes [from, to) of a region, and the operation that wrote them
    uint64_t from, to, ticket;
};
struct machine_edge { // the operation `reader` read bytes that `writer` wrote; writer 0: `reader` itself wrote `bytes`
    uint64_t reader, writer, bytes;
};

// Describes a memory region of the program: its kind, its device, its bytes, and the latest accesses to it. The struct
// machine_memory with the number i and the simulator's struct sim_region with the number i describe the same memory
// region.
struct machine_memory {
    uint8_t kind; // enum host_kind; NONE: the region belongs to a variable, or is free
    uint8_t device;
    uint8_t variable; // 1: a managed variable, which the program cannot free
    uint8_t pooled;   // 1: from a memory pool
    int descriptor;   // descriptor of pinned and managed memory, owned; else -1
    uint8_t *data;
    uint64_t bytes, mapped; // bytes: size of the allocation; mapped: bytes of its whole pages
    uint64_t host;          // registered memory: address in the host process
    struct host_place origin;
    struct machine_access *access;
    uint32_t naccesses;
    struct machine_writer *writer; // [nwriters]: host test: who wrote its bytes last, by position (machine_use.c)
    uint32_t nwriters;
    uint64_t writers_capacity;
    uint8_t *given; // host test: a mark for each word, 0 or 1 plus the device on which the lab's kernel wrote the word;
                    // NULL: no such word (machine_io.c)
};

// Holds the bytes that an asynchronous copy writes to pinned memory at a later simulated time.
struct machine_delivery {
    uint64_t ticket;
    uint8_t *to, *bytes;
    uint64_t width, height, depth, pitch, slice;
};

struct machine_module {
    char *text; // the PTX texts of all units in a row
    struct sim_image *image[HOST_DEVICES];
    size_t *bytes; // [units]: the sizes of the texts in bytes
    uint32_t units;
};

struct machine_function {
    uint32_t module, func;
    char name[HOST_NAME];
    uint32_t max_dynamic; // maximum dynamic shared memory in bytes
    int32_t carveout;
};

struct machine_device {
    uint32_t sticky, fault; // enum host_result; sticky: an error that the program knows; fault: an error that the
                            // program does not know yet
    uint64_t fault_ticket;  // the operation whose end reveals `fault` to the program
    uint32_t peers;         // bit d: this device may access the memory of device d
    uint32_t pools;         // bit d: this device may access the memory pools of device d, and so all memory of device d
    uint64_t allocated;     // bytes of allocated device memory
    uint64_t pooled, pool;  // bytes that memory pools have handed out; bytes that they hold
    uint64_t limit[HOST_LIMITS];
    uint64_t workspace;  // address of the barrier of cooperative grids; 0: not allocated yet
    struct l2_lines *l2; // what the L2 holds (machine_l2.c); NULL: nothing yet
};

// Describes a copy from or to pageable memory, whose bytes the commands `put` and `get` move.
struct machine_transfer {
    uint32_t kind; // enum host_transfer
    struct host_box box;
    uint64_t width, height, depth, done;
    uint8_t *at;     // the machine's side of the copy
    int region;      // the region that contains `at`, or -1
    uint64_t offset; // offset of `at` in the region, in bytes
};

enum { MACHINE_LINE_SLOTS = 2 * HOST_TRACE_LINES };

struct machine {
    struct machine_options options;
    const struct device_profile *profile;
    const struct sim_handlers *handlers;
    struct sim_memory *memory;
    struct clock *clock;
    struct machine_device device[HOST_DEVICES];
    struct machine_stream *stream; // the first `devices` streams are the legacy default streams
    struct machine_event *event;
    struct machine_op *op;
    struct machine_memory *mem; // indexed by the number of the region
    struct machine_module *module;
    struct machine_function *function;
    struct machine_delivery *delivery;
    struct machine_edge *edge; // by rising `reader`; the first edge of each reader has writer 0
    uint64_t nedges, edges_capacity;
    uint64_t *waiting; // tickets of pinned copies that may still be running as far as the program knows
    uint32_t nstreams, nevents, nmem, nmodules, nfunctions, ndeliveries, nwaiting;
    uint64_t nops, mapped; // mapped: bytes of the whole pages of all allocations
    uint64_t streams_capacity, events_capacity, ops_capacity, mem_capacity, modules_capacity, functions_capacity,
        deliveries_capacity, waiting_capacity, released_capacity;
    uint64_t *released; // tickets that the next command `collect` returns
    uint32_t nreleased;
    struct machine_order host;     // the operations that happen before the host's next step
    struct machine_order excused;  // operations that the host may have waited for in a way that the machine cannot see
    struct machine_order *joining; // [njoining]: for each host thread that waits, the operations that it waits for
    uint64_t njoining, joining_capacity;
    uint32_t thread; // the host thread that sent the present command
    uint64_t spent;  // warp instructions charged by machine_spend() so far
    struct machine_transfer transfer;
    uint16_t line_slot[MACHINE_LINE_SLOTS]; // hash table of host_trace.line: index plus 1; 0: free (machine_trace.c)
    struct text print;                      // text that kernels printed, which the next command `collect` returns
    struct observation *observation;        // observation of the latest launch
    struct host_trace *trace;
    struct machine_io *io;       // NULL: no host test
    struct machine_cache *cache; // NULL: no kernel was launched yet
    int greeted;                 // 1: the program has sent the command `hello`
};

// Holds the arguments of a function that executes a command of the host protocol.
struct machine_call {
    struct machine *m;
    const struct host_command *command;
    unsigned char *data; // the data area; the host may change its bytes at any time
    struct host_reply *reply;
    int descriptor, close_it; // descriptor: to send with the reply, or -1; close_it 1: close the descriptor afterwards
};

// Creates a machine. `trace` is mapped, zeroed memory that receives the host trace; if `trace` is NULL, the machine
// allocates its own trace. Returns NULL with a sentence in `message` if the device or the number of devices does not
// exist.
struct machine *machine_new(const struct machine_options *, struct host_trace *trace,
                            char message[OBSERVATION_MESSAGE]);
void machine_free(struct machine *);
// Executes one command of the host protocol, as struct host_handler (wire/host.h) specifies. `self` points to the
// struct machine.
int machine_obey(void *self, const struct host_command *, unsigned char *data, struct host_reply *, int *close_it);
// Returns the address of a number that becomes 1 when the budget is used up and the program must end.
const uint32_t *machine_is_over(const struct machine *);
// Completes the host trace, with the times of all operations, when the program has ended. If the program sent
// `goodbye`, machine_end() also reports leaks, and streams whose last operation the program never waited for. An
// exit_code of -1 means that the exit code is unknown.
void machine_end(struct machine *, int said_goodbye, int exit_code);

// Each function machine_<name> executes the command <name> (wire/host.def) and returns enum host_result.
#define HOST(name, ns, source) uint32_t machine_##name(struct machine_call *);
#include "wire/host.def"
#undef HOST

// ---------------------------------------------------------------- between the files of the machine

// Returns the device to which the command refers.
struct machine_device *machine_device_of(const struct machine_call *);
// Charges work that takes the simulator as long as `inst` warp instructions to the budget of all launches
// (machine_options.budget). Returns 0, or -1 if the rest of the budget does not cover the work, which must not be done
// then: all devices have a sticky error from now on. Without such a budget, always returns 0.
int machine_spend(struct machine *, uint64_t inst);
// Formats a message for the user into the field `message` of the reply.
void machine_say(const struct machine_call *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Records in the host trace (the record of the program's run) why the run is incomplete: what was refused, or which
// limit stopped a kernel. If machine_incomplete() is called several times, only the first reason is kept.
void machine_incomplete(struct machine *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Formats a message like machine_say(), and records it like machine_incomplete(). Use machine_refuse() for a command
// that the simulator refuses but a real GPU would not refuse.
void machine_refuse(struct machine_call *, const char *format, ...) __attribute__((format(printf, 2, 3)));

// machine_stream.c defines the functions from here to machine_fault(). Returns the stream with the handle `stream` and
// stores the stream's index in *index, or returns NULL. The handle 0 means the default stream of the command's device.
struct machine_stream *machine_stream_of(const struct machine_call *, uint32_t stream, uint32_t *index);
// Issues an operation in the stream with the index `stream`, after all operations that must come before it by CUDA's
// rules for streams. Unless `span` is NULL, adds the entry *span to the timeline of operations in the host trace.
// Returns the operation's ticket.
uint64_t machine_submit(struct machine_call *, uint32_t stream, struct clock_op *, const struct host_trace_span *);
// Joins the second vector clock into the first, so that the first vector clock contains every operation of both.
void machine_order_join(struct machine_order *, const struct machine_order *);
// Returns 1 if the operation with the number `issued` in the stream `stream` happens before the point in the program
// that the vector clock describes.
int machine_order_has(const struct machine_order *, uint32_t stream, uint32_t issued);
// Returns 1 if the operation with the number `ticket` happens before everything that the host does next.
// machine_order_host_has() also returns 1 if the host may have waited for the operation in a way that the machine
// cannot see (machine.excused).
int machine_order_host_has(const struct machine *, uint64_t ticket);
// Records that the operations in the vector clock happen before the host's next step. If the present host thread still
// waits, the operations in the vector clock happen before the thread's first step after the wait.
void machine_order_join_host(struct machine *, const struct machine_order *);
// Ends the wait of a host thread: the operations that it waited for happen before the host's next step.
void machine_order_waited(struct machine *, uint32_t thread);
// machine_wait() makes the host wait for the stream's operation with the number `ticket`. machine_wait_device() makes
// the host wait for all operations of a device. After machine_wait() or machine_wait_device(), the operations that the
// host waited for happen before the host's next step.
void machine_wait(struct machine *, uint32_t stream, uint64_t ticket);
void machine_wait_device(struct machine *, uint32_t device);
// Returns the device's sticky error, or HOST_SUCCESS. A kernel's fault becomes a sticky error when the kernel has ended
// in virtual time, or if the host has waited for the kernel (`waited` is 1).
uint32_t machine_fault(struct machine *, uint32_t device, int waited);

// machine_memory.c defines the functions from here to machine_share(). Returns the index of the allocated region that
// contains [address, address + bytes), or -1. The flag *freed (may be NULL) becomes 1 if the address belongs to a
// freed region, else 0.
int machine_find(const struct machine *, uint64_t address, uint64_t bytes, int *freed);
// Returns the struct machine_memory that describes the memory region with the index `region` (at least 0).
struct machine_memory *machine_memory_of(struct machine *, int region);
// Frees the memory of a region.
void machine_release_region(struct machine *, int region);
// Moves the device variable at `address` to memory that the host can map, and stores the memory's file descriptor in
// machine_call.descriptor. Returns 0, or -1 if the variable cannot be moved.
int machine_share(struct machine_call *, uint64_t address);

// Writes the delayed bytes of asynchronous copies to pinned memory (machine_copy.c). If `order` is NULL,
// machine_deliver() writes the bytes of the copies that have ended by the host's present virtual time. If `order` is
// not NULL, machine_deliver() writes the bytes of the copies that happen before the point in the program that the
// vector clock `order` describes.
void machine_deliver(struct machine *, const struct machine_order *order);

// machine_module.c defines the functions from here to machine_program(). Returns the kernel with the handle `function`,
// or NULL.
struct machine_function *machine_function_of(const struct machine_call *, uint32_t function);
// Returns 1 if the module has a kernel with the given name.
int machine_module_has(struct machine_call *, uint32_t module, const char *name);
// Returns the kernel's code for a device in the simulator's form, or NULL with a sentence in the reply's message.
const struct sim_program *machine_program(struct machine_call *, const struct machine_function *, uint32_t device);

// machine_hazard.c defines the functions from here to machine_hazard_end(). Records that the stream's latest operation
// accesses bytes [from, to) of a region. Reports earlier accesses that conflict with the new access. Does nothing if
// the region is no allocation of the program, or if the hazard checks are off.
void machine_hazard_access(struct machine_call *, int region, uint64_t from, uint64_t to, int write, uint32_t stream);
// Calls machine_hazard_access() for all bytes that the latest kernel launch accessed.
void machine_hazard_kernel(struct machine_call *, uint32_t stream);
// Reports one operation that may still use the memory region `region` when the program frees the region.
void machine_hazard_release(struct machine_call *, int region);
// Adds a finding (the report of a defect) to the host trace. If the host trace already has a finding of the same kind
// at the same places, machine_hazard_add() only increases the count of the existing finding.
void machine_hazard_add(struct machine *, const struct host_trace_finding *);
// Reports the leaks of a program that has ended, and streams whose last operation the program never waited for.
void machine_hazard_end(struct machine *);

// Describes a copy for the functions of machine_io.c, which run the host test. Source and destination are offsets in
// memory regions; the region index -1 means the host's own memory.
struct machine_io_copy {
    const struct host_copy *q;
    int to, from;            // regions, or -1
    uint64_t to_at, from_at; // offsets in the regions
    const uint8_t *bytes;    // the source, laid out as q->from; NULL: the host's own memory
    uint64_t ticket;
    int to_host; // 1: the destination is memory of the host
};
// machine_io_new() prepares the state of a host test, and machine_io_free() frees the state. The memory for a host
// test's inputs and outputs is called the I/O block (wire/host_io.h). If the machine's options have no I/O block,
// machine_io_new() and machine_io_free() do nothing.
void machine_io_new(struct machine *);
void machine_io_free(struct machine *);
// Loads the PTX of the lab's kernels as the first module. The handler of the command `hello` calls machine_io_open().
void machine_io_open(struct machine *);
// Returns the lab's module if the lab's module has a kernel with the given name, else `module`.
uint32_t machine_io_module(struct machine_call *, uint32_t module, const char *name);
// In a host test, the machine marks the words of device memory that the lab's kernel has written. After a copy,
// machine_io_copied() copies the marks of the copied words. After a fill of bytes [from, to) of a region,
// machine_io_filled() removes the marks of the overwritten words.
void machine_io_copied(struct machine *, const struct machine_io_copy *);
void machine_io_filled(struct machine *, int region, uint64_t from, uint64_t to);
// Records for each word of memory that a launch wrote whether the lab's kernel wrote it. Stores the bytes of host
// memory that the launch read in host[0], and the bytes that it wrote in host[1].
void machine_io_launched(struct machine_call *, const struct machine_function *, const uint8_t *params,
                         uint64_t host[2]);

// machine_use.c defines the functions from here to machine_use_end(). Records that the operation `ticket` of the timed
// part begins to read, and writes `bytes` bytes in all.
void machine_use_begins(struct machine *, uint64_t ticket, uint64_t bytes);
// Records that the operation, the last one that began, reads bytes [from, to) of a region.
void machine_use_read(struct machine *, int region, uint64_t from, uint64_t to, uint64_t ticket);
// Records that the operation `ticket` wrote the bytes, or with ticket 0, that anything else did. Does nothing if the
// region does not lie in device memory.
void machine_use_wrote(struct machine *, int region, uint64_t from, uint64_t to, uint64_t ticket);
// Sets `used` in the spans of all operations that the outputs come from. used[ticket] is the number of bytes of the
// outputs that the copy `ticket` brought; machine_use_end() overwrites the array, which has nops + 1 elements.
void machine_use_end(struct machine *, uint64_t *used);

// machine_cache.c implements the launch cache with the functions from here to machine_cache_free().
enum { CACHE_KEY_BYTES = 128 + PLAN_PARAM_BYTES };
struct machine_launching { // a launch that is about to run
    const struct sim_program *program;
    const struct engine_launch *request;
    const uint8_t *params;
    uint32_t device, cooperative;
};
// Looks up a launch in the launch cache. Returns 1 if an equal launch has run on equal memory before, else 0. For a
// launch that is in the launch cache, machine_cache_recall() sets the machine's observation to the observation of the
// earlier equal launch. The contents that memory had after the earlier equal launch are written to memory later, at the
// latest by the next call of machine_cache_flush().
int machine_cache_recall(struct machine *, const struct machine_launching *);
// Stores the result of a launch in the launch cache, after a launch that was not in the cache has run. `printed` is 1
// if the launch printed text.
void machine_cache_store(struct machine *, const struct machine_launching *, int printed);
// Flushes or invalidates the launch cache as the command `op` (enum host_op) requires. The runner calls
// machine_cache_command() before it executes a command of the host program.
void machine_cache_command(struct machine *, uint32_t op);
// Invalidates the launch cache's digest (hash) of memory, because a copy has changed memory of the machine.
void machine_cache_invalidate(struct machine *);
// Writes the results of launches that came from the launch cache to memory, if they are not written yet. Any code that
// reads the machine's memory must first call machine_cache_flush().
void machine_cache_flush(struct machine *);
void machine_cache_free(struct machine *);

// machine_l2.c defines the functions from here to machine_l2_free(). Returns 1 if the simulated machine remembers which
// lines are in a device's L2 from one launch to the next. The machine does not remember the lines of the L2 in host
// tests, with the option --no-time, or with checks, whose device code is not optimised.
int machine_l2_is_on(const struct machine *);
// Returns the lines that the device's L2 holds, or NULL if machine_l2_is_on() returns 0.
struct l2_lines *machine_l2_of(struct machine *, uint32_t device);
// The caller calls machine_l2_begin() before each launch and machine_l2_end() after it. If a launch accesses the host's
// memory, machine_l2_end() raises the launch's time in the machine's observation to at least launch_ns plus the time
// that these accesses take.
void machine_l2_begin(struct machine *, uint32_t device);
void machine_l2_end(struct machine *, uint32_t device);
// Returns the time in picoseconds that a kernel's accesses to the host's memory occupy the link between host and
// device. If the kernel both reads and writes the host's memory, the two directions slow each other down, as for
// simultaneous copies in both directions.
uint64_t machine_link_ps(const struct device_profile *, uint64_t read, uint64_t written);
struct machine_box { // bytes of device memory: `depth` slices of `height` rows of `width` bytes
    uint64_t address, width, height, depth, pitch, slice;
};
// Records in the lines of the device's L2 that a copy or a fill has read or written bytes of the device's memory.
void machine_l2_copied(struct machine *, uint32_t device, const struct machine_box *, int is_written);
void machine_l2_free(struct machine *);

// machine_trace.c defines the functions from here to the end of this file. Adds an operation that is issued now to the
// timeline of the host trace. Returns the operation's index in the timeline, or -1 if the timeline is full.
int32_t machine_trace_span(struct machine *, const struct host_trace_span *);
// Adds a launch's time and counters to the sums of its kernel in the host trace. `linked` is 1 if the link to the host
// determines the time. Returns the kernel's index in the host trace.
uint32_t machine_trace_kernel(struct machine *, const char *name, const struct engine_launch *,
                              const struct observation *, uint64_t time_ps, int linked);
// Adds a launch's counters of one source line to the sums of this line in the host trace. Ignores the line if the host
// trace has no room for another line.
void machine_trace_line(struct machine *, uint32_t kernel, uint32_t source, const struct line_counters *);
// Stores the start and end times of all operations in the host trace; the caller must call clock_finish() first.
void machine_trace_close(struct machine *);
// Returns the index of a source file in host_trace.source. Adds the file if the host trace does not contain the file
// yet.
uint32_t machine_trace_source(struct machine *, const char *path);

#endif
