// Code coverage of the student's source: lines, branches and functions, each with the number of threads that executed
// it. The lists contain everything in the image, executed or not. So two launches of an image differ only in their
// counts. The layout is fixed, because coverage crosses the border between runner and judge as part of an observation.
//
// The count of a line is that of its most frequent instruction, where each execution by a thread counts. The count of a
// function is the number of calls by threads. A branch (a conditional branch instruction) has two counts: taken, and
// fallen through.
#ifndef ENGINE_COVERAGE_H
#define ENGINE_COVERAGE_H

#include <stdint.h>

enum {
    COVERAGE_LINES = 2048, // most entries; further ones are dropped
    COVERAGE_BRANCHES = 1024,
    COVERAGE_FUNCTIONS = 64,
    COVERAGE_NAME = 64, // bytes of a function's name, NUL included
};

struct coverage_line {
    uint32_t line, pad;
    uint64_t threads;
};
struct coverage_branch {
    uint32_t line, index; // index: number of the branch in its line
    uint64_t taken, fallen;
};
struct coverage_function {
    char name[COVERAGE_NAME]; // as in the source; NUL-terminated
    uint32_t line, pad;       // line: of the function's definition
    uint64_t threads;
};
struct coverage {
    uint32_t nlines, nbranches, nfunctions, pad;
    struct coverage_line line[COVERAGE_LINES];             // by line
    struct coverage_branch branch[COVERAGE_BRANCHES];      // by line and index
    struct coverage_function function[COVERAGE_FUNCTIONS]; // by line
};

// Adds the counts of `more` to `sum`, and the entries that are only in `more`.
void coverage_add(struct coverage *sum, const struct coverage *more);
// Sets each count in `sum` that is 0, and is not 0 in `more`, to 1. Ignores entries that are only in `more`.
void coverage_mark(struct coverage *sum, const struct coverage *more);

#endif
