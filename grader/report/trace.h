// Reports a host program's run from a checked host trace (host/border/host_trace.h): findings, kernels, and the
// timeline of its devices. Equal host traces give equal reports, byte by byte.
#ifndef REPORT_TRACE_H
#define REPORT_TRACE_H

#include "compile/place.h"
#include "host/border/host_trace.h"
#include "report/report.h"

struct text;

// A struct report_trace_source is a source file of the host program.
struct report_trace_source {
    const char *name; // name of the file as the user wrote it
    const char *text;
    size_t bytes;
};

// An enum report_trace_place tells the role of a source line in a finding about host code. PLACE_CALL is the line of
// the CUDA call that the finding is about. PLACE_OTHER is the line of another CUDA call that conflicts with the call at
// PLACE_CALL. PLACE_ORIGIN is the line of the call that created the memory, stream or event.
enum report_trace_place { PLACE_CALL, PLACE_OTHER, PLACE_ORIGIN, REPORT_TRACE_PLACES };

// A struct report_trace is the input of the functions that report the run of a host program. All pointers in a struct
// report_trace belong to the caller.
struct report_trace {
    const struct host_trace *trace;
    const char *program; // name of the program for display
    int exit_code;       // exit code of the program, as a shell would return it
    int checked;         // 1: device code was compiled without optimisation and defects were detected
    const char **kernel; // [nkernels]: names without parameters
    const char **file;   // [nsources]: names of the files of device code, as the user wrote them
    struct compile_place (*finding)[REPORT_TRACE_PLACES]; // [nfindings], by enum report_trace_place
    struct compile_place *span;                           // [nspans]
    const struct report_trace_source *source;             // files whose lines may be quoted
    unsigned sources;
    // for the HTML page; NULL: not known
    const char *compiler;         // name and version, such as "nvcc 13.0"
    const char *const *arguments; // of the program; NULL-terminated
};

// Appends each finding with its source line and a hint, like a compiler's message, in UTF-8. Appends nothing if the
// host trace has no findings.
void report_trace_findings(const struct report_trace *, const struct report_options *, struct text *out);
// Stores the kernels of the host trace in `kernel`, ordered by their total time, the longest first. Returns the time of
// all kernels in picoseconds.
uint64_t report_trace_sort(const struct host_trace *, const struct host_trace_kernel *kernel[HOST_TRACE_KERNELS]);
// Appends a table of the host program's kernels in UTF-8, with launches, time, occupancy and memory access of each
// kernel.
void report_trace_kernels(const struct report_trace *, struct text *out);
// Appends the host program's timeline in UTF-8, with a row for each engine of each device. A column of the timeline is
// a slice of the time from `from_ps` to `to_ps`.
void report_trace_timeline(const struct host_trace *, uint64_t from_ps, uint64_t to_ps, struct text *out);
// Sets *from_ps to the start of the trace's first operation and *to_ps to the end of its last operation, in
// picoseconds. If the host trace has no operation, sets *from_ps and *to_ps to 0.
void report_trace_window(const struct host_trace *, uint64_t *from_ps, uint64_t *to_ps);
// Appends a time with about three digits: "2.71 µs".
void report_trace_time(uint64_t ps, struct text *out);
// Appends the whole run of the host program as JSON (report/run.schema.json) with a line feed.
void report_trace_json(const struct report_trace *, struct text *out);
#define REPORT_RUN_SCHEMA "warpwise-run/1"

#endif
