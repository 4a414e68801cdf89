// Stands in for the header of CUDA: what host code that launches such kernels must see of it.
#include "../../clang/cooperative_groups/scan.h"
