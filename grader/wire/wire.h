// The wire protocol carries the operations of struct engine_ops (engine/engine.h) from the judge to a runner in another
// process.
//
// In the wire protocol, the judge is the client, and the runner process is the server. Client and server share a
// channel (wire/channel.h) whose memory has a fixed layout (shared.h). The client writes a command into the shared
// memory and signals the server. The server runs the command on its engine (simulator or GPU), writes the reply, and
// signals the client. At most one command of the wire protocol is in flight at a time.
//
// The runner process executes a student's kernels, so the client trusts no data from the runner. The client copies each
// reply out of the shared memory once. Before the judge uses the copy of a reply, a function wire_check_*() checks
// every field of the copy. The shared memory contains no file paths: judge and runner process name a source file by its
// index.
#ifndef WIRE_WIRE_H
#define WIRE_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"
#include "wire/channel.h"

enum {
    WIRE_DATA = 32 << 20,    // bytes of the data area, which must hold a whole image; buffers are copied in pieces
    WIRE_VARIABLE = 4 << 10, // maximum number of bytes that wire_symbol() reads
};

// Describes the device of a runner. The runner process fills in struct wire_device when its engine (simulator or GPU)
// opens.
struct wire_device {
    char engine[16];           // "sim", "gpu"
    char name[32], title[64];  // "h200", "NVIDIA H200"
    uint32_t sms;              // number of multiprocessors
    uint32_t shared_per_block; // maximum bytes of shared memory in a block
    uint32_t capability;       // 10 * major + minor
    uint32_t driver;           // GPUs only: the CUDA version of the driver, 1000 * major + 10 * minor
    uint64_t l2_bytes;
    uint64_t dram_mbs; // peak bandwidth of the device memory, MB/s
};

// Lists the results of sending one command to a runner.
enum wire_answer {
    WIRE_YES = 0,
    WIRE_NO = -1,     // the engine refused the command; client->message gives the reason
    WIRE_BROKEN = -2, // the runner can no longer be used; client->end and client->message give the reason
};
enum wire_end {
    WIRE_ALIVE,
    WIRE_DIED,     // the runner process has ended
    WIRE_TIMEOUT,  // the runner did not answer within patience_s
    WIRE_NONSENSE, // the runner's answer failed the checks
};

struct text;
struct wire_shared; // shared.h
struct wire_client {
    struct channel channel;     // the runner inherits channel.memory as descriptor 3 and channel.theirs as 4
    struct wire_shared *shared; // the channel's memory
    double patience_s;          // maximum duration of one command, in seconds
    uint32_t number;            // number of the latest command
    uint64_t cpu_ns;            // processor time that the runner claims to have used so far
    enum wire_end end;
    char message[OBSERVATION_MESSAGE];
    int undefined; // 1: the engine refused an image because the image calls an undefined function
};

// Creates the channel through which a client sends commands to a runner. The caller starts the runner process with the
// channel's descriptors, and then calls channel_started(). Each command to the runner process may take at most
// `patience_s` seconds. Returns 0, or -1 with a sentence in client->message if memory or descriptors run out.
int wire_client_make(struct wire_client *, double patience_s);
// Frees the memory and descriptors that the client owns. A runner process that still serves this client ends when the
// client is freed.
void wire_client_free(struct wire_client *);

// The functions from wire_open() to wire_close() perform the engine's operations that engine/engine.h explains. Each
// function from wire_open() to wire_close() sends one command or several commands, and returns enum wire_answer.
int wire_open(struct wire_client *, const struct engine_options *, struct wire_device *);
int wire_load(struct wire_client *, const char *image, size_t bytes, struct engine_image *);
// Stores the size of the variable `name` in *size, in bytes, and copies its first `capacity` bytes into `data`. Returns
// WIRE_NO if the image has no variable of that name.
int wire_symbol(struct wire_client *, const char *name, void *data, size_t capacity, size_t *size);
int wire_alloc(struct wire_client *, uint64_t bytes, uint32_t element, int *buffer);
int wire_write(struct wire_client *, int buffer, int64_t offset, const void *data, uint64_t bytes, int poison);
int wire_read(struct wire_client *, int buffer, int64_t offset, void *data, uint64_t bytes);
int wire_launch(struct wire_client *, const struct engine_launch *, struct observation *);
// Appends the recording of the latest launch that asked for one to `out`. Only recording_open() (engine/recording.h)
// checks it. Returns WIRE_NO if there is none.
int wire_recording(struct wire_client *, struct text *out);
// Reads a buffer piece by piece without a copy of the whole. Calls `piece` with `data`, the bytes of a piece, their
// offset and their number, a multiple of 4 but for the last piece. The bytes lie in memory that a hostile runner may
// change meanwhile. Ends early if `piece` returns 1.
typedef int wire_piece(void *data, const unsigned char *bytes, uint64_t offset, uint64_t count);
int wire_scan(struct wire_client *, int buffer, uint64_t bytes, wire_piece *piece, void *data);
// Compares a buffer with `data`. Stores the offset of the first different byte in *first, or `bytes` if all are equal.
int wire_compare(struct wire_client *, int buffer, const void *data, uint64_t bytes, uint64_t *first);
// An engine that does not measure real time lacks the operation of wire_health(), which then returns WIRE_NO. The
// functions wire_renew() and wire_restore() return WIRE_NO if the operation fails, for example because memory runs out.
int wire_renew(struct wire_client *, int buffer, int from, uint32_t word);
int wire_restore(struct wire_client *);
int wire_health(struct wire_client *, struct engine_health *);
int wire_reset(struct wire_client *);
int wire_close(struct wire_client *); // also ends the runner process

// Each wire_check_* function checks a copy of data from a runner. Enumerations, counts and sizes must be in range, and
// texts must have a NUL. The check functions replace control characters in texts by '?'. Each wire_check_* function
// that has a parameter `why` returns 0, or -1 with the reason in `why`.
int wire_check_device(struct wire_device *, char why[OBSERVATION_MESSAGE]);
int wire_check_health(const struct engine_health *, char why[OBSERVATION_MESSAGE]);
int wire_check_image(const struct engine_image *, char why[OBSERVATION_MESSAGE]);
int wire_check_observation(struct observation *, const struct engine_launch *, char why[OBSERVATION_MESSAGE]);
int wire_check_finding(struct finding *, const struct engine_launch *, char why[OBSERVATION_MESSAGE]);
// Checks that `text` has a NUL among its `capacity` bytes. Replaces each byte that is neither printable ASCII nor part
// of valid UTF-8 by '?'. Returns 0, or -1 if no byte of `text` is a NUL.
int wire_check_text(char *text, size_t capacity);
// Formats a marshalled message (base/message.h) in the reader's language, and then checks the formatted text as
// wire_check_text() does.
int wire_check_message(char *text, size_t capacity);

// Executes commands with the engine operations `ops`, in the runner process, until the client closes the engine or
// ends. `describe` fills in the description of the device with the given name ("": the default device), and returns -1
// if there is no such device. Returns the exit code for the process.
int wire_serve(int memory, int doorbell, const struct engine_ops *ops,
               int (*describe)(const char *name, struct wire_device *));

#endif
