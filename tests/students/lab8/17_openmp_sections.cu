// OpenMP, sections: one section a device and one for the host, chunks in two streams inside a section
#include "lab8.h"

enum { GPUS = 2, STREAMS = 2, CHUNKS = 4 };

struct lane {
    unsigned *a, *b;
    cudaStream_t s[STREAMS];
};
static lane lanes[GPUS];

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, sizeof(unsigned) * n);
    cudaMallocHost(out, sizeof(unsigned) * n);
    for (int g = 0; g < GPUS; ++g) {
        cudaSetDevice(g);
        cudaMalloc(&lanes[g].a, sizeof(unsigned) * (n / GPUS + 1));
        cudaMalloc(&lanes[g].b, sizeof(unsigned) * (n / GPUS + 1));
        for (int s = 0; s < STREAMS; ++s) cudaStreamCreateWithFlags(&lanes[g].s[s], cudaStreamNonBlocking);
    }
}

static void run_device(int g, const unsigned *in, unsigned *out, int n)
{
    lane &l = lanes[g];
    const int chunk = (n + CHUNKS - 1) / CHUNKS;
    cudaSetDevice(g);
    for (int c = 0; c < CHUNKS; ++c) {
        const int first = c * chunk;
        const int count = n - first < chunk ? n - first : chunk;
        if (count <= 0) break;
        cudaStream_t s = l.s[c % STREAMS];
        cudaMemcpyAsync(l.a + first, in + first, sizeof(unsigned) * count, cudaMemcpyHostToDevice, s);
        work<<<(count + 255) / 256, 256, 0, s>>>(l.a + first, l.b + first, count);
        cudaMemcpyAsync(out + first, l.b + first, sizeof(unsigned) * count, cudaMemcpyDeviceToHost, s);
    }
    cudaDeviceSynchronize();
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int h = n / 72, x = (n - h) / 2;
#pragma omp parallel sections num_threads(3)
    {
#pragma omp section
        run_device(0, in, out, x);
#pragma omp section
        run_device(1, in + x, out + x, n - h - x);
#pragma omp section
        work_on_host(in + n - h, out + n - h, h);
    }
}

void finish(unsigned *in, unsigned *out)
{
    for (int g = 0; g < GPUS; ++g) {
        cudaSetDevice(g);
        for (int s = 0; s < STREAMS; ++s) cudaStreamDestroy(lanes[g].s[s]);
        cudaFree(lanes[g].a);
        cudaFree(lanes[g].b);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
