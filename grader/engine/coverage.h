// What of the student's source was executed: lines, branches and functions, each with the number of threads that went
// there. All that the image has is listed, executed or not; so the lists of two launches of one image are the same but
// for their counts. Fixed layout, because it crosses the border between runner and judge as part of an observation.
//
// A line counts the threads that executed its most frequent instruction, again each time; a function those that entered
// it; a branch (a conditional branch instruction) those that took it and those that fell through.
#ifndef ENGINE_COVERAGE_H
#define ENGINE_COVERAGE_H

#include <stdint.h>

enum {
    COVERAGE_LINES = 2048, // of more, the first ones
    COVERAGE_BRANCHES = 1024,
    COVERAGE_FUNCTIONS = 64,
    COVERAGE_NAME = 64, // bytes of a function's name, NUL included
};

struct coverage_line {
    uint32_t line, pad;
    uint64_t threads;
};
struct coverage_branch {
    uint32_t line, index; // index: among the branches of the line
    uint64_t taken, fallen;
};
struct coverage_function {
    char name[COVERAGE_NAME]; // as in the source; NUL-terminated
    uint32_t line, pad;       // of its head
    uint64_t threads;
};
struct coverage {
    uint32_t nlines, nbranches, nfunctions, pad;
    struct coverage_line line[COVERAGE_LINES];             // by line
    struct coverage_branch branch[COVERAGE_BRANCHES];      // by line and index
    struct coverage_function function[COVERAGE_FUNCTIONS]; // by line
};

// Adds the counts of `more`, and what only `more` lists.
void coverage_add(struct coverage *sum, const struct coverage *more);
// What `more` reached and `sum` did not gets the count 1; what only `more` lists is left out.
void coverage_mark(struct coverage *sum, const struct coverage *more);

#endif
