// The wire between the judge and a runner: the operations of struct engine_ops, carried across a process border.
//
// The judge is the client, the runner the server. They use a channel (wire/channel.h) whose memory has a fixed layout
// (shared.h): the client writes a command and rings; the server runs it on its engine, writes the reply, and rings
// back. Only one command is in flight at a time.
//
// The runner executes a student's kernels, so the client trusts nothing that comes back. It copies a reply out of the
// shared memory once, and checks the copy field by field (wire_check_*) before anything uses it. No path crosses the
// wire: a source file is named by an index.
#ifndef WIRE_WIRE_H
#define WIRE_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"
#include "wire/channel.h"

enum {
    WIRE_DATA = 32 << 20,    // bytes of the data area; an image must fit, buffers are copied in pieces
    WIRE_VARIABLE = 4 << 10, // maximum number of bytes that wire_symbol reads
};

// The device of a runner, as the runner describes it when its engine opens.
struct wire_device {
    char engine[16];           // "sim", "gpu"
    char name[32], title[64];  // "h200", "NVIDIA H200"
    uint32_t sms;              // multiprocessors
    uint32_t shared_per_block; // maximum bytes of shared memory in a block
    uint32_t capability;       // 10 * major + minor
    uint32_t driver;           // of a card: the CUDA version of its driver, 1000 * major + 10 * minor
    uint64_t l2_bytes;
    uint64_t dram_mbs; // peak bandwidth of its memory, MB/s
};

// The result of one exchange with a runner.
enum wire_answer {
    WIRE_YES = 0,
    WIRE_NO = -1,     // the engine refused; client->message says why
    WIRE_BROKEN = -2, // the runner can no longer be used; client->end and client->message say why
};
enum wire_end {
    WIRE_ALIVE,
    WIRE_DIED,     // the runner is gone
    WIRE_TIMEOUT,  // no answer in time
    WIRE_NONSENSE, // an answer that fails the checks
};

struct wire_shared; // shared.h
struct wire_client {
    struct channel channel;     // memory and theirs become descriptors 3 and 4 of the runner; then channel_started
    struct wire_shared *shared; // the channel's memory
    double patience_s;          // seconds that one command may take
    uint32_t number;            // of the command under way
    enum wire_end end;
    char message[OBSERVATION_MESSAGE];
    int undefined; // 1: the engine refused an image because it calls a function that is not defined
};

// Makes the channel of a client; each command may take `patience_s` seconds. Returns 0, or -1 with a sentence in
// client->message if memory or descriptors run out.
int wire_client_make(struct wire_client *, double patience_s);
// Frees what the client owns; a runner that is still there ends.
void wire_client_free(struct wire_client *);

// The engine's operations; engine/engine.h explains them. Each sends one command or more and returns enum wire_answer.
int wire_open(struct wire_client *, const struct engine_options *, struct wire_device *);
int wire_load(struct wire_client *, const char *image, size_t bytes, struct engine_image *);
// *size becomes the size of the variable in bytes; the first `capacity` bytes are copied. Returns WIRE_NO if the image
// has no variable of that name.
int wire_symbol(struct wire_client *, const char *name, void *data, size_t capacity, size_t *size);
int wire_alloc(struct wire_client *, uint64_t bytes, uint32_t element, int *buffer);
int wire_write(struct wire_client *, int buffer, int64_t offset, const void *data, uint64_t bytes, int poison);
int wire_read(struct wire_client *, int buffer, int64_t offset, void *data, uint64_t bytes);
int wire_launch(struct wire_client *, const struct engine_launch *, struct observation *);
// Return WIRE_NO if the engine does not measure, or is out of memory.
int wire_renew(struct wire_client *, int buffer, int from, uint32_t word);
int wire_restore(struct wire_client *);
int wire_health(struct wire_client *, struct engine_health *);
int wire_reset(struct wire_client *);
int wire_close(struct wire_client *); // ends the runner

// Check copies of what a runner sent: enumerations, counts and sizes must be in range, and texts must end. Control
// characters in texts become '?'. Return 0, or -1 with the reason in `why`.
int wire_check_device(struct wire_device *, char why[OBSERVATION_MESSAGE]);
int wire_check_health(const struct engine_health *, char why[OBSERVATION_MESSAGE]);
int wire_check_image(const struct engine_image *, char why[OBSERVATION_MESSAGE]);
int wire_check_observation(struct observation *, const struct engine_launch *, char why[OBSERVATION_MESSAGE]);
int wire_check_finding(struct finding *, const struct engine_launch *, char why[OBSERVATION_MESSAGE]);
// Checks that `text` has a NUL among its `capacity` bytes, and replaces each byte that is neither printable ASCII nor
// part of valid UTF-8 by '?'. Returns 0, or -1 if there is no NUL.
int wire_check_text(char *text, size_t capacity);
// Does the same for a marshalled message (base/message.h), after writing it out in the reader's language.
int wire_check_message(char *text, size_t capacity);

// The runner's side: serves the operations `ops` on an inherited channel until the client closes the engine or is gone.
// `describe` fills in the facts of the device with the given name ("": the default); it returns -1 if there is no such
// device. Returns the process's exit code.
int wire_serve(int memory, int doorbell, const struct engine_ops *ops,
               int (*describe)(const char *name, struct wire_device *));

#endif
