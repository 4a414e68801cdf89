// Writes the sentence for each kind of finding, such as a race. A finding's sentence names an array as in the kernel's
// parameter list, and the index of an element. If a finding occurs only in hidden test cases, its sentence names
// neither index nor extent, because these numbers would tell the size of the case.
//
// For translation, the source has a complete sentence for each kind of access, because other languages have a different
// word order.
#include <inttypes.h>
#include <string.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "report/report.h"

struct speaker {
    const struct verdict_finding *v;
    const struct finding *f;
    struct text *out;
};

static const char *line_name(const struct speaker *s, uint32_t line, char out[BUNDLE_LINE])
{
    return judge_job_line(s->v->job, line, out);
}

static const char *array_name(const struct speaker *s)
{
    const char *symbol = s->f->symbol; // a symbol with a blank is the grader's description, not a name in the program
    return s->v->array[0] ? s->v->array : strchr(symbol, ' ') ? _(symbol) : symbol;
}

static uint32_t element_size(const struct speaker *s)
{
    uint32_t size = s->v->element ? s->v->element : s->f->size;
    return size ? size : 1;
}

static void name_thread(const struct speaker *s, const struct finding_place *p, struct text *out)
{
    const uint32_t *t = p->thread, *b = p->block;
    if (s->v->hidden)
        text_say(out, "a thread");
    else
        text_say(out, "thread (%1$u,%2$u,%3$u) of block (%4$u,%5$u,%6$u)", t[0], t[1], t[2], b[0], b[1], b[2]);
}

// Appends the name of an array element: "As[272]", "an element of 'in'", or "shared memory".
static void name_element(const struct speaker *s, struct text *out)
{
    static const char *const space[SPACES] = {[SPACE_NONE] = N_("memory"),
                                              [SPACE_GLOBAL] = N_("global memory"),
                                              [SPACE_SHARED] = N_("shared memory"),
                                              [SPACE_LOCAL] = N_("a local array"),
                                              [SPACE_CONST] = N_("constant memory"),
                                              [SPACE_PARAM] = N_("a parameter"),
                                              [SPACE_REGISTER] = N_("a local variable")};
    const char *name = array_name(s);
    int64_t size = element_size(s), index = s->f->offset / size - (s->f->offset % size < 0);
    if (!name[0])
        text_puts(out, _(space[s->f->space]));
    else if (s->f->space == SPACE_REGISTER)
        text_printf(out, "'%s'", name);
    else if (s->v->hidden)
        text_say(out, "an element of '%s'", name);
    else
        text_printf(out, "%s[%" PRId64 "]", name, index);
}

// Appends the sentence that the printf format `sentence` gives. The format's first argument is the name of the
// finding's thread. In say_of_element(), the format's second argument is the name of the accessed array element.
static void say_of_thread(const struct speaker *s, const char *sentence)
{
    struct text thread = {0};
    name_thread(s, &s->f->at, &thread);
    text_say(s->out, sentence, thread.data);
    text_free(&thread);
}
static void say_of_element(const struct speaker *s, const char *sentence)
{
    struct text thread = {0}, element = {0};
    name_thread(s, &s->f->at, &thread);
    name_element(s, &element);
    text_say(s->out, sentence, thread.data, element.data);
    text_free(&thread);
    text_free(&element);
}

// Returns the kind of access at a finding's place, by which a report chooses between sentences such as "reads" and
// "writes". Returns ACCESS_READ for all kinds of access other than writes and atomic accesses.
static enum access_kind kind_of(const struct finding_place *p)
{
    return p->access == ACCESS_WRITE || p->access == ACCESS_ATOMIC ? (enum access_kind)p->access : ACCESS_READ;
}

