// The functions of the real library that are not implemented (missing.def). Each prints its name and ends the program,
// so that none pretends to have worked.
#include "cudart/call.h"

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
#include "cudart/missing.def"
