// refused: wrong output
// The host computes all of it itself: right, and not what is asked.
#include "lab6.h"

#include <stdlib.h>

void prepare(unsigned **in, unsigned **out, int n)
{
    *in = (unsigned *)malloc(n * sizeof(unsigned));
    *out = (unsigned *)malloc(n * sizeof(unsigned));
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    for (int i = 0; i < n; ++i) out[i] = work_on(in[i]);
}

void finish(unsigned *in, unsigned *out)
{
    free(in);
    free(out);
}
