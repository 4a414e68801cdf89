// What the programs of this folder share: a failed check says where, and main's result says that one failed.
#ifndef PROGRAMS_CHECK_H
#define PROGRAMS_CHECK_H

#include <cstdio>

static int failed;
#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("line %d: %s\n", __LINE__, #condition);                                                             \
            failed = 1;                                                                                                \
        }                                                                                                              \
    } while (0)
#define OK(call) EXPECT((call) == cudaSuccess)

#endif
