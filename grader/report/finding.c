// The sentence of each kind of finding. It speaks of arrays by their names in the kernel's parameter list and of
// elements by their index, because that is what stands in the student's source. A finding of hidden cases alone names
// neither index nor extent: they would tell the case's size.
#include <inttypes.h>
#include <string.h>

#include "base/die.h"
#include "report/report.h"

struct speaker {
    const struct verdict_finding *v;
    const struct finding *f;
    struct text *out;
};

static const char *array_name(const struct speaker *s)
{
    return s->v->array[0] ? s->v->array : s->f->symbol;
}

static uint32_t element_size(const struct speaker *s)
{
    uint32_t size = s->v->element ? s->v->element : s->f->size;
    return size ? size : 1;
}

static void say_thread(const struct speaker *s, const struct finding_place *p)
{
    const uint32_t *t = p->thread, *b = p->block;
    if (s->v->hidden)
        text_puts(s->out, "a thread");
    else
        text_printf(s->out, "thread (%u,%u,%u) of block (%u,%u,%u)", t[0], t[1], t[2], b[0], b[1], b[2]);
}

// "As[272]", "an element of 'in'", "shared memory".
static void say_element(const struct speaker *s)
{
    static const char *const space[SPACES] = {[SPACE_NONE] = "memory",
                                              [SPACE_GLOBAL] = "global memory",
                                              [SPACE_SHARED] = "shared memory",
                                              [SPACE_LOCAL] = "a local array",
                                              [SPACE_CONST] = "constant memory",
                                              [SPACE_PARAM] = "a parameter",
                                              [SPACE_REGISTER] = "a local variable"};
    const char *name = array_name(s);
    int64_t size = element_size(s), index = s->f->offset / size - (s->f->offset % size < 0);
    if (!name[0])
        text_puts(s->out, space[s->f->space]);
    else if (s->f->space == SPACE_REGISTER)
        text_printf(s->out, "'%s'", name);
    else if (s->v->hidden)
        text_printf(s->out, "an element of '%s'", name);
    else
        text_printf(s->out, "%s[%" PRId64 "]", name, index);
}

static const char *present(const struct finding_place *p)
{
    return p->access == ACCESS_WRITE ? "writes" : p->access == ACCESS_ATOMIC ? "updates (atomically)" : "reads";
}

static const char *past(const struct finding_place *p)
{
    return p->access == ACCESS_WRITE ? "wrote" : p->access == ACCESS_ATOMIC ? "updated (atomically)" : "read";
}

// "thread (0,0,0) of block (1,0,0) reads in[272]"
static void say_access(const struct speaker *s)
{
    say_thread(s, &s->f->at);
    text_printf(s->out, " %s ", present(&s->f->at));
    say_element(s);
}

static void say_bounds(const struct speaker *s)
{
    const char *name = array_name(s);
    say_access(s);
    uint64_t count = s->f->extent / element_size(s);
    if (!name[0])
        text_puts(s->out, ", outside of it");
    else if (s->v->hidden)
        text_puts(s->out, ", outside of it (in a hidden case)");
    else if (s->f->offset < 0)
        text_printf(s->out, ", before its first element");
    else
        text_printf(s->out, ": '%s' has %" PRIu64 " element%s", name, count, count == 1 ? "" : "s");
}

static void say_alignment(const struct speaker *s)
{
    const char *name = array_name(s);
    say_thread(s, &s->f->at);
    text_printf(s->out, " %s %u bytes", present(&s->f->at), s->f->size);
    if (name[0]) text_printf(s->out, " of '%s'", name);
    if (!s->v->hidden) text_printf(s->out, " at byte %" PRId64, s->f->offset);
    text_printf(s->out, ", which is no multiple of %u", s->f->size);
}

static void say_never_written(const struct speaker *s)
{
    say_thread(s, &s->f->at);
    if (s->f->space == SPACE_REGISTER) {
        text_puts(s->out, " uses ");
        say_element(s);
        text_puts(s->out, ", which was never given a value");
        return;
    }
    text_puts(s->out, " reads ");
    say_element(s);
    text_puts(s->out, ", which was never written");
}

