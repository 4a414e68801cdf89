// This file defines the simulated devices that a host program sees, with their memory, modules, streams and
// events, on a virtual clock. Each command of the host protocol (host/border/host.h) has one function
// devices_<name>, which executes the command and returns its result.
//
// A command takes effect at once: kernels run and bytes are copied when the command is executed. Executing operations
// in the order of issue is always legal, because a stream can wait for an event only after the event was recorded. Only
// the times of operations are simulated; the operations themselves are executed at once. The runner passes each
// operation to the virtual clock, and a call that waits for an operation advances the host's virtual time. The bytes
// that an asynchronous copy brings to pinned memory, and the error of a failed kernel, become visible only at their
// simulated time. The runner delays the bytes of asynchronous copies to pinned memory and the errors of kernels,
// because a program can observe when these bytes and errors become visible.
//
// The host program may be hostile, so each function that executes a command checks every field of the command before it
// uses the field.
//
// The names of all functions of host/devices begin with "devices_". For each row of host/border/host.def, this file
// declares a function devices_<name>. Each function devices_<name> is defined in the file of its subject; for example,
// devices_put() is in device_copy.c.
#ifndef HOST_DEVICES_DEVICES_H
#define HOST_DEVICES_DEVICES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text_struct.h"
#include "engine/engine.h"
#include "host/border/host.h"
#include "host/border/host_io.h"
#include "host/border/host_trace.h"
#include "host/devices/virtual_clock.h"
#include "sim/core/region.h"
#include "sim/image.h"

struct devices_options {
    const char *device;     // name of the device profile; NULL: the default profile
    uint32_t devices;       // 1 … HOST_DEVICES
    uint32_t threads;       // host threads that simulate; 0: one thread per core
    uint32_t checks;        // 1: look for defects, data races and reads of unwritten memory
    uint32_t no_time;       // 1: do not model the time of kernels, which takes a part of the simulator's time
    uint32_t deterministic; // 1: the program's clocks show only the virtual clock
    uint64_t budget;        // most warp instructions of all launches together, or other work that takes as long;
                            // 0: each launch has a budget of its own
    uint64_t sample_inst; // 0: execute all blocks; else execute a sample of a launch's blocks, of about this many warp
                          // instructions
    struct host_io *io;   // a checked I/O block of a host test, which outlives the runner; NULL: no host test
};

// Holds a vector clock: for each stream, the number of the stream's operations that happen before a certain point of
// the program.
struct devices_order {
    uint32_t *seen; // [count]
    uint32_t count;
};

struct devices_stream {
    uint8_t alive, flags, used; // flags: enum host_stream_flags
    uint8_t device;
    int32_t priority;
    uint32_t issued; // number of operations issued so far
    uint64_t last;   // ticket of the latest operation
    struct devices_order order;
    struct host_place origin;
};

struct devices_event {
    uint8_t alive, flags, device, recorded;
    uint64_t ticket;
    struct devices_order order;
    struct host_place origin;
};

// Describes an operation, such as a copy or a kernel launch, that the program has issued in a stream. The ticket
// (number) of an operation is the index of its struct devices_op in the array devices.op.
struct devices_op {
    uint32_t stream, issued;
    int32_t span; // index into the host trace's spans, or -1
};

// Describes one access of an operation to an allocation. The defect checks (defect.c) compare accesses to the
// same allocation.
struct devices_access {
    uint64_t from, to; // bytes of the allocation, `to` not included
    uint32_t stream, issued;
    uint8_t write;
    struct host_place place;
};

struct devices_writer { // bytes [from, to) of a region, and the operation that wrote them
    uint64_t from, to, ticket;
};
struct devices_edge { // the operation `reader` read bytes that `writer` wrote; writer 0: `reader` itself wrote `bytes`
    uint64_t reader, writer, bytes;
};

