// Declarations for the coverage build (make coverage). When a process exits, the process writes its coverage counters
// into the build's folder, which the macro COVERAGE names. Therefore, in this build only, a sandboxed process may write
// to that folder, keeps the caller's user ID and is not killed before its own exit.
#ifndef BASE_GCOV_H
#define BASE_GCOV_H

#ifdef COVERAGE
enum { GCOV_BUILD = 1 };
#define GCOV_FOLDER COVERAGE
#else
enum { GCOV_BUILD = 0 };
#define GCOV_FOLDER ""
#endif

// Writes the coverage counters immediately. libgcov defines this function, and only the coverage build links libgcov.
void __gcov_dump(void) __attribute__((weak));

#endif
