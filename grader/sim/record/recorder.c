// Records blocks of a launch.
//
// Theory of operation.
//
// What is recorded. The recorder watches the warps of one or two blocks (struct sim_watcher). It divides what a warp
// executes into steps: a step ends where the warp goes on with another line of the source, with other lanes, in another
// call, or at an earlier instruction of the same line, where another warp goes on, and where it fills its chunk. For
// each step the recording has the line and the active lanes, and as events the variables that changed, lane by lane
// (values.c), the elements of arrays that were read, written or changed by atomics (touch.c), and lanes that wait, go
// on or end (lanes.c). A finding keeps the number of the step in which it was found (finding_log_step). Everything is
// read from outside while the simulator executes the launch as it does without a recorder, so the findings and the
// order of the steps are those of the verdict. The launch runs on one host thread.
//
// How a reader goes back. An event holds new values alone. The state at a step is what all events up to this step have
// left behind, so a reader goes back by building the state anew from the beginning, or from a copy of an earlier state
// that it keeps. Who wrote an element, and when a variable changes next, are searches in the lists of its events.
//
// Bounds. The events of a recording take about RECORDING_BYTES. They are kept in chunks. A chunk ends with the op that
// fills it, and each chunk has a copy of the state before it, a checkpoint. When there is no more room, the oldest
// chunk is dropped, and the checkpoint of the next becomes the beginning of the recording: the latest values, the last
// writer of each element, and what each lane waits for. A long recording therefore keeps its end. Once a finding lies
// in the recording, nothing is dropped any more, and the recording ends when it is full. The writers of arrays with
// more than CELLS_MOST elements together are not part of a checkpoint.
//
// Determinism. The recording depends on the image and on the request alone, and repeats byte for byte.
//
// What it costs. Blocks that are not recorded run as fast as without a recorder. In a recorded block, each op costs a
// look at its operands, and each step a comparison of the variables of its function with their last values.
#include "sim/record/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "ptx/ptx.h"
#include "sim/hazard/finding_log.h"
#include "sim/record/state.h"

// ---------------------------------------------------------------- states

static struct record_state state_new(const struct recorder *r)
{
    size_t values = (size_t)r->head.nparts * r->warps + 1;
    return (struct record_state){.value = alloc_zeroed(values, sizeof *r->now.value),
                                 .known = alloc_zeroed(values, sizeof *r->now.known),
                                 .undefined = alloc_zeroed(values, sizeof *r->now.undefined),
                                 .lane = alloc_zeroed(r->warps, sizeof *r->now.lane),
                                 .cell = alloc_zeroed(r->cells + 1, sizeof *r->now.cell)};
}

static void state_free(struct record_state *s)
{
    free(s->value);
    free(s->known);
    free(s->undefined);
    free(s->lane);
    free(s->cell);
    *s = (struct record_state){0};
}

// Copies the present state to *to, which was made by state_new().
static void state_copy(const struct recorder *r, struct record_state *to)
{
    size_t values = (size_t)r->head.nparts * r->warps;
    memcpy(to->value, r->now.value, values * sizeof *to->value);
    memcpy(to->known, r->now.known, values * sizeof *to->known);
    memcpy(to->undefined, r->now.undefined, values * sizeof *to->undefined);
    memcpy(to->lane, r->now.lane, r->warps * sizeof *to->lane);
    memcpy(to->cell, r->now.cell, r->cells * sizeof *to->cell);
}

static void forget(struct recorder *r)
{
    while (r->chunks) {
        struct chunk *last = &r->chunk[--r->chunks];
        text_free(&last->events);
        state_free(&last->before);
    }
    state_free(&r->now);
    r->head.steps = 0;
    r->open.on = r->full = r->found = r->touching = 0;
    memset(r->block, 0, sizeof r->block);
    r->log = NULL;
    memset(r->written, 0, (size_t)r->program->plan->nregs * r->warps * sizeof *r->written);
    memset(r->fresh, 0, (size_t)r->program->plan->nregs * r->warps * sizeof *r->fresh);
    memset(r->look, 0, (size_t)r->head.nvariables * r->warps * sizeof *r->look);
    memset(r->last, 0, r->warps * sizeof *r->last);
    memset(r->masks, 0, r->warps * sizeof *r->masks);
}

// ---------------------------------------------------------------- events

