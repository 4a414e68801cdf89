// The host protocol: what libcudart, in the process of the student's host code, asks of the runner that holds the
// simulated devices. The CUDA Runtime API said in few words; libcudart turns calls into these, and does by itself what
// needs no device (error names, the current device, pitches, function tables).
//
// The two share one piece of memory of fixed layout (host_shared.h) and a doorbell, a socket: the client fills in a
// command and rings, the runner copies it out once, obeys, writes the reply and rings back; a memory descriptor may
// come with that byte (SCM_RIGHTS). One command is under way at a time: libcudart holds a mutex around each exchange,
// and around the exchanges of one call.
//
// The host process is hostile ground: the runner checks every field of every command and answers nonsense with an
// error code, never with a fault. What the client says is evidence of nothing; the session record (session.h) is
// written by the runner alone.
//
// Results are cudaError_t values. Times are picoseconds of the virtual clock, which begins at 0 with `hello`. Addresses
// are those of the simulated devices, one address space for all; memory that the host may touch too (pinned, managed)
// lies at the same address in the host process. Any address that the runner does not know is the host's own (pageable).
#ifndef WIRE_HOST_H
#define WIRE_HOST_H

#include <stddef.h>
#include <stdint.h>

#include "wire/host_io.h"

enum {
    HOST_DATA = 32 << 20,     // bytes of the data area, whoever fills it
    HOST_NAME = 1024,         // bytes of a mangled kernel's or variable's name, NUL included
    HOST_PARAM_BYTES = 32764, // of a kernel's parameters
    HOST_PARAMS = 1024,       // parameters of a kernel
    HOST_DEVICES = 16,        // simulated devices at most
    HOST_MESSAGE = 256,
};

// The results the runner gives: cudaError_t of the same value.
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
    HOST_INVALID_KERNEL_IMAGE = 200, // a text that is no PTX, or does not link; the message says what and where
    HOST_PEER_ACCESS_UNSUPPORTED = 217,
    HOST_INVALID_PTX = 218,
    HOST_UNSUPPORTED_PTX = 222, // PTX that the simulator does not know; the message says what and where
    HOST_SYMBOL_NOT_FOUND = 500,
    HOST_INVALID_RESOURCE = 400, // a stream, event or function that is not, or is no more
    HOST_NOT_READY = 600,
    HOST_ILLEGAL_ADDRESS = 700,    // sticky, as are the next five
    HOST_TOO_MANY_RESOURCES = 701, // not sticky
    HOST_LAUNCH_TIMEOUT = 702,
    HOST_PEER_ALREADY_ENABLED = 704, // not sticky
    HOST_PEER_NOT_ENABLED = 705,     // not sticky
    HOST_ASSERT = 710,
    HOST_ALREADY_REGISTERED = 712, // not sticky
    HOST_NOT_REGISTERED = 713,     // not sticky
    HOST_ILLEGAL_INSTRUCTION = 715,
    HOST_MISALIGNED_ADDRESS = 716,
    HOST_LAUNCH_FAILURE = 719,
    HOST_COOPERATIVE_TOO_LARGE = 720, // not sticky
    HOST_NOT_SUPPORTED = 801,
    HOST_UNKNOWN = 999,
};

enum host_op {
#define HOST(name, ns, source) HOST_OP_##name,
#include "wire/host.def"
#undef HOST
    HOST_OPS
};

// Where in the host's program a call was made: the return address less the base of the object it lies in.
enum host_object { HOST_OBJECT_NONE, HOST_OBJECT_PROGRAM, HOST_OBJECT_LIBRARY };
struct host_place {
    uint32_t object; // enum host_object: PROGRAM is the program's own file, LIBRARY any other
    uint32_t pad;
    uint64_t offset;
};

// ---------------------------------------------------------------- commands
// Handles (module, function, stream, event) are indices the runner gave out. Reserved fields are 0.

