// Timed iterations of a host test on real cards: the messages between the judge and the runner that holds the cards,
// while the program runs. One iteration is one measured run of the program's timed part on fresh inputs.
//
//   judge                         runner                                     program
//   ASK ─────────▶ HEALTH         IDLE: its cards have nothing to do    ◀── test: asks for an iteration
//   NEXT ────────────────────────▶ ──────────────────────────────────────▶  allocates memory, creates streams, …
//                                 copies inputs in, poisons outputs      ◀── test_begin
//   ◀── READY
//   starts its clock; GO ────────▶ ──────────────────────────────────────▶  the timed part
//   stops its clock ◀── DONE      all cards have finished                ◀── test_end
//   ◀── GIVEN                     outputs are in the judge's memory
//   …                             ──────────────────────────────────────▶  frees what it allocated
//   OVER ────────────────────────▶ there are no more iterations
//
// The runner may send VOID at any time: the card cannot judge this program for the reason given, and nothing follows.
//
// Each program's runner shares two pieces of memory with the judge besides: the I/O block (wire/host_io.h), which only
// the judge writes here, and the outputs of all buffers, each at the place that `at` in the I/O block states.
#ifndef WIRE_ITERATION_H
#define WIRE_ITERATION_H

#include "engine/engine.h"
#include "wire/wire.h"

enum iteration_word {
    // from the runner
    ITERATION_HERE,   // the first message: cards, memory_bytes, device
    ITERATION_IDLE,   // the judge may ask for the cards' health, or start an iteration
    ITERATION_READY,  // inputs are in place; the runner waits for GO
    ITERATION_DONE,   // the timed part has ended
    ITERATION_GIVEN,  // outputs are in the judge's memory: host_words
    ITERATION_HEALTH, // health
    ITERATION_VOID,   // why, text
    // from the judge
    ITERATION_ASK,  // for HEALTH
    ITERATION_NEXT, // poison
    ITERATION_GO,
    ITERATION_OVER,
    ITERATION_WORDS
};

// Why a program is not measured on a card. Some reasons come with a text.
enum iteration_void {
    VOID_CARD,     // there is no card of that name, or it cannot be opened (text: what the driver says)
    VOID_DRIVER,   // a call of the driver failed (text: how)
    VOID_COMMAND,  // the program asked for something that no lab needs (text: the command's name)
    VOID_MANAGED,  // managed memory, whose transfers cannot be seen
    VOID_PAGEABLE, // a copy from or to pageable memory
    VOID_ROWS,     // a copy or fill whose shape the runner does not follow
    VOID_KERNEL,   // a kernel of the program's own (text: its name)
    VOID_ARRAYS,   // a launch on arrays outside the card's memory
    VOID_LOCKED,   // an input or output is not in page-locked memory
    VOID_WAY,      // an output did not go from the input through the given kernel by copies
    VOID_MANY,     // too many operations in one iteration
    VOID_REASONS
};

struct iteration_message {
    uint32_t word;               // enum iteration_word
    uint32_t why;                // VOID: enum iteration_void
    uint32_t cards;              // HERE: number of cards in the machine
    uint32_t poison;             // NEXT: the word that fills the outputs at first
    uint64_t memory_bytes;       // HERE: size of the first card's memory
    uint64_t host_words;         // GIVEN: words of the outputs that the program announced as its host's own share
    struct wire_device device;   // HERE
    struct engine_health health; // HEALTH
    char text[OBSERVATION_MESSAGE];
};

// Makes the two ends of a connection for such messages. Returns 0, or -1 with errno set.
int iteration_connect(int pair[2]);
// Sends a message. Returns 0, or -1 if the other side is gone.
int iteration_send(int socket, const struct iteration_message *);
// Receives the next message as channel_receive does, and checks its word, its texts, device and health. Returns 0; 1 if
// none came in time; -1 if the other side is gone, or sent what no program of ours sends.
int iteration_receive(int socket, struct iteration_message *, double patience_s, unsigned tries);

#endif
