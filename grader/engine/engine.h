// Defines the interface of an engine, the part of the grader that runs CUDA kernels. The engine `sim` is a SIMT machine
// in software, and the engine `gpu` uses the CUDA driver. A runner is a sandboxed process that calls an engine through
// struct engine_ops. The judge is the trusted process that grades submissions. The judge sends requests to a runner
// process by the protocol of wire/wire.h.
//
// A runner process calls an engine's functions in this order: open, load, alloc and write, launch, read, close. An
// engine holds one image (a compiled CUDA module) at a time. No function of an engine ends the process. An engine
// returns the effects of a student's kernels as observations. An engine returns errors for which the student is not
// responsible, such as a lack of memory, as messages.
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include "engine/observation.h"

enum {
    ENGINE_NAME = 64,    // bytes of a kernel's or symbol's name, NUL included
    ENGINE_ARGS = 16,    // most arguments of a kernel
    ENGINE_BUFFERS = 32, // most buffers allocated at the same time
    ENGINE_GUARD = 256,  // bytes of each guard zone; each buffer has a guard zone before and after its content
};

struct engine_options {
    const char *device; // name of a profile (device/profile.h); NULL: "h200"
    uint32_t threads;   // host threads; 0: one thread for each core. The number of threads never changes a result
    const char *units;  // sim: vector units of the host CPU: "base", "v3" (AVX2), "v4" (AVX-512); NULL: the best that
                        // the CPU has. The choice of units never changes a result
};

enum engine_arg_kind { ARG_BUFFER, ARG_VALUE };
struct engine_arg {
    uint32_t kind;  // enum engine_arg_kind
    uint32_t bytes; // ARG_VALUE: size of the value, 4 or 8
    int32_t buffer; // ARG_BUFFER: index returned by alloc(); -1: a null pointer
    uint32_t pad;
    uint64_t value; // ARG_VALUE: the bits of the value
};

// Lists the checks that the simulator can make during a launch. Each value of enum engine_checks is a bit of
// engine_launch.checks.
enum engine_checks {
    CHECK_BOUNDS = 1,  // accesses out of bounds or misaligned; without this flag, bad accesses are skipped silently
    CHECK_WRITTEN = 2, // reads of memory that was never written
    CHECK_RACES = 4,   // races and barrier errors
    CHECK_ALL = 7,
};

// Lists the operations that a launch on the simulator can leave out, so that a caller learns which results depend on
// these operations. Each value of enum engine_without is a bit of engine_launch.without. No thread waits at a barrier
// that is left out, and an atomic that is left out does not change memory. If an operation that is left out has a
// result, the result is computed as if no other thread took part in the operation.
enum engine_without {
    WITHOUT_BLOCK_BARRIERS = 1, // __syncthreads and the like, named barriers, and waits for an mbarrier
    WITHOUT_WARP_BARRIERS = 2,  // __syncwarp
    WITHOUT_SHARED_ATOMICS = 4, // atomics on shared memory; they return the value in memory
};
// Says whether the simulator runs the threads of a block in groups, one group after the other. With APART_WARPS, a
// group is a warp; with APART_LANES, each warp consists of two groups of lanes. Each group of threads runs until its
// threads wait or end. The groups run in ascending order, or, if the constant's name ends in _BACKWARDS, in descending
// order. If a thread does not wait for another thread, the order of the groups decides which of the other thread's
// writes it sees.
enum engine_apart { APART_NONE, APART_WARPS, APART_WARPS_BACKWARDS, APART_LANES, APART_LANES_BACKWARDS };

struct engine_launch {
    char kernel[ENGINE_NAME];
    uint32_t grid[3], block[3];
    uint32_t shared; // bytes of dynamic shared memory per block
    uint32_t nargs;
    struct engine_arg arg[ENGINE_ARGS];
    uint32_t checks;        // set of enum engine_checks
    uint32_t cold;          // the time model: 0: off; 1: with empty caches, behind a flush of the L2; 2: behind another
                            // launch. A launch finds an empty L2 unless the caller of the simulator keeps its lines
                            // (sim_run.lines)
    uint64_t schedule_seed; // 0: blocks and warps run in ascending order; otherwise the order is drawn from this seed
    uint32_t jitter;        // 1: if schedule_seed is not 0, lanes of a warp also run ahead of each other at random
    uint32_t without;       // set of enum engine_without; findings of such a launch have no meaning
    uint32_t apart;         // enum engine_apart; not together with schedule_seed
    uint64_t budget;        // most warp instructions; a launch that executes more is stopped; 0: the default
    uint64_t sample_inst; // only blocks with about so many warp instructions together run, chosen by sample_key; blocks
                          // always run whole; 0: all blocks run
    uint64_t sample_key;  // secret of the judge that decides which blocks and instructions are sampled and recorded
    uint32_t record;      // sim: number of blocks whose steps are recorded, at most 2 (engine/recording.h)
    uint32_t record_block[2][3]; // their indices in the grid
    uint32_t more; // 1: the next launch continues this measurement, and its observation has the time of both launches
};