// First of all. → facts.
struct host_hello {
    uint32_t version; // HOST_VERSION
};
// The program ends (from an atexit handler; a process that dies without it is taken to have crashed). Waits for
// nothing: what was never synchronised is a finding. → `time`.
struct host_goodbye {
    int32_t exit_code; // -1: not known
};
// Takes what a reply's `pending` announced. → `bytes` in the data area: text that kernels printed (PRINT), or
// uint64_t tickets of copies that the host is now ordered behind (TICKETS). Ask until bytes is 0.
struct host_collect {
    uint32_t what; // one bit of enum host_pending
};
struct host_read_clock { // → time
    uint32_t reserved;
};

// Loads a program's device code: `units` PTX texts stand in the data area one after the other, each after a uint64_t
// with its size (without NUL; no padding). More than one are linked (relocatable device code); otherwise `extern`
// names must not stay open. → module. Loaded on every device.
struct host_load {
    uint32_t units;
    uint32_t reserved;
    uint64_t bytes; // of all
};
// A kernel by its mangled name. → function, and in the data area reply.bytes / sizeof (struct host_param) params.
struct host_function {
    uint32_t module;
    uint32_t reserved;
    char name[HOST_NAME];
};
struct host_param {
    uint32_t offset, bytes; // in the parameter block
};
// A __device__, __constant__ or __managed__ variable on the command's device. → address, bytes. A managed one is from
// the first such command on memory of both sides, whose descriptor comes with every reply.
struct host_variable {
    uint32_t module;
    uint32_t managed;
    char name[HOST_NAME];
};
enum host_attribute { HOST_MAX_DYNAMIC_SHARED, HOST_CARVEOUT, HOST_ATTRIBUTES };
struct host_set_attribute {
    uint32_t function, attribute; // enum host_attribute
    int64_t value;                // bytes; percent or -1
};

struct host_device_set { // the thread goes on with the command's device
    uint32_t reserved;
};
struct host_device_facts { // → in the data area a struct host_device
    uint32_t reserved;
};
struct host_device_sync {
    uint32_t reserved;
};
struct host_device_reset { // frees all of the device's memory, streams, events; clears sticky errors
    uint32_t reserved;
};
struct host_memory_info { // → address: free bytes; bytes: total
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
}; // cudaLimit's order
struct host_limit {
    uint32_t kind, set; // set 1: value becomes the limit. → bytes: the limit
    uint64_t value;
};
enum host_peer_action {
    HOST_PEER_CAN,
    HOST_PEER_ENABLE,
    HOST_PEER_DISABLE,
    HOST_PEER_POOLS,    // a memory pool of the peer's is open to this device
    HOST_PEER_NO_POOLS, // none is
};
struct host_peer {
    uint32_t peer, action; // CAN → bytes: 1 or 0
};
struct host_occupancy { // → bytes: blocks on a multiprocessor (perhaps 0)
    uint32_t function, block;
    uint64_t shared; // dynamic
};

enum host_kind {
    HOST_MEMORY_DEVICE,
    HOST_MEMORY_PINNED,
    HOST_MEMORY_MANAGED,
    HOST_MEMORY_REGISTERED,
    HOST_MEMORY_NONE
};
enum host_alloc_flags { HOST_ALLOC_PORTABLE = 1, HOST_ALLOC_MAPPED = 2, HOST_ALLOC_COMBINED = 4 };
// → address. PINNED and MANAGED: a descriptor comes with the reply, of reply.bytes bytes (whole pages), to be mapped
// shared at exactly that address; if that fails the client releases the memory again.
struct host_alloc {
    uint32_t kind, flags; // enum host_kind, enum host_alloc_flags
    uint32_t stream;      // cudaMallocAsync: ordered in it; else 0
    uint32_t ordered;     // 1: cudaMallocAsync
    uint64_t bytes;       // not 0
};
struct host_release { // → INVALID_VALUE unless address is what alloc gave out and kind is its kind
    uint32_t kind, stream;
    uint32_t ordered; // 1: cudaFreeAsync
    uint32_t reserved;
    uint64_t address;
};
// The host's own memory, page-locked from now on. → address: the device's name for it, which is another than the
// host's. Kernels reach it there; the client brings it up to date (`refresh`) around launches.
struct host_pin {
    uint64_t host, bytes;
    uint32_t flags, reserved; // cudaHostRegister's
};
struct host_unpin {
    uint64_t host;
};
// Bytes of registered memory, device's address: host → runner (to_host 0, from the data area) or back. At most
// HOST_DATA; takes no virtual time.
struct host_refresh {
    uint64_t address, bytes;
    uint32_t to_host, reserved;
};
// What an address is. → kind (enum host_kind), device, address: its base, bytes: of the allocation, twin: registered
// memory's other name (device's for a host address).
struct host_pointer {
    uint64_t address;
};

