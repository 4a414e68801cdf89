// A channel connects two processes that do not trust each other. A channel consists of memory that both processes map,
// and of a pair of connected sockets. A process writes a byte to its socket to tell the other process to read the
// memory.
//
//   side A                      shared memory                       side B
//   writes a command   ──────▶  [build | command | reply | data]
//   channel_ring       ═══════════════ one byte ═════════════════▶  channel_wait
//                               [                            ]  ──▶ copies the command, obeys it, writes a reply
//   channel_wait       ◀══════════════ one byte ══════════════════  channel_ring
//   copies the reply   ◀──────  [                            ]
//
// The two sides take turns. The byte on the socket passes the right to use the memory to the other side. The system
// calls that send and receive the byte order all earlier writes before all later reads. Three rules protect a process
// from a hostile peer:
//
// - The memory is a memfd that is sealed against shrinking before the peer gets the memory. Otherwise a peer could
//   truncate the memory, and the next access in this process would raise SIGBUS.
// - A peer may write to the memory at any time. So each side copies the data that it needs out of the memory once,
//   checks the copy, and uses only the copy.
// - A peer may end or stop answering. When a peer ends, its socket reports the end of file. For a peer that stops
//   answering, channel_wait() has a time limit.
//
// Each piece of shared memory begins with a struct channel_build. Programs of different builds may use different
// layouts. Both sides compare their struct channel_build first, before they read other fields.
#ifndef WIRE_CHANNEL_H
#define WIRE_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

// Identifies the layout of a piece of shared memory. Each side fills in this structure from its own header files.
struct channel_build {
    uint64_t magic;        // the purpose of the memory
    uint32_t version, pad; // version of the layout
    uint64_t bytes[4];     // sizes of the whole layout and of its parts; 0: no such part
};

struct channel {
    struct channel_build *shared; // the mapped memory, writable; owned
    uint64_t bytes;               // size of the memory
    int memory;                   // descriptor of the memory; owned
    int doorbell;                 // this side's socket; owned
    int theirs;                   // the other side's socket until channel_started; -1 afterwards; owned
};

// Allocates build->bytes[0] bytes of zeroed shared memory, writes *build at its start, and creates the sockets. `name`
// is the name of the memory in /proc. The caller passes `memory` and `theirs` to the peer when the peer starts, and
// then calls channel_started(). Returns 0, or -1 with errno set; after -1 there is nothing to free.
int channel_make(struct channel *, const char *name, const struct channel_build *build);
// Closes this process's copy of the peer's socket. Afterwards channel_wait() notices when the peer ends.
void channel_started(struct channel *);
// Takes over the descriptors of a channel that another process made, and maps the channel's memory, which must have at
// least `bytes` bytes. Returns 0, or -1 if `memory` is not sealed memory of that size. After -1 the descriptors still
// belong to the caller.
int channel_open(struct channel *, int memory, int doorbell, uint64_t bytes);
// Unmaps the memory and closes the descriptors that the channel owns. channel_free() may be called twice, and also
// after channel_make() failed.
void channel_free(struct channel *);

// Returns 1 if the program that wrote *there is of the same build as *here.
int channel_same_build(const struct channel_build *there, const struct channel_build *here);

// Sends the peer a byte, so that the peer takes its turn. A copy of `descriptor` goes with the byte (-1: none). Returns
// 0, or -1 if the peer has ended.
int channel_ring(const struct channel *, int descriptor);
// Waits until the peer calls channel_ring(). The arguments and the result are those of channel_receive().
int channel_wait(const struct channel *, double patience_s, unsigned tries, int *descriptor);

// Sends `bytes` bytes in one message on a socket, with a copy of `descriptor` (-1: none). Returns 0, or -1 if the peer
// has ended.
int channel_send(int socket, const void *data, size_t bytes, int descriptor);
// Waits for a message of exactly `bytes` bytes. The function first polls `tries` times without sleeping, and then
// sleeps for at most `patience_s` seconds (0: no limit). If a descriptor came with the message, *descriptor receives
// that descriptor, which the caller then owns; otherwise *descriptor becomes -1. `descriptor` may be NULL. Returns 0; 1
// if no message came in time; -1 if the peer has ended or the size is wrong.
int channel_receive(int socket, void *data, size_t bytes, double patience_s, unsigned tries, int *descriptor);

// Returns how often to poll before sleeping where microseconds count. The polling takes some milliseconds, because a
// sleeping process wakes up late. Returns 0 on a machine of few cores, where the peer needs the core.
unsigned channel_tries(void);

#endif
