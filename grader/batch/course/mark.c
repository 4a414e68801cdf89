// Computes marks. The penalty for lateness is subtracted from each attempt before the attempt that counts is chosen.
// The course policy "best" therefore chooses the attempt with the most points after the penalty.
#include "batch/course/mark.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "batch/unpack/timestamp.h"

struct worth {
    double penalty; // points subtracted for lateness
    int refused;    // 1: the attempt was handed in after the last day
    int64_t late;   // seconds after the due date; 0: in time
    int told;       // 1: the course system says that the attempt is late, but the number of seconds is unknown
};

static struct worth worth_of(const struct course_lab *l, int64_t due, int64_t extended, const struct mark_attempt *a)
{
    struct worth w = {0};
    if (a->clock != CLOCK_NONE && a->submitted && due) w.late = a->submitted - due;
    if (w.late <= l->grace || a->late == 2) w.late = 0;
    // The course system uses its own due date and does not know about extensions in course.json.
    w.told = a->late == 1 && !w.late && !extended;
    if (w.told) w.late = 1;
    if (!w.late) return w;
    double begun = ceil((double)w.late / (double)l->late.per), percent = fmin(begun * l->late.percent, l->late.most);
    w.refused = l->late.until && w.late > l->late.until;
    w.penalty = fmin(a->total, a->of * percent / 100);
    if (w.refused) w.penalty = a->total;
    return w;
}

static void print_span(struct text *t, int64_t seconds)
{
    int64_t days = seconds / 86400, hours = seconds / 3600 % 24, minutes = (seconds + 59) / 60 % 60;
    if (days) text_printf(t, "%" PRId64 " d ", days);
    if (hours || days) text_printf(t, "%" PRId64 " h ", hours);
    text_say(t, "%" PRId64 " min", minutes);
}

static void say_dates(struct mark *m, const struct course_lab *l, int64_t due, int64_t extended)
{
    char when[TIMESTAMP_TEXT];
    if (!due) return;
    timestamp_print(due, when);
    text_say(&m->applied, "Due %s", when);
    if (extended) {
        text_puts(&m->applied, _(", extended by "));
        print_span(&m->applied, extended);
    }
    if (l->grace) {
        text_puts(&m->applied, _(", with a grace of "));
        print_span(&m->applied, l->grace);
    }
    text_puts(&m->applied, ".\n");
}

static void say_attempt(struct mark *m, const struct course_lab *l, const struct mark_attempt *a, struct worth w,
                        int64_t due)
{
    static const char *const clock[CLOCKS] = {"", N_(" (by the file's time)"), N_(" (by the commit's own date)"), ""};
    char when[TIMESTAMP_TEXT];
    if (a->submitted) {
        timestamp_print(a->submitted, when);
        text_say(&m->applied, "Handed in %s%s.\n", when, *clock[a->clock] ? _(clock[a->clock]) : "");
    }
    if (!a->submitted && !a->late && due)
        text_puts(&m->applied, _("When it was handed in is not known, so nothing is off for lateness.\n"));
    if (a->late == 1 && !w.late)
        text_puts(&m->applied, _("The course system calls it late, but it does not know of the extension.\n"));
    if (!w.late) return;
    if (w.told)
        text_puts(&m->applied, _("Late, as the course system says, not by how much"));
    else {
        text_puts(&m->applied, _("Late by "));
        print_span(&m->applied, w.late);
    }
    if (w.refused)
        text_puts(&m->applied, _(": after the last day, so it does not count.\n"));
    else if (l->late.percent > 0)
        text_say(&m->applied, ": %g points off (%g %% for each begun period, at most %g %%).\n", w.penalty,
                 l->late.percent, l->late.most);
    else
        text_puts(&m->applied, _(": it costs nothing.\n"));
}

void mark_decide(const struct course_lab *l, int64_t due, int64_t extended, const struct mark_attempt *attempt,
                 uint32_t count, struct mark *m)
{
    const struct mark_attempt *chosen = NULL;
    struct worth worth = {0};
    uint32_t counted = l->cap && l->cap < count ? l->cap : count, waiting = 0;
    memset(m, 0, sizeof *m);
    say_dates(m, l, due, extended);
    for (uint32_t i = 0; i < counted; ++i) {
        const struct mark_attempt *a = &attempt[i];
        waiting += !a->graded;
        // If the last attempt is not graded yet, an earlier attempt must not count in place of the last attempt.
        if (!a->graded && l->policy == COURSE_LAST) chosen = NULL;
        if (!a->graded) continue;
        struct worth w = worth_of(l, due, extended, a);
        if (chosen && l->policy == COURSE_BEST && a->total - w.penalty <= chosen->total - worth.penalty) continue;
        chosen = a;
        worth = w;
    }
    if (counted > 1 || counted < count)
        text_say(&m->applied, "The %s of %" PRIu32 " attempts counts.\n", l->policy == COURSE_BEST ? "best" : "last",
                 counted);
    if (counted < count)
        text_say(&m->applied, "%" PRIu32 " more do not count: the cap is %" PRIu32 " attempts.\n", count - counted,
                 l->cap);
    if (waiting) text_say(&m->applied, "%" PRIu32 " could not be graded yet; that is not your fault.\n", waiting);
    if (!chosen) return;
    m->there = 1;
    m->attempt = chosen->id;
    m->raw = chosen->total;
    m->of = chosen->of;
    m->penalty = worth.penalty;
    m->points = chosen->total - worth.penalty;
    say_attempt(m, l, chosen, worth, due);
}

void mark_free(struct mark *m)
{
    text_free(&m->applied);
}