// Describes a memory region of the program: its kind, its device, its bytes, and the latest accesses to it. The struct
// devices_memory with the number i and the simulator's struct sim_region with the number i describe the same memory
// region.
struct devices_memory {
    uint8_t kind; // enum host_kind; NONE: the region belongs to a variable, or is free
    uint8_t device;
    uint8_t variable; // 1: a managed variable, which the program cannot free
    uint8_t pooled;   // 1: from a memory pool
    int descriptor;   // descriptor of pinned and managed memory, owned; else -1
    uint8_t *data;
    uint64_t bytes, mapped; // bytes: size of the allocation; mapped: bytes of its whole pages
    uint64_t host;          // registered memory: address in the host process
    struct host_place origin;
    struct devices_access *access;
    uint32_t naccesses;
    struct devices_writer *writer; // [nwriters]: host test: who wrote its bytes last, by position (used_operations.c)
    uint32_t nwriters;
    uint64_t writers_capacity;
    uint8_t *given; // host test: a mark for each word, 0 or 1 plus the device on which the lab's kernel wrote the word;
                    // NULL: no such word (test_run.c)
};

// Holds the bytes that an asynchronous copy writes to pinned memory at a later simulated time.
struct devices_delivery {
    uint64_t ticket;
    uint8_t *to, *bytes;
    uint64_t width, height, depth, pitch, slice;
};

struct devices_module {
    char *text; // the PTX texts of all units in a row
    struct sim_image *image[HOST_DEVICES];
    size_t *bytes; // [units]: the sizes of the texts in bytes
    uint32_t units;
};

struct devices_function {
    uint32_t module, func;
    char name[HOST_NAME];
    uint32_t max_dynamic; // maximum dynamic shared memory in bytes
    int32_t carveout;
};

struct devices_device {
    uint32_t sticky, fault; // enum host_result; sticky: an error that the program knows; fault: an error that the
                            // program does not know yet
    uint64_t fault_ticket;  // the operation whose end reveals `fault` to the program
    uint32_t peers;         // bit d: this device may access the memory of device d
    uint32_t pools;         // bit d: this device may access the memory pools of device d, and so all memory of device d
    uint64_t allocated;     // bytes of allocated device memory
    uint64_t pooled, pool;  // bytes that memory pools have handed out; bytes that they hold
    uint64_t limit[HOST_LIMITS];
    uint64_t workspace;  // address of the barrier of cooperative grids; 0: not allocated yet
    struct l2_lines *l2; // what the L2 holds (l2_contents.c); NULL: nothing yet
};

// Describes a copy from or to pageable memory, whose bytes the commands `put` and `get` move.
struct devices_transfer {
    uint32_t kind; // enum host_transfer
    struct host_box box;
    uint64_t width, height, depth, done;
    uint8_t *at;     // the runner's side of the copy
    int region;      // the region that contains `at`, or -1
    uint64_t offset; // offset of `at` in the region, in bytes
};

enum { DEVICES_LINE_SLOTS = 2 * HOST_TRACE_LINES };

