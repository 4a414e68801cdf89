// Measures how long the parts of a grading take; stopwatch.h states the contracts.
//
// The processor time of a part is that of its thread, and that of the process to which the thread gives work, such as a
// runner. Parts of different threads overlap, so their wall-clock times add up to more than the whole. A part that
// waits for another thread has much wall-clock time and little processor time.
#define _GNU_SOURCE
#include "base/stopwatch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"

enum { NAME = 64 };

struct row {
    char phase[NAME], detail[NAME];
    long long began_ns, wall_ns, cpu_ns; // began_ns: first part
    unsigned count;
};
struct stopwatch {
    pthread_mutex_t lock;
    long long start_ns;
    struct row *row;
    size_t count, capacity;
};

static long long thread_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

struct stopwatch *stopwatch_new(void)
{
    struct stopwatch *s = alloc_zeroed(1, sizeof *s);
    pthread_mutex_init(&s->lock, NULL);
    s->start_ns = clock_ns();
    return s;
}

void stopwatch_free(struct stopwatch *s)
{
    if (!s) return;
    pthread_mutex_destroy(&s->lock);
    free(s->row);
    free(s);
}

struct stopwatch_lap stopwatch_begin(uint64_t process_ns)
{
    return (struct stopwatch_lap){.wall_ns = clock_ns(), .thread_ns = thread_ns(), .process_ns = process_ns};
}

static struct row *find(struct stopwatch *s, const char *phase, const char *detail, long long began_ns)
{
    for (size_t i = 0; i < s->count; ++i)
        if (!strcmp(s->row[i].phase, phase) && !strcmp(s->row[i].detail, detail)) return &s->row[i];
    ALLOC_GROW(s->row, s->capacity, s->count + 1);
    struct row *r = &s->row[s->count++];
    *r = (struct row){.began_ns = began_ns};
    snprintf(r->phase, sizeof r->phase, "%s", phase);
    snprintf(r->detail, sizeof r->detail, "%s", detail);
    return r;
}

void stopwatch_end(struct stopwatch *s, const struct stopwatch_lap *lap, uint64_t process_ns, const char *phase,
                   const char *detail)
{
    if (!s) return;
    long long wall = clock_ns() - lap->wall_ns, cpu = thread_ns() - lap->thread_ns;
    if (process_ns > lap->process_ns) cpu += (long long)(process_ns - lap->process_ns);
    pthread_mutex_lock(&s->lock);
    struct row *r = find(s, phase, detail ? detail : "", lap->wall_ns);
    r->wall_ns += wall;
    r->cpu_ns += cpu;
    r->count++;
    pthread_mutex_unlock(&s->lock);
}

static int by_beginning(const void *x, const void *y)
{
    const struct row *a = x, *b = y;
    return (a->began_ns > b->began_ns) - (a->began_ns < b->began_ns);
}

void stopwatch_table(const struct stopwatch *s, struct text *out)
{
    struct row *row = alloc_array(s->count + 1, sizeof *row);
    for (size_t i = 0; i < s->count; ++i) row[i] = s->row[i];
    qsort(row, s->count, sizeof *row, by_beginning);
    text_printf(out, "%8s %8s %8s %6s  %s\n", "began s", "wall s", "cpu s", "times", "part");
    for (size_t i = 0; i < s->count; ++i)
        text_printf(out, "%8.3f %8.3f %8.3f %6u  %s%s%s\n", (double)(row[i].began_ns - s->start_ns) / 1e9,
                    (double)row[i].wall_ns / 1e9, (double)row[i].cpu_ns / 1e9, row[i].count, row[i].phase,
                    row[i].detail[0] ? ", " : "", row[i].detail);
    text_printf(out, "%8.3f %8.3f %8s %6s  %s\n", 0.0, (double)(clock_ns() - s->start_ns) / 1e9, "", "", "all");
    free(row);
}
