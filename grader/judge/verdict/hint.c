// Writes advice on how to fix a finding. The advice on a race depends on whether the racing threads belong to one warp,
// to one block, or to two blocks.
//
// A barrier that fixes a race belongs after the first of the race's two accesses. The first access of a race is the
// access that a thread reaches first on its way from one barrier to the next. The first access of a race need not be
// the first in time, because one warp may run ahead of another. Without a loop, the access on the upper of the race's
// two source lines comes first. In a loop that contains a barrier, a thread that leaves the barrier first reaches the
// lines below the barrier. The thread reaches the lines above the barrier only in the next iteration, so these lines
// come second.
//
// If a block passes the same barrier before and after a source line, the line is in a loop that already contains a
// barrier. If both accesses of a race are on one line of a loop that contains a barrier, the missing barrier belongs
// between the line's read and the line's write.
#include "base/message.h"
#include "judge/verdict/verdict.h"

const struct finding_place *verdict_first(const struct finding *f)
{
    int behind = f->at.line > f->after, other_behind = f->other.line > f->after;
    if (!f->epoch || f->at.file != f->other.file) return &f->other;
    if (behind != other_behind) return behind ? &f->at : &f->other;
    return f->at.line < f->other.line ? &f->at : &f->other;
}

static int is_race(enum finding_kind kind)
{
    return kind == FINDING_race_raw || kind == FINDING_race_war || kind == FINDING_race_waw ||
           kind == FINDING_race_atomic;
}

static void say_alternative(enum finding_kind kind, struct text *out)
{
    if (kind == FINDING_race_waw) text_say(out, "let one thread write the element, or ");
    if (kind == FINDING_race_atomic)
        text_say(out, "an atomic protects only against other atomics: make both accesses atomic, or ");
}

static void hint_in_block(const struct finding *f, struct text *out)
{
    const char *barrier = f->warp ? "__syncwarp()" : "__syncthreads()";
    const struct finding_place *first = verdict_first(f);
    int one_line = f->at.line == f->other.line;
    say_alternative((enum finding_kind)f->kind, out);
    if (one_line && f->kind != FINDING_race_waw && !f->warp && f->after && f->after == f->before)
        text_say(out, "line %u reads and writes in one step: read into a variable, %s, then write", f->at.line,
                 barrier);
    else if (first->file == FILE_STUDENT && first->line)
        text_say(out, "put %s after line %u, where all threads of the %s come by", barrier, first->line,
                 _(f->warp ? N_("warp") : N_("block")));
    else
        text_say(out, "put %s between the two", barrier);
}

static void hint_fence(const struct finding *f, struct text *out)
{
    if (f->other.file == FILE_STUDENT && f->other.line)
        text_say(out, "missing __threadfence(): put one after line %u, before the atomic or the flag that tells of it",
                 f->other.line);
    else
        text_say(out, "missing __threadfence(): put one after the first access, before the atomic or the flag that "
                      "tells of it");
}

static void hint_between_blocks(const struct finding *f, struct text *out)
{
    if (f->kind == FINDING_race_atomic)
        text_say(out, "an atomic protects only against other atomics: make both accesses atomic");
    else if (f->kind == FINDING_race_waw)
        text_say(out, "give each block elements of its own, or add with an atomic");
    else
        text_say(out, "only the end of a kernel orders blocks: split the kernel here, or hand over with an atomic and "
                      "__threadfence()");
}

void verdict_hint(const struct verdict_finding *v, struct text *out)
{
    const struct finding *f = &v->finding;
    if (v->lost_update)
        text_say(out, "several threads change one element, each from what it read: use atomicAdd() or its like");
    else if (!is_race((enum finding_kind)f->kind) || !f->second)
        text_puts(out, _(verdict_info(v)->hint));
    else if (f->fence)
        hint_fence(f, out);
    else if (f->epoch)
        hint_in_block(f, out);
    else
        hint_between_blocks(f, out);
}
