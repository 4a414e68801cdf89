// The host protocol defines the commands that libcudart sends to the runner. The library libcudart is the autograder's
// own implementation of the CUDA Runtime API, and runs in the process of the student's host code. The runner is a
// separate process, which holds the simulated devices or real GPUs. Few commands suffice for the whole CUDA Runtime
// API, because libcudart translates each call of the API into a few commands. Calls of the CUDA Runtime API that need
// no device (error names, the current device, pitches, function tables) cause no command.
//
// The memory of the channel between libcudart and the runner (channel.h) has a fixed layout (host_shared.h). As the
// client, libcudart writes a command into the shared memory and signals the runner. The runner process copies the
// command out of the shared memory once, executes the copy, writes the reply, and signals libcudart. A file descriptor
// of shared memory may come with the runner's reply. At most one command is in flight at a time, because libcudart
// holds a mutex around all commands of one API call.
//
// The process of the student's host code may be hostile. The runner process therefore checks every field of every
// command from the program, and answers invalid commands with an error code. Only the runner process writes the host
// trace (host_trace.h), so the student's program cannot forge the record of its run.
//
// Each command of the host protocol has a cudaError_t value as its result. All times in commands and replies are
// picoseconds on the virtual clock, which starts at 0 with the command `hello`. All addresses in commands and replies
// are addresses of the simulated devices, which share one address space. Pinned and managed memory has the same address
// in the host process as on the devices. An address that belongs to no memory of the runner process belongs to the
// host's pageable memory. In the comments of host/border/host.h, "→" precedes the names of the reply fields that a
// command fills in.
#ifndef HOST_BORDER_HOST_H
#define HOST_BORDER_HOST_H

#include <stddef.h>
#include <stdint.h>

#include "host/border/host_io.h"

enum {
    HOST_DATA = 32 << 20,     // bytes of the data area, which both sides fill
    HOST_NAME = 1024,         // bytes of the mangled name of a kernel or variable, NUL included
    HOST_PARAM_BYTES = 32764, // maximum bytes of a kernel's parameters
    HOST_PARAMS = 1024,       // maximum number of a kernel's parameters
    HOST_MESSAGE = 256,
};

// Lists the results of commands. Each constant of host_result has the value of the cudaError_t with the same meaning.
// An error marked "sticky" stays until the device is reset.
enum host_result {
    HOST_SUCCESS = 0,
    HOST_INVALID_VALUE = 1,
    HOST_OUT_OF_MEMORY = 2,
    HOST_INVALID_CONFIGURATION = 9,
    HOST_INVALID_PITCH = 12,
    HOST_INVALID_SYMBOL = 13,
    HOST_INVALID_DEVICE_POINTER = 17,
    HOST_INVALID_COPY_DIRECTION = 21,
    HOST_INVALID_DEVICE_FUNCTION = 98,
    HOST_INVALID_DEVICE = 101,
    HOST_INVALID_KERNEL_IMAGE = 200, // the text is not PTX, or does not link; the message gives the reason and the line
    HOST_PEER_ACCESS_UNSUPPORTED = 217,
    HOST_INVALID_PTX = 218,
    HOST_UNSUPPORTED_PTX = 222, // unsupported PTX; the message names the instruction and the line
    HOST_SYMBOL_NOT_FOUND = 500,
    HOST_INVALID_RESOURCE = 400, // a stream, event or function that does not exist or was destroyed
    HOST_NOT_READY = 600,
    HOST_ILLEGAL_ADDRESS = 700, // sticky
    HOST_TOO_MANY_RESOURCES = 701,
    HOST_LAUNCH_TIMEOUT = 702, // sticky
    HOST_PEER_ALREADY_ENABLED = 704,
    HOST_PEER_NOT_ENABLED = 705,
    HOST_ASSERT = 710, // sticky
    HOST_ALREADY_REGISTERED = 712,
    HOST_NOT_REGISTERED = 713,
    HOST_ILLEGAL_INSTRUCTION = 715, // sticky
    HOST_MISALIGNED_ADDRESS = 716,  // sticky
    HOST_LAUNCH_FAILURE = 719,      // sticky
    HOST_COOPERATIVE_TOO_LARGE = 720,
    HOST_NOT_SUPPORTED = 801,
    HOST_UNKNOWN = 999,
};

