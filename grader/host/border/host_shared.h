// This file defines the layout of the memory that a host program and its runner process share; see host.h.
#ifndef HOST_BORDER_HOST_SHARED_H
#define HOST_BORDER_HOST_SHARED_H

#include "host/border/host.h"
#include "wire/channel.h"

struct host_shared {
    struct channel_build build;  // HOST_BUILD, written by the client before its first command
    _Atomic uint32_t taken;      // 1: a process of the program is the client already
    struct host_command command; // written by the client
    struct host_reply reply;     // written by the server
    _Alignas(4096) unsigned char data[HOST_DATA];
};

#define HOST_BUILD                                                                                                     \
    ((struct channel_build){                                                                                           \
        .magic = UINT64_C(0x74736f6870726177), /* "warphost" */                                                        \
        .version = HOST_VERSION,                                                                                       \
        .bytes = {sizeof(struct host_shared), sizeof(struct host_command), sizeof(struct host_reply)}})

#endif
