// The host's half, plain C: it knows no CUDA, only saxpy.h.
#include <stdio.h>
#include <stdlib.h>

#include "saxpy.h"

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000, wrong = 0;
    float *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++) {
        x[i] = (float)i;
        y[i] = 1;
    }
    int error = saxpy(2, x, y, n);
    for (int i = 0; i < n; i++) wrong += y[i] != 2 * (float)i + 1;
    printf("error %d, %d of %d wrong\n", error, wrong, n);
    free(x);
    free(y);
    return error || wrong;
}
