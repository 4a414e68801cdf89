// The exam that a host lab's program sits: what its runner is given besides, and what it hands back.
//
// One piece of memory that grader and runner share, and the program never sees: a struct host_io, then the bytes of its
// parts. The grader puts in the kernels that the lab gives (PTX), and the inputs; the runner hands these to the program
// when its timed part begins, notes the virtual clock, and takes the outputs when it ends. So nothing can be done
// before the clock runs, and nothing after it stands.
//
// An output counts where it came from where it should: for each of its words the runner says how it got there
// (enum host_io_origin). It follows what the given kernel wrote through the copies that the program makes.
#ifndef WIRE_HOST_IO_H
#define WIRE_HOST_IO_H

#include <stdint.h>

#define HOST_IO_MAGIC UINT64_C(0x6d617865776177) // "wawexam"
enum {
    HOST_IO_VERSION = 1,
    HOST_IO_BUFFERS = 4,
    HOST_IO_DIMS = 4,
    HOST_IO_WORD = 4, // bytes: what origins are told of
};

enum host_io_origin {
    ORIGIN_PROGRAM, // the program wrote it, or nobody
    ORIGIN_KERNEL,  // a copy from a device brought it, and the given kernel had written it there
    ORIGIN_COPY,    // a copy brought it, but it was not the given kernel that had written it
    ORIGIN_HOST,    // of the share that the program's host computed, at the lab's price (test_work)
    ORIGIN_LATE,    // as KERNEL, but the program had not waited for the copy
    HOST_IO_ORIGINS
};

struct host_io_buffer {
    uint64_t at, bytes; // in this memory, from its first byte on; whole words
    uint64_t origin;    // an output's: where its words' origins stand, a byte each; 0: it is an input
};

struct host_io {
    uint64_t magic;
    uint32_t version, nbuffers;
    uint64_t total; // bytes of all
    // The grader's part.
    uint32_t dim[HOST_IO_DIMS]; // of the case
    uint64_t host_ps;           // what a word of the host's own share takes; 0: the host has none
    uint64_t image, nimage; // the given kernels' PTX: a kernel of the program by the name of one of these is this one
    struct host_io_buffer buffer[HOST_IO_BUFFERS];
    // The runner's part.
    uint32_t begun, ended; // 1: it was
    uint64_t begin_ps, end_ps;
    uint64_t mapped_bytes; // of the host's memory that kernels read or wrote where it lies
    uint64_t host_words;   // of the host's own share
};

// What runners ask of a sheet (exam.c), all but the first of a sound one.
struct host_test_facts;                                        // host.h
int host_io_is_sound(const struct host_io *e, uint64_t bytes); // 1: of this build, in so many bytes
int host_io_is_output(const struct host_io *e, uint32_t buffer);
void host_io_facts(const struct host_io *e, struct host_test_facts *facts); // for the program: neither over nor moves

// The output, or input, that holds all of [from, from + bytes) of the program's memory, where its buffers lie at
// `address`; -1: none. *offset (may be NULL): where in it.
int host_io_find(const struct host_io *e, const uint64_t address[HOST_IO_BUFFERS], int output, uint64_t from,
                 uint64_t bytes, uint64_t *offset);

#endif
