// Real cards for a host program: its runner executes a host test on them to measure its time (wire/iteration.h).
// Whether the program is correct is judged on simulated devices (runner/machine.h), so this part looks for no defects.
//
// Theory of operation. Each command of the host protocol becomes one or two calls of the driver. Streams, events and
// memory are the driver's; the judge measures time with its own clock. Four things differ from cards that a program
// uses directly:
//
// - The program cannot run code of its own on the cards. It may launch only the lab's kernels, and only on memory of
// the
//   cards. So it can neither reach the driver's memory nor damage a context.
// - The program never sees an address of the driver. It gets addresses for the cards' memory that are never used twice.
// - Page-locked memory is a memory file that both processes map at the same address. Released memory is kept and given
// out
//   again, because making and locking it takes longer than an iteration.
// - The operations of an iteration are logged as they are issued (card_io.c). After the clock has stopped, the log must
// show
//   that each output word took the lab's way: into a card by a copy from the input, through the given kernel, and back
//   by a copy. Where the log cannot show that, or where a program uses a command that no lab needs, the measurement is
//   void and the simulated time counts. So a program gains nothing by behaving differently where there is a card.
//
// The host process is hostile: each function checks every field of its command before it uses the field.
#ifndef RUNNER_CARD_H
#define RUNNER_CARD_H

#include <stdint.h>

#include "gpu/driver.h"
#include "gpu/gpu.h"
#include "wire/host.h"
#include "wire/host_io.h"
#include "wire/iteration.h"

struct card_memory {
    uint32_t kind; // enum host_kind: DEVICE or PINNED; NONE: free, or (if data is not 0) page-locked and kept for reuse
    uint32_t device;
    uint64_t address, bytes; // the address that the program knows
    uint64_t data;           // the address that the driver knows; the same as `address` for page-locked memory
    uint64_t mapped;         // page-locked memory: bytes of whole pages that are mapped
    int descriptor;          // page-locked memory: its file, owned; else -1
};
struct card_stream {
    void *stream;
    uint32_t device, alive;
};
struct card_event {
    void *event;
    uint32_t device, alive, recorded;
};

// One operation of an iteration; the log holds them in the order of issue. Addresses are those that the program knows.
enum card_act { ACT_COPY, ACT_KERNEL, ACT_WRITE, ACT_HOST };
struct card_work {
    uint32_t act; // enum card_act; WRITE: any other operation that writes; HOST: the host's own share
    uint64_t to, from, bytes;
};

struct cards {
    const struct driver *driver;
    struct gpu_card card[HOST_DEVICES]; // the program's devices
    void *context[HOST_DEVICES], *module[HOST_DEVICES];
    uint32_t devices, there; // cards of the program; cards in the machine
    unsigned tries;          // how often to look for a command before sleeping (wire/channel.h)
    int current;             // number of the card whose context is current; -1: none
    int judge;               // socket for iteration messages
    struct host_io *io;      // the I/O block, mapped read-only; NULL: the program has not said hello yet
    struct host_io layout;   // a checked copy of it
    unsigned char *outputs;  // the memory in which the judge expects the outputs
    uint64_t outputs_bytes;
    struct card_memory *memory;
    struct card_stream *stream;
    struct card_event *event;
    uint32_t nmemory, nstreams, nevents;
    uint64_t next_device, next_pinned; // next addresses to give out
    uint64_t pinned_bytes;             // of all page-locked memory, in use or kept
    char kernel[HOST_NAME];            // the kernel that the program asked for; empty: none yet
    int begun, over;                   // 1: an iteration is running; there are no more iterations
    uint32_t poison;                   // the word that fills the outputs at first
    uint64_t address[HOST_IO_BUFFERS]; // of the buffers in the program's memory
    struct card_work *work;
    uint32_t nwork;
    uint64_t host_words; // of the host's own share in this iteration
    uint64_t spent_ps;   // time spent in commands, by this process's clock
    int is_void;         // 1: the card cannot judge this program, and the judge was told why
};

// A command that is being obeyed.
struct card_call {
    struct cards *c;
    const struct host_command *command;
    unsigned char *data; // shared with the host: it may change at any time
    struct host_reply *reply;
    int descriptor, close_it; // to send with the reply, or -1; 1: to close afterwards
};

// Opens `devices` cards, beginning with the one of that number or name ("": card 0). If the machine has fewer cards,
// none is opened, and `there` holds how many it has. Returns 0, or -1 after telling the judge why.
int cards_open(struct cards *, const char *name, uint32_t devices);
// Obeys one command, as struct host_handler wants it; self is the struct cards.
int cards_obey(void *self, const struct host_command *, unsigned char *data, struct host_reply *, int *close_it);

// ---------------------------------------------------------------- between the files of the cards

// Makes the measurement void, and tells the judge the reason. Returns HOST_NOT_SUPPORTED.
uint32_t cards_void(struct cards *, enum iteration_void, const char *text);
// Returns the driver's error as the program's result. An error that no correct program causes makes the measurement
// void.
uint32_t cards_result(struct cards *, int error);
// Makes the context of a card current.
void cards_enter(struct cards *, uint32_t device);
// Waits until all cards have finished their work. Returns a result.
uint32_t cards_synchronize(struct cards *);

// The functions below that take a struct card_call obey the command of their name (wire/host.def) and return its
// result.
uint32_t card_device_facts(struct card_call *);

// card_memory.c
uint32_t card_alloc(struct card_call *);
uint32_t card_release(struct card_call *);
uint32_t card_pointer(struct card_call *);
uint32_t card_copy(struct card_call *);
uint32_t card_fill(struct card_call *);
// Returns the memory in use that contains [address, address + bytes), or NULL.
struct card_memory *card_memory_find(const struct cards *, uint64_t address, uint64_t bytes);

// card_stream.c
// Returns the stream of that handle, or NULL; handle 0 is the default stream of the command's device.
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
// Maps the I/O block and the memory for the outputs, when the program says hello.
void card_io_open(struct cards *);
// Logs an operation of the running iteration; does nothing outside of one.
void card_io_note(struct cards *, enum card_act, uint64_t to, uint64_t from, uint64_t bytes);
uint32_t card_test(struct card_call *);
uint32_t card_test_begin(struct card_call *);
uint32_t card_test_end(struct card_call *);
uint32_t card_test_work(struct card_call *);

#endif
