// C++ names as a programmer wrote them.
#ifndef COMPILE_DEMANGLE_H
#define COMPILE_DEMANGLE_H

#include <stdint.h>

// "_Z4stepIfEvPfi" → "step<float>" in shown[i], which the caller frees; parameters are left out. What is no mangled
// name, or cannot be told for want of c++filt (of binutils), stays as it is. `open`: 1: no sandbox.
void compile_demangle(const char *const name[], uint32_t count, int open, char *shown[]);

#endif
