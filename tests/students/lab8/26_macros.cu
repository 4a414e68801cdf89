// macros: FOR_DEVICES, BYTES, CEIL_DIV, an X-macro of the buffers and CUDA_CHECK with file and line
#include "lab8.h"

#include <stdio.h>
#include <stdlib.h>

#define CUDA_CHECK(expression)                                                                                         \
    do {                                                                                                               \
        cudaError_t error_ = (expression);                                                                             \
        if (error_ != cudaSuccess) {                                                                                   \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #expression, cudaGetErrorString(error_));           \
            exit(EXIT_FAILURE);                                                                                        \
        }                                                                                                              \
    } while (0)
#define KERNEL_CHECK() CUDA_CHECK(cudaGetLastError())
#define NGPU 2
#define FOR_DEVICES(d) for (int d = 0; d < NGPU && cudaSetDevice(d) == cudaSuccess; d++)
#define BYTES(n) ((size_t)(n) * sizeof(unsigned))
#define CEIL_DIV(a, b) (((a) + (b)-1) / (b))
#define BUFFERS(X) X(input) X(output)

#define DECLARE(name) static unsigned *name[NGPU];
BUFFERS(DECLARE)
#undef DECLARE
static cudaStream_t stream[NGPU];

void prepare(unsigned **in, unsigned **out, int n)
{
    CUDA_CHECK(cudaMallocHost((void **)in, BYTES(n)));
    CUDA_CHECK(cudaMallocHost((void **)out, BYTES(n)));
    FOR_DEVICES(d)
    {
#define TAKE(name) CUDA_CHECK(cudaMalloc((void **)&name[d], BYTES(CEIL_DIV(n, NGPU))));
        BUFFERS(TAKE)
#undef TAKE
        CUDA_CHECK(cudaStreamCreate(&stream[d]));
    }
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int cpu = n / 64, part = CEIL_DIV(n - cpu, NGPU);
    FOR_DEVICES(d)
    {
        int begin = d * part, count = (d == NGPU - 1 ? n - cpu : begin + part) - begin;
        if (count > 0) {
            CUDA_CHECK(cudaMemcpyAsync(input[d], in + begin, BYTES(count), cudaMemcpyHostToDevice, stream[d]));
            work<<<CEIL_DIV(count, 256), 256, 0, stream[d]>>>(input[d], output[d], count);
            KERNEL_CHECK();
            CUDA_CHECK(cudaMemcpyAsync(out + begin, output[d], BYTES(count), cudaMemcpyDeviceToHost, stream[d]));
        }
    }
    work_on_host(in + (n - cpu), out + (n - cpu), cpu);
    FOR_DEVICES(d) CUDA_CHECK(cudaDeviceSynchronize());
}

void finish(unsigned *in, unsigned *out)
{
    FOR_DEVICES(d)
    {
        CUDA_CHECK(cudaStreamDestroy(stream[d]));
#define GIVE(name) CUDA_CHECK(cudaFree(name[d]));
        BUFFERS(GIVE)
#undef GIVE
    }
    CUDA_CHECK(cudaFreeHost(in));
    CUDA_CHECK(cudaFreeHost(out));
}
