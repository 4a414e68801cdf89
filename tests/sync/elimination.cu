// Gauss's elimination in shared memory: the row of the pivot is divided, then the others take it away.
// launch grid 1 block 64, twin: race at line 12 or 15 or 22 or 23
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ float a[8][9];
    int r = threadIdx.x / 8, c = threadIdx.x % 8;
    a[r][c] = r == c ? 4.0f : 1.0f;
    if (c == 0) a[r][8] = 11.0f;
    for (int p = 0; p < 8; p++) {
        __syncthreads();
        float by = a[p][p], factor = a[r][p];
        __syncthreads();
        if (r == p) {
            a[p][c] /= by;
            if (c == 0) a[p][8] /= by;
        }
#if ORDER
        __syncthreads();
#endif
        if (r != p) {
            a[r][c] -= factor * a[p][c];
            if (c == 1) a[r][8] -= factor * a[p][8];
        }
    }
    __syncthreads();
    if (c == 0) out[r] = fabsf(a[r][8] - 1.0f) < 1e-4f;
}
