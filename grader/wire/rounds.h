// An exam on a card, which is sat in rounds: what the judge and the runner that holds the cards say to each other while
// the program runs.
//
//   judge                         runner                                     program
//   HEALTH? ─▶ HEALTH             IDLE: its cards have nothing to do    ◀── exam: asks for a round
//   NEXT ────────────────────────▶ ──────────────────────────────────────▶  takes memory, streams, …
//                                 inputs in its memory, outputs poisoned ◀── exam_begin
//   ◀── READY
//   the clock runs; GO ──────────▶ ──────────────────────────────────────▶  the timed part
//   the clock stops ◀── DONE       all cards have finished              ◀── exam_end
//   ◀── GIVEN                     outputs are in the judge's memory
//   …                             ──────────────────────────────────────▶  gives back what it took
//   OVER ────────────────────────▶ no more rounds
//
// VOID, at any time: the card cannot judge this program, for that reason; nothing follows.
//
// They share three pieces of memory besides: the exam (wire/exam.h), which here the judge alone writes; and a side's
// own, the outputs of all buffers, one behind the other where `at` of the exam says.
#ifndef WIRE_ROUNDS_H
#define WIRE_ROUNDS_H

#include "engine/engine.h"
#include "wire/wire.h"

enum round_word {
    // the runner's
    ROUND_HERE,  // first of all: cards, device
    ROUND_IDLE,  // it can be asked for health, or told to go on
    ROUND_READY, // and waits
    ROUND_DONE,
    ROUND_GIVEN, // host_words
    ROUND_HEALTH,
    ROUND_VOID, // why, and text
    // the judge's
    ROUND_ASK,  // for health
    ROUND_NEXT, // poison
    ROUND_GO,
    ROUND_OVER,
    ROUND_WORDS
};

// Why a program is not measured on a card. Text: a name, where it needs one.
enum round_void {
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

struct round_message {
    uint32_t word;         // enum round_word
    uint32_t why;          // VOID: enum round_void
    uint32_t cards;        // HERE: that the machine has
    uint32_t poison;       // NEXT: what outputs hold at first
    uint64_t memory_bytes; // HERE: of the card
    uint64_t host_words;   // GIVEN: of outputs, that the program's host announced as its own share
    struct wire_device device;
    struct engine_health health;
    char text[OBSERVATION_MESSAGE];
};

// How often to look for a message before waiting for it: on few cores others need the time.
unsigned rounds_tries(void);
// A line for such messages: a pair of sockets, either end's. 0, or -1.
int rounds_line(int pair[2]);
// 0; or -1: the other side is gone.
int rounds_send(int line, const struct round_message *);
// The next message, checked for its form alone. `tries`: how often to look before waiting (who waits wakes up late).
// 0; 1: none came within `patience_s` (0: as long as it takes); -1: the other side is gone, or talks nonsense.
int rounds_receive(int line, struct round_message *, double patience_s, unsigned tries);

#endif
