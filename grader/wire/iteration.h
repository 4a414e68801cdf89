// An exam on a card, which is sat in rounds: what the judge and the runner that holds the cards say to each other while
// the program runs.
//
//   judge                         runner                                     program
//   HEALTH? ─▶ HEALTH             IDLE: its cards have nothing to do    ◀── exam: asks for a round
//   NEXT ────────────────────────▶ ──────────────────────────────────────▶  takes memory, streams, …
//                                 inputs in its memory, outputs poisoned ◀── test_begin
//   ◀── READY
//   the clock runs; GO ──────────▶ ──────────────────────────────────────▶  the timed part
//   the clock stops ◀── DONE       all cards have finished              ◀── test_end
//   ◀── GIVEN                     outputs are in the judge's memory
//   …                             ──────────────────────────────────────▶  gives back what it took
//   OVER ────────────────────────▶ no more rounds
//
// VOID, at any time: the card cannot judge this program, for that reason; nothing follows.
//
// They share three pieces of memory besides: the exam (wire/host_io.h), which here the judge alone writes; and a side's
// own, the outputs of all buffers, one behind the other where `at` of the exam says.
#ifndef WIRE_ITERATION_H
#define WIRE_ITERATION_H

#include "engine/engine.h"
#include "wire/wire.h"

enum iteration_word {
    // the runner's
    ITERATION_HERE,  // first of all: cards, device
    ITERATION_IDLE,  // it can be asked for health, or told to go on
    ITERATION_READY, // and waits
    ITERATION_DONE,
    ITERATION_GIVEN, // host_words
    ITERATION_HEALTH,
    ITERATION_VOID, // why, and text
    // the judge's
    ITERATION_ASK,  // for health
    ITERATION_NEXT, // poison
    ITERATION_GO,
    ITERATION_OVER,
    ITERATION_WORDS
};

// Why a program is not measured on a card. Text: a name, where it needs one.
enum iteration_void {
    VOID_CARD,     // there is none of that name, or it cannot be opened (text: what the driver says)
    VOID_DRIVER,   // a call of the driver failed (text: how)
    VOID_COMMAND,  // asks for something that no lab needs (text: the command's name)
    VOID_MANAGED,  // managed memory, whose copies nobody sees
    VOID_PAGEABLE, // a copy from or to pageable memory
    VOID_ROWS,     // a copy or a fill of a shape that is not followed
    VOID_KERNEL,   // a kernel of its own (text: its name)
    VOID_ARRAYS,   // a launch on arrays outside of the card's memory
    VOID_LOCKED,   // input or output is not page-locked
    VOID_WAY,      // an output did not go from the input through the given kernel by copies
    VOID_MANY,     // too many operations in a round
    VOID_REASONS
};

struct iteration_message {
    uint32_t word;         // enum iteration_word
    uint32_t why;          // VOID: enum iteration_void
    uint32_t cards;        // HERE: that the machine has
    uint32_t poison;       // NEXT: what outputs hold at first
    uint64_t memory_bytes; // HERE: of the card
    uint64_t host_words;   // GIVEN: of outputs, that the program's host announced as its own share
    struct wire_device device;
    struct engine_health health;
    char text[OBSERVATION_MESSAGE];
};

// How often to look for a message before waiting for it: on few cores others need the time.
unsigned iteration_tries(void);
// A line for such messages: a pair of sockets, either end's. 0, or -1.
int iteration_pair(int pair[2]);
// 0; or -1: the other side is gone.
int iteration_send(int line, const struct iteration_message *);
// The next message, checked for its form alone. `tries`: how often to look before waiting (who waits wakes up late).
// 0; 1: none came within `patience_s` (0: as long as it takes); -1: the other side is gone, or talks nonsense.
int iteration_receive(int line, struct iteration_message *, double patience_s, unsigned tries);

#endif
