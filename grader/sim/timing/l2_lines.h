// Holds the lines that are in a device's L2 from launch to launch: a launch finds the lines that earlier launches and
// copies left there. The L2 model (l2.h) decides which lines a launch uses, and counts the traffic.
#ifndef SIM_TIMING_L2_LINES_H
#define SIM_TIMING_L2_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "sim/timing/ways.h"

enum { L2_LINE = 128, L2_SECTOR = 32, L2_WHOLE = 8 }; // L2_WHOLE: words of a sector of which all bytes are known

struct device_profile;

struct l2_way { // a way, and the line in the way
    uint64_t line;
    uint8_t valid, dirty; // a bit for each sector
    uint16_t words;       // 4 bits for each sector: number of words stored, if only a part is known
    uint32_t block;      // number of the last block that used the line (l2_lines.blocks + its index), plus one; 0: none
    uint32_t generation; // generation of the last block that requested the line from DRAM
    uint32_t at;         // index in the block's log of the request to DRAM
};

// Holds the cache sets of a device's L2 and the queue of its dirty lines. Only the L2 model uses the fields of struct
// l2_lines; all other code calls the functions of this header.
struct l2_lines {
    uint32_t sets;
    struct ways *set;
    struct l2_way *way; // way w of set s is [w * sets + s]: the few ways in use of most sets then lie close together
    // The queue of lines that became dirty, oldest first. Lines that were cleaned or evicted in the meantime remain in
    // the queue until they come to its head.
    uint64_t *queue;
    uint64_t head, tail, slots;
    uint64_t dirty_sectors, dirty_lines;
    uint32_t blocks, generations; // numbers of the blocks and the generations of all earlier launches
    // Memory of the host, which launches reach over the link between host and device, and the bytes that the present
    // launch has moved over the link.
    struct l2_range {
        uint64_t first, end;
    } * host;
    uint64_t hosts, host_capacity, host_read, host_written;
    struct l2_undo *undo;
};

// Returns an empty L2 with the capacity of the device's L2. The caller frees the struct l2_lines with l2_lines_free().
struct l2_lines *l2_lines_new(const struct device_profile *);
void l2_lines_free(struct l2_lines *);
// Begins a launch of `blocks` blocks, of which `resident` run at the same time. If l2_lines_end() has not ended the
// previous launch, this launch is its repetition, and the previous changes of the L2 are undone.
void l2_lines_begin(struct l2_lines *, uint64_t blocks, uint64_t resident);
// Ends the launch: after l2_lines_end(), the changes that the launch has made in the L2 can no longer be undone.
void l2_lines_end(struct l2_lines *);
// Puts the lines of the `bytes` bytes at device address `address` into the L2, as a copy between host and device does.
// If `is_written` is 1, the copy writes the bytes, and their lines become dirty. The caller does not call
// l2_lines_copied() during a launch.
void l2_lines_copied(struct l2_lines *, uint64_t address, uint64_t bytes, int is_written);
// Writes the oldest dirty lines of the L2 back to DRAM until at most `lines` lines are dirty.
void l2_lines_limit(struct l2_lines *, uint64_t lines);

// Adds a range of addresses that lie in the host's memory (l2_lines_host), or removes all ranges that were added
// (l2_lines_no_host).
void l2_lines_host(struct l2_lines *, uint64_t first, uint64_t bytes);
void l2_lines_no_host(struct l2_lines *);
// Returns 1 if the line lies in the host's memory, as told by l2_lines_host().
int l2_lines_is_host(const struct l2_lines *, uint64_t line);

// Returns a digest of the state of the L2: of the lines in each cache set, of their states, and of the order of their
// last uses. If the digest is the same before two equal launches, both launches find the same lines in the L2.
uint64_t l2_lines_digest(struct l2_lines *);
// Describes how a launch has changed the L2, so that l2_lines_apply() can make the same change again.
struct l2_change;
// Returns the changes that the latest launch, which must have ended, made in the L2. The caller frees the struct
// l2_change with l2_lines_change_free().
struct l2_change *l2_lines_changed(const struct l2_lines *);
void l2_lines_apply(struct l2_lines *, const struct l2_change *);
// Returns the size, in bytes, of the cache sets and ways that a struct l2_change holds, or 0 for NULL.
uint64_t l2_lines_change_bytes(const struct l2_change *);
void l2_lines_change_free(struct l2_change *);

// ---------------------------------------------------------------- for the L2 model

// Returns a well-mixed 64-bit hash of line number `line`.
uint64_t l2_lines_hash(uint64_t line);
// Returns the index of the cache set that holds the line. Neighbouring lines lie in neighbouring cache sets. Each range
// of 2^18 lines starts at a pseudo-random cache set.
uint32_t l2_lines_set(const struct l2_lines *, uint64_t line);
// Prepares cache set number `set` for a change, so that the change can be undone and the digest is computed anew. The
// caller calls l2_lines_touch() before any change of the cache set or its ways.
void l2_lines_touch(struct l2_lines *, uint32_t set);
// Returns the index of the way that holds the line, or WAYS if the line is not in the cache set.
uint32_t l2_lines_find(const struct l2_lines *, uint32_t set, uint64_t line);
// Marks the sectors in the bit mask `sectors` of the line in `way` as dirty. Returns 1 if the line was clean before.
int l2_lines_soil(struct l2_lines *, struct l2_way *, uint32_t sectors);
// Marks the line in `way` as clean, and as a line of which the L2 holds all bytes.
void l2_lines_clean(struct l2_lines *, struct l2_way *);
// Takes the oldest line out of the queue of dirty lines. Returns the way that holds the line, or NULL if the line has
// become clean or was evicted.
struct l2_way *l2_lines_oldest(struct l2_lines *);

static inline struct l2_way *l2_lines_way(const struct l2_lines *l, uint32_t set, uint32_t way)
{
    return &l->way[(size_t)way * l->sets + set];
}

// Returns how many 4-byte words of a sector the L2 holds, for sector number `sector` of the line in `way`.
static inline uint32_t l2_way_words(const struct l2_way *way, uint32_t sector)
{
    return way->words >> 4 * sector & 0xf;
}

// Adds `words` to the number of 4-byte words that the L2 holds of sector number `sector` of the line in `way`.
static inline void l2_way_add(struct l2_way *way, uint32_t sector, uint32_t words)
{
    uint32_t sum = l2_way_words(way, sector) + words;
    if (sum > L2_WHOLE) sum = L2_WHOLE;
    way->words = (uint16_t)((way->words & ~(0xfu << 4 * sector)) | sum << 4 * sector);
}

#endif
