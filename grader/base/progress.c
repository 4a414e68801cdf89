// See progress.h.
#define _GNU_SOURCE
#include "base/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_NS = 500000000, REDRAW_NS = 100000000, BAR = 24 };

static long long now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

struct progress progress_start(const char *what, int total)
{
    return (struct progress){.what = what, .total = total > 0 ? total : 1, .start_ns = now_ns()};
}

void progress_step(struct progress *p, const char *detail)
{
    long long now = now_ns();
    if (p->done < p->total) ++p->done;
    if (!isatty(STDERR_FILENO) || now - p->start_ns < FIRST_NS || now - p->last_ns < REDRAW_NS) return;
    int filled = p->done * BAR / p->total;
    fprintf(stderr, "\r\033[K%s [%.*s%*s] %d/%d %.40s", p->what, filled, "########################", BAR - filled, "",
            p->done, p->total, detail ? detail : "");
    p->last_ns = now;
    p->shown = 1;
}

void progress_end(struct progress *p)
{
    if (p->shown) fputs("\r\033[K", stderr);
    p->shown = 0;
}
