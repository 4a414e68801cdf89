// A host program's machine of true cards: it sits a lab's exam on them, for the sake of its time (wire/iteration.h).
// What the program does right or wrong is seen on simulated devices (runner/machine.h), so that nothing is looked for
// here.
//
// Theory of operation. Each command of the host protocol is a call or two of the driver. Streams, events and memory are
// the driver's own; times are the judge's, by his own clock. What differs from a card that a program holds by itself:
//
// - The program runs on the cards no code of its own: the kernels that it may launch are those that the exam gives, and
//   they reach memory of the cards alone. So it cannot reach the driver's memory, nor spoil a context.
// - It is given addresses of ours for the cards' memory, never used twice, and none of the driver's.
// - Page-locked memory is a file in memory that both processes map at one address. It is kept when the program gives it
//   back, and handed out again: to make and lock it takes longer than a round.
// - What takes part in a round is written down as it is issued (card_io.c), and when the clock has stopped it must
//   follow from it that each word of the outputs went the way that the lab asks: in by a copy from the input, through
//   the given kernel, out by a copy. Simulated devices follow that word by word, whatever a program does; here what is
//   not that simple is not judged, as are commands that no lab needs: the measurement is void, and the simulator's time
//   counts. So nothing can be gained by behaving otherwise where there is a card.
//
// The host process is hostile: each function checks every field of its command before it uses it.
#ifndef RUNNER_CARD_H
#define RUNNER_CARD_H

#include <stdint.h>

#include "gpu/driver.h"
#include "gpu/gpu.h"
#include "wire/host.h"
#include "wire/host_io.h"
#include "wire/iteration.h"

struct card_memory {
    uint32_t kind; // enum host_kind: DEVICE or PINNED; NONE: free (with data: page-locked, kept for another time)
    uint32_t device;
    uint64_t address, bytes; // as the program knows it
    uint64_t data;           // as the driver knows it; page-locked memory: the address
    uint64_t mapped;         // page-locked memory: bytes that are mapped
    int descriptor;
};
struct card_stream {
    void *stream;
    uint32_t device, alive;
};
struct card_event {
    void *event;
    uint32_t device, alive, recorded;
};

// What an operation of a round was, in the order of issue. Addresses are those that the program knows.
enum card_act { ACT_COPY, ACT_KERNEL, ACT_WRITE, ACT_HOST };
struct card_work {
    uint32_t act; // enum card_act: WRITE: anything else that writes; HOST: the host's own share
    uint64_t to, from, bytes;
};

struct cards {
    const struct driver *driver;
    struct gpu_card card[HOST_DEVICES]; // the program's devices
    void *context[HOST_DEVICES], *module[HOST_DEVICES];
    uint32_t devices, there; // there: cards of the machine
    unsigned tries;          // how often to look for a command before waiting for it
    int current;             // context
    int line;                // to the judge
    struct host_io *io;      // the exam, read-only; NULL: the program has not said hello yet
    struct host_io layout;   // as it was then, checked
    unsigned char *outputs;  // the judge's memory for them
    uint64_t outputs_bytes;
    struct card_memory *memory;
    struct card_stream *stream;
    struct card_event *event;
    uint32_t nmemory, nstreams, nevents;
    uint64_t next_device, next_pinned; // addresses to give out
    uint64_t pinned_bytes;             // page-locked, free or not
    char kernel[HOST_NAME];            // that the program asked for; empty: none yet
    int begun, over;                   // a round is under way; there is no more
    uint32_t poison;
    uint64_t address[HOST_IO_BUFFERS]; // of the program's memory for the exam's buffers
    struct card_work *work;
    uint32_t nwork;
    uint64_t host_words, spent_ps; // spent_ps: in calls, by this process's clock
    int is_void;                   // the card cannot judge this program, and the judge was told
};

// One command on its way.
struct card_call {
    struct cards *c;
    const struct host_command *command;
    unsigned char *data; // shared with the host: it may change at any time
    struct host_reply *reply;
    int descriptor, close_it;
};

// Opens `devices` cards, the first by its number or name ("" is the first there is). 0; or -1, and the judge was told
// why. Where the machine has fewer none is opened, and `there` says how many it has.
int cards_open(struct cards *, const char *name, uint32_t devices);
// A struct host_handler's function; self is the cards.
int cards_obey(void *self, const struct host_command *, unsigned char *data, struct host_reply *, int *close_it);

// ---------------------------------------------------------------- between the files of the cards

// The measurement is void, for that reason, of which the judge is told. HOST_NOT_SUPPORTED.
uint32_t cards_void(struct cards *, enum iteration_void, const char *text);
// The result of a call of the driver: what a program may see of it; any other makes the measurement void.
uint32_t cards_result(struct cards *, int error);
void cards_enter(struct cards *, uint32_t device); // its context becomes current
uint32_t cards_synchronize(struct cards *);        // all of them
uint32_t card_device_facts(struct card_call *);

// card_memory.c
uint32_t card_alloc(struct card_call *);
uint32_t card_release(struct card_call *);
uint32_t card_pointer(struct card_call *);
uint32_t card_copy(struct card_call *);
uint32_t card_fill(struct card_call *);
// The memory that [address, address + bytes) lies in; NULL: none.
struct card_memory *card_memory_find(const struct cards *, uint64_t address, uint64_t bytes);

// card_stream.c
struct card_stream *card_stream_of(const struct card_call *, uint32_t stream);
uint32_t card_function(struct card_call *);
uint32_t card_launch(struct card_call *);
uint32_t card_occupancy(struct card_call *);
uint32_t card_stream_create(struct card_call *);
uint32_t card_stream_destroy(struct card_call *);
uint32_t card_stream_sync(struct card_call *);
uint32_t card_stream_query(struct card_call *);
uint32_t card_stream_wait(struct card_call *);
uint32_t card_event_create(struct card_call *);
uint32_t card_event_destroy(struct card_call *);
uint32_t card_event_record(struct card_call *);
uint32_t card_event_sync(struct card_call *);
uint32_t card_event_query(struct card_call *);
uint32_t card_event_elapsed(struct card_call *);

// card_io.c
void card_io_open(struct cards *); // the program says hello: looks at the exam
void card_io_note(struct cards *, enum card_act, uint64_t to, uint64_t from, uint64_t bytes);
uint32_t card_test(struct card_call *);
uint32_t card_test_begin(struct card_call *);
uint32_t card_test_end(struct card_call *);
uint32_t card_test_work(struct card_call *);

#endif
