// Reports the run of a host program after it has ended.
#ifndef CLI_TRACE_H
#define CLI_TRACE_H

#include "cli/cli.h"
#include "compile/program.h"
#include "wire/host_trace.h"

// A program that has run.
struct cli_trace {
    const char *program;             // path of the executable
    const char *shown;               // name for display
    const struct program_spec *spec; // files it was compiled from; none if it was compiled elsewhere
    int trusted;                     // 1: files that the program names as its sources may be quoted
    int exit_code;
    const struct cli_options *options;
};
// Writes the findings, and the profile if the options ask for it, to stderr; writes JSON to a file.
void cli_trace_report(const struct cli_trace *, const struct host_trace *);

#endif
