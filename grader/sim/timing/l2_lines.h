// Holds the lines that are in a device's L2, which outlive a launch: the next launch finds the lines that earlier
// launches and copies left. The L2 model (l2.h) decides which lines a launch uses, and counts the traffic.
#ifndef SIM_TIMING_L2_LINES_H
#define SIM_TIMING_L2_LINES_H

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

// The fields are for the L2 model. All other code uses the functions below.
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
    struct l2_undo *undo;
};

// Returns an empty L2 of the device. The caller frees it with l2_lines_free().
struct l2_lines *l2_lines_new(const struct device_profile *);
void l2_lines_free(struct l2_lines *);
// Begins a launch of `blocks` blocks, of which `resident` run at the same time. If the previous launch has not ended,
// it is repeated: its changes are undone.
void l2_lines_begin(struct l2_lines *, uint64_t blocks, uint64_t resident);
// Ends the launch, whose changes then last.
void l2_lines_end(struct l2_lines *);
// Puts the lines of `bytes` bytes at `address` into the L2, as a copy between host and device does that reads or writes
// the bytes. Must not be called during a launch.
void l2_lines_copied(struct l2_lines *, uint64_t address, uint64_t bytes, int is_written);
// Writes the oldest dirty lines back until at most `lines` lines are dirty.
void l2_lines_limit(struct l2_lines *, uint64_t lines);

// Returns a digest of the lines and their states, in each set in the order of the lines' last uses. Equal launches that
// begin with equal digests find the same lines.
uint64_t l2_lines_digest(struct l2_lines *);
// Describes what a launch has changed, so that l2_lines_apply() can make the same change again.
struct l2_change;
// Returns the changes of the latest launch, which must have ended. The caller frees them with l2_lines_change_free().
struct l2_change *l2_lines_changed(const struct l2_lines *);
void l2_lines_apply(struct l2_lines *, const struct l2_change *);
// Returns the size of the changes in bytes.
uint64_t l2_lines_change_bytes(const struct l2_change *);
void l2_lines_change_free(struct l2_change *);

// ---------------------------------------------------------------- for the L2 model

// Returns a hash of the number of a line, all bits of which are mixed.
uint64_t l2_lines_hash(uint64_t line);
// Returns the index of the cache set that holds the line. Neighbouring lines lie in neighbouring cache sets. Each range
// of 2^18 lines starts at a pseudo-random cache set.
uint32_t l2_lines_set(const struct l2_lines *, uint64_t line);
// Notes that the set is about to change. Must be called before any change of a set or its ways.
void l2_lines_touch(struct l2_lines *, uint32_t set);
// Returns the index of the way that holds the line, or WAYS if the line is not in the cache set.
uint32_t l2_lines_find(const struct l2_lines *, uint32_t set, uint64_t line);
// Marks sectors of the line in `way` as dirty. Returns 1 if the line was clean before.
int l2_lines_soil(struct l2_lines *, struct l2_way *, uint32_t sectors);
// Marks the line in `way` as clean and whole.
void l2_lines_clean(struct l2_lines *, struct l2_way *);
// Takes the oldest line out of the queue of dirty lines. Returns its way, or NULL if the line is clean or evicted.
struct l2_way *l2_lines_oldest(struct l2_lines *);

static inline struct l2_way *l2_lines_way(const struct l2_lines *l, uint32_t set, uint32_t way)
{
    return &l->way[(size_t)way * l->sets + set];
}

// Returns the number of words of a sector of the line that are known.
static inline uint32_t l2_way_words(const struct l2_way *way, uint32_t sector)
{
    return way->words >> 4 * sector & 0xf;
}

// Adds words that became known to a sector of the line.
static inline void l2_way_add(struct l2_way *way, uint32_t sector, uint32_t words)
{
    uint32_t sum = l2_way_words(way, sector) + words;
    if (sum > L2_WHOLE) sum = L2_WHOLE;
    way->words = (uint16_t)((way->words & ~(0xfu << 4 * sector)) | sum << 4 * sector);
}

#endif
