// Defines the recorder's state, which the files of sim/record share.
#ifndef SIM_RECORD_STATE_H
#define SIM_RECORD_STATE_H

#include "engine/recording.h"
#include "ptx/source.h"
#include "sim/core/region.h"
#include "sim/core/warp.h"
#include "sim/record/recorder.h"

enum {
    CHUNKS = 8,
    CHUNK_BYTES = RECORDING_BYTES / CHUNKS,
    CELLS_MOST = 1 << 17, // elements of arrays whose last writers are kept
};

enum lane_status { LANE_RUNS, LANE_WAITS, LANE_SLEEPS, LANE_EXITED, LANE_AT_BARRIER };

// Where a lane is and what it waits for.
struct lane_state {
    uint32_t line, function;
    uint8_t status, barrier; // enum lane_status; LANE_AT_BARRIER: number of the barrier
    uint8_t started;         // 1: it has executed a step
};
// The lanes of a warp that wait for other lanes, poll memory, wait at a barrier or have ended, as recorded.
struct lane_masks {
    uint32_t waits, asleep, barrier, ended;
    uint32_t warp_barrier; // of the lanes in `waits` those at a __syncwarp()
};
// The last write of an element.
struct cell {
    uint32_t step, line, function;
    uint16_t warp; // of the recording
    uint8_t lane;
    uint8_t written;
    uint64_t value;
};
// What a step changes and the recording shows. Warps are those of the recording.
struct record_state {
    uint64_t (*value)[WARP_LANES];         // [parts][warps]: the last value that was recorded
    uint32_t *known, *undefined;           // [parts][warps]: lanes with a recorded value, and with an undefined one
    struct lane_state (*lane)[WARP_LANES]; // [warps]
    struct cell *cell;                     // [cells]
};

// A variable of the source that is recorded: its parts are the parts first to first + parts - 1.
struct record_variable {
    const struct ptx_source_variable *source;
    uint32_t first, parts;
};
struct record_part {
    uint32_t offset, bytes; // in the variable
};
// The latest step of a warp at which a variable was looked at.
struct record_look {
    uint32_t step;
    uint32_t lanes;                       // that have been looked at since the variable came to its place
    const struct ptx_source_place *place; // NULL: it was nowhere
};
// A function of the source: its variables, a range of recorder.variable.
struct record_function {
    uint32_t first, variables;
    uint32_t number; // index in the head's list of functions, or RECORDING_FUNCTIONS: not in the list
};

// A part of the recording. When there is no more room, the oldest chunk is dropped.
struct chunk {
    struct text events;
    uint32_t first;             // number of its first step
    struct record_state before; // the state before it
};

// What a lane accesses.
struct touch {
    int32_t array;       // -1: an address in no known array
    int64_t element;     // or the address
    const uint8_t *host; // NULL: the access is out of bounds
};

// The step that is being executed.
struct open_step {
    uint32_t on; // 0: there is none
    uint32_t warp, line, mask;
    uint32_t function;           // index in module->func
    const struct frame *frame;   // of the function
    uint32_t first, op;          // the first op of the function that was executed, and the last
    uint32_t back;               // 1: a jump led to before `first`
    uint32_t at, jumped;         // its instruction; 1: it is a jump
    uint32_t sampled;            // 1: its values are recorded
    uint64_t local_lo, local_hi; // bytes of local memory that it wrote lie in [local_lo, local_hi)
};

struct recorder {
    struct sim_watcher watcher;
    const struct sim_launch *launch;
    const struct sim_program *program;
    struct recording head;
    uint64_t wanted[RECORDING_BLOCKS]; // indices in the grid of the recorded blocks
    struct block *block[RECORDING_BLOCKS];
    uint32_t warps; // of all recorded blocks
    // Of each op: its line in the student's source, or 0, the line of the code behind it (line.c), whether it comes
    // from that source, and whether the scope of a variable begins there.
    uint32_t *line, *behind;
    uint8_t *student, *begins;
    struct record_variable *variable; // [head.nvariables], sorted by function
    struct record_part *part;         // [head.nparts]
    struct record_function *function; // [module->nfuncs]
    struct record_look *look;         // [head.nvariables][warps]
    uint32_t *written;                // [plan->nregs][warps]: lanes that wrote a register in the present call
    uint32_t *fresh;                  // [plan->nregs][warps]: the latest step that wrote it
    uint32_t *last;                   // [warps]: the warp's latest step that has ended
    struct lane_masks *masks;         // [warps]
    int32_t *array_of_var;            // [module->nvars]: index of an array, or -1
    int32_t array_of_buffer[ENGINE_BUFFERS];
    uint32_t *first_cell; // [head.narrays][blocks]: index of the array's first element in the cells, or
                          // RECORDING_NO_ARRAY: its writers are not kept
    uint32_t cells;
    struct record_state now;
    struct open_step open;
    struct chunk chunk[CHUNKS];
    uint32_t chunks;
    struct touch touch[WARP_LANES]; // of the op that is being executed
    uint32_t touching;              // lanes that access shared or global memory
    struct recording_event event;   // that is being put together
    struct finding_log *log;        // of the worker that runs a recorded block; NULL: another block runs
    uint32_t logged;                // its findings when the block's turn began
    uint32_t found;                 // 1: a finding lies in the recording, so nothing is dropped any more
    uint32_t full;                  // 1: the recording has ended
};

// Returns the index of the state of a part in a warp.
static inline size_t state_at(const struct recorder *r, uint32_t part, uint32_t warp)
{
    return (size_t)part * r->warps + warp;
}

// Appends an event to the recording and, for writes, to the state of the elements.
void recorder_put(struct recorder *, const struct recording_event *);

// Sets the fields of the recorder that say for each op to which line it belongs (line.c).
void line_list(struct recorder *);
// Returns the line that the lanes in `mask` of a warp execute at the op (line.c).
uint32_t line_at(const struct recorder *, uint32_t warp, uint32_t mask, uint32_t op);
// Fills in the head's lists, and what belongs to them in the recorder (describe.c).
void describe_program(struct recorder *);
// Fills in the arrays of the launch, which has begun (describe.c).
void describe_arrays(struct recorder *);
// Notes that variables whose scope begins at the present op have no value yet in the lanes in `mask` (values.c).
void values_begin(struct recorder *, const struct warp *w, uint32_t mask);
// Records the values that the open step has changed in the warp `w` (values.c).
void values_record(struct recorder *, const struct warp *w);
// Records what the lanes in `mask` are about to read, or have written (touch.c).
void touch_before(struct recorder *, struct warp *, const struct sim_op *, uint32_t mask);
void touch_after(struct recorder *, struct warp *, const struct sim_op *);
// Records what the lanes of the warp wait for, and which lanes of the block go on (lanes.c). The lanes in
// `at_warp_barrier` have just executed a __syncwarp(), or begun to wait there.
void lanes_record(struct recorder *, const struct warp *, uint32_t at_warp_barrier);
// Records barriers of the block that are complete.
void lanes_record_passes(struct recorder *, const struct block *, uint32_t slot);
// Returns 1 if the op is a __syncwarp().
int lanes_is_warp_barrier(const struct warp *, const struct sim_op *);
// Records which lanes of the open step's warp have gone to sleep, which they do behind the step's last op (lanes.c).
void lanes_sleep(struct recorder *, const struct warp *);

#endif
