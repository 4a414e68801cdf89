// Manages call frames; frame.h states the contracts. Call frames form a tree, because lanes that diverge inside a call
// share the call's frame. Each split (a group of lanes) holds a reference to its call frame, and each frame holds a
// reference to its parent.
#include "sim/machine/frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/core/program.h"

struct frame *frame_new(struct warp *w, uint32_t bytes)
{
    struct frame *f = w->free_frames;
    if (f) {
        w->free_frames = f->parent;
    } else {
        f = alloc_zeroed(1, sizeof *f);
    }
    if (f->saved_bytes < bytes) {
        free(f->saved);
        f->saved = alloc_bytes(bytes);
        f->saved_bytes = bytes;
    }
    return f;
}

uint32_t frame_site(const struct warp *w, uint32_t op)
{
    const struct sim_program *program = w->memory.block->worker->launch->program;
    for (const struct frame *f = w->frame; f && program_op_place(program, op).file != FILE_STUDENT; f = f->parent)
        op = f->call;
    return op;
}

void frame_release(struct warp *w, struct frame *f)
{
    while (f && --f->references == 0) {
        struct frame *parent = f->parent;
        f->parent = w->free_frames;
        w->free_frames = f;
        f = parent;
    }
}

int frame_same(const struct frame *a, const struct frame *b)
{
    for (; a != b; a = a->parent, b = b->parent)
        if (!a || !b || a->call != b->call || a->callee != b->callee || a->is_saved != b->is_saved ||
            a->local_base != b->local_base)
            return 0;
    return 1;
}

void frame_copy_lanes(const struct warp *w, const struct plan_func *f, uint8_t *to, const uint8_t *from, uint32_t mask)
{
    // A register takes 128 or 256 bytes for all lanes. A predicate takes one word with a bit for each lane (width 1).
    for (uint32_t k = 0; k < f->nspans; k++) {
        const struct plan_span *s = &w->plan->span[f->first_span + k];
        uint32_t at = s->row - f->region;
        if (s->width == 1) {
            uint32_t had, other;
            memcpy(&had, to + at, 4);
            memcpy(&other, from + at, 4);
            had = (had & ~mask) | (other & mask);
            memcpy(to + at, &had, 4);
            continue;
        }
        for (uint32_t i = 0; i < WARP_LANES; i++)
            if (mask >> i & 1) memcpy(to + at + i * s->width, from + at + i * s->width, s->width);
    }
}

void frame_merge(struct warp *w, struct frame *into, const struct frame *from, uint32_t mask)
{
    uint32_t entry = w->memory.block->worker->launch->program->entry;
    for (; into != from; into = into->parent, from = from->parent) {
        uint32_t caller = into->parent ? into->parent->callee : entry;
        if (into->is_saved) frame_copy_lanes(w, &w->plan->func[caller], into->saved, from->saved, mask);
    }
}
