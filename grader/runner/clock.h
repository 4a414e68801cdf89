// The virtual clock computes when the operations of a host program begin and end on its devices. The clock does not
// perform the operations. Times are picoseconds since the program's first call.
//
// Each device has two copy engines (one from the host, one to the host), one engine for copies between devices, and its
// multiprocessors. Kernels share the multiprocessors if their blocks fit. Copies within a device and fills use all of
// the memory bandwidth of the multiprocessors. The caller gives the tickets of all operations that an operation waits
// for, also within one stream.
#ifndef RUNNER_CLOCK_H
#define RUNNER_CLOCK_H

#include <stdint.h>

#include "device/profile.h"

enum clock_engine { CLOCK_WRITE, CLOCK_READ, CLOCK_PEER, CLOCK_COMPUTE, CLOCK_ENGINES, CLOCK_NONE = CLOCK_ENGINES };

struct clock_op {
    uint8_t engine; // enum clock_engine; NONE: takes no time and only marks a point in the stream
    uint8_t direct; // 1: a copy from or to pinned memory; copies in opposite directions slow each other down
    uint16_t device;
    uint32_t demand;  // COMPUTE: share of the multiprocessors that the operation can use, in permille
    int32_t priority; // COMPUTE: a smaller number starts first
    uint32_t nafter;
    const uint64_t *after; // [nafter]: tickets of operations that must end first; 0: no operation
    uint64_t work_ps;      // duration if no other operation runs, in ps
};

struct clock;
// Creates the clock of devices with the given profile. The profile must outlive the clock. clock_free() frees the
// clock.
struct clock *clock_new(const struct device_profile *);
void clock_free(struct clock *);
// Issues an operation at the host's present time. Returns the operation's ticket, which is its number. Tickets count
// from 1.
uint64_t clock_submit(struct clock *, const struct clock_op *);
// Returns the host's present time in ps.
uint64_t clock_host(const struct clock *);
// Advances the host's time by `ps`, because the host is busy.
void clock_spend(struct clock *, uint64_t ps);
// Returns 1 if the operation with this ticket has ended by the host's present time. Ticket 0 counts as ended.
int clock_is_done(const struct clock *, uint64_t ticket);
// Advances the host's time to the end of the operation, and then by return_ns of the profile.
void clock_wait(struct clock *, uint64_t ticket);
// clock_start() and clock_end() return the start and the end of an operation that has ended, in ps.
uint64_t clock_start(const struct clock *, uint64_t ticket);
uint64_t clock_end(const struct clock *, uint64_t ticket);
// Simulates until all operations have ended. The host's time does not change.
void clock_finish(struct clock *);

// Returns the picoseconds that `bytes` bytes take at `mbs` MB/s, or 0 if mbs is not positive.
uint64_t clock_bytes_ps(uint64_t bytes, int64_t mbs);

#endif
