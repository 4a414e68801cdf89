// Reports a host program's run from a checked host trace (wire/host_trace.h): findings, kernels, and the timeline of
// its devices. The same trace gives the same bytes.
#ifndef REPORT_TRACE_H
#define REPORT_TRACE_H

#include "base/text.h"
#include "compile/place.h"
#include "report/report.h"
#include "wire/host_trace.h"

// A source file of the program.
struct report_trace_source {
    const char *name; // as the user named the file
    const char *text;
    size_t bytes;
};

// The places of a finding: the call, the call that it conflicts with, and the call that created its memory, stream or
// event.
enum report_trace_place { PLACE_CALL, PLACE_OTHER, PLACE_ORIGIN, REPORT_TRACE_PLACES };

// All pointers belong to the caller.
struct report_trace {
    const struct host_trace *trace;
    const char *program; // name for display
    int exit_code;       // as a shell would return it
    int checked;         // 1: device code was compiled as written and hazards were detected
    const char **kernel; // [nkernels]: names without parameters
    const char **file;   // [nsources]: files of device code, as the user named them
    struct compile_place (*finding)[REPORT_TRACE_PLACES]; // [nfindings], by enum report_trace_place
    struct compile_place *span;                           // [nspans]
    const struct report_trace_source *source;             // files whose lines may be quoted
    unsigned sources;
};

// Appends each finding with its line and a hint, in the compiler's format and in UTF-8. Appends nothing if there is
// none.
void report_trace_findings(const struct report_trace *, const struct report_options *, struct text *out);
// Appends a table of the kernels in UTF-8: launches, time, occupancy and memory access.
void report_trace_kernels(const struct report_trace *, struct text *out);
// Appends the timeline in UTF-8: a row for each engine of each device, a column for each slice of the time from
// `from_ps` to `to_ps`.
void report_trace_timeline(const struct host_trace *, uint64_t from_ps, uint64_t to_ps, struct text *out);
// Sets the start of the first operation and the end of the last one, in picoseconds; both 0 if there is none.
void report_trace_window(const struct host_trace *, uint64_t *from_ps, uint64_t *to_ps);
// Appends a time with about three digits: "2.71 µs".
void report_trace_time(uint64_t ps, struct text *out);
// Appends the whole run as JSON (report/run.schema.json), with a line feed.
void report_trace_json(const struct report_trace *, struct text *out);
#define REPORT_RUN_SCHEMA "warpwise-run/1"

#endif
