// An engine runs kernels: sim is a SIMT machine in software, gpu the CUDA driver. This is all that a runner needs to
// know of one, and (through wire) all that the judge knows of a device.
//
// Life: open → load an image → alloc and write buffers → launch, read … → close. One engine holds one image.
// Nothing here fails by exit: what the student's image causes comes back as an observation, what the machine lacks as
// an error string.
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include "engine/observation.h"

enum {
    ENGINE_NAME = 64,    // bytes of a kernel's or symbol's name, NUL included
    ENGINE_ARGS = 16,    // arguments of a kernel
    ENGINE_BUFFERS = 32, // buffers alive at once
    ENGINE_GUARD = 256,  // bytes of guard zone before and after each buffer
};

struct engine_options {
    const char *device; // profile's name (device/device.h); NULL: "h200"
    uint32_t threads;   // host threads; 0: as many as there are cores. Never changes a result.
    const char *units;  // sim: the processor's vector units to use: "base", "v3" (AVX2), "v4" (AVX-512); NULL: the best
                        // there are. Never changes a result.
};

enum engine_arg_kind { ARG_BUFFER, ARG_VALUE };
struct engine_arg {
    uint32_t kind;  // enum engine_arg_kind
    uint32_t bytes; // ARG_VALUE: 4 or 8
    int32_t buffer; // ARG_BUFFER: index from alloc; -1 passes a null pointer
    uint32_t pad;
    uint64_t value; // ARG_VALUE: the bits
};

// How strictly a launch is watched.
enum engine_checks {
    CHECK_BOUNDS = 1,  // out of bounds, misaligned, bad addresses (sim always refuses them; this also reports)
    CHECK_WRITTEN = 2, // reads of what was never written
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
    uint32_t cold;          // time and caches are modelled: 1: behind a flush; 2: right behind the launch before
    uint64_t schedule_seed; // 0: blocks and warps in ascending order; else a seeded order
    uint32_t stray;         // 1: with a seed, lanes of a warp do not keep step either; some run ahead of others
    uint64_t budget;        // warp instructions before the launch is called endless; 0: the engine's default
    uint64_t sample_inst;   // execute whole blocks until about this many warp instructions were run; 0: all blocks
    uint32_t more; // 1: the next launch belongs to the same measurement, and its observation has the time of both
};

// What a card says of itself between measurements.
struct engine_health {
    uint32_t clock_khz, clock_most_khz; // of the multiprocessors: now, and the highest there is; 0: it does not say
    uint32_t throttled;                 // 1: heat or power hold the clock down
    uint32_t processes;                 // that compute on it, ours included; 0: it does not say
};

// What load says of the image: nothing of it is trusted by the judge but as a claim to be checked.
struct engine_kernel {
    char name[ENGINE_NAME];
    uint32_t params;                   // number of parameters
    uint32_t param_bytes[ENGINE_ARGS]; // size of each
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
    // NULL on failure, with a sentence in message.
    struct engine *(*open)(const struct engine_options *, char message[OBSERVATION_MESSAGE]);
    // 0; or -1 with "line:col: text" or a sentence in message, ENGINE_UNDEFINED where a function is called that nobody
    // defines. The image's text is copied.
    int (*load)(struct engine *, const char *image, size_t bytes, struct engine_image *,
                char message[OBSERVATION_MESSAGE]);
    // The initial bytes of a __device__ or __constant__ variable: its size, or -1 when there is none of that name.
    int64_t (*symbol)(struct engine *, const char *name, void *data, size_t capacity);
    // A buffer of `bytes` (0 allowed) aligned to 256 with ENGINE_GUARD around it. `element` is the size of one element
    // (for messages). Contents count as never written until written by write or by a kernel. Index, or -1.
    int (*alloc)(struct engine *, uint64_t bytes, uint32_t element);
    // Offsets may reach ENGINE_GUARD bytes before and behind the buffer: so the judge poisons and inspects guards.
    // write marks bytes inside the buffer as written unless poison is 1. 0, or -1 out of range.
    int (*write)(struct engine *, int buffer, int64_t offset, const void *data, uint64_t bytes, int poison);
    int (*read)(struct engine *, int buffer, int64_t offset, void *data, uint64_t bytes);
    // Runs one kernel to its end and fills the observation. Observations do not accumulate.
    void (*launch)(struct engine *, const struct engine_launch *, struct observation *);
    // The next three are for an engine whose time is measured; NULL in one whose time is a model's.
    // Moves a buffer to an address that it did not have before, and fills it, guards included: with what buffer `from`
    // of the same size holds, or, from -1, with the word. 0, or -1 for want of memory.
    int (*renew)(struct engine *, int buffer, int from, uint32_t word);
    int (*restore)(struct engine *); // device variables back to their initial bytes. 0, or -1
    void (*health)(struct engine *, struct engine_health *);
    void (*reset)(struct engine *); // frees all buffers, device variables back to their initial bytes, caches empty
    void (*close)(struct engine *);
};

#endif