enum host_direction { HOST_H2H, HOST_H2D, HOST_D2H, HOST_D2D, HOST_ANY_DIRECTION }; // cudaMemcpyKind's values
struct host_box {
    uint64_t address, pitch, slice; // bytes from row to row, and from slice to slice; not looked at for one row
};
// Copies `width` bytes of `height` rows of `depth` slices. Addresses say what each side is. Pageable memory the runner
// cannot see: when the reply has transfer HOST_TRANSFER_PUT (or _GET), the client sends (takes) the copy's rows,
// packed, by put (get) commands one after the other until all bytes went over; nothing else may come in between.
// Synchronous copies (async 0) return when the host may go on. Host-to-host copies of pageable memory the client makes
// itself; it sends the command all the same.
struct host_copy {
    struct host_box to, from;
    uint64_t width, height, depth;
    uint32_t direction; // enum host_direction
    uint32_t async, stream;
    uint32_t to_device, from_device; // cudaMemcpyPeer: else both HOST_NO_PEER
    uint32_t reserved;
};
#define HOST_NO_PEER UINT32_MAX
enum host_transfer { HOST_TRANSFER_NONE, HOST_TRANSFER_PUT, HOST_TRANSFER_GET, HOST_TRANSFERS };
struct host_put { // in the data area; offset: bytes already sent
    uint64_t offset, bytes;
};
struct host_get { // into the data area
    uint64_t offset, bytes;
};
// Sets elements of 1, 2 or 4 bytes. Device, pinned and managed memory; the client fills pageable memory itself: error.
struct host_fill {
    struct host_box to;
    uint64_t width, height, depth; // width in bytes
    uint32_t value, element;
    uint32_t async, stream;
};
struct host_prefetch { // managed memory to `target`, a device; HOST_NO_PEER: the host
    uint64_t address, bytes;
    uint32_t target, stream;
};

// Parameters stand in the data area, param_bytes of them, as `function` said.
struct host_launch {
    uint32_t function;
    uint32_t grid[3], block[3];
    uint32_t cooperative; // 1: cudaLaunchCooperativeKernel
    uint32_t stream;
    uint32_t param_bytes;
    uint64_t shared; // dynamic
};