// Keeps the last writers of the elements that an event writes.
static void keep_writers(struct recorder *r, const struct recording_event *e)
{
    uint32_t slot = r->open.warp / r->head.warps, count = 0;
    if (e->index == RECORDING_NO_ARRAY) return;
    uint32_t first = r->first_cell[e->index * RECORDING_BLOCKS + slot];
    if (first != RECORDING_NO_ARRAY) count = (uint32_t)r->head.array[e->index].count;
    for (uint32_t left = count ? e->mask & ~e->undefined : 0; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        if (e->element[l] < 0 || e->element[l] >= count) continue;
        r->now.cell[first + (uint32_t)e->element[l]] = (struct cell){.step = r->head.steps,
                                                                     .line = r->open.line,
                                                                     .function = r->function[r->open.function].number,
                                                                     .warp = (uint16_t)r->open.warp,
                                                                     .lane = (uint8_t)l,
                                                                     .written = 1,
                                                                     .value = e->value[l]};
    }
}

void recorder_put(struct recorder *r, const struct recording_event *e)
{
    if (r->full) return;
    recording_put(&r->chunk[r->chunks - 1].events, e);
    if (e->tag == RECORDING_WRITE || e->tag == RECORDING_ATOMIC) keep_writers(r, e);
}

// Notes whether findings were added since the recorded block's turn began.
static void note_found(struct recorder *r)
{
    r->found |= r->log && finding_log_count(r->log) > r->logged;
}

// Begins a chunk if the present one is full. Ends the recording if there is no room for it.
static void make_room(struct recorder *r)
{
    if (r->chunks && r->chunk[r->chunks - 1].events.length < CHUNK_BYTES) return;
    note_found(r);
    if (r->chunks == CHUNKS && r->found) {
        r->full = 1;
        return;
    }
    struct chunk fresh = {.first = r->head.steps + 1};
    if (r->chunks == CHUNKS) { // the new chunk takes the memory of the oldest
        fresh.events = r->chunk[0].events;
        fresh.before = r->chunk[0].before;
        fresh.events.length = 0;
        memmove(&r->chunk[0], &r->chunk[1], --r->chunks * sizeof *r->chunk);
    } else {
        fresh.before = state_new(r);
    }
    state_copy(r, &fresh.before);
    r->chunk[r->chunks++] = fresh;
}

// ---------------------------------------------------------------- steps

// Returns the call of the student's source in which the warp executes the op, and stores its frame.
static uint32_t site_of(const struct recorder *r, const struct warp *w, uint32_t op, const struct frame **frame)
{
    const struct frame *f = w->frame;
    for (; f && !r->student[op]; f = f->parent) op = f->call;
    *frame = f;
    return op;
}

// Ends the open step.
static void close_step(struct recorder *r)
{
    if (!r->open.on) return;
    const struct block *b = r->block[r->open.warp / r->head.warps];
    const struct warp *w = &b->warp[r->open.warp % r->head.warps];
    if (!r->open.sampled) values_record(r, w);
    lanes_sleep(r, w);
    r->last[r->open.warp] = r->head.steps;
    r->open.on = 0;
}

// Begins a step of the warp's lanes in `mask` at an op of the student's source.
static void open_step(struct recorder *r, const struct warp *w, uint32_t warp, uint32_t mask, uint32_t site,
                      uint32_t line, const struct frame *frame)
{
    make_room(r);
    if (r->full) return;
    r->open = (struct open_step){.on = 1,
                                 .warp = warp,
                                 .line = line,
                                 .mask = mask,
                                 .function = r->program->info[site].func,
                                 .frame = frame,
                                 .first = site,
                                 .op = site,
                                 .at = r->program->info[site].inst,
                                 .local_lo = UINT64_MAX};
    uint32_t function = r->function[r->open.function].number;
    r->head.steps++;
    recorder_put(r, &(struct recording_event){.tag = RECORDING_STEP,
                                              .warp = warp,
                                              .line = r->open.line,
                                              .mask = mask,
                                              .function = function < RECORDING_FUNCTIONS ? function : 0});
    for (uint32_t left = mask; left; left &= left - 1) {
        struct lane_state *lane = &r->now.lane[warp][__builtin_ctz(left)];
        lane->line = r->open.line;
        lane->function = function;
        lane->started = 1;
    }
    lanes_record(r, w, 0);
    finding_log_step(w->memory.block->worker->findings, r->head.steps);
}

