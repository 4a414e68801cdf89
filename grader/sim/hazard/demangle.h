// Source names of mangled variables and functions.
#ifndef SIM_HAZARD_DEMANGLE_H
#define SIM_HAZARD_DEMANGLE_H

#include "engine/observation.h"

// Writes the name as it stands in the source: "As" for "_ZZ9l2_tile16E2As". Compilers' own names become a description
// ("local memory"). The rest of `out` is filled with zeros, so that reports are equal byte by byte.
void demangle(char out[FINDING_SYMBOL], const char *name);

#endif
