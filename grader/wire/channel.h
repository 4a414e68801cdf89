// A channel connects two processes that do not trust each other. A channel consists of memory that both processes map,
// and of a pair of connected sockets. A process writes a byte to its socket to tell the other process to read the
// shared memory.
//
//   side A                      shared memory                       side B
//   writes a command   ──────▶  [build | command | reply | data]
//   channel_ring       ═══════════════ one byte ═════════════════▶  channel_wait
//                               [                            ]  ──▶ copies the command, obeys it, writes a reply
//   channel_wait       ◀══════════════ one byte ══════════════════  channel_ring
//   copies the reply   ◀──────  [                            ]
//
// The two processes of a channel take turns in using the shared memory. A process uses the shared memory until it sends
// a byte on the socket, and again after it has received a byte from the other process. The system calls that send and
// receive a byte on the channel's socket also order memory accesses: all writes before the send come before all reads
// after the receipt. A process on one side of a channel must be safe even if its peer (the process on the channel's
// other side) is hostile. Sealed memory, copies and time limits protect a process from its peer.
//
// - The memory is a memfd that is sealed against shrinking before the peer gets the memory. If the shared memory were
//   not sealed, a peer could truncate it, and the next access by the other process would raise SIGBUS.
// - Because a peer may write to the shared memory at any time, each process copies the data that it needs out of the
//   shared memory once, checks the copy, and uses only the copy.
// - A peer may end or stop answering. When a peer ends, its socket reports the end of file. If a peer stops answering,
//   the function channel_wait() returns after a time limit.
//
// Each piece of shared memory begins with a struct channel_build. Programs of different builds may lay out the shared
// memory differently. A process therefore compares the struct channel_build in the shared memory with its own struct
// channel_build before it reads other fields of the shared memory.
#ifndef WIRE_CHANNEL_H
#define WIRE_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

// Identifies the layout of a piece of shared memory. Each process fills in a struct channel_build from the header files
// that it was compiled with.
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
// is the name that /proc shows for the shared memory (memfd_create()). The caller passes `memory` and `theirs` to the
// peer when the peer starts, and then calls channel_started(). Returns 0, or -1 with errno set; after -1 the caller has
// nothing to free.
int channel_make(struct channel *, const char *name, const struct channel_build *build);
// Closes the peer's socket in the calling process, which no longer needs it once the peer has started. After
// channel_started(), channel_wait() notices when the peer ends.
void channel_started(struct channel *);
// Takes over the descriptors of a channel that another process made, and maps the channel's memory, which must have at
// least `bytes` bytes. Returns 0, or -1 if `memory` is not sealed memory of at least `bytes` bytes. If channel_open()
// returns -1, the descriptors `memory` and `doorbell` still belong to the caller.
int channel_open(struct channel *, int memory, int doorbell, uint64_t bytes);
// Unmaps the memory and closes the descriptors that the channel owns. A caller may call channel_free() twice, and also
// after channel_make() failed.
void channel_free(struct channel *);

// Returns 1 if *there and *here are equal, which means that the programs that wrote *there and *here use the same
// memory layout.
int channel_same_build(const struct channel_build *there, const struct channel_build *here);

// Sends the peer a byte on the socket, which tells the peer to read the shared memory. If the file descriptor
// `descriptor` is not -1, the byte's message also carries a copy of `descriptor` (SCM_RIGHTS). Returns 0, or -1 if the
// peer has ended.
int channel_ring(const struct channel *, int descriptor);
// Waits until the peer calls channel_ring(). The arguments and the return value of channel_wait() have the same meaning
// as for channel_receive().
int channel_wait(const struct channel *, double patience_s, unsigned tries, int *descriptor);

// Sends `bytes` bytes in one message on a socket, with a copy of the file descriptor `descriptor` (-1: no descriptor).
// Returns 0, or -1 if the peer has ended.
int channel_send(int socket, const void *data, size_t bytes, int descriptor);
// Waits for a message of exactly `bytes` bytes. channel_receive() first polls the socket `tries` times without
// sleeping, and then sleeps for at most `patience_s` seconds (0: no limit). The file descriptor that came with the
// message is stored in *descriptor, and then belongs to the caller. If no descriptor came with the message, *descriptor
// becomes -1. `descriptor` may be NULL. Returns 0; 1 if no message came in time; -1 if the peer has ended or the
// message has another size.
int channel_receive(int socket, void *data, size_t bytes, double patience_s, unsigned tries, int *descriptor);

// Returns a value for the parameter `tries` of channel_receive() with which a process answers within microseconds.
// Polling channel_tries() times takes some milliseconds, and avoids the late wake-up of a sleeping process. Returns 0
// on a machine of fewer than 4 cores, where polling would take a core from the peer.
unsigned channel_tries(void);

#endif
