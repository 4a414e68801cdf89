// This file defines macros and bounds for functions that check a message from an untrusted process. A function that
// uses the macros REFUSE or AT_MOST must return int and must have a parameter `why`, which receives the reason.
#ifndef WIRE_REFUSE_H
#define WIRE_REFUSE_H

#include "base/message.h"
#include "engine/observation.h"

#define TIME_MOST (UINT64_C(86400) * 1000000000000) // a day, in picoseconds
#define COUNT_MOST (UINT64_C(1) << 60)

// The macro REFUSE() makes a function that checks received data refuse the data: writes the reason into `why` and
// returns -1 from the function that uses REFUSE().
#define REFUSE(...) return message_print(why, OBSERVATION_MESSAGE, __VA_ARGS__), -1
// The macro AT_MOST() writes a reason into `why` and returns -1 from the calling function if the value is above `most`.
// `what` names the value; it must be a string literal, because AT_MOST translates `what`.
#define AT_MOST(what, value, most)                                                                                     \
    do {                                                                                                               \
        if ((uint64_t)(value) > (uint64_t)(most)) REFUSE("%s is %llu", _(what), (unsigned long long)(value));          \
    } while (0)
#define COUNTER_AT_MOST(name, value)                                                                                   \
    do {                                                                                                               \
        if ((value) > COUNT_MOST) REFUSE("the counter %s is %llu", name, (unsigned long long)(value));                 \
    } while (0)

#endif