// Appends the sentence about an access, such as "thread (0,0,0) of block (1,0,0) reads in[272]".
static void say_access(const struct speaker *s)
{
    static const char *const sentence[ACCESS_KINDS] = {[ACCESS_READ] = N_("%1$s reads %2$s"),
                                                       [ACCESS_WRITE] = N_("%1$s writes %2$s"),
                                                       [ACCESS_ATOMIC] = N_("%1$s updates (atomically) %2$s")};
    say_of_element(s, sentence[kind_of(&s->f->at)]);
}

static void say_bounds(const struct speaker *s)
{
    const char *name = array_name(s);
    say_access(s);
    uint64_t count = s->f->extent / element_size(s);
    if (!name[0])
        text_say(s->out, ", outside of it");
    else if (s->v->hidden)
        text_say(s->out, ", outside of it (in a hidden case)");
    else if (s->f->offset < 0)
        text_say(s->out, ", before its first element");
    else if (count == 1)
        text_say(s->out, ": '%s' has 1 element", name);
    else
        text_say(s->out, ": '%1$s' has %2$" PRIu64 " elements", name, count);
}

static void say_alignment(const struct speaker *s)
{
    static const char *const of[ACCESS_KINDS] = {[ACCESS_READ] = N_("%1$s reads %2$u bytes of '%3$s'"),
                                                 [ACCESS_WRITE] = N_("%1$s writes %2$u bytes of '%3$s'"),
                                                 [ACCESS_ATOMIC] =
                                                     N_("%1$s updates (atomically) %2$u bytes of '%3$s'")};
    static const char *const bare[ACCESS_KINDS] = {[ACCESS_READ] = N_("%1$s reads %2$u bytes"),
                                                   [ACCESS_WRITE] = N_("%1$s writes %2$u bytes"),
                                                   [ACCESS_ATOMIC] = N_("%1$s updates (atomically) %2$u bytes")};
    enum access_kind kind = kind_of(&s->f->at);
    const char *name = array_name(s);
    struct text thread = {0};
    name_thread(s, &s->f->at, &thread);
    text_say(s->out, name[0] ? of[kind] : bare[kind], thread.data, s->f->size, name);
    text_free(&thread);
    if (!s->v->hidden) text_say(s->out, " at byte %" PRId64, s->f->offset);
    text_say(s->out, ", which is no multiple of %u", s->f->size);
}

static void say_never_written(const struct speaker *s)
{
    if (s->f->space == SPACE_REGISTER && s->f->text[0])
        say_of_thread(s, N_("%s uses a value that this shuffle read from a lane which takes no part in it"));
    else if (s->f->space == SPACE_REGISTER)
        say_of_element(s, N_("%1$s uses %2$s, which was never given a value"));
    else
        say_of_element(s, N_("%1$s reads %2$s, which was never written"));
}

// Appends the line numbers of the block's last barrier before the two accesses of a race, and of its first barrier
// after them.
static void say_epoch(const struct speaker *s)
{
    char after[BUNDLE_LINE], before[BUNDLE_LINE];
    if (!s->f->epoch || (!s->f->after && !s->f->before)) return;
    line_name(s, s->f->after, after);
    line_name(s, s->f->before, before);
    if (s->f->after == s->f->before)
        text_say(s->out, ", both between one passing of the barrier at line %s and the next", after);
    else if (!s->f->before)
        text_say(s->out, ", both after the barrier at line %s", after);
    else if (!s->f->after)
        text_say(s->out, ", both before the barrier at line %s", before);
    else
        text_say(s->out, ", both after the barrier at line %1$s, before the one at line %2$s", after, before);
}

