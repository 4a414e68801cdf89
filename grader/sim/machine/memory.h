// The memory of the simulated device: the engine's buffers, the memory of a host program, and the modules' variables.
// machine/access.h is what a warp does to it.
//
// Buffers and regions are named by their index in sim_memory.region. Sizes and offsets are in bytes.
#ifndef SIM_MACHINE_MEMORY_H
#define SIM_MACHINE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "sim/core/region.h"

struct footprint; // device/coalesce.h

// Returns a memory without buffers and variables. The caller frees it with sim_memory_free.
struct sim_memory *sim_memory_new(void);
void sim_memory_free(struct sim_memory *);
// Frees the engine's buffers, and gives all variables their initial values again.
void sim_memory_reset(struct sim_memory *);

// ---------------------------------------------------------------- the engine's buffers

// Allocates a buffer with undefined content. `element`: bytes of an element of the array, 0 if unknown. Returns the
// buffer's index (0 to ENGINE_BUFFERS - 1), or -1 if all are in use or the size is above a quarter of
// SIM_BUFFER_STRIDE.
int sim_memory_alloc(struct sim_memory *, uint64_t bytes, uint32_t element);
// Copies bytes into a buffer or out of it. The range may extend up to ENGINE_GUARD bytes beyond either end. Written
// bytes count as initialised unless `poison` is 1. Returns 0, or -1 if the range is not within the buffer.
int sim_memory_write(struct sim_memory *, int buffer, int64_t offset, const void *data, uint64_t bytes, int poison);
int sim_memory_read(const struct sim_memory *, int buffer, int64_t offset, void *data, uint64_t bytes);
// Returns the device address of a buffer's first byte, or 0 if there is no such buffer.
uint64_t sim_memory_address(const struct sim_memory *, int buffer);
// Returns the total size of the buffers of which the current launch read anything.
uint64_t sim_memory_bytes_read(const struct sim_memory *);

// ---------------------------------------------------------------- variables of modules

// Places and initialises the variables of a module, which must outlive the memory. Returns 0, or -1 if they do not
// fit. The limits are 1024 .global variables, 256 MiB of all variables, and 16 MiB of .const variables of all modules.
int sim_memory_add(struct sim_memory *, const struct ptx_module *);
// Makes `owner` (a device number; -1: all devices) the owner of variables that are added from now on.
void sim_memory_set_owner(struct sim_memory *, int owner);
// Returns the global address of a .global variable, or the offset of a .const variable in the constant bank.
uint64_t sim_memory_var_address(const struct sim_memory *, const struct ptx_module *, uint32_t var);
// Copies the initial bytes of a .global or .const variable to `data`, `capacity` at most. Returns the variable's size,
// or -1 if the module has no such variable.
int64_t sim_memory_symbol(const struct ptx_module *, const char *name, void *data, size_t capacity);

// ---------------------------------------------------------------- memory of a host program

// Makes a region of device memory. `data`: the caller's bytes, with 64 spare ones behind them, which must outlive the
// region; NULL: zeros that the region owns. `owner`: the device whose memory it is; -1: all devices. `written` 1: reads
// of uninitialised bytes are not reported. Returns the region's index, or -1 if memory or addresses are exhausted.
int sim_memory_map(struct sim_memory *, uint64_t bytes, uint8_t *data, int owner, int written);
// Moves a variable's region to the caller's bytes at `data`, whose content stays as it is. All devices own it then.
void sim_memory_remap(struct sim_memory *, int region, uint8_t *data);
// Frees a region. Its addresses are reused only when no others are left.
void sim_memory_unmap(struct sim_memory *, int region);
// Counts bytes of a region as initialised.
void sim_memory_mark_written(struct sim_memory *, int region, uint64_t offset, uint64_t bytes);
// Shows later launches the regions of some devices alone. `devices` has a bit for each device.
void sim_memory_set_visible(struct sim_memory *, uint32_t devices);
// Switches on or off whether launches record the words that they read and write in buffers and regions.
void sim_memory_watch(struct sim_memory *, int on);
// Finds, in the record of the latest launch, the first run of words at or behind byte `at` that were read (`write` 0)
// or written (1). Returns 1 and its bytes [*from, *to), or 0 if there is none.
int sim_memory_touched(const struct sim_memory *, int region, int write, uint64_t at, uint64_t *from, uint64_t *to);
// Records an access of a kind (enum access_kind) in a watched region. The footprint's cells are lines. Thread-safe.
void sim_memory_touch(const struct sim_region *, uint32_t kind, const struct footprint *words);

// ---------------------------------------------------------------- launches

// Prepares the memory for one run of a launch, and clears what belongs to the run before. `serial` 1: one host thread
// runs all blocks, in a fixed order.
void sim_memory_begin(struct sim_memory *, const struct sim_launch *, int serial);
// Returns 1 if the run's findings are incomplete, because the run showed that more accesses must be recorded. Then the
// launch must be repeated from the same state of memory.
int sim_memory_retry(const struct sim_memory *);
// Forgets what earlier runs showed. Belongs before the first run of a launch.
void sim_memory_forget(struct sim_memory *);
// Returns 1 if two blocks accessed the same byte of global memory, and at least one wrote. Atomics that commute do not
// count. Then the order of blocks matters. The answer is complete when all blocks have run.
int sim_memory_conflict(const struct sim_memory *);
// Starts to keep the bytes that kernels overwrite; brings them back; frees them.
void sim_memory_snapshot(struct sim_memory *);
void sim_memory_restore(struct sim_memory *);
void sim_memory_snapshot_free(struct sim_memory *);

#endif
