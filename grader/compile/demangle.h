// Demangles C++ names.
#ifndef COMPILE_DEMANGLE_H
#define COMPILE_DEMANGLE_H

#include <stdint.h>

// Stores the demangled name of each name[i] in shown[i], without parameters: "step<float>" for "_Z4stepIfEvPfi". The
// caller frees shown[i]. Names that are not mangled stay unchanged. If c++filt (of binutils) is missing, all names stay
// unchanged. `open` is 1 to run c++filt without a sandbox.
void compile_demangle(const char *const name[], uint32_t count, int open, char *shown[]);

#endif
