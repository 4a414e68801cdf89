// Declares what the coverage build (make coverage) needs to write its coverage counters. In the coverage build, each
// process writes its coverage counters on exit into the folder that the macro COVERAGE names. To write the counters, a
// sandboxed process of the coverage build may write to the folder COVERAGE, keeps the caller's user ID and is not
// killed before its own exit.
#ifndef BASE_GCOV_H
#define BASE_GCOV_H

#ifdef COVERAGE
enum { GCOV_BUILD = 1 };
#define GCOV_FOLDER COVERAGE
#else
enum { GCOV_BUILD = 0 };
#define GCOV_FOLDER ""
#endif

// Writes the coverage counters of the process immediately. The library libgcov, which only the coverage build links,
// defines __gcov_dump().
void __gcov_dump(void) __attribute__((weak));

#endif
