// Macros for the functions of half and bfloat16, which exist for the host and for the device.
#ifndef WARPWISE_CLANG_CUDA_NARROW_H
#define WARPWISE_CLANG_CUDA_NARROW_H

#define WW_METHOD __host__ __device__ __attribute__((nodebug, always_inline))
// Device code is the instruction, host code the expression behind it.
#ifdef __CUDA_ARCH__
#define WW_CODE(instruction, host) instruction
#else
#define WW_CODE(instruction, host) host
#endif

#endif
