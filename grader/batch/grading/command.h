// Runs a program with a time limit and captures its output.
#ifndef BATCH_GRADING_COMMAND_H
#define BATCH_GRADING_COMMAND_H

struct text;

// Runs the program argv[0], which is searched in PATH, with an empty standard input. Kills the program after `seconds`
// seconds. Appends the program's standard output to `out`. Appends to `why` the last line of the program's standard
// error, or a sentence that explains why the program failed. Returns the exit code, or -1 if the program could not be
// started, was ended by a signal, or reached the time limit.
int command_run(char *const argv[], double seconds, struct text *out, struct text *why);
// Appends the last non-empty line of `text`, without its line feed, to `out`.
void command_last_line(const char *text, struct text *out);

#endif
