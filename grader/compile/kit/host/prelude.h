// Read by clang before the first line of a CUDA program, host and device code in one file: the host's own C and C++
// headers, the kit's device functions beside them, and the runtime API. No file of NVIDIA's is needed.
//
// Device functions overload those of the host's library by their attribute. They are declared first, in std as well, so
// that the library's constexpr functions of the same names stay the host's (clang gives a constexpr function to the
// device too unless the device has one already). The C headers that they need declare nothing that they define.
#ifndef WARPWISE_HOST_PRELUDE_H
#define WARPWISE_HOST_PRELUDE_H

#pragma GCC system_header
#define WW_HOSTED 1
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "../clang/cuda.h"
#include "../clang/std.h"

#undef __noinline__
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#define __noinline__ __attribute__((noinline))

#include "cuda_runtime.h"

// Clang compiles a managed variable to two, one on each side, that know nothing of each other.
#undef __managed__
#define __managed__                                                                                                    \
    __attribute__((device, unavailable("clang has no __managed__ variables: use cudaMallocManaged, or nvcc")))

#endif
