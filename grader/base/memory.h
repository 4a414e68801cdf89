// Controls memory of the whole process: how the allocator treats freed memory, and memory shared with another process.
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdint.h>

// Makes the allocator keep freed memory, including large blocks, for later allocations. Without memory_keep_freed(),
// Linux would unmap the arrays of each test case and clear new pages for the next test case. Only programs that run for
// a short time should call memory_keep_freed().
void memory_keep_freed(void);

// Maps the whole memory file (memfd) that another process shares as `descriptor`, and sets *bytes to the size of the
// file. `prot` is the access protection, as in mmap(). Returns NULL if `descriptor` is not a memory file or if the file
// is empty. Also returns NULL if the file lacks the seal F_SEAL_SHRINK, because such a file could shrink while this
// process reads the file. Calls die() if the mapping fails. The caller unmaps the memory with munmap().
void *memory_shared(int descriptor, int prot, uint64_t *bytes);
// Creates a zeroed memory file (memfd) of `bytes` bytes for two processes to share. The memory file is sealed, so that
// neither process can change the file's size. The memory file appears as `name` in /proc. Returns the descriptor of the
// memory file, which is close-on-exec, or -1 with errno set.
int memory_make_shared(const char *name, uint64_t bytes);

#endif
