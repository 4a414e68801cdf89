// This file defines the messages between the judge and the runner process of a host test on real GPUs ("cards"). The
// runner process uses the cards on behalf of the program while the program runs. A timed iteration is one measured run
// of the program's timed part on fresh inputs.
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
// The runner process may send the message VOID at any time. The message VOID says that the program cannot be measured
// on this card, and gives the reason. VOID is the runner's last message.
//
// The judge shares two pieces of memory with the runner process of each program: the I/O block (host/border/host_io.h)
// for the inputs, and the memory for the outputs. In tests on real GPUs, the judge writes the I/O block and the runner
// process only reads it. The runner process writes each output to the memory for the outputs, at the position `at` of
// the output's struct host_io_buffer.
#ifndef HOST_BORDER_ITERATION_H
#define HOST_BORDER_ITERATION_H

#include "engine/engine.h"
#include "wire/wire.h"

enum iteration_word {
    // sent by the runner
    ITERATION_HERE,   // the first message; fields: cards, memory_bytes, device
    ITERATION_IDLE,   // the judge may ask for the health of the cards, or start an iteration
    ITERATION_READY,  // inputs are in place; the runner waits for GO
    ITERATION_DONE,   // the timed part has ended
    ITERATION_GIVEN,  // outputs are in the judge's memory; field: host_words
    ITERATION_HEALTH, // the health of the cards; field: health
    ITERATION_VOID,   // the program is not measured; fields: why, text
    // sent by the judge
    ITERATION_ASK,  // asks for HEALTH
    ITERATION_NEXT, // starts an iteration; field: poison
    ITERATION_GO,
    ITERATION_OVER,
    ITERATION_WORDS
};

// Lists the reasons why a program is not measured on a card. If the comment on a constant of enum iteration_void
// contains "text:", the message ITERATION_VOID with this reason carries details in its field `text`.
enum iteration_void {
    VOID_CARD,     // there is no card of that name, or opening the card failed (text: the driver's error)
    VOID_DRIVER,   // a call of the driver failed (text: the error)
    VOID_COMMAND,  // the program sent a command that no lab needs (text: the name of the command)
    VOID_MANAGED,  // managed memory, whose transfers the runner cannot observe
    VOID_PAGEABLE, // a copy from or to pageable memory
    VOID_ROWS,     // a copy or fill whose shape the runner cannot track
    VOID_KERNEL,   // a kernel of the program's own (text: the kernel's name)
    VOID_ARRAYS,   // a launch on arrays outside the card's memory
    VOID_LOCKED,   // an input or output is not in page-locked memory
    VOID_WAY,      // the lab's kernel did not compute an output from the input, or no copy moved the output
    VOID_MANY,     // too many operations in one iteration
    VOID_REASONS
};

struct iteration_message {
    uint32_t word;               // enum iteration_word
    uint32_t why;                // VOID: enum iteration_void
    uint32_t cards;              // HERE: number of cards in the machine
    uint32_t poison;             // NEXT: the word that fills the outputs before the iteration
    uint64_t memory_bytes;       // HERE: size of the first card's memory
    uint64_t host_words;         // GIVEN: output words that the program announced as the host's own share
    struct wire_device device;   // HERE: the first card
    struct engine_health health; // HEALTH: the health of the cards
    char text[OBSERVATION_MESSAGE];
};

// Creates a connection for messages between judge and runner process, and stores the sockets of its two ends in `pair`.
// Returns 0, or -1 with errno set.
int iteration_connect(int pair[2]);
// Sends a message of the judge or the runner. Returns 0, or -1 if the process at the other end of the socket has ended.
int iteration_send(int socket, const struct iteration_message *);
// Receives a message as channel_receive() does, and checks the message's fields `word`, `text`, `device` and `health`.
// Returns 0; 1 if no message came in time; -1 if the sending process has ended or sent an invalid message.
int iteration_receive(int socket, struct iteration_message *, double patience_s, unsigned tries);

#endif
