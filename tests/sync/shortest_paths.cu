// Floyd and Warshall in shared memory: row and column k rest in step k, since only what gets shorter is stored.
// launch grid 1 block 256, twin: race at line 11 or 12
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ int d[16][16];
    int i = threadIdx.x / 16, j = threadIdx.x % 16;
    d[i][j] = i == j ? 0 : (i + 1) % 16 == j ? 1 : 1000;
    __syncthreads();
    for (int via = 0; via < 16; via++) {
        int longer = d[i][via] + d[via][j];
        if (longer < d[i][j]) d[i][j] = longer;
#if ORDER
        __syncthreads();
#endif
    }
    __syncthreads();
    out[threadIdx.x] = d[i][j] == (j - i + 16) % 16;
}
