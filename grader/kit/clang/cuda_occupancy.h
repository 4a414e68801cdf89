// Stands in for the header of CUDA, which Thrust includes and does not use. clang has read all declarations before the
// first line.
#include "prelude.h"
