// The hostile build (make test HOSTILE=1): the same program in surroundings in which what is right by luck is wrong.
// Every verdict must be the same there. Fresh memory is no zeros and freed memory no longer what it was (hostile.c);
// each allocation of an arena is one of its own; register files begin with garbage; warps take turns in a shuffled
// order; and no access has a shape, so that all go the long way.
//
// Where the environment says WARPWISE_MEMORY_FAILS=N, every N-th allocation of the process finds no memory besides
// (tests/cli/memory.bats): it ends as by die(), or the verdict is the one that it always is.
#ifndef BASE_HOSTILE_H
#define BASE_HOSTILE_H

#ifdef HOSTILE
enum { HOSTILE_BUILD = 1 };
#else
enum { HOSTILE_BUILD = 0 };
#endif
enum { HOSTILE_BYTE = 0xa5 }; // what garbage is made of

// Begins before main. Linked where the build names it, which only the hostile one does.
void base_hostile_begin(void);

#endif
