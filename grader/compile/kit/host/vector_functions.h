// Stands in for the header of CUDA: the prelude has been read before the first line and holds all of it.
#include "prelude.h"
