// Defines the code coverage of the student's source. Each source line and each function has one execution count, and
// each branch has two execution counts. The coverage of an image (a compiled CUDA module) lists every line, branch and
// function, executed or not, so two launches of an image differ only in the counts. The layout of struct coverage is
// fixed, because a runner process sends the coverage of a launch to the judge process in an observation.
//
// The execution count of a source line is the number of times that threads executed the line's most frequent
// instruction. The execution count of a function is the number of times that threads called the function. A branch is a
// conditional branch instruction of the image (the compiled CUDA module). A branch's two counts are the number of times
// that threads took the branch, and the number of times that threads did not take it.
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

// Adds the execution counts in `more` to the execution counts in `sum`. Inserts the lines, branches and functions that
// only `more` lists into `sum`.
void coverage_add(struct coverage *sum, const struct coverage *more);
// Sets each execution count in `sum` to 1 if the count is 0 in `sum` and is not 0 in `more`. Ignores lines, branches
// and functions that only `more` lists.
void coverage_mark(struct coverage *sum, const struct coverage *more);

#endif
