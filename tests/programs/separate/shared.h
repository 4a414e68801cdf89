// What the two files of the program share.
#ifndef SHARED_H
#define SHARED_H

__device__ int twice(int);
int launch(int *result);

#endif
