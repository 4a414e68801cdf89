// See hostile.h. The C library itself fills what malloc gives and what free takes (mallopt(3), M_PERTURB).
#include "base/hostile.h"

#include <malloc.h>

__attribute__((constructor)) void base_hostile_begin(void)
{
    if (HOSTILE_BUILD) mallopt(M_PERTURB, HOSTILE_BYTE);
}
