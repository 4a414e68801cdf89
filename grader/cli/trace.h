// What is told of a host program's run when it has ended.
#ifndef CLI_TRACE_H
#define CLI_TRACE_H

#include "cli/cli.h"
#include "compile/program.h"
#include "wire/host_trace.h"

struct cli_trace {
    const char *program;             // its path
    const char *shown;               // what it is called
    const struct program_spec *spec; // what it was made of; no files when it was made elsewhere
    int trusted;                     // 1: the files that it names as its sources may be quoted
    int exit_code;
    const struct cli_options *options;
};
// Findings, and the profile where one is wanted, on stderr; JSON into its file.
void cli_trace_tell(const struct cli_trace *, const struct host_trace *);

#endif
