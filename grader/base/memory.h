// A process's memory: what it has freed, and what it shares with another.
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdint.h>

// From now on what is freed is kept and given out again, large blocks too: a case's arrays come and go with it, and
// each page that goes back to the kernel is cleared and mapped anew for the next case. For programs that end soon.
void memory_keep_freed(void);

// Maps all of the memory that another process shares as `descriptor`: *bytes of it, to be read and, where `prot`
// (PROT_READ …) says so, written. NULL: there is none, or one that may shrink below whoever reads it. Dies where there
// is no room for it.
void *memory_shared(int descriptor, int prot, uint64_t *bytes);
// Makes zeroed memory of `bytes` bytes for two processes to share, sealed so that neither can change its size. `name`
// is its name in /proc. Returns its descriptor, which closes on exec, or -1 with errno set.
int memory_make_shared(const char *name, uint64_t bytes);

#endif
