// Rows roll through a ring of four: three are looked at while the fourth comes, with one barrier a row.
// launch grid 1 block 64, twin: race at line 12 or 15
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    enum { RING = ORDER ? 4 : 3, ROWS = 7 };
    __shared__ int row[4][64];
    int t = threadIdx.x, right = 1;
    row[0][t] = 0;
    row[1][t] = 1;
    for (int r = 1; r < ROWS; r++) {
        row[(r + 1) % RING][t] = r + 1;
        __syncthreads();
        int left = (t + 63) % 64;
        right &= row[(r - 1) % RING][left] + row[r % RING][t] + row[(r + 1) % RING][left] == 3 * r;
    }
    out[t] = right;
}
