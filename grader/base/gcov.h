// The coverage build (make coverage). A process writes its counters into the build's folder, named by COVERAGE, when it
// exits. So in this build a sandboxed process may write there, keeps the caller's user and is not killed before it
// exits.
#ifndef BASE_GCOV_H
#define BASE_GCOV_H

#ifdef COVERAGE
enum { GCOV_BUILD = 1 };
#define GCOV_FOLDER COVERAGE
#else
enum { GCOV_BUILD = 0 };
#define GCOV_FOLDER ""
#endif

// Writes the counters now. Defined by libgcov, and linked only into the coverage build.
void __gcov_dump(void) __attribute__((weak));

#endif