enum host_op {
#define HOST(name, ns, source) HOST_OP_##name,
#include "host/border/host.def"
#undef HOST
    HOST_OPS
};

// The place of an API call is the position of the call in the code of the host program. `offset` is the return address
// minus the load address of the file that contains the call.
enum host_object { HOST_OBJECT_NONE, HOST_OBJECT_PROGRAM, HOST_OBJECT_LIBRARY };
struct host_place {
    uint32_t object; // enum host_object: PROGRAM is the program's own file, LIBRARY is any other file
    uint32_t pad;
    uint64_t offset;
};

// ---------------------------------------------------------------- commands
// Handles (module, function, stream, event) are indices that the runner process assigns. Reserved fields are 0.

// The client sends the command `hello` first. The reply to `hello` returns `devices`, `checks`, `deterministic` and
// `tries`.
struct host_hello {
    uint32_t version; // HOST_VERSION
};
// The command `goodbye` says that the program ends; an exit handler sends `goodbye`. A process that ends without
// `goodbye` counts as crashed. `goodbye` waits for no operation; the runner process reports each stream whose last
// operation the program never waited for.
struct host_goodbye {
    int32_t exit_code; // -1: unknown
};
// The command `collect` fetches the data that the field `pending` of a reply announced. If `what` is
// HOST_PENDING_PRINT, `collect` fetches text that kernels printed. If `what` is HOST_PENDING_TICKETS, `collect` fetches
// the numbers (tickets, of type uint64_t) of copies that the program has waited for since the last `collect`. After
// `collect` has returned a copy's ticket, the host may access the memory of that copy. The reply to `collect` returns
// in `bytes` how many bytes of fetched data the data area holds. The client repeats `collect` until the reply's `bytes`
// is 0.
struct host_collect {
    uint32_t what; // one bit of enum host_pending
};
// The command `progress` simulates up to the virtual time `until_ps`, or until the first wait of a thread is over. If
// the wait of a thread is over, the reply to `progress` returns the thread's number in `clock`, and the thread's
// virtual time in `host_ps`. If no wait is over by `until_ps`, the result of `progress` is NOT_READY, and no wait will
// be over before `quiet_ps` unless the client sends another command.
struct host_progress {
    uint64_t until_ps;
};
// The command `undetermined` reports that the order of the program's threads was not determined by virtual time,
// because a thread waited for another thread in a way that libcudart cannot see.
struct host_undetermined {
    uint32_t reserved;
};
struct host_read_clock { // reads the virtual clock. → time
    uint32_t reserved;
};

// The command `load` loads a program's device code for all devices. The command's data area holds `units` PTX texts one
// after another, without NUL or padding. A uint64_t with the size in bytes precedes each PTX text. The runner process
// links several PTX texts of one `load` command (relocatable device code), and no `extern` name may stay undefined. The
// reply to `load` returns the handle `module`.
struct host_load {
    uint32_t units;
    uint32_t reserved;
    uint64_t bytes; // total size of all units
};
// The command `function` looks up a kernel by its mangled name. The reply to `function` returns the kernel's handle in
// the field `function`, the kernel's attributes, and `bytes`. After the command `function`, the data area holds one
// struct host_param for each kernel parameter, `bytes` bytes in all.
struct host_function {
    uint32_t module;
    uint32_t reserved;
    char name[HOST_NAME];
};
struct host_param {
    uint32_t offset, bytes; // position in the parameter block, in bytes
};
// The command `variable` looks up a __device__, __constant__ or __managed__ variable on the command's device. The reply
// to `variable` returns the variable's `address` and its size in `bytes`. From the first `variable` command on, a
// managed variable lies in a memory file that host and runner process share. The file descriptor of the managed
// variable's memory file comes with every reply to `variable`.
struct host_variable {
    uint32_t module;
    uint32_t managed;
    char name[HOST_NAME];
};
enum host_attribute { HOST_MAX_DYNAMIC_SHARED, HOST_CARVEOUT, HOST_ATTRIBUTES };
struct host_set_attribute {
    uint32_t function, attribute; // enum host_attribute
    int64_t value;                // MAX_DYNAMIC_SHARED: bytes; CARVEOUT: percent, or -1 for the default
};

