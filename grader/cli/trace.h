// Reports the run of a CUDA host program after the program has ended.
#ifndef CLI_TRACE_H
#define CLI_TRACE_H

#include "cli/cli.h"
#include "compile/program.h"
#include "host/border/host_trace.h"

// Describes a program that has ended, and the settings for the report about its run.
struct cli_trace {
    const char *program;             // path of the executable
    const char *shown;               // name for display
    const struct program_spec *spec; // source files of the program; no files if grade did not compile the program
    // 1: the report may quote files that the program's debugging information names as sources
    int trusted;
    int exit_code;
    const char *compiler;         // name and version; NULL: not known
    const char *const *arguments; // of the program; NULL-terminated; NULL: not known
    const struct cli_options *options;
};
// Writes the findings of the host trace to stderr. First removes failed calls whose returned value the program looks
// at, and failed calls after the first one, from the trace. Also writes the profile to stderr if the option --profile
// is set, and the run as JSON and as an HTML page if --json and --html name files.
void cli_trace_report(const struct cli_trace *, struct host_trace *);

#endif
