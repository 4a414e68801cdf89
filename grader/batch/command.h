// Runs a program with a time limit and captures its output.
#ifndef BATCH_COMMAND_H
#define BATCH_COMMAND_H

#include "base/text.h"

// Runs argv[0], found in PATH, with an empty standard input, for at most `seconds` seconds. Appends its standard output
// to `out`, and to `why` the last line of its standard error or a sentence of this function. Returns the exit code, or
// -1 if the program could not be started, was ended by a signal, or reached the time limit.
int command_run(char *const argv[], double seconds, struct text *out, struct text *why);
// Appends the last non-empty line of a text, without its line feed, to `out`.
void command_last_line(const char *text, struct text *out);

#endif