// Describes the state of a GPU between two measurements, such as its clock frequency.
struct engine_health {
    uint32_t clock_khz, clock_most_khz; // current and highest clock of the multiprocessors, kHz; 0: unknown
    uint32_t throttled;                 // 1: the GPU lowers its clock because of temperature or power
    uint32_t processes;                 // processes that use the GPU, including this process; 0: unknown
};

// Describes a kernel of the loaded image. A runner process sends struct engine_kernel to the judge, so the judge checks
// all fields before use.
struct engine_kernel {
    char name[ENGINE_NAME];
    uint32_t params;                   // number of parameters
    uint32_t param_bytes[ENGINE_ARGS]; // bytes of each parameter
    uint32_t registers, shared_bytes, local_bytes;
};
enum { ENGINE_KERNELS = 64, ENGINE_UNDEFINED = -2 };
struct engine_image {
    uint32_t nkernels;
    struct engine_kernel kernel[ENGINE_KERNELS];
};

struct engine;
struct engine_ops {
    const char *name; // name of the engine: "sim" or "gpu"
    // Opens an engine. Returns NULL on failure and stores a sentence in `message`.
    struct engine *(*open)(const struct engine_options *, char message[OBSERVATION_MESSAGE]);
    // Loads an image and copies the image's text. Returns 0, ENGINE_UNDEFINED if the image calls a function that the
    // image does not define, or -1 for another error. On an error, `message` contains "line:column: text" or a
    // sentence.
    int (*load)(struct engine *, const char *image, size_t bytes, struct engine_image *,
                char message[OBSERVATION_MESSAGE]);
    // Copies the initial value of a __device__ or __constant__ variable, at most `capacity` bytes, to `data`. Returns
    // the size of the variable in bytes, or -1 if the image has no variable of this name.
    int64_t (*symbol)(struct engine *, const char *name, void *data, size_t capacity);
    // Allocates a buffer of `bytes` bytes (0 allowed), aligned to 256 bytes, with guard zones around the buffer.
    // `element` is the size of an element in bytes and is used only in messages. The content counts as unwritten until
    // write() or a kernel writes the content. Returns the index of the buffer, or -1 on failure.
    int (*alloc)(struct engine *, uint64_t bytes, uint32_t element);
    // Copies bytes from `data` to a buffer; read() copies bytes from a buffer to `data`. Offsets may reach ENGINE_GUARD
    // bytes before and after the buffer, so that the judge can poison and check the guard zones. write() marks the
    // bytes as written unless `poison` is 1. Both functions return 0, or -1 if the bytes are out of range.
    int (*write)(struct engine *, int buffer, int64_t offset, const void *data, uint64_t bytes, int poison);
    int (*read)(struct engine *, int buffer, int64_t offset, void *data, uint64_t bytes);
    // Runs a kernel to its end and overwrites the observation with the result.
    void (*launch)(struct engine *, const struct engine_launch *, struct observation *);
    // Copies the recording of the latest launch that asked for one to `data`. Returns its size in bytes, or -1 if there
    // is none or it is larger than `capacity`. NULL in an engine that does not record.
    int64_t (*recording)(struct engine *, void *data, size_t capacity);
    // Gives a buffer new contents. If `from` is a buffer index, the buffer and its guard zones become a copy of buffer
    // `from`, which has the same size. If `from` is -1, the buffer and its guard zones are filled with `word`, and
    // count as never written. A GPU also moves the buffer to an address that it did not have before, so that no cache
    // holds it. Returns 0, or -1 if memory runs out.
    int (*renew)(struct engine *, int buffer, int from, uint32_t word);
    // Sets all device variables to their initial values, and frees what kernels allocated. Returns 0, or -1 on failure.
    int (*restore)(struct engine *);
    // Describes the state of a GPU; NULL in an engine whose time is simulated.
    void (*health)(struct engine *, struct engine_health *);
    // Frees all buffers, sets device variables to their initial values, and empties the caches.
    void (*reset)(struct engine *);
    void (*close)(struct engine *);
};

#endif
