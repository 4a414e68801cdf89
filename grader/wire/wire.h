// The wire between the judge and a runner: struct engine_ops, spoken across a process border.
//
// The judge holds the client, the runner the server. They share one piece of memory of fixed layout and a socket of
// which single bytes are doorbells: the client writes a command and rings, the server runs it on its engine, writes the
// reply and rings back. One command is under way at a time.
//
// The runner executes a student's image, so the client believes nothing that comes back: a reply is copied out of the
// shared memory once, and the copy is checked field by field (wire_check_*) before anybody looks at it. Paths never
// cross the wire: a source file is an index.
#ifndef WIRE_WIRE_H
#define WIRE_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"
#include "wire/channel.h"

enum {
    WIRE_DATA = 32 << 20,    // bytes of the data area; an image fits, buffers are copied piece by piece
    WIRE_VARIABLE = 4 << 10, // bytes of a device variable that wire_symbol reads at the most
};

// What a runner says of its device when the engine opens.
struct wire_device {
    char engine[16];           // "sim", "gpu"
    char name[32], title[64];  // "h200", "NVIDIA H200"
    uint32_t sms;              // multiprocessors
    uint32_t shared_per_block; // bytes of shared memory that a block may have
    uint32_t capability;       // 10 * major + minor
    uint32_t driver;           // of a card: 1000 * major + 10 * minor of the CUDA that its driver speaks
    uint64_t l2_bytes;
    uint64_t dram_mbs; // MB/s that its memory moves at the most
};

// How an exchange ended.
enum wire_answer {
    WIRE_YES = 0,
    WIRE_NO = -1,     // the engine refused; client->message says why
    WIRE_BROKEN = -2, // the runner is of no use any more; client->end and client->message say why
};
enum wire_end {
    WIRE_ALIVE,
    WIRE_DIED,     // the runner is gone
    WIRE_TIMEOUT,  // no answer in time
    WIRE_NONSENSE, // an answer that no runner of ours gives
};

struct wire_shared; // shared.h
struct wire_client {
    struct channel channel;     // memory and theirs become descriptors 3 and 4 of the runner; then channel_started
    struct wire_shared *shared; // the channel's memory
    double patience_s;          // seconds that one command may take
    uint32_t number;            // of the command under way
    enum wire_end end;
    char message[OBSERVATION_MESSAGE];
    int undefined; // 1: what was refused is an image that calls a function which nobody defines
};

// 0; or -1 with a sentence in client->message (out of memory or descriptors): the machine's fault.
int wire_client_make(struct wire_client *, double patience_s);
void wire_client_free(struct wire_client *);

// The engine's operations, see engine.h. All return enum wire_answer.
int wire_open(struct wire_client *, const struct engine_options *, struct wire_device *);
int wire_load(struct wire_client *, const char *image, size_t bytes, struct engine_image *);
// *size: bytes of the variable, of which as many as fit were copied; WIRE_NO: there is none of that name.
int wire_symbol(struct wire_client *, const char *name, void *data, size_t capacity, size_t *size);
int wire_alloc(struct wire_client *, uint64_t bytes, uint32_t element, int *buffer);
int wire_write(struct wire_client *, int buffer, int64_t offset, const void *data, uint64_t bytes, int poison);
int wire_read(struct wire_client *, int buffer, int64_t offset, void *data, uint64_t bytes);
int wire_launch(struct wire_client *, const struct engine_launch *, struct observation *);
// WIRE_NO where the engine does not measure, or is out of memory.
int wire_renew(struct wire_client *, int buffer, int from, uint32_t word);
int wire_restore(struct wire_client *);
int wire_health(struct wire_client *, struct engine_health *);
int wire_reset(struct wire_client *);
int wire_close(struct wire_client *); // the runner ends

// The checks, on copies. 0; or -1 with what is wrong in why. Text that goes to a terminal loses control characters.
int wire_check_device(struct wire_device *, char why[OBSERVATION_MESSAGE]);
int wire_check_health(const struct engine_health *, char why[OBSERVATION_MESSAGE]);
int wire_check_image(const struct engine_image *, char why[OBSERVATION_MESSAGE]);
int wire_check_observation(struct observation *, const struct engine_launch *, char why[OBSERVATION_MESSAGE]);
int wire_check_finding(struct finding *, const struct engine_launch *, char why[OBSERVATION_MESSAGE]);
// A NUL-terminated text of at most `capacity` bytes, the NUL included; other than printable ASCII becomes '?', but for
// UTF-8 as it should be. 0; or -1: it is not terminated.
int wire_check_text(char *text, size_t capacity);
// The same of a sentence that a runner holds (base/message.h), which is told first.
int wire_check_message(char *text, size_t capacity);

// The runner's half: serves `ops` until the client closes or goes away. `describe` fills in the device's facts for its
// name ("" is the default); -1: there is no such device. Returns the process's exit code.
int wire_serve(int memory, int doorbell, const struct engine_ops *ops,
               int (*describe)(const char *name, struct wire_device *));

#endif
