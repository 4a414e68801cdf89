// A channel between two processes that do not trust each other: memory that both map, and a pair of connected sockets
// that tells each side when to look at it.
//
//   side A                      shared memory                       side B
//   writes a command   ──────▶  [build | command | reply | data]
//   channel_ring       ═══════════════ one byte ═════════════════▶  channel_wait
//                               [                            ]  ──▶ copies the command, obeys it, writes a reply
//   channel_wait       ◀══════════════ one byte ══════════════════  channel_ring
//   copies the reply   ◀──────  [                            ]
//
// Theory of operation. The two sides take turns: the byte hands the memory over, and its system calls order the writes
// before it with the reads after it. Three rules keep a hostile peer harmless:
//
// - The memory is a memfd that is sealed against shrinking before the peer gets it. Otherwise a peer could truncate it,
//   and the next access here would end this process with SIGBUS.
// - A peer may write to the memory at any time. So each side copies what it wants to believe out of the memory once,
//   checks the copy, and uses the copy alone.
// - A peer may die or fall silent. Its end shows as the end of file on the socket, and channel_wait has a time limit
//   for peers that need one.
//
// Each piece of shared memory begins with a struct channel_build. Programs that were not built together have different
// layouts, and find that out by this structure before they read anything else.
#ifndef WIRE_CHANNEL_H
#define WIRE_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

// Identifies the layout of a piece of shared memory. Both sides fill it in from their own headers.
struct channel_build {
    uint64_t magic;        // what the memory is for
    uint32_t version, pad; // of the layout
    uint64_t bytes[4];     // size of the whole layout and of its parts; 0: there is no such part
};

struct channel {
    struct channel_build *shared; // the mapped memory, writable; owned
    uint64_t bytes;               // size of the memory
    int memory;                   // descriptor of the memory; owned
    int doorbell;                 // this side's socket; owned
    int theirs;                   // the other side's socket until channel_started; -1 afterwards; owned
};

// Makes zeroed memory of build->bytes[0] bytes, writes *build at its start, and makes the sockets. `name` is the name
// of the memory in /proc. Whoever starts the peer gives it `memory` and `theirs`, and then calls channel_started.
// Returns 0, or -1 with errno set and nothing to free.
int channel_make(struct channel *, const char *name, const struct channel_build *build);
// Closes this process's copy of the peer's socket, so that the end of the peer can be seen.
void channel_started(struct channel *);
// Takes over the descriptors of a channel that another process made, and maps at least `bytes` bytes of its memory.
// Returns 0, or -1 if `memory` is not sealed memory of that size; then the descriptors stay the caller's.
int channel_open(struct channel *, int memory, int doorbell, uint64_t bytes);
// Unmaps and closes what the channel owns; it may be called twice, and after a failed channel_make.
void channel_free(struct channel *);

// Returns 1 if the memory was laid out by a program of the same build as *here.
int channel_same_build(const struct channel_build *there, const struct channel_build *here);

// Tells the peer that it is its turn, and sends it a copy of `descriptor` (-1: none). Returns 0, or -1 if it is gone.
int channel_ring(const struct channel *, int descriptor);
// Waits for the peer to ring, as channel_receive does.
int channel_wait(const struct channel *, double patience_s, unsigned tries, int *descriptor);

// The same for messages on a socket without memory. Sends `bytes` bytes at once. Returns 0, or -1 if the peer is gone.
int channel_send(int socket, const void *data, size_t bytes, int descriptor);
// Waits for a message of exactly `bytes` bytes: first looks `tries` times without sleeping, then sleeps for at most
// `patience_s` seconds (0: no limit). *descriptor (may be NULL) becomes the descriptor that came with the message,
// which the caller owns, or -1. Returns 0; 1 if no message came in time; -1 if the peer is gone or the size is wrong.
int channel_receive(int socket, void *data, size_t bytes, double patience_s, unsigned tries, int *descriptor);

// Returns how often to look before sleeping where microseconds count: some milliseconds' worth, as a process that
// sleeps wakes up late. Returns 0 on a machine of few cores, where the peer needs the core.
unsigned channel_tries(void);

#endif
