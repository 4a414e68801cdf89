// What the files of this folder share: the engine's state, and the card's own account of its health.
#ifndef GPU_CARD_H
#define GPU_CARD_H

#include "base/text.h"
#include "gpu/driver.h"
#include "gpu/gpu.h"

enum { GPU_PLACES = 3 };
struct gpu_buffer {
    uint64_t data;           // address of the first byte, ENGINE_GUARD or more behind at[place]; 0: there is none
    uint64_t bytes;          // guards not included
    uint64_t at[GPU_PLACES]; // memory it moves about in; 0: not yet allocated
    uint32_t place;          // where it is
};

enum { GPU_QUEUE = 16 }; // launches of one measurement
struct engine {
    const struct driver *driver;
    struct gpu_card card;
    void *module;
    struct text image; // kept, to load it again
    struct gpu_buffer buffer[ENGINE_BUFFERS];
    uint32_t fresh; // counts addresses given out
    uint64_t flush; // memory of twice the L2's size
    uint64_t flush_bytes;
    void *start, *end; // events around a measurement
    uint32_t queued;   // launches that wait for the last of their measurement
    struct gpu_queued {
        void *function;
        struct engine_launch launch;
        uint64_t value[ENGINE_ARGS]; // of its arguments
    } queue[GPU_QUEUE];
    int spoilt; // a fault ended the context
    char why[OBSERVATION_MESSAGE];
};

// buffers.c: see engine_ops.
int gpu_buffer_alloc(struct engine *, uint64_t bytes, uint32_t element);
int gpu_buffer_write(struct engine *, int buffer, int64_t offset, const void *data, uint64_t bytes, int poison);
int gpu_buffer_read(struct engine *, int buffer, int64_t offset, void *data, uint64_t bytes);
int gpu_buffer_renew(struct engine *, int buffer, int from, uint32_t word);
void gpu_buffer_free_all(struct engine *);

// launch.c
void gpu_launch(struct engine *, const struct engine_launch *, struct observation *);

// health.c: by NVML, where it is there; zeros otherwise.
void gpu_health(struct engine *, struct engine_health *);

#endif