// Returns the number of the block's first warp in the recording.
static uint32_t first_warp(const struct recorder *r, const struct block *b)
{
    for (uint32_t i = 0; i < r->head.nblocks; i++)
        if (r->block[i] == b) return i * r->head.warps;
    return 0;
}

// Returns 1 if the op at index `at`, of the open step's line and function, belongs to the step: the warp goes on, or
// jumps back to before the step's first op, as from the end of a loop's head to its beginning. When the warp comes by
// at an op again, a new step begins.
static int continues(struct open_step *s, uint32_t at)
{
    if (at <= s->op && at >= s->first) return 0;
    if (s->back && (at <= s->op || at >= s->first)) return 0;
    s->back |= at < s->first;
    return 1;
}

static void before(struct sim_watcher *watcher, struct warp *w, const struct sim_op *op, uint32_t mask)
{
    struct recorder *r = (struct recorder *)watcher; // its first field
    const struct frame *frame;
    uint32_t at = warp_op_index(w, op), site = site_of(r, w, at, &frame);
    uint32_t warp = first_warp(r, w->block) + w->memory.id, line = line_at(r, warp, mask, site);
    struct open_step *s = &r->open;
    int same = s->on && s->warp == warp && s->mask == mask && s->line == line && s->frame == frame &&
               s->function == r->program->info[site].func && (site != at || at == s->op || continues(s, at)) &&
               r->chunk[r->chunks - 1].events.length < CHUNK_BYTES;
    if (r->full) return;
    if (!same) {
        close_step(r);
        open_step(r, w, warp, mask, site, line, frame);
    }
    if (r->full) return;
    r->open.op = site;
    r->open.at = r->program->info[site].inst;
    r->open.jumped =
        site == at && (op->role == ROLE_BRANCH || op->role == ROLE_BRANCH_TABLE || op->role == ROLE_RETURN);
    if (site == at && r->begins[at]) values_begin(r, w, mask);
    touch_before(r, w, op, mask);
    if (site == at && op->role == ROLE_RETURN) { // after it, the registers may be those of the caller
        values_record(r, w);
        r->open.sampled = 1;
    }
}

// Records that the lanes in `mask` wrote the registers that the op has as destinations.
static void mark_written(struct recorder *r, const struct warp *w, const struct sim_op *op, uint32_t mask)
{
    const uint32_t *use = &w->plan->use[op->regs + 1 + op->nsources];
    for (uint32_t d = 0; d < op->ndests; d++) {
        size_t at = (size_t)use[d] * r->warps + r->open.warp;
        r->written[at] |= mask;
        r->fresh[at] = r->head.steps;
    }
}

// Forgets which registers of the called function were written, after the lanes in `mask` have entered it.
static void enter_call(struct recorder *r, const struct warp *w, uint32_t mask)
{
    const struct plan_func *f = &w->plan->func[w->frame->callee];
    for (uint32_t k = 0; k < f->nregs; k++) r->written[(f->first_reg + k) * r->warps + r->open.warp] &= ~mask;
}

static void after(struct sim_watcher *watcher, struct warp *w, const struct sim_op *op, uint32_t mask)
{
    struct recorder *r = (struct recorder *)watcher;
    if (r->full || !r->open.on) return;
    touch_after(r, w, op);
    mark_written(r, w, op, warp_guard(w, op, mask));
    if ((op->run == call_enter || op->inner == call_enter) && w->frame) enter_call(r, w, mask);
    uint32_t at_warp_barrier = lanes_is_warp_barrier(w, op) ? warp_guard(w, op, mask) : 0;
    if (!w->event && !at_warp_barrier) return;
    lanes_record(r, w, at_warp_barrier);
    int goes_on = w->current != NO_SPLIT && w->split[w->current].state == SPLIT_RUNNABLE && !w->block->stopped;
    if (!goes_on) close_step(r); // before the block may end
}

// A barrier that a warp completes lets the other warps go on when the block looks at its barriers.
static void waited(struct sim_watcher *watcher, struct block *b)
{
    struct recorder *r = (struct recorder *)watcher;
    uint32_t slot = first_warp(r, b) / r->head.warps;
    if (!r->full && r->head.steps && r->open.warp / r->head.warps == slot) lanes_record_passes(r, b, slot);
}