// Appends what the other thread of a race did, and which synchronisation is missing between the two accesses.
static void say_other(const struct speaker *s, const char *thread, int same_block)
{
    enum { WARP, BLOCK, FENCE, GRID, RELATIONS };
    static const char *const sentence[RELATIONS][ACCESS_KINDS] = {
        [WARP] = {[ACCESS_READ] = N_(", which %s read with no __syncwarp() in between"),
                  [ACCESS_WRITE] = N_(", which %s wrote with no __syncwarp() in between"),
                  [ACCESS_ATOMIC] = N_(", which %s updated (atomically) with no __syncwarp() in between")},
        [BLOCK] = {[ACCESS_READ] = N_(", which %s read with no barrier in between"),
                   [ACCESS_WRITE] = N_(", which %s wrote with no barrier in between"),
                   [ACCESS_ATOMIC] = N_(", which %s updated (atomically) with no barrier in between")},
        [FENCE] =
            {[ACCESS_READ] = N_(", which %s read: the flag or atomic between them orders nothing without a fence"),
             [ACCESS_WRITE] = N_(", which %s wrote: the flag or atomic between them orders nothing without a fence"),
             [ACCESS_ATOMIC] = N_(", which %s updated (atomically): the flag or atomic between them orders nothing "
                                  "without a fence")},
        [GRID] = {[ACCESS_READ] = N_(", which %s read in the same launch: blocks run in any order"),
                  [ACCESS_WRITE] = N_(", which %s wrote in the same launch: blocks run in any order"),
                  [ACCESS_ATOMIC] = N_(", which %s updated (atomically) in the same launch: blocks run in any order")},
    };
    int relation = same_block ? (s->f->warp ? WARP : BLOCK) : s->f->fence ? FENCE : GRID;
    text_say(s->out, sentence[relation][kind_of(&s->f->other)], thread);
}

static void say_race(const struct speaker *s)
{
    const uint32_t *t = s->f->other.thread;
    struct text other = {0};
    int same_block = !memcmp(s->f->at.block, s->f->other.block, sizeof s->f->at.block);
    say_access(s);
    if (!s->f->second) {
        text_say(s->out, ", which another thread accesses with no barrier in between");
        return;
    }
    if (s->v->hidden)
        text_say(&other, "another thread");
    else if (same_block)
        text_say(&other, "thread (%1$u,%2$u,%3$u)", t[0], t[1], t[2]);
    else
        name_thread(s, &s->f->other, &other);
    say_other(s, other.data, same_block);
    if (s->f->strong) text_say(s->out, ": volatile makes no lane wait for another");
    text_free(&other);
    say_epoch(s);
    if (s->v->also[0]) text_say(s->out, "; the same of '%s'", s->v->also);
}

static void say_stale(const struct speaker *s)
{
    char line[BUNDLE_LINE];
    say_access(s);
    text_say(s->out, " as if no store changed it, after the store at line %s", line_name(s, s->f->other.line, line));
}

static void say_mismatch(const struct speaker *s)
{
    struct text thread = {0}, other = {0};
    char line[BUNDLE_LINE];
    if (!s->f->second) {
        say_of_thread(s, N_("%s waits at this barrier"));
        return;
    }
    name_thread(s, &s->f->at, &thread);
    name_thread(s, &s->f->other, &other);
    text_say(s->out, "%1$s waits at this barrier, and %2$s at the one in line %3$s", thread.data, other.data,
             line_name(s, s->f->other.line, line));
    text_free(&thread);
    text_free(&other);
}

static void say_divergent(const struct speaker *s)
{
    int elsewhere = s->v->hidden ? 0 : __builtin_popcountll(s->f->value); // the value is a mask of lanes
    say_of_thread(s, N_("%s is at this barrier"));
    if (elsewhere == 1)
        text_say(s->out, ", while 1 other of its warp is elsewhere");
    else if (elsewhere)
        text_say(s->out, ", while %d others of its warp are elsewhere", elsewhere);
    else
        text_say(s->out, ", while others of its warp are elsewhere");
}

static void say_output_missing(const struct speaker *s)
{
    const char *name = array_name(s);
    if (s->v->hidden) {
        text_say(s->out, "elements of '%s' were never written (in a hidden case)", name);
        return;
    }
    struct text element = {0};
    name_element(s, &element);
    text_say(s->out, "%s was never written", element.data);
    text_free(&element);
    if (s->f->count > 1)
        text_say(s->out, ", nor were %1$" PRIu64 " more of %2$" PRIu64, s->f->count - 1,
                 s->f->extent / element_size(s));
}

