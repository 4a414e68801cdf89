// OpenMP, tasks: one thread creates a task for each device and one for the host, taskwait collects them
#include "lab8.h"

typedef struct {
    int device;
    unsigned *in, *out;
} Board;
static Board boards[2];

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    for (int d = 0; d < 2; d++) {
        boards[d].device = d;
        cudaSetDevice(d);
        cudaMalloc(&boards[d].in, (n / 2 + 1) * sizeof(unsigned));
        cudaMalloc(&boards[d].out, (n / 2 + 1) * sizeof(unsigned));
    }
}

static void on_board(const Board *b, const unsigned *in, unsigned *out, int n)
{
    if (n <= 0) return;
    cudaSetDevice(b->device);
    cudaMemcpy(b->in, in, n * sizeof(unsigned), cudaMemcpyHostToDevice);
    work<<<(n + 255) / 256, 256>>>(b->in, b->out, n);
    cudaMemcpy(out, b->out, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int host = n / 66, half = (n - host) / 2;
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp task
        on_board(&boards[0], in, out, half);
#pragma omp task
        on_board(&boards[1], in + half, out + half, n - host - half);
#pragma omp task
        work_on_host(in + n - host, out + n - host, host);
#pragma omp taskwait
    }
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(boards[d].device);
        cudaFree(boards[d].in);
        cudaFree(boards[d].out);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
