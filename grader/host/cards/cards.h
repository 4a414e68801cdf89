// This file runs a host test on real GPUs ("cards") to measure the program's time (host/border/iteration.h). Simulated
// devices decide whether the program is correct (host/devices/devices.h), so the runner for real GPUs looks for no
// defects.
//
// Most commands of the host protocol become one or two calls of the CUDA driver. The CUDA driver provides streams,
// events and device memory. The judge, a process outside the sandbox, measures the program's time with a clock of its
// own. The runner for real GPUs restricts how a program can use the cards, and logs the program's operations.
//
// - The program cannot run its own code on the cards. The program may launch only the lab's kernels (the kernels that
//   the lab supplies), and only on memory of the cards. Because the program launches only the lab's kernels, it can
//   neither access the driver's memory nor damage a CUDA context.
// - The program never receives an address of the driver. The program receives addresses for the cards' memory that the
//   runner never uses twice.
// - Page-locked memory is a memory file that runner and program map at the same address. The runner keeps released
//   page-locked memory and returns it from later allocations, because creating and locking it takes longer than a timed
//   iteration.
// - The runner logs the operations of a timed iteration when they are issued (card_io.c). After the clock has stopped,
//   the runner checks in the log how each output word was produced. For each output word that is computed on a card,
//   the log must contain three operations. A copy brings the input to a card, a launch of the lab's kernel computes the
//   output word from this input, and a copy brings the output word to the host. An output word that the host computed
//   as its own share (ACT_HOST) needs neither copies nor a kernel. If the log lacks one of the three operations for an
//   output word, the measurement on the card is void. The measurement is also void if the program uses a command that
//   no lab needs. If the measurement on real GPUs is void, the program is graded by its simulated time, so a program
//   gains nothing by behaving differently on a real GPU.
//
// The host program may be hostile, so each function that executes a command checks every field of the command before it
// uses the field.
#ifndef HOST_CARDS_CARDS_H
#define HOST_CARDS_CARDS_H

#include <stdint.h>

#include "gpu/driver.h"
#include "gpu/gpu.h"
#include "host/border/host.h"
#include "host/border/host_io.h"
#include "host/border/iteration.h"

struct card_memory {
    uint32_t kind; // enum host_kind; NONE: a free entry, or, if data is not 0, page-locked memory kept for reuse
    uint32_t device;
    uint64_t address, bytes; // the address that the program knows
    uint64_t data;           // the address that the driver uses; equal to `address` for page-locked memory
    uint64_t mapped;         // page-locked memory: bytes of the mapped whole pages
    int descriptor;          // page-locked memory: descriptor of its memory file, owned; else -1
};
struct card_stream {
    void *stream;
    uint32_t device, alive;
};
struct card_event {
    void *event;
    uint32_t device, alive, recorded;
};

// The struct card_work describes one operation of a timed iteration. The log of a timed iteration holds the iteration's
// operations in the order of issue. All addresses in the log of a timed iteration are addresses that the program knows,
// not addresses of the driver.
enum card_act { ACT_COPY, ACT_KERNEL, ACT_WRITE, ACT_HOST };
struct card_work {
    uint32_t act; // enum card_act; ACT_WRITE: any other operation that writes; ACT_HOST: the host's own share
    uint64_t to, from, bytes;
};

