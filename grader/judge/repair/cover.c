// Proposes repairs for blocks that do not cover the whole output, or that cover parts of it several times.
//
// Theory of operation. The macro LAUNCH says how much one block covers, and the kernel must cover as much. Each
// proposal is strict, that is, works only if all test cases with which it is tried become right (repair.h):
//
//   a loop that each block runs alone     its step `blockDim.x` or `gridDim.x` becomes `gridDim.x * blockDim.x`
//   a loop that each thread runs alone    it begins at `threadIdx.x`, and its step becomes `blockDim.x`
//   a tile that is larger than covered    a half, a quarter, an eighth of one extent of LAUNCH's `.tile`
//   a tile that is smaller than covered   a multiple of the extents of `.tile`; the outputs stay right only if it is
//                                         too small
//   two axes confused                     blockIdx.x and blockIdx.y change places in the kernel
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "judge/repair/maker.h"

static void step_by_grid(struct maker *m)
{
    const struct source *s = m->s;
    for (uint32_t t = 0; t + 6 < s->count; ++t) {
        uint32_t uses_block = 0;
        if (!source_is(s, t, "for") || !source_is(s, t + 1, "(")) continue;
        for (uint32_t k = t + 2; k + 2 < s->token[t + 1].mate; ++k) {
            uses_block |= (uint32_t)source_is(s, k, "blockIdx");
            if (uses_block && source_is(s, k, "+=") && k + 4 == s->token[t + 1].mate &&
                (source_is(s, k + 1, "blockDim") || source_is(s, k + 1, "gridDim")))
                maker_instead(m, k + 1, k + 3, "gridDim.x * blockDim.x");
        }
    }
}

// Proposes to share the turns of a loop such as `for (int b = 0; b < 256; b++)` among the threads of the block, for
// each loop around the finding's line.
static void turns_for_threads(struct maker *m)
{
    const struct source *s = m->s;
    uint32_t begin[LEVELS], at = maker_token(s, &m->f->at), n = at == NOWHERE ? 0 : maker_around(s, at, begin);
    for (uint32_t level = 0; level < n; ++level) {
        uint32_t t = begin[level], first = source_forward(s, t + 2, "="), end = s->token[t + 1].mate;
        if (!source_is(s, t, "for") || !source_is(s, t + 1, "(") || !source_is(s, first, "=")) continue;
        uint32_t step = source_forward(s, source_forward(s, first, ";") + 1, ";") + 1;
        int counts = end == step + 2 && (source_is(s, step, "++") || source_is(s, step + 1, "++"));
        char condition[STATEMENT], name[STATEMENT], text[3 * STATEMENT];
        maker_copy(s, first + 3, step - 2, condition);
        maker_copy(s, first - 1, first - 1, name);
        snprintf(text, sizeof text, "threadIdx.x; %s; %s += blockDim.x", condition, name);
        if (counts && source_is(s, first + 1, "0") && source_is(s, first + 2, ";") && condition[0] && name[0])
            maker_instead(m, first + 1, end - 1, text);
    }
}

static void smaller_extent(struct maker *m, uint32_t first, uint32_t last)
{
    const struct source *s = m->s;
    char old[STATEMENT], text[STATEMENT + 16];
    maker_copy(s, first, last, old);
    if (!old[0]) return;
    unsigned long n = first == last && s->token[first].kind == TOKEN_NUMBER ? strtoul(old, NULL, 0) : 0;
    if (last > first + 1 && source_is(s, last - 1, "*") && s->token[last].kind == TOKEN_NUMBER) {
        maker_copy(s, first, last - 2, text);
        maker_instead(m, first, last, text);
        return;
    }
    for (unsigned part = 2; part <= 8; part *= 2) {
        if (n && n % part) return;
        if (n)
            snprintf(text, sizeof text, "%lu", n / part);
        else
            snprintf(text, sizeof text, first == last ? "%s / %u" : "(%s) / %u", old, part);
        maker_instead(m, first, last, text);
    }
}

// Proposes smaller tiles for the LAUNCH of the finding's kernel, or of all kernels if it is not known.
static void smaller_tile(struct maker *m)
{
    const struct source *s = m->s;
    for (uint32_t t = 0; t + 2 < s->count; ++t) {
        if (!source_is(s, t, "LAUNCH") || !source_is(s, t + 1, "(") || s->token[t].defines) continue;
        if (m->v->kernel[0] && !source_is(s, t + 2, m->v->kernel)) continue;
        for (uint32_t k = t + 2, end = s->token[t + 1].mate; k < end; ++k) {
            if (!source_is(s, k, "tile") || !source_is(s, k + 1, "=") || !source_is(s, k + 2, "{")) continue;
            for (uint32_t first = k + 3; first < s->token[k + 2].mate;) {
                uint32_t next = source_forward(s, first, ",");
                smaller_extent(m, first, next - 1);
                first = next + 1;
            }
        }
    }
}

