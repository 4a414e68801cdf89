// The layout of the memory that a host program and its runner share, see host.h.
#ifndef WIRE_HOST_SHARED_H
#define WIRE_HOST_SHARED_H

#include "wire/host.h"

#define HOST_MAGIC UINT64_C(0x74736f6870726177) // "warphost"

struct host_shared {
    uint64_t magic;
    uint32_t version;
    _Atomic uint32_t taken;                     // 1: a process of the program is the client
    uint64_t total, command_bytes, reply_bytes; // sizes, as the client was built
    struct host_command command;                // written by the client
    struct host_reply reply;                    // written by the server
    _Alignas(4096) unsigned char data[HOST_DATA];
};

#endif