struct devices {
    struct devices_options options;
    const struct device_profile *profile;
    const struct sim_handlers *handlers;
    struct sim_memory *memory;
    struct virtual_clock *clock;
    struct devices_device device[HOST_DEVICES];
    struct devices_stream *stream; // the first `devices` streams are the legacy default streams
    struct devices_event *event;
    struct devices_op *op;
    struct devices_memory *mem; // indexed by the number of the region
    struct devices_module *module;
    struct devices_function *function;
    struct devices_delivery *delivery;
    struct devices_edge *edge; // by rising `reader`; the first edge of each reader has writer 0
    uint64_t nedges, edges_capacity;
    uint64_t *waiting; // tickets of pinned copies that may still be running as far as the program knows
    uint32_t nstreams, nevents, nmem, nmodules, nfunctions, ndeliveries, nwaiting;
    uint64_t nops, mapped; // mapped: bytes of the whole pages of all allocations
    uint64_t streams_capacity, events_capacity, ops_capacity, mem_capacity, modules_capacity, functions_capacity,
        deliveries_capacity, waiting_capacity, released_capacity;
    uint64_t *released; // tickets that the next command `collect` returns
    uint32_t nreleased;
    struct devices_order host;     // the operations that happen before the host's next step
    struct devices_order excused;  // operations that the host may have waited for in a way that the runner cannot see
    struct devices_order *joining; // [njoining]: for each host thread that waits, the operations that it waits for
    uint64_t njoining, joining_capacity;
    uint32_t thread; // the host thread that sent the present command
    uint64_t spent;  // warp instructions charged by devices_spend() so far
    struct devices_transfer transfer;
    uint16_t line_slot[DEVICES_LINE_SLOTS]; // hash table of host_trace.line: index plus 1; 0: free (write_trace.c)
    struct text print;                      // text that kernels printed, which the next command `collect` returns
    struct observation *observation;        // observation of the latest launch
    struct host_trace *trace;
    struct devices_io *io;       // NULL: no host test
    struct devices_cache *cache; // NULL: no kernel was launched yet
    int greeted;                 // 1: the program has sent the command `hello`
};

// Holds the arguments of a function that executes a command of the host protocol.
struct devices_call {
    struct devices *m;
    const struct host_command *command;
    unsigned char *data; // the data area; the host may change its bytes at any time
    struct host_reply *reply;
    int descriptor, close_it; // descriptor: to send with the reply, or -1; close_it 1: close the descriptor afterwards
};

// Creates the devices. `trace` is mapped, zeroed memory that receives the host trace; if `trace` is NULL, the runner
// allocates its own trace. Returns NULL with a sentence in `message` if the device or the number of devices does not
// exist.
struct devices *devices_new(const struct devices_options *, struct host_trace *trace,
                            char message[OBSERVATION_MESSAGE]);
void devices_free(struct devices *);
// Executes one command of the host protocol, as struct host_handler (host/border/host.h) specifies. `self` points
// to the struct devices.
int devices_obey(void *self, const struct host_command *, unsigned char *data, struct host_reply *, int *close_it);
// Returns the address of a number that becomes 1 when the budget is used up and the program must end.
const uint32_t *devices_is_over(const struct devices *);
// Completes the host trace, with the times of all operations, when the program has ended. If the program sent
// `goodbye`, devices_end() also reports leaks, and streams whose last operation the program never waited for. An
// exit_code of -1 means that the exit code is unknown.
void devices_end(struct devices *, int said_goodbye, int exit_code);

// Each function devices_<name> executes the command <name> (host/border/host.def) and returns enum host_result.
#define HOST(name, ns, source) uint32_t devices_##name(struct devices_call *);
#include "host/border/host.def"
#undef HOST

// ---------------------------------------------------------------- between the files of host/devices

