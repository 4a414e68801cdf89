// Allocates what a lowering needs: growing lists, and register rows. A kernel that cannot be lowered is refused with
// the line of the instruction at fault.
#include "sim/lower/lowering.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "engine/observation.h"
#include "ptx/ptx.h"

void lower_grow(struct lower *l, void **at, uint32_t *capacity, uint32_t count, size_t size)
{
    uint32_t more = *capacity ? *capacity * 2 : 64;
    void *grown = arena_array(l->arena, more, size);
    if (count) memcpy(grown, *at, count * size);
    *at = grown;
    *capacity = more;
}

void lower_refuse(struct lower *l, const char *format, ...)
{
    if (l->failed) return;
    l->failed = 1;
    va_list args;
    int n = l->inst ? snprintf(l->message, OBSERVATION_MESSAGE, "%u:%u: ", l->inst->line, l->inst->column) : 0;
    va_start(args, format);
    message_vprint(l->message + n, (size_t)(OBSERVATION_MESSAGE - n), format, args);
    va_end(args);
}

uint32_t lower_row(struct lower *l, uint32_t bytes)
{
    uint32_t align = bytes >= 64 ? 64 : 4, at = (l->file + align - 1) / align * align;
    if (bytes > LOWER_FILE_MAX || at > LOWER_FILE_MAX - bytes) {
        lower_refuse(l, "too many registers");
        return 0;
    }
    l->file = at + bytes;
    return at;
}

struct ref lower_new_reg(struct lower *l, uint32_t width)
{
    struct ref r = {lower_row(l, width == 1 ? 4 : WARP_LANES * width), ++l->nregs};
    *LOWER_PUSH(l, &l->span) = (struct plan_span){r.row, width, r.reg};
    return r;
}
