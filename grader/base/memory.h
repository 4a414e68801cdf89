// Controls memory of the whole process: how the allocator treats freed memory, and memory shared with another process.
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdint.h>

// Makes the allocator keep freed memory, including large blocks, for later allocations. Otherwise the kernel would
// unmap the arrays of each test case and clear new pages for the next test case. This function is meant for programs
// that run for a short time.
void memory_keep_freed(void);

// Maps the whole memory file that another process shares as `descriptor` and stores the size of the file in *bytes.
// `prot` is the access protection, as in mmap(). Returns NULL if `descriptor` is not a memory file or if the file is
// empty. Returns NULL also if the file lacks F_SEAL_SHRINK, because such a file could shrink while this process reads
// the file. Calls die() if the mapping fails. The caller unmaps the memory with munmap().
void *memory_shared(int descriptor, int prot, uint64_t *bytes);
// Creates a zeroed memory file of `bytes` bytes for two processes to share. The file is sealed, so that neither process
// can change its size. `name` is the name of the file in /proc. Returns a descriptor that closes on exec, or -1 with
// errno set.
int memory_make_shared(const char *name, uint64_t bytes);

#endif