// Between which barriers of the block it was.
static void say_epoch(const struct speaker *s)
{
    uint32_t after = s->f->after, before = s->f->before;
    if (!s->f->epoch || (!after && !before)) return;
    if (after == before)
        text_printf(s->out, ", both between one passing of the barrier at line %u and the next", after);
    else if (!before)
        text_printf(s->out, ", both after the barrier at line %u", after);
    else if (!after)
        text_printf(s->out, ", both before the barrier at line %u", before);
    else
        text_printf(s->out, ", both after the barrier at line %u, before the one at line %u", after, before);
}

static void say_race(const struct speaker *s)
{
    say_access(s);
    if (!s->f->second) {
        text_puts(s->out, ", which another thread accesses with no barrier in between");
        return;
    }
    text_puts(s->out, ", which ");
    int same_block = !memcmp(s->f->at.block, s->f->other.block, sizeof s->f->at.block);
    const uint32_t *t = s->f->other.thread;
    if (s->v->hidden)
        text_puts(s->out, "another thread");
    else if (same_block)
        text_printf(s->out, "thread (%u,%u,%u)", t[0], t[1], t[2]);
    else
        say_thread(s, &s->f->other);
    text_printf(s->out, " %s", past(&s->f->other));
    if (!same_block)
        text_puts(s->out, s->f->fence ? ": the flag or atomic between them orders nothing without a fence"
                                      : " in the same launch: blocks run in any order");
    else
        text_printf(s->out, " with no %s in between", s->f->warp ? "__syncwarp()" : "barrier");
    say_epoch(s);
    if (s->v->also[0]) text_printf(s->out, "; the same of '%s'", s->v->also);
}

static void say_barrier(const struct speaker *s)
{
    say_thread(s, &s->f->at);
    if (s->f->kind == FINDING_barrier_mismatch) {
        text_puts(s->out, " waits at this barrier");
        if (!s->f->second) return;
        text_puts(s->out, ", and ");
        say_thread(s, &s->f->other);
        text_printf(s->out, " at the one in line %u", s->f->other.line);
        return;
    }
    text_puts(s->out, " is at this barrier");
    int elsewhere = __builtin_popcountll(s->f->value); // a mask of lanes
    if (elsewhere)
        text_printf(s->out, ", while %d other%s of its warp %s elsewhere", elsewhere, elsewhere == 1 ? "" : "s",
                    elsewhere == 1 ? "is" : "are");
    else
        text_puts(s->out, ", while others of its warp are elsewhere");
}

static void say_output_missing(const struct speaker *s)
{
    const char *name = array_name(s);
    if (s->v->hidden) {
        text_printf(s->out, "elements of '%s' were never written (in a hidden case)", name);
        return;
    }
    uint64_t count = s->f->extent / element_size(s);
    say_element(s);
    text_printf(s->out, " was never written");
    if (s->f->count > 1) text_printf(s->out, ", nor were %" PRIu64 " more of %" PRIu64, s->f->count - 1, count);
}

static void say_stray(const struct speaker *s)
{
    text_printf(s->out, "something was stored %s '%s'",
                s->f->offset < 0 ? "before the first element of" : "behind the last element of", array_name(s));
}

static void say_text(const struct speaker *s, const char *otherwise)
{
    text_puts(s->out, s->f->text[0] ? s->f->text : otherwise);
}

static void say_stopped(const struct speaker *s)
{
    switch ((enum finding_kind)s->f->kind) {
    case FINDING_deadlock:
        say_text(s, "no thread of the block can go on");
        return;
    case FINDING_endless:
        text_printf(s->out, "still running after %" PRIu64 " warp instructions", s->f->value);
        return;
    case FINDING_assertion:
        say_thread(s, &s->f->at);
        text_puts(s->out, ": ");
        say_text(s, "the condition does not hold");
        return;
    case FINDING_bad_call:
        say_thread(s, &s->f->at);
        text_puts(s->out, " ");
        say_text(s, "makes a call that cannot be made");
        return;
    default:
        say_thread(s, &s->f->at);
        text_puts(s->out, " stopped the kernel");
    }
}

