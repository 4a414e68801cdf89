// Stands in for the C library's header: cuda.h has been read before the first line and holds all of it.
#include "cuda.h"
