// Finds the source names of mangled variables and functions.
#ifndef SIM_HAZARD_DEMANGLE_H
#define SIM_HAZARD_DEMANGLE_H

#include "engine/observation.h"

// Writes the source name of `name` to `out`: "As" for "_ZZ9l2_tile16E2As". A compiler-generated name becomes a
// description such as "local memory". Fills the rest of `out` with zeros, so that two runs with the same findings give
// reports that are equal byte by byte.
void demangle(char out[FINDING_SYMBOL], const char *name);

#endif