static void say_input_changed(const struct speaker *s)
{
    struct text element = {0};
    name_element(s, &element);
    text_say(s->out, "%1$s was changed, and '%2$s' is an input", element.data, array_name(s));
    text_free(&element);
}

static void say_stray(const struct speaker *s)
{
    if (s->f->offset < 0)
        text_say(s->out, "something was stored before the first element of '%s'", array_name(s));
    else
        text_say(s->out, "something was stored behind the last element of '%s'", array_name(s));
}

// Appends a sentence with the finding's thread and the finding's own text. If the finding has no text of its own, the
// sentence contains the string `otherwise` instead.
static void say_reason(const struct speaker *s, const char *sentence, const char *otherwise)
{
    struct text thread = {0};
    name_thread(s, &s->f->at, &thread);
    text_say(s->out, sentence, thread.data, _(s->f->text[0] ? s->f->text : otherwise));
    text_free(&thread);
}

static void say_deadlock(const struct speaker *s)
{
    const struct finding *f = s->f;
    for (uint32_t i = 0; i < f->waits; ++i) {
        const struct finding_wait *w = &f->wait[i];
        char line[BUNDLE_LINE];
        line_name(s, w->line, line);
        if (i) text_puts(s->out, "; ");
        if (s->v->hidden)
            text_say(s->out, "threads wait at line %s", line);
        else if (w->low == w->high)
            text_say(s->out, "thread %1$u waits at line %2$s", w->low, line);
        else
            text_say(s->out, "threads %1$u-%2$u wait at line %3$s", w->low, w->high, line);
    }
    if (f->waits && f->text[0]) text_puts(s->out, ": ");
    if (!f->waits || f->text[0]) text_puts(s->out, _(f->text[0] ? f->text : N_("no thread of the block can go on")));
}

static void say_lost_address(const struct speaker *s)
{
    static const char *const sentence[ACCESS_KINDS] = {
        [ACCESS_READ] = N_("%s reads at an address that lies in no array"),
        [ACCESS_WRITE] = N_("%s writes at an address that lies in no array"),
        [ACCESS_ATOMIC] = N_("%s updates (atomically) at an address that lies in no array")};
    say_of_thread(s, sentence[kind_of(&s->f->at)]);
}

static void say_mask(const struct speaker *s)
{
    struct text thread = {0};
    name_thread(s, &s->f->at, &thread);
    if (s->v->hidden)
        text_say(s->out, "%s: its mask and the lanes that come here differ", thread.data);
    else
        text_say(s->out, "%1$s: its mask and the lanes that come here differ in the lanes 0x%2$08" PRIx64, thread.data,
                 s->f->value);
    text_free(&thread);
}

static void say_too_long(const struct speaker *s)
{
    if (s->f->text[0])
        text_puts(s->out, _(s->f->text));
    else
        text_say(s->out, "takes more than %" PRIu64 " warp instructions", s->f->value);
}

static void say_assertion(const struct speaker *s)
{
    say_reason(s, "%1$s: %2$s", N_("the condition does not hold"));
}

static void say_bad_call(const struct speaker *s)
{
    say_reason(s, "%1$s %2$s", N_("makes a call that cannot be made"));
}

static void say_trap(const struct speaker *s)
{
    say_of_thread(s, N_("%s stopped the kernel"));
}

static void say_arithmetic(const struct speaker *s)
{
    say_of_thread(s, N_("%s divides an integer by zero"));
}

static void say_double_free(const struct speaker *s)
{
    say_of_thread(s, N_("%s frees memory that was freed before"));
}

static void say_bad_free(const struct speaker *s)
{
    say_of_thread(s, N_("%s frees a pointer that malloc() did not return"));
}

static void say_after_free(const struct speaker *s)
{
    say_access(s);
    text_say(s->out, ", which was freed before");
}