static void say_global(const struct speaker *s)
{
    switch ((enum finding_kind)s->f->kind) {
    case FINDING_order_dependent:
        text_puts(s->out, "the output is right when threads run in one order, and wrong when they run in another");
        return;
    case FINDING_input_changed:
        say_element(s);
        text_printf(s->out, " was changed, and '%s' is an input", array_name(s));
        return;
    case FINDING_output_missing:
        say_output_missing(s);
        return;
    default:
        say_stray(s);
    }
}

void report_finding(const struct verdict_finding *v, struct text *sentence)
{
    struct speaker s = {v, &v->finding, sentence};
    switch ((enum finding_kind)v->finding.kind) {
    case FINDING_out_of_bounds:
        say_bounds(&s);
        break;
    case FINDING_misaligned:
        say_alignment(&s);
        break;
    case FINDING_bad_address:
        say_thread(&s, &s.f->at);
        text_printf(sentence, " %s at an address that lies in no array", present(&s.f->at));
        break;
    case FINDING_read_only:
        say_access(&s);
        break;
    case FINDING_never_written:
        say_never_written(&s);
        break;
    case FINDING_race_raw:
    case FINDING_race_war:
    case FINDING_race_waw:
    case FINDING_race_atomic:
        say_race(&s);
        break;
    case FINDING_race_same_value:
        say_access(&s);
        text_puts(sentence, ", and other threads store the same value there");
        break;
    case FINDING_barrier_divergent:
    case FINDING_barrier_mismatch:
        say_barrier(&s);
        break;
    case FINDING_bad_mask:
        say_thread(&s, &s.f->at);
        text_printf(sentence, ": its mask and the lanes that come here differ in the lanes 0x%08" PRIx64, s.f->value);
        break;
    case FINDING_arithmetic:
        say_thread(&s, &s.f->at);
        text_puts(sentence, " divides an integer by zero");
        break;
    case FINDING_deadlock:
    case FINDING_endless:
    case FINDING_trap:
    case FINDING_assertion:
    case FINDING_bad_call:
        say_stopped(&s);
        break;
    case FINDING_order_dependent:
    case FINDING_input_changed:
    case FINDING_output_missing:
    case FINDING_stray_store:
        say_global(&s);
        break;
    case FINDING_KINDS:
        BUG("a finding without a kind");
    }
}

void report_finding_other(const struct verdict_finding *v, struct text *sentence)
{
    if (!v->finding.second) return;
    switch ((enum finding_kind)v->finding.kind) {
    case FINDING_barrier_divergent:
        text_puts(sentence, "others of its warp are here");
        break;
    case FINDING_barrier_mismatch:
        text_puts(sentence, "the other barrier");
        break;
    case FINDING_deadlock:
        text_puts(sentence, "others wait here");
        break;
    default:
        text_printf(sentence, "the other access, which %s", present(&v->finding.other));
    }
}

void report_place(const struct finding_place *p, const char *shown, struct text *out)
{
    text_puts(out, p->file == FILE_STUDENT ? shown : p->file == FILE_KIT ? "warpwise.h" : "a header of the compiler");
    if (p->line) text_printf(out, ":%u", p->line);
    if (p->line && p->column) text_printf(out, ":%u", p->column);
}

void report_case_name(const struct verdict *v, uint32_t index, struct text *out)
{
    if (!(v->item[index].which->flags & CASE_HIDDEN)) {
        text_puts(out, v->item[index].which->name);
        return;
    }
    unsigned number = 0;
    for (uint32_t i = 0; i <= index; ++i) number += (v->item[i].which->flags & CASE_HIDDEN) != 0;
    text_printf(out, "hidden case %u", number);
}
