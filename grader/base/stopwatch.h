// Measures how long the parts of a grading take, for `./grade LAB --timing`. Several threads may add parts to one
// stopwatch. Times differ from run to run, so they appear in no report.
#ifndef BASE_STOPWATCH_H
#define BASE_STOPWATCH_H

#include <stdint.h>

struct stopwatch;
struct text;

// Holds the clocks at the beginning of a part. A part must begin and end on the same thread.
struct stopwatch_lap {
    long long wall_ns, thread_ns; // CLOCK_MONOTONIC; processor time of the calling thread
    uint64_t process_ns;          // processor time of the other process that works for the part; see stopwatch_end()
};

// Returns a new stopwatch, which starts at once. Free it with stopwatch_free().
struct stopwatch *stopwatch_new(void);
void stopwatch_free(struct stopwatch *);
// Begins a part. `process_ns` is the processor time that the part's other process has used so far, in nanoseconds; 0 if
// there is no such process.
struct stopwatch_lap stopwatch_begin(uint64_t process_ns);
// Ends a part and adds its times to the row `phase`, `detail` of the stopwatch, or to a new row. `process_ns` is the
// processor time of the other process at the end of the part. `detail` may be NULL. Does nothing if the stopwatch is
// NULL.
void stopwatch_end(struct stopwatch *, const struct stopwatch_lap *, uint64_t process_ns, const char *phase,
                   const char *detail);
// Appends a table to the text: a line for each row, in the order in which the rows began, with the time from the
// stopwatch's start to the row's first part, the wall-clock and the processor seconds of its parts, and their number.
void stopwatch_table(const struct stopwatch *, struct text *);

#endif
