// One kernel launched many times, as programs do that measure: on data that stay, on data that each launch changes, in
// turns with others, and with the host's hand between. Whatever need not be run anew, the results are those of every run.
#include "check.h"

enum { N = 4096, THREADS = 256, TIMES = 12, STEPS = 200 };

__device__ unsigned mix(unsigned x)
{
    for (int i = 0; i < STEPS; i++) x = x * 1664525u + 1013904223u;
    return x;
}
__global__ void apply(const unsigned *in, unsigned *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = mix(in[i]);
}
__global__ void in_place(unsigned *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = mix(x[i]);
}
__global__ void add_up(const unsigned *x, unsigned *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(sum, mix(x[i]) >> 24);
}

static unsigned mixed(unsigned x, int times)
{
    for (int i = 0; i < STEPS * times; i++) x = x * 1664525u + 1013904223u;
    return x;
}

int main()
{
    unsigned *in, *out, *sum, once, total = 0;
    static unsigned back[N];
    OK(cudaMallocManaged(&in, N * sizeof *in));
    OK(cudaMalloc(&out, N * sizeof *out));
    OK(cudaMalloc(&sum, sizeof *sum));
    for (int i = 0; i < N; i++) in[i] = i;
    for (int i = 0; i < N; i++) total += mixed(i, 1) >> 24;

    for (int t = 0; t < TIMES; t++) apply<<<N / THREADS, THREADS>>>(in, out); // the same each time
    OK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) EXPECT(back[i] == mixed(i, 1));

    in[7] = 1000; // the host's hand
    apply<<<N / THREADS, THREADS>>>(in, out);
    OK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    EXPECT(back[7] == mixed(1000, 1) && back[8] == mixed(8, 1));
    in[7] = 7;

    for (int t = 0; t < TIMES; t++) in_place<<<N / THREADS, THREADS>>>(out); // never the same
    OK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) EXPECT(back[i] == mixed(i == 7 ? 1000 : i, 1 + TIMES));

    for (int t = 0; t < TIMES; t++) { // each undoes what the next does
        OK(cudaMemset(sum, 0, sizeof *sum));
        add_up<<<N / THREADS, THREADS>>>(in, sum);
        OK(cudaMemcpy(&once, sum, sizeof once, cudaMemcpyDeviceToHost));
        EXPECT(once == total);
        OK(cudaMemcpy(out, in, sizeof back, cudaMemcpyDefault));
        in_place<<<N / THREADS, THREADS>>>(out);
    }
    OK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) EXPECT(back[i] == mixed(i, 1));

    for (int t = 0; t < TIMES; t++) add_up<<<N / THREADS, THREADS>>>(in, sum); // grows
    OK(cudaMemcpy(&once, sum, sizeof once, cudaMemcpyDeviceToHost));
    EXPECT(once == total * (TIMES + 1));

    unsigned *middle; // from here on the host has no part in the memory: nobody looks between launches
    OK(cudaMemcpy(out, in, sizeof back, cudaMemcpyDefault));
    OK(cudaFree(in));
    OK(cudaMalloc(&in, N * sizeof *in));
    OK(cudaMalloc(&middle, N * sizeof *middle));
    OK(cudaMemcpy(in, out, sizeof back, cudaMemcpyDefault));
    for (int t = 0; t < TIMES; t++) { // in a circle
        apply<<<N / THREADS, THREADS>>>(in, middle);
        if (t % 5 == 4) { // looked at half way
            OK(cudaMemcpy(back, middle, sizeof back, cudaMemcpyDeviceToHost));
            for (int i = 0; i < N; i++) EXPECT(back[i] == mixed(i, 1));
        }
        in_place<<<N / THREADS, THREADS>>>(middle);
        apply<<<N / THREADS, THREADS>>>(middle, out);
    }
    OK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) EXPECT(back[i] == mixed(i, 3));
    for (int t = 0; t < TIMES; t++) add_up<<<N / THREADS, THREADS>>>(middle, sum); // nobody looks it up any more
    for (int i = total = 0; i < N; i++) total += mixed(i, 2) >> 24;
    for (int t = 0; t < TIMES; t++) {
        OK(cudaMemset(sum, 0, sizeof *sum));
        apply<<<N / THREADS, THREADS>>>(in, middle);
        add_up<<<N / THREADS, THREADS>>>(middle, sum);
        in_place<<<N / THREADS, THREADS>>>(middle);
        OK(cudaMemcpy(&once, sum, sizeof once, cudaMemcpyDeviceToHost));
        EXPECT(once == total);
    }
    for (int t = 0; t < TIMES; t++) {
        apply<<<N / THREADS, THREADS>>>(in, middle);
        if (t % 2) OK(cudaMemcpy(middle, in, sizeof back, cudaMemcpyDeviceToDevice));
        in_place<<<N / THREADS, THREADS>>>(middle);
        OK(cudaMemcpy(back, middle, sizeof back, cudaMemcpyDeviceToHost));
        for (int i = 0; i < N; i++) EXPECT(back[i] == mixed(i, 2 - t % 2));
    }
    apply<<<N / THREADS, THREADS>>>(in, middle);
    apply<<<N / THREADS, THREADS>>>(middle, in); // not known, behind one that is
    OK(cudaMemcpy(back, in, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) EXPECT(back[i] == mixed(i, 2));
    return failed;
}
