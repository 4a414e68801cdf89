// See progress.h.
#define _GNU_SOURCE
#include "base/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/message.h"
#include "base/text.h"

static const long long FIRST_NS = 500000000, REDRAW_NS = 100000000, LINE_NS = 20000000000;
enum { BAR = 24, STEP = 60 }; // BAR: columns of the bar; STEP: most bytes shown of a step's name

struct progress progress_start(const char *what, int total)
{
    return (struct progress){.what = what, .total = total > 0 ? total : 1, .start_ns = clock_ns()};
}

struct progress progress_long(const char *what, int total)
{
    struct progress p = progress_start(what, total);
    p.lines = 1;
    p.last_ns = p.start_ns;
    return p;
}

// Adds the rate, the time left and the failures so far to `out`, such as "41 a minute, 7 min left, 2 failed (jane)".
static void say_rate(const struct progress *p, long long now, struct text *out)
{
    double seconds = (double)(now - p->start_ns) / 1e9, rate = seconds > 0 ? p->done / seconds : 0;
    double left = rate > 0 ? (p->total - p->done) / rate : 0;
    text_say(out, "%.0f a minute, ", rate * 60);
    if (left >= 90)
        text_say(out, "%.0f min left", left / 60);
    else
        text_say(out, "%.0f s left", left);
    if (p->failed) text_say(out, ", %d failed (%s)", p->failed, p->failure);
}

// Adds the first STEP bytes of the step's name to `out`. A step's name longer than STEP bytes is cut between two
// characters.
static void say_step(const char *detail, struct text *out)
{
    size_t length = detail ? strlen(detail) : 0, cut = length < STEP ? length : STEP;
    while (cut && cut < length && ((unsigned char)detail[cut] & 0xc0) == 0x80) --cut;
    if (cut) text_add(out, detail, cut);
}

static void show(struct progress *p, const char *detail)
{
    long long now = clock_ns(), every = isatty(STDERR_FILENO) ? REDRAW_NS : LINE_NS;
    struct text said = {0};
    if (now - p->start_ns < FIRST_NS || now - p->last_ns < every) return;
    if (p->lines)
        say_rate(p, now, &said);
    else
        say_step(detail && *detail ? _(detail) : NULL, &said);
    if (isatty(STDERR_FILENO)) {
        int filled = p->done * BAR / p->total;
        fprintf(stderr, "\r\033[K%s [%.*s%*s] %d/%d %s", p->what, filled, "########################", BAR - filled, "",
                p->done, p->total, said.data ? said.data : "");
        p->shown = 1;
    } else if (p->lines) {
        fprintf(stderr, "%s %d/%d, %s\n", p->what, p->done, p->total, said.data);
    }
    text_free(&said);
    p->last_ns = now;
}

void progress_step(struct progress *p, const char *detail)
{
    if (p->done < p->total) ++p->done;
    show(p, detail);
}

void progress_fail(struct progress *p, const char *name)
{
    ++p->failed;
    snprintf(p->failure, sizeof p->failure, "%s", name);
}

void progress_end(struct progress *p)
{
    if (p->shown) fputs("\r\033[K", stderr);
    p->shown = 0;
}