// ---------------------------------------------------------------- runs

static void start(struct sim_watcher *watcher, const struct sim_launch *l)
{
    struct recorder *r = (struct recorder *)watcher;
    r->launch = l;
    r->head.warps = l->warps;
    forget(r);
    describe_arrays(r);
    r->now = state_new(r);
    make_room(r);
}

static int begin(struct sim_watcher *watcher, struct block *b)
{
    struct recorder *r = (struct recorder *)watcher;
    int wanted = 0;
    for (uint32_t i = 0; i < r->head.nblocks; i++) {
        if (r->block[i] == b) r->block[i] = NULL; // the struct block served an earlier block
        if (r->wanted[i] != b->memory.linear) continue;
        r->block[i] = b;
        wanted = 1;
    }
    return wanted;
}

// A finding of the block belongs to the latest step if the block is recorded, or else to none.
static void turn(struct sim_watcher *watcher, struct block *b)
{
    struct recorder *r = (struct recorder *)watcher;
    if (b->watcher != watcher) close_step(r);
    note_found(r);
    r->log = b->watcher == watcher ? b->memory.worker->findings : NULL;
    if (r->log) r->logged = finding_log_count(r->log);
    finding_log_step(b->memory.worker->findings, r->log && !r->full ? r->head.steps : 0);
}

struct recorder *recorder_new(const struct sim_program *program, const struct engine_launch *q)
{
    struct recorder *r = alloc_zeroed(1, sizeof *r);
    const uint32_t *grid = q->grid;
    uint32_t threads = q->block[0] * q->block[1] * q->block[2];
    r->watcher = (struct sim_watcher){start, begin, turn, waited, before, after};
    r->program = program;
    r->head.nblocks = q->record < RECORDING_BLOCKS ? q->record : RECORDING_BLOCKS;
    r->head.warps = (threads + WARP_LANES - 1) / WARP_LANES;
    r->warps = r->head.nblocks * r->head.warps;
    for (uint32_t i = 0; i < r->head.nblocks; i++) {
        memcpy(r->head.block[i], q->record_block[i], sizeof r->head.block[i]);
        const uint32_t *b = q->record_block[i];
        r->wanted[i] = b[0] + grid[0] * (b[1] + (uint64_t)grid[1] * b[2]);
    }
    line_list(r);
    r->written = alloc_zeroed((size_t)program->plan->nregs * r->warps + 1, sizeof *r->written);
    r->fresh = alloc_zeroed((size_t)program->plan->nregs * r->warps + 1, sizeof *r->fresh);
    r->last = alloc_zeroed(r->warps + 1, sizeof *r->last);
    r->masks = alloc_zeroed(r->warps + 1, sizeof *r->masks);
    r->array_of_var = alloc_zeroed(program->module->nvars + 1, sizeof *r->array_of_var);
    r->first_cell = alloc_zeroed(RECORDING_ARRAYS * RECORDING_BLOCKS, sizeof *r->first_cell);
    describe_program(r);
    r->look = alloc_zeroed((size_t)r->head.nvariables * r->warps + 1, sizeof *r->look);
    r->begins = alloc_zeroed(program->nops, sizeof *r->begins);
    for (uint32_t k = 0; k < program->nops; k++) {
        const struct sim_op_info *op = &program->info[k];
        int first = !k || op[-1].func != op->func || op[-1].inst != op->inst; // of its instruction
        const struct record_function *f = &r->function[op->func];
        for (uint32_t i = f->first; first && i < f->first + f->variables; i++)
            r->begins[k] |= r->variable[i].source->from == op->inst;
    }
    return r;
}

void recorder_free(struct recorder *r)
{
    if (!r) return;
    forget(r);
    free(r->head.array);
    free(r->head.function);
    free(r->head.variable);
    free(r->head.part);
    free(r->line);
    free(r->behind);
    free(r->student);
    free(r->begins);
    free(r->variable);
    free(r->part);
    free(r->function);
    free(r->written);
    free(r->fresh);
    free(r->look);
    free(r->last);
    free(r->masks);
    free(r->array_of_var);
    free(r->first_cell);
    free(r);
}

struct sim_watcher *recorder_watcher(struct recorder *r)
{
    return &r->watcher;
}
