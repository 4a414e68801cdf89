// The I/O block of a host test: the memory in which a host lab's inputs and outputs pass between the grader and the
// runner, while the student's program cannot see it.
//
// It is a struct host_io followed by the bytes of its parts. The grader puts in the kernels that the lab gives (PTX)
// and the inputs. The runner hands these to the program when the timed part begins, notes the clock, and takes the
// outputs when the timed part ends. So the program can do nothing before the clock runs, and change nothing after it
// stops.
//
// An output word counts only if it came the way that the lab asks for: from the given kernel, by a copy. The runner
// states how each word arrived (enum host_io_origin); it follows the given kernel's stores through the copies that the
// program makes.
#ifndef WIRE_HOST_IO_H
#define WIRE_HOST_IO_H

#include <stdint.h>

#include "wire/channel.h"

enum {
    HOST_IO_BUFFERS = 4, // at most
    HOST_IO_DIMS = 4,    // dimensions of a case
    HOST_IO_WORD = 4,    // bytes: the unit that origins are given for
};

enum host_io_origin {
    ORIGIN_PROGRAM, // the program wrote the word itself, or nothing did
    ORIGIN_KERNEL,  // a copy from a device brought the word, and the given kernel had written it there
    ORIGIN_COPY,    // a copy brought the word, but the given kernel had not written it
    ORIGIN_HOST,    // the program's host computed the word as its own share, at the lab's price (test_work)
    ORIGIN_LATE,    // as KERNEL, but the program had not waited for the copy
    HOST_IO_ORIGINS
};

struct host_io_buffer {
    uint64_t at, bytes; // in the block, counted from its first byte; whole words
    uint64_t origin;    // outputs: where their words' origins begin, a byte each; 0: the buffer is an input
};

struct host_io {
    struct channel_build build; // HOST_IO_BUILD
    uint64_t total;             // bytes of the whole block
    // Written by the grader.
    uint32_t nbuffers, pad;
    uint32_t dim[HOST_IO_DIMS]; // the case's dimensions
    uint64_t host_ps;           // time that the host takes for a word of its own share; 0: the host has no share
    uint64_t image, nimage;     // the given kernels' PTX: a kernel of the program with one of their names is replaced
    struct host_io_buffer buffer[HOST_IO_BUFFERS];
    // Written by the runner.
    uint32_t begun, ended;     // 1: the timed part has begun; all outputs have been handed in
    uint64_t begin_ps, end_ps; // on the runner's clock
    uint64_t mapped_bytes;     // bytes of host memory that kernels read or wrote in place
    uint64_t host_words;       // words of the host's own share
};

#define HOST_IO_BUILD                                                                                                  \
    ((struct channel_build){.magic = UINT64_C(0x6f69776177), /* "wawio" */                                             \
                            .version = 2,                                                                              \
                            .bytes = {sizeof(struct host_io)}})

// Returns 1 if a block of `bytes` bytes is of this build and holds as many bytes as it says. The other functions take
// blocks for which this is true.
int host_io_is_sound(const struct host_io *, uint64_t bytes);
// Returns 1 if the buffer of that number is an output.
int host_io_is_output(const struct host_io *, uint32_t buffer);
struct host_test_facts; // host.h
// Fills in the facts of the test for the program, except the fields `over` and `moves`.
void host_io_facts(const struct host_io *, struct host_test_facts *facts);

// Returns the number of the output (or input, if `output` is 0) that contains all of [from, from + bytes), or -1. The
// buffers lie at `address` in the program's memory. *offset (may be NULL) becomes the place of `from` in the buffer.
int host_io_find(const struct host_io *, const uint64_t address[HOST_IO_BUFFERS], int output, uint64_t from,
                 uint64_t bytes, uint64_t *offset);

#endif
