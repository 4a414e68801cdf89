// clang includes this file before the first line of a CUDA program, which contains host and device code. It includes
// the C and C++ headers of the host, the device functions of the kit, and the runtime API. It needs no file of
// NVIDIA's.
//
// Device functions overload those of the host's library by their attribute. They are declared first, also in std.
// Otherwise, constexpr functions of the library with the same names would become device functions, too: clang does this
// unless the device already has such a function. The C headers that they need declare no function that they define.
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

extern "C" __device__ void *malloc(size_t); // from the device's heap; the C++ library's operator new calls it
extern "C" __device__ void free(void *);

#if __clang_major__ < 15
#undef __noinline__
#include <string>
#endif
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#if __clang_major__ < 15
#define __noinline__ __attribute__((noinline))
#endif

#include "cuda_runtime.h"

// Clang compiles a managed variable to two, one on each side. Those of the host begin pages, which libcudart replaces by
// the device's memory when it loads the code; it learns of them by the section that they stand in.
#undef __managed__
#ifdef __CUDA_ARCH__
#define __managed__ __attribute__((device))
#else
#define __managed__ __attribute__((device, section("ww_managed"), aligned(4096)))
extern "C" {
extern const char __start_ww_managed[] __attribute__((weak, visibility("hidden")));
extern const char __stop_ww_managed[] __attribute__((weak, visibility("hidden")));
void warpwise_managed(const char *, const char *);
}
static __attribute__((constructor)) void ww_name_managed()
{
    if (__start_ww_managed) warpwise_managed(__start_ww_managed, __stop_ww_managed);
}
#endif

#endif
