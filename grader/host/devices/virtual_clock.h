// The virtual clock computes when the operations of a host program begin and end on its simulated devices. The virtual
// clock only computes times and does not perform the operations. All times of the virtual clock are picoseconds since
// the program's first call.
//
// Each simulated device has two copy engines (one from the host, one to the host), one engine for copies between
// devices, and its multiprocessors. Several kernels run at the same time while a part of the multiprocessors is free. A
// copy within a device, or a fill, occupies all multiprocessors. The clock does not know CUDA streams, so the caller
// lists the tickets (numbers) of all operations that a new operation waits for.
//
// Each host thread of the program has its own virtual time. The function virtual_clock_turn() chooses the host thread
// to which the other functions of virtual_clock.h refer. Before the first call of virtual_clock_turn(), the functions
// of virtual_clock.h refer to the host thread 0.
#ifndef HOST_DEVICES_VIRTUAL_CLOCK_H
#define HOST_DEVICES_VIRTUAL_CLOCK_H

#include <stdint.h>

#include "device/profile.h"

enum { CLOCK_THREADS = 1 << 16 }; // maximum number of host threads

enum clock_engine { CLOCK_WRITE, CLOCK_READ, CLOCK_PEER, CLOCK_COMPUTE, CLOCK_ENGINES, CLOCK_NONE = CLOCK_ENGINES };

struct clock_op {
    uint8_t engine;  // enum clock_engine; NONE: takes no time and only marks a point in the stream
    uint8_t direct;  // 1: a copy from or to pinned memory, or a kernel that accesses it; opposite directions slow each
                     // other down
    uint8_t link[2]; // COMPUTE: 1 if the kernel keeps the link of the copy engine CLOCK_WRITE or CLOCK_READ busy
    uint16_t device;
    uint32_t demand;  // COMPUTE: share of the multiprocessors that the operation can use, in permille
    int32_t priority; // on every engine, an operation with a smaller number starts first
    uint32_t nafter;
    const uint64_t *after; // [nafter]: tickets of operations that must end first; 0: no operation
    uint64_t work_ps;      // time on the engine if no other operation runs, in ps
    uint64_t drain_ps;     // time until the end, in ps, when the engine is free again; 0 for copies
};

struct virtual_clock;
// Creates the virtual clock of devices with the given device profile. The device profile must outlive the clock. The
// caller frees the clock with virtual_clock_free().
struct virtual_clock *virtual_clock_new(const struct device_profile *);
void virtual_clock_free(struct virtual_clock *);
// Issues an operation at the host's present virtual time. Returns the operation's ticket. A ticket is the number of an
// operation, counted from 1 in the order of issue.
uint64_t virtual_clock_submit(struct virtual_clock *, const struct clock_op *);
// Chooses the host thread that acts next, `thread` < CLOCK_THREADS. The virtual time of the thread becomes at least
// `at_ps`. If `shared` is 1, other threads can still issue operations at or after at_ps. In a shared turn (`shared` is
// 1), the simulation does not run ahead, and virtual_clock_wait() only notes what the thread waits for. A wait that
// virtual_clock_wait() has noted lasts until virtual_clock_progress() ends it.
void virtual_clock_turn(struct virtual_clock *, uint32_t thread, uint64_t at_ps, int shared);
// Makes the present thread's turn a turn that is not shared, and advances the present thread to the latest virtual time
// of any thread. After virtual_clock_gather(), virtual_clock_wait() itself simulates until the wait is over.
void virtual_clock_gather(struct virtual_clock *);
// Returns 1 if the present thread waits for an operation that has not ended.
int virtual_clock_is_waiting(const struct virtual_clock *);
// Simulates up to the time `until`, or until the first wait of a thread is over, whichever is earlier. If the wait of a
// thread is over, virtual_clock_progress() chooses that thread, advances its virtual time to the end of its wait and
// returns 1. If no wait is over by `until`, virtual_clock_progress() returns 0.
int virtual_clock_progress(struct virtual_clock *, uint64_t until, uint32_t *thread);
// Returns a time in ps before which no wait of a thread is over, unless the host issues further operations. The latest
// call of virtual_clock_progress() must have returned 0.
uint64_t virtual_clock_quiet(const struct virtual_clock *);
// Returns the host's present virtual time in ps.
uint64_t virtual_clock_host(const struct virtual_clock *);
// Advances the host's virtual time by `ps` picoseconds, because the host is busy.
void virtual_clock_spend(struct virtual_clock *, uint64_t ps);
// Returns 1 if the operation with the number `ticket` has ended by the host's present virtual time. The ticket 0 stands
// for no operation and counts as ended.
int virtual_clock_is_done(const struct virtual_clock *, uint64_t ticket);
// Waits for an operation: if the operation's end plus return_ns of the device profile is later than the host's virtual
// time, advances the host's virtual time to that sum. In a shared turn (virtual_clock_turn()), not virtual_clock_wait()
// but virtual_clock_progress() advances the host's virtual time to the end of the wait.
void virtual_clock_wait(struct virtual_clock *, uint64_t ticket);
// virtual_clock_start() and virtual_clock_end() return the start and the end of an operation that has ended, in ps.
uint64_t virtual_clock_start(const struct virtual_clock *, uint64_t ticket);
uint64_t virtual_clock_end(const struct virtual_clock *, uint64_t ticket);
// Simulates until all operations have ended. Does not change the host's virtual time.
void virtual_clock_finish(struct virtual_clock *);

// Returns the time in picoseconds in which `bytes` bytes are transferred at `mbs` MB/s, or 0 if mbs is not positive.
uint64_t virtual_clock_bytes_ps(uint64_t bytes, int64_t mbs);

#endif
