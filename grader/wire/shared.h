// This file defines the layout of the memory that the judge and a runner process share. The memory that judge and
// runner process share holds one command, one reply, one observation of a launch, and an area for bulk data.
#ifndef WIRE_SHARED_H
#define WIRE_SHARED_H

#include "wire/channel.h"
#include "wire/wire.h"

enum wire_op {
    WIRE_OP_OPEN,
    WIRE_OP_LOAD,
    WIRE_OP_SYMBOL,
    WIRE_OP_ALLOC,
    WIRE_OP_WRITE,
    WIRE_OP_READ,
    WIRE_OP_LAUNCH,
    WIRE_OP_RECORDING,
    WIRE_OP_RENEW,
    WIRE_OP_RESTORE,
    WIRE_OP_HEALTH,
    WIRE_OP_RESET,
    WIRE_OP_CLOSE,
};

// Holds the arguments of the engine's operation `op` (engine/engine.h). Fields of the command that the operation does
// not use are 0.
struct wire_command {
    uint32_t number; // counts up from 1; the reply repeats the number
    uint32_t op;     // enum wire_op
    char name[ENGINE_NAME];
    uint32_t threads, element, poison, word;
    int32_t buffer, from;
    int64_t offset;
    uint64_t bytes; // bytes in the data area; ALLOC: bytes of the buffer
    struct engine_launch launch;
};

struct wire_reply {
    uint32_t number;
    uint32_t pad;
    uint64_t cpu_ns; // processor time that the runner has used so far, all threads; only for information
    int64_t result;  // the operation's return value; negative: the engine refused the operation
    char message[OBSERVATION_MESSAGE];
    struct wire_device device; // reply to OPEN
    struct engine_image image; // reply to LOAD
    struct engine_health health;
};

struct wire_shared {
    struct channel_build build;                 // WIRE_BUILD
    struct wire_command command;                // written by the client
    struct wire_reply reply;                    // written by the server
    struct observation observation;             // LAUNCH; written by the server
    _Alignas(64) unsigned char data[WIRE_DATA]; // written by both sides
};

#define WIRE_BUILD                                                                                                     \
    ((struct channel_build){.magic = UINT64_C(0x7061776570726177), /* "warpwepa" */                                    \
                            .version = 5,                                                                              \
                            .bytes = {sizeof(struct wire_shared), sizeof(struct wire_command),                         \
                                      sizeof(struct wire_reply), sizeof(struct observation)}})

#endif
