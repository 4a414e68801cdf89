// Stands in for the header of CUDA. clang has read all of its declarations before the first line.
#include "prelude.h"
