// The hostile build (make test HOSTILE=1), in which code that is correct only by luck fails. Every verdict must be the
// same as in the release build. There, fresh and freed memory is filled with garbage (hostile.c). Each allocation of an
// arena has a chunk of its own. Simulated registers start with garbage. Warps run in a shuffled order. The simulator
// recognises no access patterns, so that every access takes its slow path.
//
// With WARPWISE_MEMORY_FAILS=N in the environment, every N-th allocation of the process fails (tests/cli/memory.bats).
// The program must then end as die() does, or give its usual verdict.
#ifndef BASE_HOSTILE_H
#define BASE_HOSTILE_H

#ifdef HOSTILE
enum { HOSTILE_BUILD = 1 };
#else
enum { HOSTILE_BUILD = 0 };
#endif
enum { HOSTILE_BYTE = 0xa5 }; // the byte that garbage consists of

// Prepares the allocator; runs before main(). Only the hostile build links it, by the linker option -u.
void hostile_begin(void);

#endif
