// The build that counts what the tests reach (make coverage). A process writes its counters into the build's folder,
// which COVERAGE names, when it ends: so there a box may write them, stays the caller's user, and is not killed before
// it has ended.
#ifndef BASE_GCOV_H
#define BASE_GCOV_H

#ifdef COVERAGE
enum { GCOV_BUILD = 1 };
#define GCOV_FOLDER COVERAGE
#else
enum { GCOV_BUILD = 0 };
#define GCOV_FOLDER ""
#endif

void __gcov_dump(void) __attribute__((weak)); // libgcov's: writes them now. Linked where the build names it

#endif
