// The layout of the memory that judge and runner share. Both ends are built from this header; sizes are stated in it
// nevertheless, so that two that were not built together part at once.
#ifndef WIRE_SHARED_H
#define WIRE_SHARED_H

#include "wire/wire.h"

#define WIRE_MAGIC UINT64_C(0x7061776570726177) // "warpwepa"
enum { WIRE_VERSION = 1 };

enum wire_op {
    WIRE_OP_OPEN,
    WIRE_OP_LOAD,
    WIRE_OP_SYMBOL,
    WIRE_OP_ALLOC,
    WIRE_OP_WRITE,
    WIRE_OP_READ,
    WIRE_OP_LAUNCH,
    WIRE_OP_RENEW,
    WIRE_OP_RESTORE,
    WIRE_OP_HEALTH,
    WIRE_OP_RESET,
    WIRE_OP_CLOSE,
};

struct wire_command {
    uint32_t number; // counts up; the reply repeats it
    uint32_t op;     // enum wire_op
    char name[ENGINE_NAME];
    uint32_t threads, element, poison, word;
    int32_t buffer, from;
    int64_t offset;
    uint64_t bytes; // of data, or of a buffer
    struct engine_launch launch;
};

struct wire_reply {
    uint32_t number;
    uint32_t pad;
    int64_t result; // negative: refused
    char message[OBSERVATION_MESSAGE];
    struct wire_device device;
    struct engine_image image;
    struct engine_health health;
};

struct wire_shared {
    uint64_t magic;
    uint32_t version, pad;
    uint64_t total, command_bytes, reply_bytes, observation_bytes; // sizes, as the client was built
    struct wire_command command;                                   // written by the client
    struct wire_reply reply;                                       // written by the server
    struct observation observation;                                // written by the server
    _Alignas(64) unsigned char data[WIRE_DATA];                    // by either
};

#endif