struct host_device_set { // makes the command's device the current device of the calling thread
    uint32_t reserved;
};
struct host_device_facts { // asks for the device's properties. → a struct host_device in the data area
    uint32_t reserved;
};
struct host_device_sync {
    uint32_t reserved;
};
struct host_device_reset { // frees the device's memory, streams and events, and clears its sticky error
    uint32_t reserved;
};
struct host_memory_info { // asks how much memory is free. → address: free bytes; bytes: total bytes of the device's
                          // memory
    uint32_t reserved;
};
enum host_limit_kind {
    HOST_LIMIT_STACK,
    HOST_LIMIT_PRINTF,
    HOST_LIMIT_HEAP,
    HOST_LIMIT_SYNC_DEPTH,
    HOST_LIMIT_PENDING,
    HOST_LIMIT_FETCH,
    HOST_LIMIT_PERSISTING,
    HOST_LIMITS
}; // the order of the constants is that of cudaLimit
struct host_limit {
    uint32_t kind, set; // set 1: `value` becomes the limit. → bytes: the limit
    uint64_t value;
};
enum host_peer_action {
    HOST_PEER_CAN,
    HOST_PEER_ENABLE,
    HOST_PEER_DISABLE,
    HOST_PEER_POOLS,    // allows the device to access memory pools of the peer
    HOST_PEER_NO_POOLS, // forbids the device to access memory pools of the peer
};
struct host_peer {
    uint32_t peer, action; // HOST_PEER_CAN: → bytes: 1 if the device can access the peer's memory, else 0
};
struct host_occupancy {       // → bytes: number of blocks that fit on a multiprocessor, which may be 0
    uint32_t function, block; // block: threads of a block
    uint64_t shared;          // bytes of dynamic shared memory
};

enum host_kind {
    HOST_MEMORY_DEVICE,
    HOST_MEMORY_PINNED,
    HOST_MEMORY_MANAGED,
    HOST_MEMORY_REGISTERED,
    HOST_MEMORY_NONE
};
enum host_alloc_flags { HOST_ALLOC_PORTABLE = 1, HOST_ALLOC_MAPPED = 2, HOST_ALLOC_COMBINED = 4 };
// The command `alloc` allocates memory and returns its `address` in the reply. For pinned and managed memory, a file
// descriptor of reply.bytes bytes (whole pages) comes with the reply. The client maps the file descriptor with
// MAP_SHARED at exactly the address in the reply, or releases the allocated memory again if the mapping fails.
struct host_alloc {
    uint32_t kind, flags; // enum host_kind, enum host_alloc_flags
    uint32_t stream;      // cudaMallocAsync: the stream that orders the allocation; otherwise 0
    uint32_t ordered;     // 1: cudaMallocAsync
    uint64_t bytes;       // must not be 0
};
struct host_release { // frees memory; INVALID_VALUE unless `alloc` returned this address for this kind
    uint32_t kind, stream;
    uint32_t ordered; // 1: cudaFreeAsync
    uint32_t reserved;
    uint64_t address;
};
// The command `pin` registers (page-locks) memory of the host. The reply to `pin` returns in `address` the registered
// memory's address on the device, which differs from its address on the host. Kernels access a copy of the registered
// memory at the device address. The client synchronises registered memory and its copy with `refresh` before and after
// launches.
struct host_pin {
    uint64_t host, bytes;
    uint32_t flags, reserved; // the flags of cudaHostRegister
};
struct host_unpin {
    uint64_t host;
};
// The command `refresh` copies bytes of registered memory, at most HOST_DATA bytes, between the data area and the
// runner. If to_host is 1, `refresh` copies to the host, else to the runner. The field `address` of `refresh` is the
// address of the registered memory on the device. The command `refresh` takes no virtual time.
struct host_refresh {
    uint64_t address, bytes;
    uint32_t to_host, reserved;
};
// The command `pointer` asks for the allocation that contains an address. The reply to `pointer` returns the
// allocation's `kind` (enum host_kind), its `device`, its start in `address`, its size in `bytes`, and `twin`. For
// registered memory, the reply's field `twin` is the device address of a host address, or the host address of a device
// address.
struct host_pointer {
    uint64_t address;
};

