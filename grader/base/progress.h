// Shows a progress line on stderr for work that takes longer than half a second. If stderr is a terminal, the progress
// line shows a bar and is redrawn. Long work, started with progress_long(), shows the rate, the time left and the
// number of failures; other work shows the last step's name. If stderr is not a terminal, long work prints a plain line
// every 20 seconds, and other work prints nothing.
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

struct progress {
    const char *what;            // shown before the bar; not owned
    int total, done, failed;     // counts of steps; `done` includes failed steps
    int lines;                   // 1: long work, started by progress_long()
    char failure[64];            // name of the last step that failed
    long long start_ns, last_ns; // times of the start and of the last output, from CLOCK_MONOTONIC
    int shown;                   // 1: the terminal shows a progress line that must be removed
};

// Returns a struct progress for work that starts now and has `total` steps. The progress line shows `what`, the name of
// the work, before the bar. For long work, call progress_long(), whose progress line shows the time left; for other
// work, call progress_start().
struct progress progress_start(const char *what, int total);
struct progress progress_long(const char *what, int total);
// Counts one more step as done and redraws the progress line if enough time has passed. `detail` is the name of the
// step, or NULL.
void progress_step(struct progress *p, const char *detail);
// Counts a step as failed that progress_step() has already counted as done. If the work was started with
// progress_long(), progress_fail() also shows `name` on the progress line as the last step that failed.
void progress_fail(struct progress *p, const char *name);
// Removes the progress line from the terminal.
void progress_end(struct progress *p);

#endif
