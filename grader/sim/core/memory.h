// The memory of the simulated device, and one warp's access to it.
//
// The executor hands over one warp instruction's access with all its lanes. Memory resolves the space, refuses lanes
// whose address is bad (they read 0 and store nothing), records findings, moves the data, and counts requests,
// sectors and wavefronts. All of it happens here so that the executor knows only registers, and the model only counts.
#ifndef SIM_CORE_MEMORY_H
#define SIM_CORE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"
#include "ptx/ptx.h"
#include "sim/core/isa.h"
#include "sim/core/launch.h"

struct sim_access {
    uint8_t space;     // enum memory_space; SPACE_NONE for a generic address: resolved per lane
    uint8_t kind;      // enum access_kind
    uint8_t bytes;     // of one element: 1, 2, 4, 8
    uint8_t count;     // elements of the vector: 1, 2, 4, 8
    uint8_t sign;      // 1: sign-extend into a wider register
    uint8_t row_bytes; // of a register row's lane: 4 or 8 (registers narrower than 32 bits live in 32-bit rows)
    uint8_t sem;       // enum ptx_sem
    uint8_t scope;     // enum ptx_scope
    uint8_t cache;     // enum ptx_cache
    uint8_t nc;        // 1: ld.global.nc
    uint8_t atom;      // enum ptx_atom, ACCESS_ATOMIC only
    uint8_t atom_type; // enum ptx_type
    uint8_t returns;   // 1: atom whose result is used; 0: red
    uint8_t async;     // 1: half of a cp.async
    uint8_t uniform;   // ACCESS_ATOMIC, 1: all lanes have one address by construction, and one operand: a constant
    uint8_t counted;   // 1: the instruction is counted by how often its op was executed (tally.c), not by the access
    uint8_t merged;    // shared: bytes of the wider access that ptxas makes of this one and its neighbours, 0: none;
                       // SIM_MERGED_AWAY: another of them counts for it
    uint8_t data;      // 1: volatile, in a kernel that has no flags in shared memory (lower/flag.c)
    uint32_t op;       // index of the op in the program: place in the source, counters
    uint32_t mask;     // lanes that take part
    int32_t symbol;    // index into module.var that the address is known to derive from, or -1
    uint32_t part;     // of that .local variable: which variable of the source, from 1; then the access must lie within
    uint32_t lo, hi;   // these bytes of a thread's local memory: of the part, and, where its address could be the end
                       // of the one before, of that one too
    uint64_t address[WARP_LANES]; // of lanes in mask
};

enum { SIM_MERGED_AWAY = 255 };

// A value of which some bits were never written.
struct sim_undefined {
    uint64_t bits;    // those
    uint64_t address; // of the element they were loaded from
    uint32_t op;      // that loaded it (as counted: frame_site); UINT32_MAX: it came from a register or local memory
    int32_t symbol;   // of that access
    uint8_t space, bytes;
    uint8_t copied; // 1: as it lay in memory
    uint8_t moved;  // 1: so, and it may be padding: part of an element, or below a word
};
// Of the elements of one access: those lanes of element e whose value is undefined in part, and that value.
struct sim_validity {
    uint32_t lanes[8];
    struct sim_undefined value[8][WARP_LANES];
};

// Buffers and variables of modules.
struct sim_memory *sim_memory_new(void);
// Places the module's variables; the module must outlive the memory. -1 when they do not fit (over 1024 .global ones,
// over 256 MiB of all, over 16 MiB of .const, of all modules).
int sim_memory_add(struct sim_memory *, const struct ptx_module *);
void sim_memory_free(struct sim_memory *);
void sim_memory_reset(struct sim_memory *); // frees buffers, restores variables
int sim_memory_alloc(struct sim_memory *, uint64_t bytes, uint32_t element);
int sim_memory_write(struct sim_memory *, int buffer, int64_t offset, const void *data, uint64_t bytes, int poison);
int sim_memory_read(const struct sim_memory *, int buffer, int64_t offset, void *data, uint64_t bytes);
// Memory of a host program: as many regions as there are addresses for, each the caller's own bytes (`data`, with 64 to
// spare behind them, outlives the region; NULL: zeros, the region's own), in the memory of the device `owner` (-1: of
// none, for all). `written` 1: reads of what was never written are nothing to this region. Index of the region
// (region.h), or -1: no room.
int sim_memory_place(struct sim_memory *, uint64_t bytes, uint8_t *data, int owner, int written);
// A variable's bytes lie at `data` from now on, as they are there, and are any device's. The caller's, as those above.
void sim_memory_move(struct sim_memory *, int region, uint8_t *data);
void sim_memory_remove(struct sim_memory *, int region); // its addresses stay dead as long as there are others
void sim_memory_mark(struct sim_memory *, int region, uint64_t offset, uint64_t bytes); // counts as written
void sim_memory_show(struct sim_memory *, uint32_t devices); // to the launches that follow: a bit for each owner
// Whether launches from now on note which words of buffers they read and write; and what the latest one did: the first
// run of words at or behind byte `at`, as bytes [*from, *to). 0: there is none.
void sim_memory_watch(struct sim_memory *, int on);
int sim_memory_touched(const struct sim_memory *, int region, int write, uint64_t at, uint64_t *from, uint64_t *to);
void sim_memory_own(struct sim_memory *, int owner); // whose the variables of modules added from now on are

