// Collects the words of a compiler's command line.
#define _GNU_SOURCE
#include "compile/invocation.h"

#include <stdio.h>

#include "base/die.h"

void invocation_add(struct invocation *call, const char *word)
{
    BUG_ON(call->count + 1 >= INVOCATION_WORDS);
    call->argv[call->count++] = word;
}

void invocation_add_list(struct invocation *call, const char *const *words)
{
    for (; *words; ++words) invocation_add(call, *words);
}

const char *invocation_joined(struct invocation *call, const char *prefix, const char *text)
{
    BUG_ON(call->stored >= sizeof call->storage / sizeof *call->storage);
    char *at = call->storage[call->stored++];
    snprintf(at, sizeof *call->storage, "%s%s", prefix, text);
    return at;
}
