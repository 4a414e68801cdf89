// Records the code coverage of the student's source. Lines, branches and functions each have an execution count. The
// lists contain every line, branch and function of the image, executed or not, so two launches of an image differ only
// in their counts. The layout is fixed, because a runner sends the coverage to the judge as part of an observation.
//
// The count of a line is the count of the line's most frequent instruction; each execution by a thread counts. The
// count of a function is the number of calls by threads. A branch is a conditional branch instruction. A branch has two
// counts: how often the branch was taken, and how often it was not taken.
#ifndef ENGINE_COVERAGE_H
#define ENGINE_COVERAGE_H

#include <stdint.h>

enum {
    COVERAGE_LINES = 2048, // most entries; further lines are dropped
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
    char name[COVERAGE_NAME]; // name as in the source; NUL-terminated
    uint32_t line, pad;       // line: line of the function's definition
    uint64_t threads;
};
struct coverage {
    uint32_t nlines, nbranches, nfunctions, pad;
    struct coverage_line line[COVERAGE_LINES];             // sorted by line
    struct coverage_branch branch[COVERAGE_BRANCHES];      // sorted by line, then by index
    struct coverage_function function[COVERAGE_FUNCTIONS]; // sorted by line
};

// Adds the counts of `more` to `sum`. Entries that are only in `more` are inserted into `sum`.
void coverage_add(struct coverage *sum, const struct coverage *more);
// Sets a count in `sum` to 1 if the count is 0 in `sum` and not 0 in `more`. Ignores entries that are only in `more`.
void coverage_mark(struct coverage *sum, const struct coverage *more);

#endif