enum host_direction { HOST_H2H, HOST_H2D, HOST_D2H, HOST_D2D, HOST_ANY_DIRECTION }; // the values of cudaMemcpyKind
struct host_box {
    uint64_t address, pitch,
        slice; // pitch, slice: bytes from row to row and from slice to slice; unused for a single row
};
// The command `copy` copies `depth` slices of `height` rows of `width` bytes. The runner process finds the kind of
// memory of a copy's source and destination by their addresses. The runner process cannot access the host's pageable
// memory. If the reply's transfer is HOST_TRANSFER_PUT, the client sends the copy's rows, packed without gaps, with
// consecutive `put` commands until all bytes have been sent. If the reply's transfer is HOST_TRANSFER_GET, the client
// fetches the copy's rows, packed without gaps, with `get` commands. For a synchronous copy (async 0) the runner
// process replies at the virtual time at which the host may continue. The client itself performs a copy between two
// blocks of pageable memory, and sends the `copy` command as well.
struct host_copy {
    struct host_box to, from;
    uint64_t width, height, depth;
    uint32_t direction; // enum host_direction
    uint32_t async, stream;
    uint32_t to_device, from_device; // for cudaMemcpyPeer; otherwise both are HOST_NO_PEER
    uint32_t reserved;
};
#define HOST_NO_PEER UINT32_MAX
enum host_transfer { HOST_TRANSFER_NONE, HOST_TRANSFER_PUT, HOST_TRANSFER_GET, HOST_TRANSFERS };
struct host_put { // sends the next `bytes` bytes of a copy in the data area; offset: bytes already sent
    uint64_t offset, bytes;
};
struct host_get { // fetches the next `bytes` bytes of a copy into the data area; offset: bytes already fetched
    uint64_t offset, bytes;
};
// The command `fill` sets elements of 1, 2 or 4 bytes in device, pinned or managed memory. `fill` returns INVALID_VALUE
// for pageable memory; the client fills pageable memory itself.
struct host_fill {
    struct host_box to;
    uint64_t width, height, depth; // width in bytes
    uint32_t value, element;
    uint32_t async, stream;
};
struct host_prefetch { // moves managed memory to the device `target`, or to the host if `target` is HOST_NO_PEER
    uint64_t address, bytes;
    uint32_t target, stream;
};

// The command `launch` launches a kernel. For a launch, the data area holds param_bytes bytes of kernel parameters. The
// reply to the command `function` gave the offset of each kernel parameter.
struct host_launch {
    uint32_t function;
    uint32_t grid[3], block[3];
    uint32_t cooperative; // 1: cudaLaunchCooperativeKernel
    uint32_t stream;
    uint32_t param_bytes;
    uint64_t shared; // bytes of dynamic shared memory
};

