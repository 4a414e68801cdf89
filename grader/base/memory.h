// Memory of the whole process: how the allocator treats freed memory, and memory shared with another process.
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdint.h>

// Makes the allocator keep freed memory for later allocations, large blocks included. Otherwise the kernel would unmap
// the arrays of each case and clear new pages for the next one. Meant for programs that end soon.
void memory_keep_freed(void);

// Maps the whole memory file that another process shares as `descriptor` and stores its size in *bytes. `prot` is that
// of mmap(). Returns NULL if the descriptor is no memory file, is empty, or could still shrink while it is read (it
// lacks F_SEAL_SHRINK). Dies if the mapping fails. The caller unmaps the memory.
void *memory_shared(int descriptor, int prot, uint64_t *bytes);
// Makes zeroed memory of `bytes` bytes for two processes to share, sealed so that neither can change its size. `name`
// is its name in /proc. Returns its descriptor, which closes on exec, or -1 with errno set.
int memory_make_shared(const char *name, uint64_t bytes);

#endif
