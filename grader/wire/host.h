// The host protocol: the commands that libcudart, in the process of the student's host code, sends to the runner that
// holds the devices. They are the CUDA Runtime API in few commands. libcudart turns calls into commands, and handles by
// itself what needs no device (error names, the current device, pitches, function tables).
//
// The two use a channel (channel.h) whose memory has a fixed layout (host_shared.h). The client writes a command and
// rings. The runner copies the command out once, obeys it, writes the reply, and rings back; a descriptor of memory may
// come with the ring. Only one command is in flight at a time: libcudart holds a mutex around all exchanges of one
// call.
//
// The host process is hostile. The runner checks every field of every command, and answers nonsense with an error code.
// Nothing that the client says is taken as evidence: the runner alone writes the host trace (host_trace.h).
//
// Results are cudaError_t values. Times are picoseconds on the virtual clock, which starts at 0 with `hello`. Addresses
// are those of the simulated devices, which share one address space. Memory that the host may use too (pinned, managed)
// has the same address in the host process. An address that the runner does not know belongs to the host's own
// (pageable) memory. In the comments, "→" names the fields of the reply that a command fills in.
#ifndef WIRE_HOST_H
#define WIRE_HOST_H

#include <stddef.h>
#include <stdint.h>

#include "wire/host_io.h"

enum {
    HOST_DATA = 32 << 20,     // bytes of the data area, which either side fills
    HOST_NAME = 1024,         // bytes of the mangled name of a kernel or variable, NUL included
    HOST_PARAM_BYTES = 32764, // maximum bytes of a kernel's parameters
    HOST_PARAMS = 1024,       // maximum number of a kernel's parameters
    HOST_DEVICES = 16,        // maximum number of devices
    HOST_MESSAGE = 256,
};

// The results that the runner returns; each equals the cudaError_t of the same meaning. An error marked sticky stays
// until the device is reset.
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
    HOST_INVALID_KERNEL_IMAGE = 200, // the text is not PTX, or does not link; the message says why and where
    HOST_PEER_ACCESS_UNSUPPORTED = 217,
    HOST_INVALID_PTX = 218,
    HOST_UNSUPPORTED_PTX = 222, // PTX that the simulator does not support; the message says what and where
    HOST_SYMBOL_NOT_FOUND = 500,
    HOST_INVALID_RESOURCE = 400, // a stream, event or function that does not exist, or was destroyed
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
#include "wire/host.def"
#undef HOST
    HOST_OPS
};

// Where the host program made a call: the return address minus the load address of the object that contains it.
enum host_object { HOST_OBJECT_NONE, HOST_OBJECT_PROGRAM, HOST_OBJECT_LIBRARY };
struct host_place {
    uint32_t object; // enum host_object: PROGRAM is the program's own file, LIBRARY any other
    uint32_t pad;
    uint64_t offset;
};

// ---------------------------------------------------------------- commands
// Handles (module, function, stream, event) are indices that the runner gave out. Reserved fields are 0.

// The first command. → devices, checks, deterministic, tries
struct host_hello {
    uint32_t version; // HOST_VERSION
};
// The program ends; sent by an exit handler. A process that ends without it counts as crashed. The command waits for no
// operation: operations that the program never waited for are findings. → time
struct host_goodbye {
    int32_t exit_code; // -1: unknown
};
// Fetches what `pending` in a reply announced: text that kernels printed (PRINT), or the tickets, a uint64_t each, of
// copies that now happen before the host's next step (TICKETS). → bytes in the data area. Repeat it until bytes is 0.
struct host_collect {
    uint32_t what; // one bit of enum host_pending
};
struct host_read_clock { // → time
    uint32_t reserved;
};

// Loads a program's device code on every device. The data area holds `units` PTX texts in a row, each preceded by its
// size as a uint64_t, without NUL or padding. Several texts are linked (relocatable device code); no `extern` name may
// stay undefined. → module
struct host_load {
    uint32_t units;
    uint32_t reserved;
    uint64_t bytes; // of all units together
};
// Looks up a kernel by its mangled name. → function, its attributes, and bytes / sizeof (struct host_param) parameters
// in the data area
struct host_function {
    uint32_t module;
    uint32_t reserved;
    char name[HOST_NAME];
};
struct host_param {
    uint32_t offset, bytes; // in the parameter block
};
// Looks up a __device__, __constant__ or __managed__ variable on the command's device. → address, bytes. From the first
// such command on, a managed variable lies in memory of both sides; its descriptor comes with every reply.
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

