// A progress line on stderr for work that takes longer than half a second. It appears only on a terminal. For long work
// (progress_long) it also shows the rate, the time left and the number of failures. If stderr is no terminal, long work
// prints a plain line every 20 seconds.
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

struct progress {
    const char *what;            // shown before the bar; not owned
    int total, done, failed;     // steps; done includes failed
    int lines;                   // 1: long work
    char failure[64];            // name of the last step that failed
    long long start_ns, last_ns; // start, and last time a line was printed; CLOCK_MONOTONIC
    int shown;                   // 1: the terminal shows a line that must be wiped
};

// Return the progress of work of `total` steps, called `what`, that starts now.
struct progress progress_start(const char *what, int total);
struct progress progress_long(const char *what, int total);
// Counts a step as done and may redraw the line with `detail`, the name of the step or NULL.
void progress_step(struct progress *p, const char *detail);
// Counts a step that progress_step() counted as failed; `name` is shown as the last failure.
void progress_fail(struct progress *p, const char *name);
// Wipes the line.
void progress_end(struct progress *p);

#endif
