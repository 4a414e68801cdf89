// Stands in for the header of CUDA: bfloat16 for both sides of a program.
#include "../clang/cuda_bf16.h"