struct host_device_set { // the thread's current device becomes the command's device
    uint32_t reserved;
};
struct host_device_facts { // → a struct host_device in the data area
    uint32_t reserved;
};
struct host_device_sync {
    uint32_t reserved;
};
struct host_device_reset { // frees the device's memory, streams and events; clears its sticky error
    uint32_t reserved;
};
struct host_memory_info { // → address: free bytes; bytes: all bytes of the device's memory
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
    uint32_t kind, set; // set 1: `value` becomes the limit. → bytes: the limit
    uint64_t value;
};
enum host_peer_action {
    HOST_PEER_CAN,
    HOST_PEER_ENABLE,
    HOST_PEER_DISABLE,
    HOST_PEER_POOLS,    // this device may access a memory pool of the peer
    HOST_PEER_NO_POOLS, // this device may access no memory pool of the peer
};
struct host_peer {
    uint32_t peer, action; // CAN: → bytes: 1 if the peer's memory can be accessed, else 0
};
struct host_occupancy {       // → bytes: number of blocks that fit on a multiprocessor, 0 included
    uint32_t function, block; // block: threads
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
// Allocates memory. → address. For PINNED and MANAGED a descriptor of reply.bytes bytes (whole pages) comes with the
// reply; the client maps it shared at exactly that address, or releases the memory again if that fails.
struct host_alloc {
    uint32_t kind, flags; // enum host_kind, enum host_alloc_flags
    uint32_t stream;      // cudaMallocAsync: the stream that orders the allocation; else 0
    uint32_t ordered;     // 1: cudaMallocAsync
    uint64_t bytes;       // not 0
};
struct host_release { // INVALID_VALUE unless `alloc` returned this address for this kind
    uint32_t kind, stream;
    uint32_t ordered; // 1: cudaFreeAsync
    uint32_t reserved;
    uint64_t address;
};
// Registers (page-locks) memory of the host. → address: its address on the device, which differs from the host's.
// Kernels access a copy there; the client updates it with `refresh` around launches.
struct host_pin {
    uint64_t host, bytes;
    uint32_t flags, reserved; // cudaHostRegister's
};
struct host_unpin {
    uint64_t host;
};
// Moves bytes of registered memory, at most HOST_DATA of them, between the data area and the runner: towards the
// runner, or towards the host if to_host is 1. `address` is the device's. It takes no virtual time.
struct host_refresh {
    uint64_t address, bytes;
    uint32_t to_host, reserved;
};
// Asks what an address belongs to. → kind (enum host_kind), device, address: the start of the allocation, bytes: its
// size, twin: the other address of registered memory (for a host address that of the device)
struct host_pointer {
    uint64_t address;
};

enum host_direction { HOST_H2H, HOST_H2D, HOST_D2H, HOST_D2D, HOST_ANY_DIRECTION }; // cudaMemcpyKind's values
struct host_box {
    uint64_t address, pitch,
        slice; // pitch, slice: bytes from row to row and from slice to slice; unused for a single row
};
// Copies `width` bytes of `height` rows of `depth` slices. The addresses determine what each side is. The runner cannot
// see pageable memory: if the reply's transfer is HOST_TRANSFER_PUT (or GET), the client sends (or fetches) the packed
// rows with consecutive put (or get) commands until all bytes have been moved. A synchronous copy (async 0) returns
// when the host may go on. The client makes copies between pageable memory itself, and sends the command as well.
struct host_copy {
    struct host_box to, from;
    uint64_t width, height, depth;
    uint32_t direction; // enum host_direction
    uint32_t async, stream;
    uint32_t to_device, from_device; // cudaMemcpyPeer; else both HOST_NO_PEER
    uint32_t reserved;
};
#define HOST_NO_PEER UINT32_MAX
enum host_transfer { HOST_TRANSFER_NONE, HOST_TRANSFER_PUT, HOST_TRANSFER_GET, HOST_TRANSFERS };
struct host_put { // the next `bytes` bytes are in the data area; offset: bytes already sent
    uint64_t offset, bytes;
};
struct host_get { // fetches the next `bytes` bytes into the data area; offset: bytes already fetched
    uint64_t offset, bytes;
};
// Sets elements of 1, 2 or 4 bytes in device, pinned or managed memory. INVALID_VALUE for pageable memory, which the
// client fills itself.
struct host_fill {
    struct host_box to;
    uint64_t width, height, depth; // width in bytes
    uint32_t value, element;
    uint32_t async, stream;
};
struct host_prefetch { // moves managed memory to the device `target`, or to the host for HOST_NO_PEER
    uint64_t address, bytes;
    uint32_t target, stream;
};

// Launches a kernel. The data area holds its param_bytes bytes of parameters, at the offsets that `function` returned.
struct host_launch {
    uint32_t function;
    uint32_t grid[3], block[3];
    uint32_t cooperative; // 1: cudaLaunchCooperativeKernel
    uint32_t stream;
    uint32_t param_bytes;
    uint64_t shared; // bytes of dynamic shared memory
};

// Stream 0 is the legacy default stream of the command's device. The client creates a per-thread default stream, with
// PER_THREAD, when a host thread first uses it on a device; such a stream is never a leak.
enum host_stream_flags { HOST_STREAM_NON_BLOCKING = 1, HOST_STREAM_PER_THREAD = 2 };
struct host_stream_create { // → stream
    uint32_t flags;
    int32_t priority; // clamped to the device's range
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
// A host function in a stream (cudaLaunchHostFunc). All earlier work of the stream has been done and delivered when the
// reply comes; the client runs the function at once. → ticket
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
struct host_event_elapsed { // → time: end minus start in ps, signed; NOT_READY if either is not complete
    uint32_t start, end;
};

// Reports that host code, at the command's place, accessed memory of a copy in flight, or of a device.
struct host_hazard {
    uint64_t ticket, address; // ticket: of the copy; 0: the memory is a device's
    uint32_t write;           // 1: the access was a write
    uint32_t reserved;
};
// Reports that the call at the command's place returned `code`, and that the program never checked it.
struct host_unchecked {
    uint32_t code, reserved;
    char call[64]; // "cudaMalloc", perhaps with the error: "cudaLaunchKernel: cudaErrorInvalidValue"
};

// A host test (host_io.h) runs in this order: test, test_begin, test_take until all inputs have come, the timed part,
// test_end, test_give until all outputs are handed in. Out of order, or where there is no test, they return
// INVALID_VALUE. The next `test` says that the test is over, or begins another timed iteration (on a card,
// iteration.h).
struct host_test { // → a struct host_test_facts in the data area
    uint32_t reserved;
};
struct host_test_facts {
    uint32_t dim[HOST_IO_DIMS]; // the case's dimensions
    uint32_t nbuffers, outputs; // outputs: bit b is set if buffer b is an output
    uint64_t bytes[HOST_IO_BUFFERS];
    uint32_t over;  // 1: there is nothing more to do
    uint32_t moves; // 1: the runner moves inputs and outputs itself, without test_take and test_give
};
struct host_test_begin {               // waits for all devices; then the timed part begins
    uint64_t address[HOST_IO_BUFFERS]; // of the program's memory for each
};
struct host_test_take { // → bytes of an input in the data area
    uint32_t buffer, reserved;
    uint64_t offset, bytes;
};
struct host_test_end { // stops the clock after all devices have finished; copies not waited for are hazards
    uint32_t reserved;
};
struct host_test_give { // bytes of an output are in the data area
    uint32_t buffer, reserved;
    uint64_t offset, bytes;
};
struct host_test_work { // the host computes these words of an output itself; this takes the time that the lab sets
    uint64_t address, bytes;
};

struct host_command {
    uint32_t number; // counts up from 1; the reply repeats it
    uint32_t op;     // enum host_op
    uint32_t device; // the current device of the calling thread
    uint32_t thread; // number of the calling thread, in the order of first calls from 0
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
    uint32_t sticky;  // 1: the device has a sticky error, which every later call returns too
    uint32_t pending; // enum host_pending
    uint64_t host_ps; // the host's clock after the call
    int64_t time;     // see the commands
    // The number of a copy, fill or launch, in the order of issue from 1. The host must not touch the host side of an
    // asynchronous copy of pinned memory until `collect` has returned the copy's ticket.
    uint64_t ticket;
    uint64_t address, bytes, twin;
    uint32_t module, function, stream, event;
    uint32_t kind, device; // pointer
    uint32_t transfer;     // enum host_transfer
    uint32_t has_descriptor;
    uint32_t
        lasting; // alloc: 1: the address stays mapped after `release`, and may be given out again for the same memory
    uint32_t devices;       // hello: number of devices
    uint32_t checks;        // hello: 1: libcudart watches the host's accesses for hazards
    uint32_t deterministic; // hello: 1: the program's clocks show the virtual clock alone
    uint32_t registers, shared_bytes, local_bytes, const_bytes, threads_per_block; // function
    uint32_t max_dynamic_shared, ptx_version;                                      // function; 80 for .target sm_80
    int32_t carveout;                                                              // function
    uint32_t tries;             // hello: how often to look for a reply before sleeping (channel_receive)
    char message[HOST_MESSAGE]; // what to tell the user in addition to the code; may be empty
};

// The properties of a device, for cudaDeviceProp and cudaDeviceGetAttribute.
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

// The environment variable that names the descriptors which the host process inherits: "MEMORY,DOORBELL".
#define HOST_ENVIRONMENT "WARPWISE_HOST"
enum { HOST_VERSION = 1 };

struct host_shared; // host_shared.h
struct host_client {
    struct channel channel;
    struct host_shared *shared; // the channel's memory
    unsigned char *data;        // the data area in it, HOST_DATA bytes
    int life; // a pipe that reaches its end when the runner ends that host_client_start started; -1: there is none
    uint32_t number; // of the last command
    uint32_t tries;  // how often to look for a reply before sleeping
    int broken;      // 1: the runner is gone; `message` says so
    char message[HOST_MESSAGE];
};

// Opens the channel that HOST_ENVIRONMENT names. Returns 0; 1 if the variable is not set; -1 with a sentence in
// message.
int host_client_inherit(struct host_client *);
// Makes the channel. Whoever starts the runner gives it the channel's `memory` as descriptor 3 and `theirs` as 4 (what
// may follow: runner/main_sim.c), and then calls channel_started. Returns 0, or -1 with a sentence in message.
int host_client_make(struct host_client *);
// Starts the program at `path` with `argv` as the runner of a client that host_client_make made. The caller, a user's
// program, does not notice: the runner is not its child, and inherits only its first three descriptors. Returns 0, or
// -1 with a sentence in message.
int host_client_start(struct host_client *, const char *path, char *const argv[]);
// Frees what the client owns, and waits for the end of a runner that host_client_start started.
void host_client_free(struct host_client *);

// Sends *command and waits for the reply without a limit; the command's number is filled in here. The caller has put
// data that belongs to the command into the data area. *descriptor (may be NULL) becomes the descriptor that came with
// the reply, which the caller owns, or -1. Returns 0, or -1 if the runner is gone; then reply->result is HOST_UNKNOWN.
int host_call(struct host_client *, struct host_command *, struct host_reply *, int *descriptor);

// ---------------------------------------------------------------- the runner's side

// The function that the server calls for each command. `command` is a private copy; `data` is the data area, which the
// host may change at any time. The function fills in the reply, which is zero at first, but for number and
// has_descriptor. It returns a descriptor to send with the reply, or -1; the server closes the descriptor afterwards if
// *close_it is 1.
struct host_handler {
    void *self;
    unsigned tries; // how often to look for a command before sleeping
    int (*obey)(void *self, const struct host_command *, unsigned char *data, struct host_reply *, int *close_it);
};
// Serves a client on an inherited channel. Returns 1 after `goodbye`, 0 if the client is gone, or -1 with a sentence in
// message if the descriptors are not a channel of this build.
int host_serve(int memory, int doorbell, const struct host_handler *, char message[HOST_MESSAGE]);

// The name of each command, and the time that its call takes on the virtual clock, in ns.
extern const char *const host_op_name[HOST_OPS];
extern const uint32_t host_op_ns[HOST_OPS];

#endif
