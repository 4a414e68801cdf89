// A program of this machine's, run for what it prints, and never for longer than it may.
#ifndef BATCH_COMMAND_H
#define BATCH_COMMAND_H

#include "base/text.h"

// Runs argv[0], found by PATH, with standard input from nowhere. Its exit code, or -1: it could not be started, was
// ended by a signal, or had not ended after `seconds` and was killed. Adds its standard output to `out`, and to `why`
// the last line of its standard error, or else a sentence.
int command_run(char *const argv[], double seconds, struct text *out, struct text *why);
// Adds the last line of a text that is not empty.
void command_last_line(const char *text, struct text *out);

#endif