uint64_t sim_memory_bytes_read(const struct sim_memory *);          // of all buffers that this launch read anything of
uint64_t sim_memory_bytes(const struct sim_memory *, int buffer);   // 0: there is none
uint64_t sim_memory_address(const struct sim_memory *, int buffer); // device address of its first byte
// Of a module's .global or .const variable: global address, or offset in its window.
uint64_t sim_memory_var_address(const struct sim_memory *, const struct ptx_module *, uint32_t var);
// Initial bytes of a .global or .const variable: size, or -1.
int64_t sim_memory_symbol(const struct ptx_module *, const char *name, void *data, size_t capacity);

// Where each .shared variable of a kernel lies. Variables stand 128 bytes apart from the end of the one before, which
// leaves their banks as they are on a device and makes an index that runs past an array land in a gap.
struct shared_layout {
    uint32_t *offset;       // [module.nvars]; meaningful for .shared variables of this kernel (and those it calls)
    uint32_t placed_bytes;  // with gaps, dynamic part included
    uint32_t charged_bytes; // what a device would allocate
    uint32_t dynamic_offset, dynamic_bytes;
    uint32_t reserved_offset; // what the system reserves, where the kernel asks for it; 0: it does not
};
struct shared_layout sim_shared_layout(const struct ptx_module *, uint32_t func, uint32_t dynamic, struct arena *);
// The value of %reserved_smem_offset_… (enum ptx_sreg).
uint32_t sim_reserved_shared(const struct shared_layout *, uint32_t sreg);

enum { SIM_RESERVED_SHARED = 1024 };

// Per run of a launch: resets what belongs to it (who wrote what, launch-wide conflict flags). `serial`: one host
// thread runs all blocks, in a fixed order.
void sim_memory_begin(struct sim_memory *, const struct sim_launch *, int serial);
// 1 when the run's findings are not complete: memory has learnt what it must look at, and the launch must be run anew
// from the same state. Forgotten by sim_memory_forget, which belongs before the first run of a launch.
int sim_memory_retry(const struct sim_memory *);
void sim_memory_forget(struct sim_memory *);
// 1 when two blocks touched the same byte of global memory and one of them wrote, other than by atomics that commute:
// the order of blocks then matters. Complete only after all blocks ran.
int sim_memory_conflict(const struct sim_memory *);
// From now on what kernels overwrite is kept, and can be brought back: for running a launch again in a fixed order.
void sim_memory_snapshot(struct sim_memory *);
void sim_memory_restore(struct sim_memory *);
void sim_memory_snapshot_free(struct sim_memory *);

// These three are compiled for each level of vector units; the executor's files of a level call those of that level.
#define sim_load SIM_NAME(sim_load)
#define sim_store SIM_NAME(sim_store)
#define sim_atomic SIM_NAME(sim_atomic)
// Loads a->count elements for each lane: element e of lane l goes to row[e] + l * row_bytes. What of it was never
// written is said in the validity; where that is NULL, it is a finding at once. Bad lanes get 0 and count as written
// (the finding is made).
void sim_load(struct sim_warp *, const struct sim_access *, void *const row[], struct sim_validity *);
// Stores. Undefined bits (NULL: none) make the bits stored undefined, in global memory the bytes that have no other.
void sim_store(struct sim_warp *, const struct sim_access *, const void *const row[], const struct sim_validity *);
// Atomic in lane order, ascending. `result` (NULL for red) gets the old values; `operand`, `compare` are rows. Of a
// vector the rows of the elements lie one behind the other.
void sim_atomic(struct sim_warp *, const struct sim_access *, void *result, const void *operand, const void *compare);

// Shared memory's clock: the block passed a barrier (all its threads), or a warp's lanes in mask met at a __syncwarp.
void sim_block_barrier(struct sim_block *);
void sim_warp_barrier(struct sim_warp *, uint32_t mask);
// A warp only arrived at a named barrier (bar.arrive).
void sim_named_arrive(struct sim_block *, uint32_t id, uint32_t warp);
// A named barrier that not all threads of the block take part in was completed: warps that waited (a mask) are ordered
// after what these did, and what those that arrived had done by then.
void sim_named_barrier(struct sim_block *, uint32_t id, uint32_t waited);
// Lanes executed a fence of that scope (enum ptx_scope).
void sim_fence(struct sim_warp *, uint32_t mask, uint32_t scope);
// Lanes know what they read by relaxed loads up to now, as after a fence.
void sim_acquire(struct sim_warp *, uint32_t mask);
// Lanes closed a group of asynchronous copies (cp.async.commit_group); lanes waited until no more than `left` of their
// latest groups were on their way (SIM_ALL_COPIES: until every copy was done, closed or not).
void sim_copy_commit(struct sim_warp *, uint32_t mask);
void sim_copy_wait(struct sim_warp *, uint32_t mask, uint32_t left);
#define SIM_ALL_COPIES 0xffffffffu
// A block begins on this worker: shared memory and its shadow are those of a fresh block. The executor owns
// block->shared (shared_bytes, zeroed once) and block->shadow (shadow_new, once per launch and worker).
void sim_block_begin(struct sim_block *);
// All its threads have exited. Completes its counters and its sector log, for l2_commit.
void sim_block_end(struct sim_block *);

#endif