// Proposes `factor` times the extent for the axes of a tile that `axes` has as bits. `t` is LAUNCH's token. `open` is
// the bracket before the extents of the tile, or, if LAUNCH names no tile, of the block, which then is the tile.
static void larger_tile(struct maker *m, uint32_t t, uint32_t open, uint32_t axes, uint32_t factor)
{
    const struct source *s = m->s;
    char text[STATEMENT] = "", old[STATEMENT], whole[2 * STATEMENT + 16];
    uint32_t axis = 0, used = 0, all = 0, close = s->token[open].mate;
    int named = source_is(s, open - 2, "tile");
    for (uint32_t first = open + 1; first < close && used < STATEMENT; ++axis) {
        uint32_t next = source_forward(s, first, ",");
        maker_copy(s, first, next - 1, old);
        unsigned long n = first + 1 == next && s->token[first].kind == TOKEN_NUMBER ? strtoul(old, NULL, 0) : 0;
        all |= 1u << axis;
        used += (uint32_t)snprintf(text + used, STATEMENT - used, axis ? ", " : "");
        if (used >= STATEMENT) return;
        if (!(axes >> axis & 1))
            used += (uint32_t)snprintf(text + used, STATEMENT - used, "%s", old);
        else if (n)
            used += (uint32_t)snprintf(text + used, STATEMENT - used, "%lu", factor * n);
        else
            used += (uint32_t)snprintf(text + used, STATEMENT - used, first + 1 == next ? "%u * %s" : "%u * (%s)",
                                       factor, old);
        first = next + 1;
    }
    if (used >= STATEMENT || axes & ~all) return;
    maker_copy(s, open, close, old);
    snprintf(whole, sizeof whole, "%s, .tile = {%s}", old, text);
    struct repair *r = named ? maker_instead(m, open + 1, close - 1, text) : maker_instead(m, open, close, whole);
    if (!r) return;
    r->axes = axes;
    const struct token *kernel = &s->token[t + 2];
    snprintf(r->kernel, sizeof r->kernel, "%.*s", (int)(kernel->end - kernel->begin), s->text.data + kernel->begin);
}

// Returns 1 if the blocks may share out the work among as many as there are, by the grid's size or by an atomic
// counter. A kernel of this kind is right with every tile.
static int fits_each_grid(const struct source *s)
{
    for (uint32_t t = 0; t < s->count; ++t)
        if (source_is(s, t, "gridDim") || source_word_begins(s, t, "atomic") || source_is(s, t, "this_grid") ||
            source_is(s, t, "asm") || source_is(s, t, "per_sm"))
            return 1;
    return 0;
}

void maker_tiles(struct maker *m, uint32_t factor)
{
    const struct source *s = m->s;
    if (fits_each_grid(s)) return;
    for (uint32_t axes = 3; axes; --axes)
        for (uint32_t t = 0; t + 2 < s->count; ++t) {
            if (!source_is(s, t, "LAUNCH") || !source_is(s, t + 1, "(") || s->token[t].defines) continue;
            uint32_t open = NOWHERE;
            for (uint32_t k = t + 2, end = s->token[t + 1].mate; k < end; ++k) {
                int is_tile = source_is(s, k, "tile"), is_block = source_is(s, k, "block") && open == NOWHERE;
                if ((is_tile || is_block) && source_is(s, k + 1, "=") && source_is(s, k + 2, "{")) open = k + 2;
            }
            if (open != NOWHERE) larger_tile(m, t, open, axes, factor);
        }
}

static void swap_axes(struct maker *m, uint32_t body)
{
    const struct source *s = m->s;
    struct repair r = {.strict = 1};
    uint32_t axes = 0, line = 0;
    for (uint32_t t = body; t < s->token[body].mate; ++t) {
        uint32_t is_y = (uint32_t)source_is(s, t + 2, "y");
        if (!source_is(s, t, "blockIdx") || !source_is(s, t + 1, ".") || (!is_y && !source_is(s, t + 2, "x"))) continue;
        if (r.nedits == REPAIR_EDITS) return;
        axes |= 1u << is_y;
        if (!line) line = s->token[t].line;
        maker_replace(&r, s->token[t + 2].begin, s->token[t + 2].end, is_y ? "x" : "y");
    }
    struct repair *kept = axes == 3 ? maker_new(m) : NULL;
    if (!kept) return;
    *kept = r;
    message_print(kept->sentence, sizeof kept->sentence,
                  "let blockIdx.x and blockIdx.y change places in '%s', from line %u on", m->v->kernel, line);
}

void maker_cover(struct maker *m)
{
    const struct source *s = m->s;
    if (m->f->kind == FINDING_too_long) {
        step_by_grid(m);
        turns_for_threads(m);
        return;
    }
    for (uint32_t t = 0; t + 1 < s->count; ++t)
        if (m->v->kernel[0] && source_is(s, t, m->v->kernel) && source_is(s, t + 1, "(") &&
            source_is(s, s->token[t + 1].mate + 1, "{"))
            swap_axes(m, s->token[t + 1].mate + 1);
    if (m->f->kind == FINDING_output_missing) smaller_tile(m);
}
