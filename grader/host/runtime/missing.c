// Defines the functions of NVIDIA's runtime library that the autograder's libcudart does not implement (missing.def).
// Each function of this file prints its name and ends the program, so that no call silently does nothing.
#include "host/runtime/call.h"

#define MISSING(name)                                                                                                  \
    void name(void);                                                                                                   \
    API void name(void)                                                                                                \
    {                                                                                                                  \
        cudart_stop(#name " is not implemented");                                                                      \
    }
#if CUDART_VERSION < 13000
#define OLD(row) row
#else
#define OLD(row)
#endif
#include "host/runtime/missing.def"
