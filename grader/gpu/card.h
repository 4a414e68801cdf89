// Defines the state of the gpu engine, which the source files of gpu/ share.
#ifndef GPU_CARD_H
#define GPU_CARD_H

#include "base/text_struct.h"
#include "gpu/driver.h"
#include "gpu/gpu.h"

enum { GPU_PLACES = 3 };
struct gpu_buffer {
    uint64_t data;  // address of the first byte, at least ENGINE_GUARD after at[place]; 0: the buffer does not exist
    uint64_t bytes; // size without the guard zones
    uint64_t at[GPU_PLACES]; // the allocations that the buffer alternates between; 0: not allocated yet
    uint32_t place;          // index of the current allocation
};

enum { GPU_QUEUE = 16 }; // maximum launches in one measurement
struct engine {
    const struct driver *driver;
    struct gpu_card card;
    void *module;
    struct text image; // the loaded image, kept for gpu_restore()
    struct gpu_buffer buffer[ENGINE_BUFFERS];
    uint32_t fresh; // number of moves and flushes so far
    uint64_t flush; // memory of twice the L2 cache's size, written to flush the cache
    uint64_t flush_bytes;
    void *start, *end; // events around a measurement
    uint32_t queued;   // number of launches that wait for the last launch of their measurement
    struct gpu_queued {
        void *function;
        struct engine_launch launch;
        uint64_t value[ENGINE_ARGS]; // values of the arguments
    } queue[GPU_QUEUE];
    int spoilt; // 1: a fault broke the context, and every call of the driver fails
    char why[OBSERVATION_MESSAGE];
};

// The functions in buffer.c implement the operations on buffers of struct engine_ops (engine/engine.h).
int gpu_buffer_alloc(struct engine *, uint64_t bytes, uint32_t element);
int gpu_buffer_write(struct engine *, int buffer, int64_t offset, const void *data, uint64_t bytes, int poison);
int gpu_buffer_read(struct engine *, int buffer, int64_t offset, void *data, uint64_t bytes);
int gpu_buffer_renew(struct engine *, int buffer, int from, uint32_t word);
// Frees the GPU memory of all buffers of the engine.
void gpu_buffer_free_all(struct engine *);

// The file launch.c implements the operation `launch` of struct engine_ops.
void gpu_launch(struct engine *, const struct engine_launch *, struct observation *);

// The file health.c implements the operation `health` of struct engine_ops.
void gpu_health(struct engine *, struct engine_health *);

#endif
