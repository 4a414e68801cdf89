// The virtual clock: when the operations of a host program begin and end on its devices. It knows nothing of what they
// do. Times are picoseconds from the program's first call.
//
// Each device has two copy engines (from the host, to the host), one for its peers, and its multiprocessors, which
// kernels share as far as their blocks fit; copies within the device and fills take the multiprocessors' whole memory.
// Operations of one stream follow each other; what else one waits for the caller says by tickets.
#ifndef RUNNER_CLOCK_H
#define RUNNER_CLOCK_H

#include <stdint.h>

#include "device/profile.h"

enum clock_engine { CLOCK_WRITE, CLOCK_READ, CLOCK_PEER, CLOCK_COMPUTE, CLOCK_ENGINES, CLOCK_NONE = CLOCK_ENGINES };

struct clock_op {
    uint8_t engine; // enum clock_engine; NONE takes no time: a mark in the stream
    uint8_t direct; // 1: from or to pinned memory: the two directions slow each other down
    uint16_t device;
    uint32_t demand;  // COMPUTE: permille of the multiprocessors that it can use
    int32_t priority; // COMPUTE: smaller is served first
    uint32_t nafter;  // tickets of what must have ended first, 0 counting as nothing
    const uint64_t *after;
    uint64_t work_ps; // how long it takes alone
};

struct clock;
struct clock *clock_new(const struct device_profile *);
void clock_free(struct clock *);
// Hands an operation to the devices at the host's present time. Its ticket, counting from 1.
uint64_t clock_submit(struct clock *, const struct clock_op *);
uint64_t clock_host(const struct clock *);                // the host's present time
void clock_spend(struct clock *, uint64_t ps);            // the host is busy for so long
int clock_is_done(const struct clock *, uint64_t ticket); // ended by now (0 always has)
void clock_wait(struct clock *, uint64_t ticket); // the host waits until it has ended, and a little more to see it
uint64_t clock_start(const struct clock *, uint64_t ticket); // of one that is done
uint64_t clock_end(const struct clock *, uint64_t ticket);
// Lets all operations end, without the host's waiting.
void clock_finish(struct clock *);

// Picoseconds that `bytes` take at so many MB/s.
uint64_t clock_bytes_ps(uint64_t bytes, int64_t mbs);

#endif