// In commands, stream 0 means the legacy default stream of the command's device. When a host thread first uses its
// per-thread default stream on a device, the client creates that stream with the flag HOST_STREAM_PER_THREAD. A
// per-thread default stream is never reported as a leak.
enum host_stream_flags { HOST_STREAM_NON_BLOCKING = 1, HOST_STREAM_PER_THREAD = 2 };
struct host_stream_create { // creates a stream. → stream
    uint32_t flags;
    int32_t priority; // clamped to the device's priority range
};
struct host_stream_destroy {
    uint32_t stream;
};
struct host_stream_sync {
    uint32_t stream;
};
struct host_stream_query { // the result is SUCCESS or NOT_READY
    uint32_t stream;
};
struct host_stream_wait {
    uint32_t stream, event;
};
// The command `host_function` enqueues a function of the host in a stream (cudaLaunchHostFunc). → the function's
// `ticket` (number)
struct host_host_function {
    uint32_t stream;
};
// The command `host_wait` waits until the work before a host function in its stream has ended; the client then calls
// the host function. If `force` is 1, `host_wait` does not wait, because the client calls the host function early. If
// `force` is 1, the runner process writes the results of the stream's earlier copies to host memory. Reads of the
// results of the stream's earlier work then no longer count as too early.
struct host_host_wait {
    uint64_t ticket; // the number of the host function
    uint32_t force, reserved;
};
enum host_event_flags { HOST_EVENT_BLOCKING = 1, HOST_EVENT_NO_TIMING = 2 };
struct host_event_create { // creates an event. → event
    uint32_t flags;
};
struct host_event_destroy {
    uint32_t event;
};
struct host_event_record {
    uint32_t event, stream;
};
struct host_event_sync {
    uint32_t event;
};
struct host_event_query { // the result is SUCCESS or NOT_READY
    uint32_t event;
};
struct host_event_elapsed { // → time: end minus start in ps, signed; NOT_READY if an event is not complete
    uint32_t start, end;
};

// The command `early_access` reports that host code accessed memory of a copy in flight, or device memory. The field
// `place` of the command `early_access` gives the position of the access in the program's code.
struct host_early_access {
    uint64_t ticket, address; // ticket: number of the copy; 0: the memory belongs to a device
    uint32_t write;           // 1: the access was a write
    uint32_t reserved;
};
// The command `unchecked` reports that a call failed with `code` and that the program never checked the error. The
// field `place` of the command `unchecked` gives the position of the failed call in the program's code.
enum host_reason {
#define FAILURE(id, text, advice) HOST_REASON_##id,
#include "host/border/failure.def"
#undef FAILURE
    HOST_REASONS
};
struct host_unchecked {
    uint32_t code, reason; // reason: enum host_reason
    uint32_t silent;       // 1: the call returned no error to the program: a launch with <<<>>>
    uint32_t reserved;
    uint64_t a, b; // numbers of the reason's sentence
    char call[64]; // "cudaMalloc", or with the name of the error: "cudaLaunchKernel: cudaErrorInvalidValue"
};
// The command `refused` reports that libcudart refused a call, because the simulator does not support what the call
// needs.
struct host_refused {
    char text[HOST_MESSAGE]; // the reason, as libcudart printed it
};

// A host test (host_io.h) measures a student's host program with five commands in this order: test, test_begin,
// test_take, test_end, test_give. The client repeats test_take until all inputs have come. The timed part of the
// program lies between the last command test_take and the command test_end. The client repeats test_give until it has
// sent all outputs. The runner process returns INVALID_VALUE if a command of a host test comes in the wrong order, or
// if there is no test. The reply to the next command `test` says that the host test is over, or begins another timed
// iteration. Only host tests on a real GPU have several timed iterations (iteration.h).
struct host_test { // asks for the test's facts. → a struct host_test_facts in the data area
    uint32_t reserved;
};
struct host_test_facts {
    uint32_t dim[HOST_IO_DIMS]; // the dimensions of the test case
    uint32_t nbuffers, outputs; // outputs: bit b is set if buffer b is an output
    uint64_t bytes[HOST_IO_BUFFERS];
    uint32_t over;  // 1: the test is over
    uint32_t moves; // 1: the runner moves inputs and outputs itself, without test_take and test_give
};
struct host_test_begin {               // waits for all devices; then the timed part begins
    uint64_t address[HOST_IO_BUFFERS]; // address of each buffer in the program's memory
};
struct host_test_take { // fetches bytes of an input. → the bytes in the data area
    uint32_t buffer, reserved;
    uint64_t offset, bytes;
};
struct host_test_end { // stops the clock after all devices have finished; copies still in flight are defects
    uint32_t reserved;
};
struct host_test_give { // hands in bytes of an output, which are in the data area
    uint32_t buffer, reserved;
    uint64_t offset, bytes;
};
struct host_test_work { // the host computes these words of an output itself; the runner adds the lab's time for these
                        // words
    uint64_t address, bytes;
};

