// Declares the functions of half and bfloat16. In a host program, they exist for the host, too.
#ifndef WARPWISE_CLANG_CUDA_NARROW_H
#define WARPWISE_CLANG_CUDA_NARROW_H

#ifdef WW_HOSTED
#define WW_NARROW WW_BOTH
#define WW_METHOD __host__ __device__ __attribute__((nodebug, always_inline))
#else
#define WW_NARROW WW_DEVICE
#define WW_METHOD __device__ __attribute__((nodebug, always_inline))
#endif
// Device code is the instruction, host code the expression behind it.
#ifdef __CUDA_ARCH__
#define WW_CODE(instruction, host) instruction
#else
#define WW_CODE(instruction, host) host
#endif

#endif
