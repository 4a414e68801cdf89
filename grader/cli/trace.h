// Reports the run of a host program after the program has ended.
#ifndef CLI_TRACE_H
#define CLI_TRACE_H

#include "cli/cli.h"
#include "compile/program.h"
#include "wire/host_trace.h"

// A program that has ended, and the settings of its report.
struct cli_trace {
    const char *program;             // path of the executable
    const char *shown;               // name for display
    const struct program_spec *spec; // source files of the program; no files if grade did not compile the program
    // 1: the report may quote files that the program's debugging information names as sources
    int trusted;
    int exit_code;
    const struct cli_options *options;
};
// Writes the findings to stderr. Writes the profile to stderr, or the trace as JSON to a file, if the options ask for
// this output.
void cli_trace_report(const struct cli_trace *, const struct host_trace *);

#endif
