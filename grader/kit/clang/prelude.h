// clang includes this file before the first line of CUDA code, for the host and for the device, as nvcc includes
// cuda_runtime.h. The file contains the device functions of the CUDA C++ Programming Guide and the runtime API. The kit
// needs no file of NVIDIA's. The headers of the C and C++ libraries are those of the host.
//
// Names, arguments and results are those of the guide. The implementation is our own. Device functions are `nodebug`
// and `always_inline`, so that their instructions count for the line of the call: clang 14 writes no inlined_at. Device
// functions overload the functions of the host's library by their attribute. The device functions are declared first,
// also in std. Otherwise clang would also make device functions of constexpr functions of the library. The C headers
// before the device functions declare no function that the device functions define.
#ifndef WARPWISE_CLANG_PRELUDE_H
#define WARPWISE_CLANG_PRELUDE_H

#ifndef __CUDA__
#error "this header is for CUDA code"
#endif
#pragma GCC system_header

// ---------------------------------------------------------------- keywords
#define __HOST_DEFINES_H__ // Thrust undefines the keywords if NVIDIA's host_defines.h was not read
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#ifdef __CUDA_ARCH__
#define __shared__ __attribute__((shared))
#else
#define __shared__ // only device code has such variables, and the host's pass only reads them
#endif
#define __constant__ __attribute__((constant))
#define __grid_constant__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// clang has no such attribute. The grader makes ".maxnreg n" of bounds above this number (compile/paths.c).
#define __maxnreg__(n) __attribute__((launch_bounds(0x1000000 + (n))))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__ inline
#define __device_builtin__
// __noinline__ is a keyword from clang 15 on. The macro would break the one header of GCC's library that writes
// __attribute__((__noinline__)): bits/shared_ptr_base.h in this folder reads that header without the macro.
#if __clang_major__ < 15
#define __noinline__ __attribute__((noinline))
#endif
// The compiler that headers of libraries see: that of CUDA 11.5, whose PTX clang writes.
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __CUDACC_VER_MAJOR__ 11
#define __CUDACC_VER_MINOR__ 5
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
// libcu++ takes clang for the compiler of the host. The macro makes libcu++ use its atomics for devices.
#define _LIBCUDACXX_COMPILER_NVCC

#define WW_BOTH static inline __host__ __device__ __attribute__((nodebug, always_inline))
#define WW_DEVICE static inline __device__ __attribute__((nodebug, always_inline))
#define WW_SLOW static __device__ __attribute__((nodebug, noinline)) // rare and long: not inlined

// ---------------------------------------------------------------- device functions
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "cuda_types.h"

#include "cuda_sync.h"

#include "cuda_atomics.h"

#include "cuda_integer.h"

#include "cuda_simd.h"

#include "cuda_float.h"

#include "cuda_math.h"

#include "cuda_memory.h"

#include "std.h"

// ---------------------------------------------------------------- the host's library
// cuda_runtime.h of NVIDIA's includes these headers, too, and programs rely on that.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmath>
#include <new>
#include <utility>

// ---------------------------------------------------------------- the runtime API
#include "cuda_runtime.h"

// Clang compiles a managed variable to two variables, one for the host and one for the device. The variables of the host
// start pages in a section of their own. libcudart replaces these pages by the device's memory when it loads the code.
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
