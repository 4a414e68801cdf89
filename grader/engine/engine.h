// The interface of an engine, which runs kernels. There are two engines: `sim`, a SIMT machine in software, and `gpu`,
// which uses the CUDA driver. A runner uses an engine by this interface, and the judge by wire.
//
// Use: open, load an image, alloc and write buffers, launch, read, close. An engine holds one image. No function here
// exits. Effects of the student's image are returned as observations, errors of the machine as messages.
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include "engine/observation.h"

enum {
    ENGINE_NAME = 64,    // bytes of a kernel's or symbol's name, NUL included
    ENGINE_ARGS = 16,    // arguments of a kernel
    ENGINE_BUFFERS = 32, // most buffers at once
    ENGINE_GUARD = 256,  // bytes of the guard zone before each buffer and of that after it
};

struct engine_options {
    const char *device; // name of a profile (device/profile.h); NULL: "h200"
    uint32_t threads;   // host threads; 0: one for each core. Never changes a result
    const char *units;  // sim: vector units of the host to use: "base", "v3" (AVX2), "v4" (AVX-512); NULL: the best
                        // ones. Never changes a result
};

enum engine_arg_kind { ARG_BUFFER, ARG_VALUE };
struct engine_arg {
    uint32_t kind;  // enum engine_arg_kind
    uint32_t bytes; // ARG_VALUE: 4 or 8
    int32_t buffer; // ARG_BUFFER: index returned by alloc; -1: a null pointer
    uint32_t pad;
    uint64_t value; // ARG_VALUE: the bits
};

// What the simulator checks in a launch.
enum engine_checks {
    CHECK_BOUNDS = 1,  // accesses out of bounds or misaligned; without this flag they are suppressed but not reported
    CHECK_WRITTEN = 2, // reads of memory that was never written
    CHECK_RACES = 4,   // races, barrier faults
    CHECK_ALL = 7,
};

struct engine_launch {
    char kernel[ENGINE_NAME];
    uint32_t grid[3], block[3];
    uint32_t shared; // bytes of dynamic shared memory
    uint32_t nargs;
    struct engine_arg arg[ENGINE_ARGS];
    uint32_t checks;        // enum engine_checks
    uint32_t cold;          // caches of the timing model at the start: 1: flushed; 2: as the launch before left them
    uint64_t schedule_seed; // 0: blocks and warps run in ascending order; else in an order drawn from this seed
    uint32_t jitter;        // 1: with a seed, lanes of a warp also run ahead of each other at random
    uint64_t budget;        // most warp instructions, after which the launch counts as endless; 0: the default
    uint64_t sample_inst;   // run whole blocks until about so many warp instructions were executed; 0: all blocks
    uint32_t more; // 1: the next launch continues this measurement; its observation has the time of both launches
};

// The state of a GPU between measurements.
struct engine_health {
    uint32_t clock_khz, clock_most_khz; // current and highest clock of the multiprocessors; 0: unknown
    uint32_t throttled;                 // 1: temperature or power limits the clock
    uint32_t processes;                 // processes that use the GPU, with this one; 0: unknown
};

// A kernel of the loaded image. The judge does not trust these values but checks them.
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
    const char *name; // "sim", "gpu"
    // Opens an engine. Returns NULL on failure, with a sentence in message.
    struct engine *(*open)(const struct engine_options *, char message[OBSERVATION_MESSAGE]);
    // Loads an image, whose text it copies. Returns 0, ENGINE_UNDEFINED if the image calls a function that it does not
    // define, or -1 for another error. On errors, message contains "line:column: text" or a sentence.
    int (*load)(struct engine *, const char *image, size_t bytes, struct engine_image *,
                char message[OBSERVATION_MESSAGE]);
    // Copies the initial value of a __device__ or __constant__ variable, at most `capacity` bytes, to data. Returns the
    // size of the variable, or -1 if the image has none with this name.
    int64_t (*symbol)(struct engine *, const char *name, void *data, size_t capacity);
    // Allocates a buffer of `bytes` bytes (0 allowed), aligned to 256, with guard zones around it. `element` is the
    // size of an element, for messages. The content counts as unwritten until write or a kernel writes it. Returns the
    // index of the buffer, or -1.
    int (*alloc)(struct engine *, uint64_t bytes, uint32_t element);
    // Copy bytes to or from a buffer. Offsets may reach ENGINE_GUARD bytes before and after it, so that the judge can
    // poison and check the guard zones. write marks the bytes as written unless `poison` is 1. Return 0, or -1 if out
    // of range.
    int (*write)(struct engine *, int buffer, int64_t offset, const void *data, uint64_t bytes, int poison);
    int (*read)(struct engine *, int buffer, int64_t offset, void *data, uint64_t bytes);
    // Runs a kernel to its end and overwrites the observation.
    void (*launch)(struct engine *, const struct engine_launch *, struct observation *);
    // The next three are NULL in an engine whose time is simulated.
    // Moves a buffer to an address that it did not have before. Fills the buffer and its guard zones with those of
    // buffer `from`, which has the same size, or with `word` if `from` is -1. Returns 0, or -1 if memory runs out.
    int (*renew)(struct engine *, int buffer, int from, uint32_t word);
    // Sets all device variables to their initial values. Returns 0 or -1.
    int (*restore)(struct engine *);
    void (*health)(struct engine *, struct engine_health *);
    // Frees all buffers, sets device variables to their initial values, and empties the caches.
    void (*reset)(struct engine *);
    void (*close)(struct engine *);
};

#endif
