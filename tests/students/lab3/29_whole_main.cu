// a whole test program: main() left in the file, with <<<>>> launches and cudaMalloc
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "warpwise.h"

#define THREADS 256
#define EACH 4
#define TILE (THREADS * EACH)

LAUNCH(block_sums, .block = {THREADS}, .tile = {TILE});
LAUNCH(scan_sums, .block = {THREADS});
LAUNCH(scan_blocks, .block = {THREADS}, .tile = {TILE});

__device__ unsigned scan(unsigned *tile, unsigned v)
{
    int t = threadIdx.x;
    tile[t] = v;
    __syncthreads();
    for (int d = 1; d < THREADS; d *= 2) {
        unsigned below = t >= d ? tile[t - d] : 0;
        __syncthreads();
        v += below;
        tile[t] = v;
        __syncthreads();
    }
    return v;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned tile[THREADS];
    unsigned s = 0;
    for (int k = 0; k < EACH; k++) {
        int i = blockIdx.x * TILE + k * THREADS + threadIdx.x;
        if (i < n) s += in[i];
    }
    s = scan(tile, s);
    if (threadIdx.x == THREADS - 1) sums[blockIdx.x] = s;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned tile[THREADS];
    unsigned carry = 0;
    for (int base = 0; base < m; base += THREADS) {
        int i = base + threadIdx.x;
        unsigned own = i < m ? sums[i] : 0;
        unsigned s = scan(tile, own);
        if (i < m) sums[i] = carry + s - own;
        carry += tile[THREADS - 1];
        __syncthreads();
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned tile[THREADS];
    int first = blockIdx.x * TILE + threadIdx.x * EACH;
    unsigned v[EACH], s = 0;
    for (int k = 0; k < EACH; k++) v[k] = s += first + k < n ? in[first + k] : 0;
    unsigned before = scan(tile, s) - s + sums[blockIdx.x];
    for (int k = 0; k < EACH; k++)
        if (first + k < n) out[first + k] = before + v[k];
}

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t e = (call);                                                                                        \
        if (e != cudaSuccess) {                                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e));                                 \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100003;
    std::vector<unsigned> in(n), out(n);
    for (auto &x : in) x = rand();
    unsigned *d_in, *d_out, *d_sums;
    int blocks = (n + TILE - 1) / TILE;
    CHECK(cudaMalloc(&d_in, n * sizeof *d_in));
    CHECK(cudaMalloc(&d_out, n * sizeof *d_out));
    CHECK(cudaMalloc(&d_sums, blocks * sizeof *d_sums));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof *d_in, cudaMemcpyHostToDevice));
    block_sums<<<blocks, THREADS>>>(d_in, d_sums, n);
    CHECK(cudaGetLastError());
    scan_sums<<<1, THREADS>>>(d_sums, blocks);
    CHECK(cudaGetLastError());
    scan_blocks<<<blocks, THREADS>>>(d_in, d_sums, d_out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), d_out, n * sizeof *d_out, cudaMemcpyDeviceToHost));
    unsigned run = 0;
    for (int i = 0; i < n; i++) {
        run += in[i];
        if (out[i] != run) {
            printf("wrong at %d: %u, expected %u\n", i, out[i], run);
            return 1;
        }
    }
    printf("ok\n");
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_sums);
    return 0;
}
