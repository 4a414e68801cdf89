// Defines a recording: what the threads of one or two blocks of a launch did, step by step. The simulator writes
// recordings (sim/record), the judge reads them, and reports show them (report/step.h).
//
// A step is one source line that the active lanes of a warp executed, or the part of it up to where other lanes or
// another warp went on. Steps are numbered from 1, in the order in which the simulator executed them. An event of a
// recording belongs to the step before it.
//
// A recording is a string of bytes: a head, which lists the arrays, functions and variables, and then events. Numbers
// are LEB128. A recording comes from a runner process, which is not trusted: recording_open() and recording_next()
// check everything, and no number that they return leads outside of the lists in the head.
#ifndef ENGINE_RECORDING_H
#define ENGINE_RECORDING_H

#include <stddef.h>
#include <stdint.h>

#include "base/text_struct.h"

enum {
    RECORDING_BLOCKS = 2,        // most blocks of a recording
    RECORDING_LANES = 32,        // lanes of a warp
    RECORDING_BYTES = 640 << 10, // most bytes of the events that are kept; older ones are dropped
    RECORDING_MOST = 24 << 20,   // most bytes of a whole recording
    RECORDING_ARRAYS = 256,
    RECORDING_FUNCTIONS = 256,
    RECORDING_VARIABLES = 1024,
    RECORDING_PARTS = 1024, // most scalars of all variables together
    RECORDING_DIMS = 4,
    RECORDING_NAME = 160, // bytes of a name, NUL included
};

// The kinds of values.
enum recording_kind {
    RECORDING_UNSIGNED,
    RECORDING_SIGNED,
    RECORDING_FLOAT, // 2, 4 or 8 bytes, as bits
    RECORDING_BOOL,
    RECORDING_CHAR,
    RECORDING_POINTER, // an address of the simulated device
    RECORDING_KINDS
};

struct recording_array {
    char name[RECORDING_NAME]; // as in the source; may be ""
    char type[RECORDING_NAME]; // of an element; may be ""
    uint8_t shared;            // 1: an array in each block's shared memory; 0: in global memory
    uint8_t kind;              // enum recording_kind of an element
    uint8_t bytes;             // of an element: 1, 2, 4 or 8
    int32_t buffer;            // index of the engine's buffer, or -1
    uint32_t ndims;            // 1 to RECORDING_DIMS
    uint64_t dim[RECORDING_DIMS];
    uint64_t count; // elements
    uint64_t base;  // address of element 0
};
struct recording_variable {
    char name[RECORDING_NAME], type[RECORDING_NAME];
    uint32_t function;     // index of a function
    uint32_t line;         // of its declaration; 0: unknown
    uint32_t first, parts; // its scalars are the parts first to first + parts - 1
};
struct recording_part {
    char path[RECORDING_NAME]; // of the scalar in the variable, such as "[2]" or ".x"; "" for a scalar
    uint8_t kind, bytes;
};
// The head of a recording.
struct recording {
    uint32_t nblocks, warps; // recorded blocks; warps of a block
    uint32_t block[RECORDING_BLOCKS][3];
    uint32_t first;    // number of the first recorded step; older steps were dropped
    uint32_t steps;    // number of the last step
    uint32_t before;   // steps in front of the first one, which make the state before it: the latest values,
                       // writers and waits
    uint32_t complete; // 0: the recording ends before the blocks do
    uint32_t narrays, nfunctions, nvariables, nparts;
    struct recording_array *array;
    char (*function)[RECORDING_NAME];
    struct recording_variable *variable;
    struct recording_part *part;
    const uint8_t *events, *end; // in the caller's bytes
};

// An event. `mask` is never 0. Lanes outside of a warp's threads never occur.
enum recording_tag {
    RECORDING_END,       // no more events
    RECORDING_STEP,      // a step begins: warp, line, mask, function
    RECORDING_VALUE,     // the part `index` has new values: mask, undefined, value
    RECORDING_READ,      // the lanes read elements of the array `index`: mask, element
    RECORDING_WRITE,     // they wrote: mask, element, undefined, value
    RECORDING_ATOMIC,    // they changed elements by atomics, value: in memory afterwards
    RECORDING_WAIT,      // they wait at barrier `index` of the block
    RECORDING_PASS,      // all lanes of the step's block that wait at barrier `index` go on
    RECORDING_WARP_WAIT, // they wait for other lanes of their warp
    RECORDING_SLEEP,     // they poll memory that nobody has changed
    RECORDING_GO,        // lanes that waited in their warp, or slept, go on
    RECORDING_EXIT,      // the lanes have ended
    RECORDING_MEET,      // they have completed a __syncwarp() together
    RECORDING_TAGS
};
#define RECORDING_NO_ARRAY 0xffffffffu // an address in no known array: `element` holds addresses
struct recording_event {
    uint32_t tag;   // enum recording_tag
    uint32_t index; // of an array, part or barrier
    uint32_t warp;  // number of the block in the recording × warps + number of the warp in its block
    uint32_t line;  // 0: unknown
    uint32_t function;
    uint32_t mask;                    // lanes
    uint32_t undefined;               // lanes that have no defined value
    uint64_t value[RECORDING_LANES];  // the bits of the lanes in `mask`
    int64_t element[RECORDING_LANES]; // of the lanes in `mask`; outside of the array if the access is
};

// Appends the head to `out`, in the order of the fields of struct recording.
void recording_put_head(struct text *out, const struct recording *);
// Appends an event to `out`.
void recording_put(struct text *out, const struct recording_event *);

// Reads the head of a recording and checks all events. Returns 0, or -1 if the bytes are no recording. The bytes must
// stay valid as long as the struct recording. The caller frees it with recording_close() in either case.
int recording_open(struct recording *, const void *bytes, size_t length);
void recording_close(struct recording *);

// A position in a recording.
struct recording_reader {
    const struct recording *recording;
    const uint8_t *at;
    uint32_t read;                // steps that were read
    uint32_t step;                // number of the step to which the last event belongs; 0: before the recording
    struct recording_event event; // the last event
};
void recording_begin(struct recording_reader *, const struct recording *);
// Reads the next event. Returns 1, or 0 at the end.
int recording_next(struct recording_reader *);

#endif
