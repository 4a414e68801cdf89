// The virtual clock: when the operations of a host program begin and end on its devices. It does not know what they do.
// Times are picoseconds since the program's first call.
//
// Each device has two copy engines (from the host, and to the host), one engine for peers, and its multiprocessors,
// which kernels share as far as their blocks fit. Copies within a device and fills use all of the multiprocessors'
// memory bandwidth. The caller states by tickets which operations an operation waits for, also within one stream.
#ifndef RUNNER_CLOCK_H
#define RUNNER_CLOCK_H

#include <stdint.h>

#include "device/profile.h"

enum clock_engine { CLOCK_WRITE, CLOCK_READ, CLOCK_PEER, CLOCK_COMPUTE, CLOCK_ENGINES, CLOCK_NONE = CLOCK_ENGINES };

struct clock_op {
    uint8_t engine; // enum clock_engine; NONE: takes no time, it only marks a point in the stream
    uint8_t direct; // 1: a copy from or to pinned memory; copies of the two directions slow each other down
    uint16_t device;
    uint32_t demand;  // COMPUTE: share of the multiprocessors that the operation can use, permille
    int32_t priority; // COMPUTE: a smaller number starts first
    uint32_t nafter;
    const uint64_t *after; // [nafter]: tickets of operations that must end first; 0 stands for none
    uint64_t work_ps;      // duration if nothing else runs
};

struct clock;
// Makes the clock of devices with that profile, which must outlive it.
struct clock *clock_new(const struct device_profile *);
void clock_free(struct clock *);
// Issues an operation at the host's present time. Returns its ticket; tickets count from 1.
uint64_t clock_submit(struct clock *, const struct clock_op *);
// Returns the host's present time.
uint64_t clock_host(const struct clock *);
// Advances the host's time: the host is busy for `ps`.
void clock_spend(struct clock *, uint64_t ps);
// Returns 1 if the operation has ended by the host's present time; ticket 0 always has.
int clock_is_done(const struct clock *, uint64_t ticket);
// Lets the host wait until the operation has ended, and return_ns of the profile more.
void clock_wait(struct clock *, uint64_t ticket);
// Return the start and the end of an operation that is done.
uint64_t clock_start(const struct clock *, uint64_t ticket);
uint64_t clock_end(const struct clock *, uint64_t ticket);
// Lets all operations end; the host's time does not change.
void clock_finish(struct clock *);

// Returns the picoseconds that `bytes` bytes take at `mbs` MB/s; 0 if mbs is not positive.
uint64_t clock_bytes_ps(uint64_t bytes, int64_t mbs);

#endif