// Stream 0 is the legacy default stream of the command's device. Per-thread default streams the client makes one per
// host thread and device with PER_THREAD when first used; they are no leak.
enum host_stream_flags { HOST_STREAM_NON_BLOCKING = 1, HOST_STREAM_PER_THREAD = 2 };
struct host_stream_create { // → stream
    uint32_t flags;
    int32_t priority; // clamped to the device's
};
struct host_stream_destroy {
    uint32_t stream;
};
struct host_stream_sync {
    uint32_t stream;
};
struct host_stream_query { // SUCCESS or NOT_READY
    uint32_t stream;
};
struct host_stream_wait {
    uint32_t stream, event;
};
// The client runs the function at once after the reply, when all that stands before it in the stream has been done and
// delivered. → ticket.
struct host_host_function {
    uint32_t stream;
};
enum host_event_flags { HOST_EVENT_BLOCKING = 1, HOST_EVENT_NO_TIMING = 2 };
struct host_event_create { // → event
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
struct host_event_query { // SUCCESS or NOT_READY
    uint32_t event;
};
struct host_event_elapsed { // → time: end less start, ps (signed); NOT_READY
    uint32_t start, end;
};

// The host touched memory of a copy in flight (place: where), or of a device.
struct host_hazard {
    uint64_t ticket, address; // ticket 0: of a device
    uint32_t write;           // 1: it wrote
    uint32_t reserved;
};
// A call returned `code`, and the program never looked (place: the call).
struct host_unchecked {
    uint32_t code, reserved;
    char call[64]; // "cudaMalloc", perhaps with the error: "cudaLaunchKernel: cudaErrorInvalidValue"
};

// A host lab's exam (exam.h), sat in this order: exam, test_begin, test_take until all inputs came, …, test_end,
// test_give until all outputs went. Each is taken once; INVALID_VALUE out of order, or where there is no exam. Then
// exam again: it is over, or (on a card, wire/iteration.h) begins anew.
struct host_test { // → in the data area a struct host_test_facts
    uint32_t reserved;
};
struct host_test_facts {
    uint32_t dim[HOST_IO_DIMS]; // of the case
    uint32_t nbuffers, outputs; // outputs: a bit each
    uint64_t bytes[HOST_IO_BUFFERS];
    uint32_t over;  // 1: it was sat, and that was all
    uint32_t moves; // 1: the runner moves inputs and outputs itself: no test_take, no test_give
};
struct host_test_begin {               // waits for all devices; then the clock of the exam runs
    uint64_t address[HOST_IO_BUFFERS]; // of the program's memory for each
};
struct host_test_take { // → an input's bytes in the data area
    uint32_t buffer, reserved;
    uint64_t offset, bytes;
};
struct host_test_end { // waits for all devices; copies that the program did not wait for are hazards
    uint32_t reserved;
};
struct host_test_give { // an output's bytes, in the data area
    uint32_t buffer, reserved;
    uint64_t offset, bytes;
};
struct host_test_work { // the host computes these words of an output itself: takes the lab's time for it
    uint64_t address, bytes;
};

struct host_command {
    uint32_t number; // counts up from 1; the reply repeats it
    uint32_t op;     // enum host_op
    uint32_t device; // current in the calling thread
    uint32_t thread; // of the host, 0 the first to call
    struct host_place place;
    union {
#define HOST(name, ns, source) struct host_##name name;
#include "wire/host.def"
#undef HOST
    };
};

// ---------------------------------------------------------------- replies

enum host_pending { HOST_PENDING_PRINT = 1, HOST_PENDING_TICKETS = 2 };
struct host_reply {
    uint32_t number;
    uint32_t result;  // enum host_result: what the call returns
    uint32_t sticky;  // 1: the device's context is broken, every later call will return this too
    uint32_t pending; // enum host_pending
    uint64_t host_ps; // the host's clock after the call
    int64_t time;     // see the commands
    // A copy, fill or launch: its number in the order of issue, from 1. The host may not touch the host side of an
    // asynchronous copy of pinned memory before its ticket is handed over (collect), as each one's is.
    uint64_t ticket;
    uint64_t address, bytes, twin;
    uint32_t module, function, stream, event;
    uint32_t kind, device; // pointer
    uint32_t transfer;     // enum host_transfer
    uint32_t has_descriptor;
    uint32_t lasting; // alloc: 1: no other memory will have this address; it may be handed out again, and stays mapped
    uint32_t devices; // hello: how many there are
    uint32_t checks;  // hello: 1: hazards of the host are to be watched
    uint32_t deterministic; // hello: 1: the program's clocks are the virtual clock alone
    uint32_t registers, shared_bytes, local_bytes, const_bytes, threads_per_block; // function
    uint32_t max_dynamic_shared, ptx_version;                                      // function; 80 for .target sm_80
    int32_t carveout;                                                              // function
    uint32_t tries;             // hello: how often to look for a reply before waiting for it
    char message[HOST_MESSAGE]; // what to tell the user besides the code; may be empty
};

// What a device is, for cudaDeviceProp and attributes; from its profile.
struct host_device {
    char name[64];
    uint8_t uuid[16];
    uint64_t memory_bytes, l2_bytes, constant_bytes, persisting_l2_bytes;
    uint32_t compute_capability; // 10 * major + minor
    uint32_t sms, warps_per_sm, blocks_per_sm, threads_per_block, registers_per_sm, registers_per_block;
    uint32_t shared_per_sm, shared_per_block, shared_static, shared_reserved;
    uint32_t clock_khz, memory_clock_khz, bus_bits;
    uint32_t copy_engines, single_to_double; // performance ratio
    int32_t priority_least, priority_greatest;
    uint32_t pci_bus, pci_device, pci_domain;
};

// ---------------------------------------------------------------- the client's half

// The environment variable that names the descriptors inherited by the host process: "MEMORY,DOORBELL".
#define HOST_ENVIRONMENT "WARPWISE_HOST"
enum { HOST_VERSION = 1 };

struct host_shared; // host_shared.h
struct host_client {
    struct channel channel;
    struct host_shared *shared; // the channel's memory
    unsigned char *data;        // the data area in it, HOST_DATA bytes
    int life; // a pipe that reaches its end when the runner ends that host_client_start started; -1: there is none
    uint32_t number;
    uint32_t tries; // how often it looks for a reply before it waits
    int broken;     // 1: the runner is gone; message says so
    char message[HOST_MESSAGE];
};

// Takes the descriptors that HOST_ENVIRONMENT names. 0; 1: it names none; -1 with a sentence in message.
int host_client_inherit(struct host_client *);
// Makes the channel. Whoever starts the runner gives it the channel's `memory` as descriptor 3 and `theirs` as 4 (what
// may follow: runner/main_sim.c), and then calls channel_started. Returns 0, or -1 with a sentence in message.
int host_client_make(struct host_client *);
// Starts the program at `path` with argv as the runner of a client made before. The caller, a user's program, notices
// nothing of it: the runner is no child of the caller's, and has the first three of its descriptors alone. 0, or -1
// with a sentence.
int host_client_start(struct host_client *, const char *path, char *const argv[]);
// Waits for the end of a runner that was started so.
void host_client_free(struct host_client *);

// Sends `command` (its number is filled in) and waits for the reply, without limit. What belongs in the data area was
// put there before. *descriptor (may be NULL) gets what came with the reply, or -1: the caller owns it. 0; or -1 when
// the runner is gone.
int host_call(struct host_client *, struct host_command *, struct host_reply *, int *descriptor);

// ---------------------------------------------------------------- the runner's half

// What the server calls for each command: `command` is a private copy, `data` the data area, which the host may change
// at any time. The handler fills in the reply (zeroed; number, has_descriptor are the server's) and may return a
// descriptor to send along, which the server closes if `close_it`; -1: none.
struct host_handler {
    void *self;
    unsigned tries; // how often to look for a command before waiting for it: a card does not wait for who sleeps
    int (*obey)(void *self, const struct host_command *, unsigned char *data, struct host_reply *, int *close_it);
};
// Serves until the client says goodbye or goes away. 1: it said goodbye; 0: it is gone; -1: memory or doorbell are none
// (message).
int host_serve(int memory, int doorbell, const struct host_handler *, char message[HOST_MESSAGE]);

// Of one row: its name and what the call costs.
extern const char *const host_op_name[HOST_OPS];
extern const uint32_t host_op_ns[HOST_OPS];

#endif
