// What a host program's run came to, printed: findings, kernels, the timeline of its devices. Of a checked record
// (wire/host_trace.h) alone; nothing depends on a clock.
#ifndef REPORT_TRACE_H
#define REPORT_TRACE_H

#include "base/text.h"
#include "compile/place.h"
#include "report/report.h"
#include "wire/host_trace.h"

struct report_source {
    const char *name; // as the user named the file
    const char *text;
    size_t bytes;
};

// A finding's places: the call, the one it collides with, where its memory (stream, event) was made.
enum report_trace_place { PLACE_CALL, PLACE_OTHER, PLACE_ORIGIN, REPORT_TRACE_PLACES };

// All pointers are the caller's.
struct report_trace {
    const struct host_trace *trace;
    const char *program; // what it is called
    int exit_code;       // as a shell would give it
    int checked;         // 1: hazards were looked for, and device code was compiled as written
    const char **kernel; // [nkernels]: names without parameters
    const char **file;   // [nsources]: files of device code as the user named them
    struct compile_place (*finding)[REPORT_TRACE_PLACES]; // [nfindings], by enum report_trace_place
    struct compile_place *span;                           // [nspans]
    const struct report_source *source;                   // files whose lines are quoted
    unsigned sources;
};

// Each finding with its line and what to do, in the compiler's own form; nothing when nothing was found. In UTF-8.
void report_trace_findings(const struct report_trace *, const struct report_options *, struct text *out);
// A row a kernel: launches, time, occupancy, how it used memory. In UTF-8.
void report_trace_kernels(const struct report_trace *, struct text *out);
// A row an engine of each device, a column a slice of the window of time. In UTF-8.
void report_trace_timeline(const struct host_trace *, uint64_t from_ps, uint64_t to_ps, struct text *out);
// From the start of the first operation to the end of the last; empty when there is none.
void report_trace_window(const struct host_trace *, uint64_t *from_ps, uint64_t *to_ps);
// "2.71 µs": picoseconds with three digits.
void report_time(uint64_t ps, struct text *out);
// All of it as JSON, described by report/run.schema.json; ends with a line feed.
void report_trace_json(const struct report_trace *, struct text *out);
#define REPORT_RUN_SCHEMA "warpwise-run/1"

#endif
