// Stands in for the header of CUDA: cuda.h has been read before the first line and holds all of it.
#include "cuda.h"