static void say_same_value(const struct speaker *s)
{
    say_access(s);
    text_say(s->out, ", and other threads store the same value there");
}

static void say_order_dependent(const struct speaker *s)
{
    text_say(s->out, "the output is right when threads run in one order, and wrong when they run in another");
}

void report_finding(const struct verdict_finding *v, struct text *sentence)
{
    static void (*const say[FINDING_KINDS])(const struct speaker *) = {
        [FINDING_barrier_divergent] = say_divergent,
        [FINDING_barrier_mismatch] = say_mismatch,
        [FINDING_bad_mask] = say_mask,
        [FINDING_deadlock] = say_deadlock,
        [FINDING_out_of_bounds] = say_bounds,
        [FINDING_after_free] = say_after_free,
        [FINDING_double_free] = say_double_free,
        [FINDING_bad_free] = say_bad_free,
        [FINDING_misaligned] = say_alignment,
        [FINDING_bad_address] = say_lost_address,
        [FINDING_read_only] = say_access,
        [FINDING_race_raw] = say_race,
        [FINDING_race_war] = say_race,
        [FINDING_race_waw] = say_race,
        [FINDING_race_atomic] = say_race,
        [FINDING_stale_read] = say_stale,
        [FINDING_never_written] = say_never_written,
        [FINDING_race_same_value] = say_same_value,
        [FINDING_too_long] = say_too_long,
        [FINDING_trap] = say_trap,
        [FINDING_assertion] = say_assertion,
        [FINDING_bad_call] = say_bad_call,
        [FINDING_arithmetic] = say_arithmetic,
        [FINDING_order_dependent] = say_order_dependent,
        [FINDING_input_changed] = say_input_changed,
        [FINDING_output_missing] = say_output_missing,
        [FINDING_stray_store] = say_stray,
    };
    struct speaker s = {v, &v->finding, sentence};
    if (v->defect) {
        text_puts(sentence, v->sentence);
        return;
    }
    BUG_ON(s.f->kind >= FINDING_KINDS || !say[s.f->kind]);
    say[s.f->kind](&s);
}

void report_finding_other(const struct verdict_finding *v, struct text *sentence)
{
    static const char *const other[ACCESS_KINDS] = {[ACCESS_READ] = N_("the other access, which reads"),
                                                    [ACCESS_WRITE] = N_("the other access, which writes"),
                                                    [ACCESS_ATOMIC] =
                                                        N_("the other access, which updates (atomically)")};
    if (!v->finding.second) return;
    if (v->defect) {
        text_puts(sentence, _("the other operation"));
        return;
    }
    switch ((enum finding_kind)v->finding.kind) {
    case FINDING_barrier_divergent:
        text_say(sentence, "others of its warp are here");
        break;
    case FINDING_barrier_mismatch:
        text_say(sentence, "the other barrier");
        break;
    case FINDING_bad_mask:
        text_say(sentence, "lanes that left earlier wait here");
        break;
    case FINDING_never_written:
        text_say(sentence, "the value is used here");
        break;
    case FINDING_deadlock:
        text_say(sentence, "others wait here");
        break;
    case FINDING_out_of_bounds:
        text_say(sentence, "the memory was allocated here");
        break;
    case FINDING_after_free:
    case FINDING_double_free:
        text_say(sentence, "the memory was freed here");
        break;
    default:
        text_puts(sentence, _(other[kind_of(&v->finding.other)]));
    }
}

void report_place(const struct finding_place *p, const struct bundle *source, struct text *out)
{
    uint32_t line = p->line;
    if (p->file == FILE_STUDENT)
        line = bundle_place(source, p->line, out);
    else
        text_puts(out, p->file == FILE_KIT ? "warpwise.h" : _("a header of the compiler"));
    if (!p->line) return;
    uint32_t column = p->column || p->file != FILE_STUDENT ? p->column : bundle_column(source, p->line);
    text_printf(out, ":%u:%u", line, column ? column : 1);
}