struct cards {
    const struct driver *driver;
    struct gpu_card card[HOST_DEVICES]; // the program's devices
    void *context[HOST_DEVICES], *module[HOST_DEVICES];
    uint32_t devices, there; // devices: cards of the program; there: cards in the machine
    unsigned tries;          // how often to poll for a command before sleeping (wire/channel.h)
    int current;             // number of the card whose context is current; -1: none
    int judge;               // socket for iteration messages
    struct host_io *io;      // the I/O block, mapped read-only; NULL before the program's command `hello`
    struct host_io layout;   // a checked copy of the I/O block's struct host_io
    unsigned char *outputs;  // the memory into which the runner copies the outputs for the judge
    uint64_t outputs_bytes;
    struct card_memory *memory;
    struct card_stream *stream;
    struct card_event *event;
    uint32_t nmemory, nstreams, nevents;
    uint64_t next_device, next_pinned; // the next addresses to assign to device memory and page-locked memory
    uint64_t pinned_bytes;             // bytes of all page-locked memory, in use or kept
    char kernel[HOST_NAME];            // the kernel that the program asked for; empty: none yet
    int begun, over;                   // begun 1: an iteration is running; over 1: there are no more iterations
    uint32_t poison;                   // the word that fills the outputs before an iteration
    uint64_t address[HOST_IO_BUFFERS]; // addresses of the buffers in the program's memory
    struct card_work *work;
    uint32_t nwork;
    uint64_t host_words; // words that the host computed as its own share in this iteration
    uint64_t spent_ps;   // time spent in commands, by this process's clock
    int is_void;         // 1: this program cannot be measured on the card, and the judge knows the reason
};

// Holds the arguments of a function that executes a command of the host protocol.
struct card_call {
    struct cards *c;
    const struct host_command *command;
    unsigned char *data; // the data area; the host may change its bytes at any time
    struct host_reply *reply;
    int descriptor, close_it; // descriptor: to send with the reply, or -1; close_it 1: close the descriptor afterwards
};

// Opens `devices` cards, beginning with the card of the given number or name ("": card 0). If the computer has fewer
// than `devices` cards, cards_open() opens no card. Stores in c->there the number of cards in the computer. Returns 0,
// or -1 after sending the reason to the judge.
int cards_open(struct cards *, const char *name, uint32_t devices);
// Executes one command of the host protocol, as struct host_handler (host/border/host.h) specifies. `self` points
// to the struct cards.
int cards_obey(void *self, const struct host_command *, unsigned char *data, struct host_reply *, int *close_it);

// ---------------------------------------------------------------- between the files of the cards

// Marks the measurement of the program as void (not valid) and sends the reason to the judge. Returns
// HOST_NOT_SUPPORTED.
uint32_t cards_void(struct cards *, enum iteration_void, const char *text);
// Translates an error of the driver into enum host_result, and returns the result. Every error except DRIVER_NOT_READY
// and DRIVER_NO_MEMORY makes the measurement void.
uint32_t cards_result(struct cards *, int error);
// Makes the CUDA context of the card `device` current.
void cards_enter(struct cards *, uint32_t device);
// Waits until all cards have finished their work. Returns enum host_result.
uint32_t cards_synchronize(struct cards *);

// Each function of cards.h that takes a non-const struct card_call executes the command of the same name
// (host/border/host.def) and returns enum host_result.
uint32_t card_device_facts(struct card_call *);

// card_memory.c defines the functions from here to card_memory_find().
uint32_t card_alloc(struct card_call *);
uint32_t card_release(struct card_call *);
uint32_t card_pointer(struct card_call *);
uint32_t card_copy(struct card_call *);
uint32_t card_fill(struct card_call *);
// Returns the allocation in use that contains [address, address + bytes), or NULL.
struct card_memory *card_memory_find(const struct cards *, uint64_t address, uint64_t bytes);

// card_stream.c defines the functions from here to card_event_elapsed(). Returns the stream with the handle `stream`,
// or NULL. The handle 0 means the default stream of the command's device.
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

// card_io.c defines the functions from here to the end of this file. Maps two memory files that the judge shares with
// the runner: the I/O block, which holds the inputs of the host test (host/border/host_io.h), and a file for the
// outputs. The handler of the command `hello` calls card_io_open().
void card_io_open(struct cards *);
// Adds an operation to the log of the running timed iteration. Does nothing if no timed iteration is running.
void card_io_note(struct cards *, enum card_act, uint64_t to, uint64_t from, uint64_t bytes);
uint32_t card_test(struct card_call *);
uint32_t card_test_begin(struct card_call *);
uint32_t card_test_end(struct card_call *);
uint32_t card_test_work(struct card_call *);

#endif