struct host_command {
    uint32_t number;   // counts up from 1; the reply repeats it
    uint32_t op;       // enum host_op
    uint32_t device;   // the current device of the calling thread
    uint32_t thread;   // number of the calling thread; threads are numbered from 0 in the order of their first calls
    uint32_t in_graph; // 1: event_record or stream_wait within the launch of a graph, which takes no time of the host
    uint32_t clock;    // the host thread's number on the virtual clock; 0 if threads share one virtual time
    uint32_t shared;   // 1: another thread can act at or after `at_ps`, so the virtual clock must not run ahead
    uint32_t reserved;
    uint64_t at_ps; // the thread's virtual time is at least this, because of what it waited for outside of CUDA
    struct host_place place;
    union {
#define HOST(name, ns, source) struct host_##name name;
#include "host/border/host.def"
#undef HOST
    };
};

// ---------------------------------------------------------------- replies

enum host_pending { HOST_PENDING_PRINT = 1, HOST_PENDING_TICKETS = 2 };
struct host_reply {
    uint32_t number;
    uint32_t result;  // enum host_result: the return value of the call
    uint32_t sticky;  // 1: the device has a sticky error; every later call also returns this error
    uint32_t pending; // enum host_pending
    uint64_t host_ps; // the time of the host on the virtual clock after the call, in ps
    int64_t time;     // the comment of each command gives the meaning
    // The ticket is the number of a copy, fill or launch. Tickets are counted from 1 in the order of issue. The host
    // must not access the host side of an asynchronous copy of pinned memory until `collect` has returned the copy's
    // ticket.
    uint64_t ticket;
    uint64_t address, bytes, twin;
    uint64_t quiet_ps; // progress
    uint32_t module, function, stream, event;
    uint32_t kind, device; // for the command `pointer`
    uint32_t transfer;     // enum host_transfer
    uint32_t has_descriptor;
    uint32_t lasting; // alloc: 1: the address stays mapped after `release`, and a later `alloc` may return the address
                      // for the same memory
    uint32_t devices; // hello: number of devices
    uint32_t checks;  // hello: 1: libcudart checks the host's memory accesses for defects
    uint32_t clock;   // progress: the number of the host thread whose wait is over
    uint32_t waits;   // 1: the thread must wait until `progress` returns its number; only if the command was `shared`
    uint32_t deterministic; // hello: 1: the program's clocks show only the virtual clock
    uint32_t registers, shared_bytes, local_bytes, const_bytes, threads_per_block; // function
    uint32_t max_dynamic_shared, ptx_version; // function; ptx_version: 80 for .target sm_80
    int32_t carveout;                         // function
    uint32_t tries;                           // hello: how often to poll for a reply before sleeping (channel_receive)
    char message[HOST_MESSAGE];               // text for the user in addition to the code; may be empty
};

// Holds the properties of a device for cudaDeviceProp and cudaDeviceGetAttribute.
struct host_device {
    char name[64];
    uint8_t uuid[16];
    uint64_t memory_bytes, l2_bytes, constant_bytes, persisting_l2_bytes;
    uint32_t compute_capability; // 10 * major + minor
    uint32_t sms, warps_per_sm, blocks_per_sm, threads_per_block, registers_per_sm, registers_per_block;
    uint32_t shared_per_sm, shared_per_block, shared_static, shared_reserved;
    uint32_t clock_khz, memory_clock_khz, bus_bits;
    uint32_t copy_engines, single_to_double; // single_to_double: ratio of the peak rates of float and double
    int32_t priority_least, priority_greatest;
    uint32_t pci_bus, pci_device, pci_domain;
};

