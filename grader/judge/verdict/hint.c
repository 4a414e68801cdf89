// Writes the rule that a finding breaks. The rule for a race depends on whether the racing threads belong to one warp,
// to one block, or to two blocks. A rule is true of every finding of its kind, so it names no line to change.
//
// The first access of a race is the access that a thread reaches first on its way from one barrier to the next. The
// first access of a race need not be the earlier access in time, because one warp may run ahead of another. Without a
// loop, the access on the upper of the race's two source lines comes first. In a loop that contains a barrier, a thread
// that leaves the barrier first reaches the lines below the barrier, so an access on these lines is the first access.
// The thread reaches the lines above the barrier only in the next iteration of the loop, so an access on those lines is
// the second access.
#include "base/message.h"
#include "base/text.h"
#include "host/border/host_trace.h"
#include "judge/verdict/verdict.h"

const struct finding_place *verdict_first(const struct finding *f)
{
    int behind = f->at.line > f->after, other_behind = f->other.line > f->after;
    if (!f->epoch || f->at.file != f->other.file) return &f->other;
    if (behind != other_behind) return behind ? &f->at : &f->other;
    return f->at.line < f->other.line ? &f->at : &f->other;
}

static void hint_in_block(const struct finding *f, struct text *out)
{
    const char *barrier = f->warp ? "__syncwarp()" : "__syncthreads()";
    if (f->kind == FINDING_race_waw)
        text_say(out, "let one thread write the element, or let a barrier, such as %s, stand between the writes",
                 barrier);
    else if (f->kind == FINDING_race_atomic)
        text_say(out,
                 "an atomic protects only against other atomics: make both accesses atomic, or let a barrier, such as "
                 "%s, stand between them",
                 barrier);
    else if (f->at.line == f->other.line)
        text_say(out,
                 "one statement reads what another thread writes in it: every thread must have read before one writes, "
                 "and have written before one reads again, with %s between",
                 barrier);
    else
        text_say(out,
                 "between two barriers, threads run in any order: a barrier, such as %s, which all of them reach, must "
                 "stand between the two accesses",
                 barrier);
}

static void hint_between_blocks(const struct finding *f, struct text *out)
{
    if (f->kind == FINDING_race_atomic)
        text_say(out, "an atomic protects only against other atomics: make both accesses atomic");
    else if (f->kind == FINDING_race_waw)
        text_say(out, "give each block elements of its own, or add with an atomic");
    else if (f->at.line == f->other.line)
        text_say(out, "blocks run in any order, and several change this element: add with an atomic, or give each "
                      "block elements of its own");
    else
        text_say(out, "blocks run in any order until the kernel ends: use the value in a later kernel, or hand it over "
                      "with an atomic and __threadfence()");
}

// Appends advice on a defect in the given kernel of a host lab, which the student cannot change: what the launch was
// given is wrong. Returns 0, or -1 if the finding is no such defect.
static int hint_given_kernel(const struct verdict_finding *v, struct text *out)
{
    if (v->defect || !v->job || !v->job->lab || !v->job->lab->host) return -1;
    if (v->finding.kind == FINDING_out_of_bounds)
        text_say(out, "the launch covers more elements than the memory has: its count or its first element is too "
                      "large; the last part is often shorter than the others");
    else if (v->finding.kind == FINDING_never_written)
        text_say(out, "the launch covers elements that no copy has brought: copies count in bytes (count * "
                      "sizeof(unsigned)), and every launch needs its copy before it");
    else
        return -1;
    return 0;
}

void verdict_hint(const struct verdict_finding *v, struct text *out)
{
    const struct finding *f = &v->finding;
    if (!host_trace_advice(v->defect == DEFECT_UNCHECKED ? v->reason : 0, v->a, v->b, out)) return;
    if (!hint_given_kernel(v, out)) return;
    if (v->lost_update)
        text_say(out, "several threads change one element, each from what it read: use atomicAdd() or its like");
    else if (!v->defect && f->kind == FINDING_never_written && f->space == SPACE_SHARED && f->value)
        text_say(out, "some threads of the block returned before the barrier, and wrote nothing: let every thread "
                      "reach the barrier, and guard the accesses instead");
    else if (!v->defect && f->kind == FINDING_never_written && f->space == SPACE_REGISTER && f->text[0])
        text_say(out,
                 "a shuffle has values only of the lanes that its mask names and that come here: let all lanes come, "
                 "and name them all. __activemask() names only those that happen to be together");
    else if (v->defect || !verdict_is_race(f) || !f->second)
        text_puts(out, _(verdict_info(v)->hint));
    else if (f->fence)
        text_say(out, "missing __threadfence() between the first access and the atomic or the flag that tells of it");
    else if (f->epoch && !f->warp && v->job && v->job->lab->without_block_barriers)
        text_say(out, "warps run in any order, and this lab forbids a barrier of the block: give each warp elements of "
                      "its own");
    else if (f->epoch)
        hint_in_block(f, out);
    else
        hint_between_blocks(f, out);
}