// Returns the device to which the command refers.
struct devices_device *devices_device_of(const struct devices_call *);
// Charges work that takes the simulator as long as `inst` warp instructions to the budget of all launches
// (devices_options.budget). Returns 0, or -1 if the rest of the budget does not cover the work, which must not be done
// then: all devices have a sticky error from now on. Without such a budget, always returns 0.
int devices_spend(struct devices *, uint64_t inst);
// Formats a message for the user into the field `message` of the reply.
void devices_say(const struct devices_call *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Records in the host trace (the record of the program's run) why the run is incomplete: what was refused, or which
// limit stopped a kernel. If devices_incomplete() is called several times, only the first reason is kept.
void devices_incomplete(struct devices *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Formats a message like devices_say(), and records it like devices_incomplete(). Use devices_refuse() for a command
// that the simulator refuses but a real GPU would not refuse.
void devices_refuse(struct devices_call *, const char *format, ...) __attribute__((format(printf, 2, 3)));

// device_stream.c defines the functions from here to devices_fault(). Returns the stream with the handle `stream` and
// stores the stream's index in *index, or returns NULL. The handle 0 means the default stream of the command's device.
struct devices_stream *devices_stream_of(const struct devices_call *, uint32_t stream, uint32_t *index);
// Issues an operation in the stream with the index `stream`, after all operations that must come before it by CUDA's
// rules for streams. Unless `span` is NULL, adds the entry *span to the timeline of operations in the host trace.
// Returns the operation's ticket.
uint64_t devices_submit(struct devices_call *, uint32_t stream, struct clock_op *, const struct host_trace_span *);
// Joins the second vector clock into the first, so that the first vector clock contains every operation of both.
void devices_order_join(struct devices_order *, const struct devices_order *);
// Returns 1 if the operation with the number `issued` in the stream `stream` happens before the point in the program
// that the vector clock describes.
int devices_order_has(const struct devices_order *, uint32_t stream, uint32_t issued);
// Returns 1 if the operation with the number `ticket` happens before everything that the host does next. Also returns 1
// if the host may have waited for the operation in a way that the runner cannot see (devices.excused).
int devices_order_host_has(const struct devices *, uint64_t ticket);
// Records that the operations in the vector clock happen before the host's next step. If the present host thread still
// waits, the operations in the vector clock happen before the thread's first step after the wait.
void devices_order_join_host(struct devices *, const struct devices_order *);
// Ends the wait of a host thread: the operations that it waited for happen before the host's next step.
void devices_order_waited(struct devices *, uint32_t thread);
// devices_wait() makes the host wait for the stream's operation with the number `ticket`. devices_wait_device() makes
// the host wait for all operations of a device. After devices_wait() or devices_wait_device(), the operations that the
// host waited for happen before the host's next step.
void devices_wait(struct devices *, uint32_t stream, uint64_t ticket);
void devices_wait_device(struct devices *, uint32_t device);
// Returns the device's sticky error, or HOST_SUCCESS. A kernel's fault becomes a sticky error when the kernel has ended
// in virtual time, or if the host has waited for the kernel (`waited` is 1).
uint32_t devices_fault(struct devices *, uint32_t device, int waited);

// device_memory.c defines the functions from here to devices_share(). Returns the index of the allocated region that
// contains [address, address + bytes), or -1. The flag *freed (may be NULL) becomes 1 if the address belongs to a
// freed region, else 0.
int devices_find(const struct devices *, uint64_t address, uint64_t bytes, int *freed);
// Returns the struct devices_memory that describes the memory region with the index `region` (at least 0).
struct devices_memory *devices_memory_of(struct devices *, int region);
// Frees the memory of a region.
void devices_release_region(struct devices *, int region);
// Moves the device variable at `address` to memory that the host can map, and stores the memory's file descriptor in
// devices_call.descriptor. Returns 0, or -1 if the variable cannot be moved.
int devices_share(struct devices_call *, uint64_t address);

// Writes the delayed bytes of asynchronous copies to pinned memory (device_copy.c). If `order` is NULL,
// devices_deliver() writes the bytes of the copies that have ended by the host's present virtual time. If `order` is
// not NULL, devices_deliver() writes the bytes of the copies that happen before the point in the program that the
// vector clock `order` describes.
void devices_deliver(struct devices *, const struct devices_order *order);

// device_module.c defines the functions from here to devices_program(). Returns the kernel with the handle `function`,
// or NULL.
struct devices_function *devices_function_of(const struct devices_call *, uint32_t function);
// Returns 1 if the module has a kernel with the given name.
int devices_module_has(struct devices_call *, uint32_t module, const char *name);
// Returns the kernel's code for a device in the simulator's form, or NULL with a sentence in the reply's message.
const struct sim_program *devices_program(struct devices_call *, const struct devices_function *, uint32_t device);

// defect.c defines the functions from here to devices_defect_end(). Records that the stream's latest operation
// accesses bytes [from, to) of a region. Reports earlier accesses that conflict with the new access. Does nothing if
// the region is no allocation of the program, or if the defect checks are off.
void devices_defect_access(struct devices_call *, int region, uint64_t from, uint64_t to, int write, uint32_t stream);
// Calls devices_defect_access() for all bytes that the latest kernel launch accessed.
void devices_defect_kernel(struct devices_call *, uint32_t stream);
// Reports one operation that may still use the memory region `region` when the program frees the region.
void devices_defect_release(struct devices_call *, int region);
// Adds a finding (the report of a defect) to the host trace. If the host trace already has a finding of the same kind
// at the same places, devices_defect_add() only increases the count of the existing finding.
void devices_defect_add(struct devices *, const struct host_trace_finding *);
// Reports the leaks of a program that has ended, and streams whose last operation the program never waited for.
void devices_defect_end(struct devices *);

// Describes a copy for the functions of test_run.c, which run the host test. Source and destination are offsets in
// memory regions; the region index -1 means the host's own memory.
struct devices_io_copy {
    const struct host_copy *q;
    int to, from;            // regions, or -1
    uint64_t to_at, from_at; // offsets in the regions
    const uint8_t *bytes;    // the source, laid out as q->from; NULL: the host's own memory
    uint64_t ticket;
    int to_host; // 1: the destination is memory of the host
};
// devices_io_new() prepares the state of a host test, and devices_io_free() frees the state. The memory for a host
// test's inputs and outputs is called the I/O block (host/border/host_io.h). If the devices' options have no I/O block,
// devices_io_new() and devices_io_free() do nothing.
void devices_io_new(struct devices *);
void devices_io_free(struct devices *);
// Loads the PTX of the lab's kernels as the first module. The handler of the command `hello` calls devices_io_open().
void devices_io_open(struct devices *);
// Returns the lab's module if the lab's module has a kernel with the given name, else `module`.
uint32_t devices_io_module(struct devices_call *, uint32_t module, const char *name);
// In a host test, the runner marks the words of device memory that the lab's kernel has written. After a copy,
// devices_io_copied() copies the marks of the copied words. After a fill of bytes [from, to) of a region,
// devices_io_filled() removes the marks of the overwritten words.
void devices_io_copied(struct devices *, const struct devices_io_copy *);
void devices_io_filled(struct devices *, int region, uint64_t from, uint64_t to);
// Records for each word of memory that a launch wrote whether the lab's kernel wrote it. Stores the bytes of host
// memory that the launch read in host[0], and the bytes that it wrote in host[1].
void devices_io_launched(struct devices_call *, const struct devices_function *, const uint8_t *params,
                         uint64_t host[2]);

// used_operations.c defines the functions from here to devices_use_end(). Records that the operation `ticket` of the
// timed part begins to read, and writes `bytes` bytes in all.
void devices_use_begins(struct devices *, uint64_t ticket, uint64_t bytes);
// Records that the operation, the last one that began, reads bytes [from, to) of a region.
void devices_use_read(struct devices *, int region, uint64_t from, uint64_t to, uint64_t ticket);
// Records that the operation `ticket` wrote the bytes, or with ticket 0, that anything else did. Does nothing if the
// region does not lie in device memory.
void devices_use_wrote(struct devices *, int region, uint64_t from, uint64_t to, uint64_t ticket);
// Sets `used` in the spans of all operations that the outputs come from. used[ticket] is the number of bytes of the
// outputs that the copy `ticket` brought; devices_use_end() overwrites the array, which has nops + 1 elements.
void devices_use_end(struct devices *, uint64_t *used);

// launch_cache.c implements the launch cache with the functions from here to devices_cache_free().
enum { CACHE_KEY_BYTES = 128 + PLAN_PARAM_BYTES };
struct devices_launching { // a launch that is about to run
    const struct sim_program *program;
    const struct engine_launch *request;
    const uint8_t *params;
    uint32_t device, cooperative;
};
// Looks up a launch in the launch cache. Returns 1 if an equal launch has run on equal memory before, else 0. For a
// launch that is in the launch cache, devices_cache_recall() sets the devices' observation to the observation of the
// earlier equal launch. The contents that memory had after the earlier equal launch are written to memory later, at the
// latest by the next call of devices_cache_flush().
int devices_cache_recall(struct devices *, const struct devices_launching *);
// Stores the result of a launch in the launch cache, after a launch that was not in the cache has run. `printed` is 1
// if the launch printed text.
void devices_cache_store(struct devices *, const struct devices_launching *, int printed);
// Flushes or invalidates the launch cache as the command `op` (enum host_op) requires. The runner calls
// devices_cache_command() before it executes a command of the host program.
void devices_cache_command(struct devices *, uint32_t op);
// Invalidates the launch cache's digest (hash) of memory, because a copy has changed memory of the runner.
void devices_cache_invalidate(struct devices *);
// Writes the results of launches that came from the launch cache to memory, if they are not written yet. Any code that
// reads the devices' memory must first call devices_cache_flush().
void devices_cache_flush(struct devices *);
void devices_cache_free(struct devices *);

// l2_contents.c defines the functions from here to devices_l2_free(). Returns 1 if the runner remembers which
// lines are in a device's L2 from one launch to the next. The runner does not remember the lines of the L2 in host
// tests, with the option --no-time, or with checks, whose device code is not optimised.
int devices_l2_is_on(const struct devices *);
// Returns the lines that the device's L2 holds, or NULL if devices_l2_is_on() returns 0.
struct l2_lines *devices_l2_of(struct devices *, uint32_t device);
// The caller calls devices_l2_begin() before each launch and devices_l2_end() after it. If a launch accesses the host's
// memory, devices_l2_end() raises the launch's time in the devices' observation to at least launch_ns plus the time
// that these accesses take.
void devices_l2_begin(struct devices *, uint32_t device);
void devices_l2_end(struct devices *, uint32_t device);
// Returns the time in picoseconds that a kernel's accesses to the host's memory occupy the link between host and
// device. If the kernel both reads and writes the host's memory, the two directions slow each other down, as for
// simultaneous copies in both directions.
uint64_t devices_link_ps(const struct device_profile *, uint64_t read, uint64_t written);
struct devices_box { // bytes of device memory: `depth` slices of `height` rows of `width` bytes
    uint64_t address, width, height, depth, pitch, slice;
};
// Records in the lines of the device's L2 that a copy or a fill has read or written bytes of the device's memory.
void devices_l2_copied(struct devices *, uint32_t device, const struct devices_box *, int is_written);
void devices_l2_free(struct devices *);

// write_trace.c defines the functions from here to the end of this file. Adds an operation that is issued now to the
// timeline of the host trace. Returns the operation's index in the timeline, or -1 if the timeline is full.
int32_t devices_trace_span(struct devices *, const struct host_trace_span *);
// Adds a launch's time and counters to the sums of its kernel in the host trace. `linked` is 1 if the link to the host
// determines the time. Returns the kernel's index in the host trace.
uint32_t devices_trace_kernel(struct devices *, const char *name, const struct engine_launch *,
                              const struct observation *, uint64_t time_ps, int linked);
// Adds a launch's counters of one source line to the sums of this line in the host trace. Ignores the line if the host
// trace has no room for another line.
void devices_trace_line(struct devices *, uint32_t kernel, uint32_t source, const struct line_counters *);
// Stores the start and end times of all operations in the host trace; the caller must call virtual_clock_finish()
// first.
void devices_trace_close(struct devices *);
// Returns the index of a source file in host_trace.source. Adds the file if the host trace does not contain the file
// yet.
uint32_t devices_trace_source(struct devices *, const char *path);

#endif
