// The device functions for clang, which replace CUDA's headers. clang includes this file before the first line of a
// source, so a kernel needs no #include. The usual headers (math.h, stdio.h, cuda_runtime.h …) are in the same folder
// and include this file.
//
// Names, arguments and results are those of the CUDA C++ Programming Guide. The implementation is our own. Functions
// are `nodebug` and `always_inline`, so that their instructions count for the line of the call: clang 14 writes no
// inlined_at. Functions that a host function in the same file may use are `__host__ __device__`.
#ifndef WARPWISE_CLANG_CUDA_H
#define WARPWISE_CLANG_CUDA_H

#ifndef __CUDA__
#error "this header is for CUDA device code"
#endif

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(n)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__ inline
// From clang 15 on a keyword. As a macro it spoils GCC's own headers ("__attribute__((__noinline__))"), so those of a
// host program are read with it undefined (kit/host).
#if __clang_major__ < 15
#define __noinline__ __attribute__((noinline))
#endif
#define __device_builtin__
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif

#define WW_BOTH static inline __host__ __device__ __attribute__((nodebug, always_inline))
#define WW_DEVICE static inline __device__ __attribute__((nodebug, always_inline))
// What the host's own library has too: the host keeps its own in a program.
#ifdef WW_HOSTED
#define WW_MATH WW_DEVICE
#else
#define WW_MATH WW_BOTH
#endif
#define WW_SLOW static __device__ __attribute__((nodebug, noinline)) // rare and long: a function of its own

#include "cuda_types.h"

#include "cuda_sync.h"

#include "cuda_atomics.h"

#include "cuda_integer.h"

#include "cuda_simd.h"

#include "cuda_float.h"

#include "cuda_math.h"

#include "cuda_memory.h"

#endif
