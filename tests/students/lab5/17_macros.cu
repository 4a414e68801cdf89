// macros that hide the loops and the barriers
#include "warpwise.h"
#define NW 4
#define LANE (threadIdx.x & 31)
#define WARP (threadIdx.x >> 5)
#define ROW (blockIdx.x * NW + WARP)
#define FOR_COLS(c) for (int c = LANE; c < cols; c += 32)
#define X(c) in[(size_t)ROW * cols + (c)]
#define BARRIER __syncwarp()
#define FOLD(a, h, OP) do { if (LANE < (h)) (a)[LANE] = OP((a)[LANE], (a)[LANE + (h)]); BARRIER; } while (0)
#define FOLD_ALL(a, OP) do { BARRIER; FOLD(a, 16, OP); FOLD(a, 8, OP); FOLD(a, 4, OP); FOLD(a, 2, OP); FOLD(a, 1, OP); } while (0)
#define ADD(p, q) ((p) + (q))
#define MAX(p, q) ((p) > (q) ? (p) : (q))

LAUNCH(row_sums, .block = {NW * 32}, .tile = {NW});
LAUNCH(softmax, .block = {NW * 32}, .tile = {NW});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float sh[NW][32];
    float *a = sh[WARP], t = 0;
    if (ROW >= rows) return;
    FOR_COLS(c) t += X(c);
    a[LANE] = t;
    FOLD_ALL(a, ADD);
    if (LANE == 0) sums[ROW] = *a;
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    __shared__ float sh[NW][32];
    float *a = sh[WARP], m = -INFINITY, t = 0;
    if (ROW >= rows) return;
    FOR_COLS(c) m = MAX(m, X(c));
    a[LANE] = m;
    FOLD_ALL(a, MAX);
    m = *a;
    BARRIER;
    FOR_COLS(c) t += expf(X(c) - m);
    a[LANE] = t;
    FOLD_ALL(a, ADD);
    t = *a;
    FOR_COLS(c) out[(size_t)ROW * cols + c] = expf(X(c) - m) / t;
}
