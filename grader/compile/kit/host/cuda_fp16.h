// Stands in for the header of CUDA: halves for both sides of a program.
#include "../clang/cuda_fp16.h"
