// The build that counts what the tests reach (make coverage). A process writes its counters into build/coverage when it
// ends: so there a box may write them, stays the caller's user, and is not killed before it has ended.
#ifndef BASE_GCOV_H
#define BASE_GCOV_H

#ifdef COVERAGE
enum { GCOV_BUILD = 1 };
#else
enum { GCOV_BUILD = 0 };
#endif
#define GCOV_FOLDER "build/coverage" // of the counters, in the kit

void __gcov_dump(void) __attribute__((weak)); // libgcov's: writes them now. Linked where the build names it

#endif
