// Manages the memory of the simulated device: the engine's buffers, the device memory that a host program allocates,
// and the variables of modules. The functions of machine/access.h execute the accesses of warps to the device memory.
//
// Each buffer and each .global variable is a memory region. The functions of this file name a buffer or a region by its
// index in sim_memory.region. All sizes and offsets are in bytes.
#ifndef SIM_MACHINE_MEMORY_H
#define SIM_MACHINE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "sim/core/region.h"

struct footprint; // device/coalesce.h

// Returns a new device memory without buffers and variables. The caller frees the memory with sim_memory_free().
struct sim_memory *sim_memory_new(void);
void sim_memory_free(struct sim_memory *);
// sim_memory_initialise() frees the heap of malloc() and resets all variables to their initial values.
// sim_memory_reset() frees the engine's buffers as well.
void sim_memory_initialise(struct sim_memory *);
void sim_memory_reset(struct sim_memory *);

// ---------------------------------------------------------------- the engine's buffers

// Allocates a buffer whose content counts as undefined. `element` is the size of one array element in bytes; 0:
// unknown. Returns the buffer's index (0 to ENGINE_BUFFERS - 1). Returns -1 if all buffers are in use, or if `bytes`
// exceeds a quarter of SIM_BUFFER_STRIDE.
int sim_memory_alloc(struct sim_memory *, uint64_t bytes, uint32_t element);
// sim_memory_write() copies `bytes` bytes from `data` to a buffer, from byte `offset` of the buffer on, and
// sim_memory_read() copies bytes in the other direction. The copied bytes may lie up to ENGINE_GUARD bytes before the
// start or beyond the end of the buffer. Bytes written to a buffer count as initialised unless `poison` is 1.
// sim_memory_write() and sim_memory_read() return 0, or -1 if a copied byte lies more than ENGINE_GUARD bytes outside
// the buffer, or if the buffer does not exist.
int sim_memory_write(struct sim_memory *, int buffer, int64_t offset, const void *data, uint64_t bytes, int poison);
int sim_memory_read(const struct sim_memory *, int buffer, int64_t offset, void *data, uint64_t bytes);
// Gives a buffer and its guard zones new contents: those of buffer `from`, which has the same size, or `word`, which
// counts as never written, if `from` is -1. Returns 0, or -1 if a buffer does not exist or the sizes differ.
int sim_memory_renew(struct sim_memory *, int buffer, int from, uint32_t word);
// Returns the device address of a buffer's first byte, or 0 if the buffer does not exist.
uint64_t sim_memory_address(const struct sim_memory *, int buffer);
// Returns the total size, in bytes, of the buffers from which the current launch has read.
uint64_t sim_memory_bytes_read(const struct sim_memory *);

// ---------------------------------------------------------------- variables of modules

// Allocates and initialises the variables of a module. The module must outlive the struct sim_memory. Returns 0, or -1
// if the module's variables exceed a limit. The limits for variables are 1024 .global variables, 256 MiB for all
// variables of the module, and 16 MiB for the .const variables of all modules together.
int sim_memory_add(struct sim_memory *, const struct ptx_module *);
// Sets the owner of the variables that later calls of sim_memory_add() allocate. `owner` is a device number; -1: all
// devices.
void sim_memory_set_owner(struct sim_memory *, int owner);
// Returns the global address of a .global variable, or the offset of a .const variable in the constant bank. `var` is
// the variable's index in module->var.
uint64_t sim_memory_var_address(const struct sim_memory *, const struct ptx_module *, uint32_t var);
// Copies the initial bytes of a .global or .const variable to `data`, at most `capacity` bytes. Returns the variable's
// size in bytes, or -1 if the module has no .global or .const variable `name`.
int64_t sim_memory_symbol(const struct ptx_module *, const char *name, void *data, size_t capacity);

// ---------------------------------------------------------------- memory of a host program

// Creates a region of `bytes` bytes of device memory. `data` points to the region's bytes in host memory, followed by
// 64 spare bytes. The caller owns the bytes at `data`, which must outlive the region. If `data` is NULL, the function
// allocates the region's bytes and sets them to 0. `owner` is the device to which the region belongs; -1: all devices.
// If `written` is 1, all bytes of the region count as initialised. Returns the region's index, or -1 if host memory or
// device addresses are exhausted.
int sim_memory_map(struct sim_memory *, uint64_t bytes, uint8_t *data, int owner, int written);
// Moves a .global variable's region to the caller's host bytes at `data`. The bytes at `data` become the .global
// variable's value, and the .global variable then belongs to all devices.
void sim_memory_remap(struct sim_memory *, int region, uint8_t *data);
// Frees a region. The device addresses of a freed region are reused only when no unused addresses are left.
void sim_memory_unmap(struct sim_memory *, int region);
// Marks the bytes [offset, offset + bytes) of a region as initialised.
void sim_memory_mark_written(struct sim_memory *, int region, uint64_t offset, uint64_t bytes);
// Sets the devices whose memory regions later launches can access. Bit d of `devices` is 1 if the regions of device d
// are accessible. Regions that belong to all devices are always accessible.
void sim_memory_set_visible(struct sim_memory *, uint32_t devices);
// Switches the recording of memory accesses on (1) or off (0). If the recording of accesses is on, launches record
// which words of buffers and regions are read and written.
void sim_memory_watch(struct sim_memory *, int on);
// Finds the first sequence of consecutive words, at or after byte `at` of a region, that the latest launch read
// (`write` 0) or wrote (`write` 1). Returns 1 and stores the bytes of the sequence of words that it found as [*from,
// *to). Returns 0 if the launch read (or wrote) no word of the region at or after byte `at`.
int sim_memory_touched(const struct sim_memory *, int region, int write, uint64_t at, uint64_t *from, uint64_t *to);
// Records an access in a region whose accessed words are recorded (sim_memory_watch). The access's kind, `kind`, is an
// enum access_kind. `words` is the footprint of the access: for each line of 128 bytes, a mask of the accessed 4-byte
// words. Thread-safe.
void sim_memory_touch(const struct sim_region *, uint32_t kind, const struct footprint *words);

// ---------------------------------------------------------------- launches

// Prepares the memory for one run of a launch, and clears the records of the previous run. If `serial` is 1, one host
// thread runs all blocks of the launch in a fixed order.
void sim_memory_begin(struct sim_memory *, const struct sim_launch *, int serial);
// Returns 1 if the findings of the run are incomplete, because the run showed that more accesses must be recorded. If
// sim_memory_retry() returns 1, the caller must repeat the launch from the same state of memory.
int sim_memory_retry(const struct sim_memory *);
// Clears the information from earlier runs about which accesses must be recorded. The caller calls sim_memory_forget()
// before the first run of a launch.
void sim_memory_forget(struct sim_memory *);
// Returns 1 if two blocks accessed the same byte of global memory, and at least one of them wrote the byte. Two atomics
// that commute are no conflict between blocks. A conflict between blocks means that the order of blocks matters. The
// result of sim_memory_conflict() is final when all blocks have run.
int sim_memory_conflict(const struct sim_memory *);
// sim_memory_snapshot() takes a snapshot of global memory: from then on, the old contents of all bytes that kernels
// overwrite are saved. The function sim_memory_restore() restores the saved bytes and keeps the snapshot. The function
// sim_memory_snapshot_free() frees the snapshot.
void sim_memory_snapshot(struct sim_memory *);
void sim_memory_restore(struct sim_memory *);
void sim_memory_snapshot_free(struct sim_memory *);

#endif
