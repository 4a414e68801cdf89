// OpenMP, parallel: three threads, their numbers decide who drives device 0, who drives device 1 and who works on the host
#include "lab8.h"

#include <omp.h>

static unsigned *dev_in[2], *dev_out[2];
static cudaStream_t str[2];

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost((void **)in, n * sizeof(unsigned));
    cudaMallocHost((void **)out, n * sizeof(unsigned));
#pragma omp parallel for num_threads(2)
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaMalloc((void **)&dev_in[d], n * sizeof(unsigned));
        cudaMalloc((void **)&dev_out[d], n * sizeof(unsigned));
        cudaStreamCreate(&str[d]);
    }
}

void compute(const unsigned *in, unsigned *out, int n)
{
    const int share = n / 64;
    const int middle = share + (n - share) / 2;
#pragma omp parallel num_threads(3)
    {
        const int me = omp_get_thread_num();
        if (me == 2) {
            work_on_host(in, out, share);
        } else {
            const int from = me == 0 ? share : middle, to = me == 0 ? middle : n;
            const int m = to - from;
            cudaSetDevice(me);
            if (m > 0) {
                cudaMemcpyAsync(dev_in[me], in + from, m * sizeof(unsigned), cudaMemcpyHostToDevice, str[me]);
                work<<<(m + 191) / 192, 192, 0, str[me]>>>(dev_in[me], dev_out[me], m);
                cudaMemcpyAsync(out + from, dev_out[me], m * sizeof(unsigned), cudaMemcpyDeviceToHost, str[me]);
                cudaStreamSynchronize(str[me]);
            }
        }
    }
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaStreamDestroy(str[d]);
        cudaFree(dev_in[d]);
        cudaFree(dev_out[d]);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
