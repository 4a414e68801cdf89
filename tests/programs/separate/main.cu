// A program of two files: host code here, a kernel and a device function that it calls over there.
#include <cstdio>

#include "shared.h"

__device__ int twice(int x)
{
    return 2 * x;
}

int main()
{
    int result = 0, error = launch(&result);
    if (error || result != 42) printf("error %d, result %d\n", error, result);
    return error || result != 42;
}
