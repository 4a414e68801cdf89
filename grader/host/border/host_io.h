// The I/O block of a host test is shared memory through which the grader and the runner process exchange the inputs and
// outputs of a host lab. In a host lab, students write the host code of a CUDA program. The student's program has no
// access to the I/O block, which only the grader and the runner process share.
//
// The I/O block is a struct host_io followed by the inputs, the outputs and the PTX. The grader writes the inputs and
// the PTX of the lab's kernels (the kernels that the lab supplies) into the I/O block. When the timed part of the
// program begins, the runner process gives the program the inputs and reads the clock. When the timed part of the
// program ends, the runner process takes the outputs. The program therefore cannot compute with the inputs before the
// clock starts, and cannot change the outputs after the clock stops.
//
// An output word counts only if the lab's kernel computed the word and a copy brought the word to the host. For each
// output word, the runner process records who computed the word and how the word came to the host (enum
// host_io_origin). To find out who computed an output word, the runner process notes which words of device memory the
// lab's kernel stores, and follows these words through the program's copies.
#ifndef HOST_BORDER_HOST_IO_H
#define HOST_BORDER_HOST_IO_H

#include <stdint.h>

#include "wire/channel.h"

enum {
    HOST_IO_BUFFERS = 4, // maximum number of buffers
    HOST_IO_DIMS = 4,    // dimensions of a test case
    HOST_IO_WORD = 4,    // bytes of a word; each word has one origin
    HOST_DEVICES = 16,   // maximum number of devices
};

enum host_io_origin {
    ORIGIN_PROGRAM, // the program wrote the word itself, or nothing wrote the word
    ORIGIN_KERNEL,  // the lab's kernel wrote the word on a device, and a copy brought the word to the host
    ORIGIN_COPY,    // a copy brought the word, but the lab's kernel had not written the word
    ORIGIN_HOST,    // the program's host code computed the word as its own share, at the lab's price (test_work)
    ORIGIN_LATE,    // like ORIGIN_KERNEL, but the program did not wait for the copy
    HOST_IO_ORIGINS
};

struct host_io_buffer {
    uint64_t at, bytes; // position in the block, in bytes from the block's first byte; a multiple of a word
    uint64_t origin;    // outputs: position of the origins of the words, one byte each; 0: the buffer is an input
};

struct host_io {
    struct channel_build build; // HOST_IO_BUILD
    uint64_t total;             // bytes of the whole block
    // Written by the grader.
    uint32_t nbuffers, pad;
    uint32_t dim[HOST_IO_DIMS]; // the dimensions of the test case
    uint64_t host_ps;           // time in ps that the host takes for a word of its own share; 0: the host has no share
    uint64_t image, nimage;     // position and size of the PTX of the lab's kernels; a kernel of the program with the
                                // name of a lab's kernel is replaced
    struct host_io_buffer buffer[HOST_IO_BUFFERS];
    // Written by the runner.
    uint32_t begun, ended;               // begun 1: the timed part has begun; ended 1: all outputs have been handed in
    uint64_t begin_ps, end_ps;           // begin and end of the timed part on the runner's clock, in ps
    uint64_t mapped_bytes;               // bytes of host memory that kernels read or wrote in place
    uint64_t device_words[HOST_DEVICES]; // output words that each device computed, when all outputs have been handed in
    uint64_t host_words;                 // output words that the host computed as its own share, likewise
};

#define HOST_IO_BUILD                                                                                                  \
    ((struct channel_build){.magic = UINT64_C(0x6f69776177), /* "wawio" */                                             \
                            .version = 3,                                                                              \
                            .bytes = {sizeof(struct host_io)}})

// Returns 1 if an I/O block of `bytes` bytes was written by a program of this build and is not larger than `bytes`. All
// other functions of host_io.h require an I/O block for which host_io_is_sound() returns 1.
int host_io_is_sound(const struct host_io *, uint64_t bytes);
// Returns 1 if the buffer with the number `buffer` is an output.
int host_io_is_output(const struct host_io *, uint32_t buffer);
struct host_test_facts; // host.h
// Fills in *facts, which describes the host test to the program, except its fields `over` and `moves`.
void host_io_facts(const struct host_io *, struct host_test_facts *facts);

// Returns the number of the buffer that contains all of [from, from + bytes), or -1 if no buffer does. If `output` is
// 1, host_io_find() searches only output buffers, else only input buffers. `address` holds the addresses of the test's
// input and output buffers in the program's memory. The position of `from` in the buffer, in bytes, is stored in
// *offset (may be NULL).
int host_io_find(const struct host_io *, const uint64_t address[HOST_IO_BUFFERS], int output, uint64_t from,
                 uint64_t bytes, uint64_t *offset);

#endif
