// What the host's half knows of the device's: a function of C. One compiler makes main.c, another saxpy.cu.
#ifndef SAXPY_H
#define SAXPY_H

#ifdef __cplusplus
extern "C" {
#endif
// y = a x + y over n elements of host memory, on the device. 0, or a CUDA error code.
int saxpy(float a, const float *x, float *y, int n);
#ifdef __cplusplus
}
#endif

#endif
