// Declares the constants and the start function of the hostile build (make test HOSTILE=1). The hostile build exposes
// code that works only by luck. Every verdict of the hostile build must equal the verdict of the release build. In the
// hostile build, newly allocated memory and freed memory are filled with garbage (hostile.c). In the hostile build,
// each allocation from an arena has a chunk of its own. In the hostile build, simulated registers start with garbage,
// and warps run in a shuffled order. In the hostile build, the simulator recognises no access patterns, so every memory
// access takes the slow path.
//
// If the environment contains WARPWISE_MEMORY_FAILS=N, every N-th allocation of a process of the hostile build fails
// (tests/cli/memory.bats). After a failed allocation, the program must either end as die() does or print its usual
// verdict.
#ifndef BASE_HOSTILE_H
#define BASE_HOSTILE_H

#ifdef HOSTILE
enum { HOSTILE_BUILD = 1 };
#else
enum { HOSTILE_BUILD = 0 };
#endif
enum { HOSTILE_BYTE = 0xa5 }; // the value of each garbage byte

// Prepares the allocator of the hostile build. The function hostile_begin() runs before main(). Only the hostile build
// links hostile_begin(), by the linker option -u.
void hostile_begin(void);

#endif
