// Declarations for the hostile build (make test HOSTILE=1). The hostile build exposes code that works only by luck.
// Every verdict must be the same as in the release build. The hostile build differs from the release build as follows.
// Fresh and freed memory is filled with garbage (hostile.c). Each allocation from an arena has a chunk of its own.
// Simulated registers start with garbage. Warps run in a shuffled order. The simulator recognises no access patterns,
// so every memory access takes the slow path.
//
// If the environment contains WARPWISE_MEMORY_FAILS=N, every N-th allocation of the process fails
// (tests/cli/memory.bats). The program must then either end as die() does or print its usual verdict.
#ifndef BASE_HOSTILE_H
#define BASE_HOSTILE_H

#ifdef HOSTILE
enum { HOSTILE_BUILD = 1 };
#else
enum { HOSTILE_BUILD = 0 };
#endif
enum { HOSTILE_BYTE = 0xa5 }; // the value of each garbage byte

// Prepares the allocator. This function runs before main(). Only the hostile build links this function, by the linker
// option -u.
void hostile_begin(void);

#endif
