// Inside of wire: how a checker refuses what a stranger sent, and the bounds that several of them have. They are in
// functions that have the sentence's place at hand as `why`, and return -1.
#ifndef WIRE_REFUSE_H
#define WIRE_REFUSE_H

#include "base/message.h"
#include "engine/observation.h"

#define TIME_MOST (UINT64_C(86400) * 1000000000000) // a day, in picoseconds
#define COUNT_MOST (UINT64_C(1) << 60)

#define REFUSE(...) return message_print(why, OBSERVATION_MESSAGE, __VA_ARGS__), -1
#define AT_MOST(what, value, most)                                                                                     \
    do {                                                                                                               \
        if ((uint64_t)(value) > (uint64_t)(most)) REFUSE("%s is %llu", _(what), (unsigned long long)(value));          \
    } while (0)
#define COUNTER_AT_MOST(name, value)                                                                                   \
    do {                                                                                                               \
        if ((value) > COUNT_MOST) REFUSE("the counter %s is %llu", name, (unsigned long long)(value));                 \
    } while (0)

#endif