// ---------------------------------------------------------------- the client's side

// HOST_ENVIRONMENT names the environment variable that gives the two file descriptors of the inherited channel, as
// "MEMORY,DOORBELL".
#define HOST_ENVIRONMENT "WARPWISE_HOST"
enum { HOST_VERSION = 1 };

struct host_shared; // host_shared.h
struct host_client {
    struct channel channel;
    struct host_shared *shared; // the channel's memory
    unsigned char *data;        // the data area in the channel's memory, HOST_DATA bytes
    int life; // a pipe that reports the end of file when the runner that host_client_start() started ends; -1: no such
              // runner
    uint32_t number; // number of the last command
    uint32_t tries;  // how often to poll for a reply before sleeping
    int broken;      // 1: the runner has ended; `message` says so
    char message[HOST_MESSAGE];
};

// Opens the channel that the environment variable HOST_ENVIRONMENT describes. Returns 0; 1 if HOST_ENVIRONMENT is not
// set; or -1 with a sentence in `message` if the channel cannot be opened.
int host_client_inherit(struct host_client *);
// Creates the channel of a client that starts its own runner. The caller passes to the runner process the channel's
// `memory` as descriptor 3 and `theirs` as descriptor 4, and then calls channel_started(). The file runner/main_sim.c
// describes the descriptors 5 and 6, which a caller may also pass to a runner. Returns 0, or -1 with a sentence in
// `message`.
int host_client_make(struct host_client *);
// Starts the program at `path` with `argv` as the runner process of a client that host_client_make() made. The calling
// process is a user's program, which must not notice the runner process. Therefore libcudart does not make the runner
// process a child of the user's program, and passes only the program's first three descriptors on to the runner.
// Returns 0, or -1 with a sentence in `message`.
int host_client_start(struct host_client *, const char *path, char *const argv[]);
// Frees the memory and descriptors that the client owns, and waits for the end of a runner process that
// host_client_start() started.
void host_client_free(struct host_client *);

// Sends *command and waits for the reply without a time limit. The field `number` of the command is filled in by
// host_call(). The caller must already have written the data that belongs to the command into the data area. The file
// descriptor that came with the reply is stored in *descriptor and then belongs to the caller. If no descriptor came
// with the reply, *descriptor becomes -1. `descriptor` may be NULL. Returns 0. If the runner process has ended,
// host_call() returns -1 and sets reply->result to HOST_UNKNOWN.
int host_call(struct host_client *, struct host_command *, struct host_reply *, int *descriptor);

// ---------------------------------------------------------------- the runner's side

// Gives host_serve() the function `obey`, which host_serve() calls for each command. The argument `command` of `obey`
// is a private copy, and `data` is the data area, which the host process may change at any time. `obey` fills in the
// reply, whose fields are zero at first; the server itself fills in `number` and `has_descriptor`. `obey` returns a
// descriptor to send with the reply, or -1. If *close_it is 1, the server closes the descriptor after sending the
// reply. If *over is not 0 after a reply, the server leaves the client, whose next command fails.
struct host_handler {
    void *self;
    unsigned tries;       // how often to poll for a command before sleeping
    const uint32_t *over; // or NULL
    int (*obey)(void *self, const struct host_command *, unsigned char *data, struct host_reply *, int *close_it);
};
// Serves a client on an inherited channel. Returns 1 after the command `goodbye`, and 0 if the client ended without
// `goodbye` or was left. Returns -1 with a sentence in `message` if `memory` and `doorbell` are not a channel of this
// build.
int host_serve(int memory, int doorbell, const struct host_handler *, char message[HOST_MESSAGE]);

// The array host_op_name holds the name of each command. The array host_op_ns holds the time in ns that the call of
// each command takes on the virtual clock.
extern const char *const host_op_name[HOST_OPS];
extern const uint32_t host_op_ns[HOST_OPS];

#endif
