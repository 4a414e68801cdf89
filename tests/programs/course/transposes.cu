// All transposes of lab 7's lesson over three shapes of block, each compared and with its GB/s: copy as the upper bound,
// naive as the lower one, a shared tile, the tile padded, padded and unrolled, and with dynamic shared memory.
//
//   transposes [ROWS COLS]
#include "check.h"

template <int X, int Y> __global__ void copy(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * X + threadIdx.x, y = blockIdx.y * Y + threadIdx.y;
    if (x < cols && y < rows) out[y * cols + x] = in[y * cols + x];
}

template <int X, int Y> __global__ void naive(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * X + threadIdx.x, y = blockIdx.y * Y + threadIdx.y;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}

// A tile of Y rows and X columns becomes one of X rows and Y columns: the threads are numbered anew for the second half.
template <int X, int Y, int PAD> __global__ void tiled(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[Y][X + PAD];
    int x = blockIdx.x * X + threadIdx.x, y = blockIdx.y * Y + threadIdx.y;
    if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
    __syncthreads();
    int i = threadIdx.y * X + threadIdx.x, from_row = i % Y, from_col = i / Y;
    x = blockIdx.y * Y + from_row, y = blockIdx.x * X + from_col;
    if (x < rows && y < cols) out[y * rows + x] = tile[from_row][from_col];
}

// Two tiles a block, side by side. The guard of each stands for itself: `col + X < cols` around both would drop the edge.
template <int X, int Y> __global__ void unrolled(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[Y][2 * X + 2];
    int x = blockIdx.x * 2 * X + threadIdx.x, y = blockIdx.y * Y + threadIdx.y;
    for (int u = 0; u < 2; u++)
        if (x + u * X < cols && y < rows) tile[threadIdx.y][threadIdx.x + u * X] = in[y * cols + x + u * X];
    __syncthreads();
    int i = threadIdx.y * X + threadIdx.x, from_row = i % Y, from_col = i / Y;
    x = blockIdx.y * Y + from_row, y = blockIdx.x * 2 * X + from_col;
    for (int u = 0; u < 2; u++)
        if (x < rows && y + u * X < cols) out[(y + u * X) * rows + x] = tile[from_row][from_col + u * X];
}

__global__ void dynamic(const float *in, float *out, int rows, int cols)
{
    extern __shared__ float tile[]; // blockDim.y rows of blockDim.x + 1
    int X = blockDim.x, Y = blockDim.y, x = blockIdx.x * X + threadIdx.x, y = blockIdx.y * Y + threadIdx.y;
    if (x < cols && y < rows) tile[threadIdx.y * (X + 1) + threadIdx.x] = in[y * cols + x];
    __syncthreads();
    int i = threadIdx.y * X + threadIdx.x, from_row = i % Y, from_col = i / Y;
    x = blockIdx.y * Y + from_row, y = blockIdx.x * X + from_col;
    if (x < rows && y < cols) out[y * rows + x] = tile[from_row * (X + 1) + from_col];
}

typedef void (*kernel)(const float *, float *, int, int);
struct problem {
    int rows, cols;
    float *in, *out;   // of the device
    float *host, *got; // of the host
    cudaEvent_t from, to;
};

static void run(const struct problem *p, const char *name, kernel k, dim3 block, int tiles, size_t shared)
{
    size_t bytes = (size_t)p->rows * p->cols * sizeof(float);
    dim3 grid((p->cols + block.x * tiles - 1) / (block.x * tiles), (p->rows + block.y - 1) / block.y);
    float ms;
    CHECK(cudaMemset(p->out, 0xff, bytes));
    CHECK(cudaEventRecord(p->from));
    k<<<grid, block, shared>>>(p->in, p->out, p->rows, p->cols);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(p->to));
    CHECK(cudaEventSynchronize(p->to));
    CHECK(cudaEventElapsedTime(&ms, p->from, p->to));
    CHECK(cudaMemcpy(p->got, p->out, bytes, cudaMemcpyDeviceToHost));
    int turned = name[0] != 'c';
    for (int r = 0; r < p->rows; r++)
        for (int c = 0; c < p->cols; c++)
            REQUIRE(p->got[turned ? c * p->rows + r : r * p->cols + c] == p->host[r * p->cols + c]);
    printf("  %-9s %9.4f ms  %8.1f GB/s\n", name, ms, 2.0 * bytes / ms / 1e6);
}

template <int X, int Y> static void shape(const struct problem *p)
{
    dim3 block(X, Y);
    printf("%d x %d\n", X, Y);
    run(p, "copy", copy<X, Y>, block, 1, 0);
    run(p, "naive", naive<X, Y>, block, 1, 0);
    run(p, "shared", tiled<X, Y, 0>, block, 1, 0);
    run(p, "padded", tiled<X, Y, 1>, block, 1, 0);
    run(p, "padded2", tiled<X, Y, 2>, block, 1, 0);
    run(p, "unrolled", unrolled<X, Y>, block, 2, 0);
    run(p, "dynamic", dynamic, block, 1, Y * (X + 1) * sizeof(float));
}

int main(int argc, char **argv)
{
    struct problem p = {.rows = argument(argc, argv, 1, 300), .cols = argument(argc, argv, 2, 211)};
    size_t bytes = (size_t)p.rows * p.cols * sizeof(float);
    p.host = (float *)malloc(bytes);
    p.got = (float *)malloc(bytes);
    for (int i = 0; i < p.rows * p.cols; i++) p.host[i] = i;
    CHECK(cudaMalloc(&p.in, bytes));
    CHECK(cudaMalloc(&p.out, bytes));
    CHECK(cudaMemcpy(p.in, p.host, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaEventCreate(&p.from));
    CHECK(cudaEventCreate(&p.to));
    shape<32, 16>(&p);
    shape<32, 32>(&p);
    shape<16, 16>(&p);
    CHECK(cudaEventDestroy(p.from));
    CHECK(cudaEventDestroy(p.to));
    CHECK(cudaFree(p.in));
    CHECK(cudaFree(p.out));
    free(p.host);
    free(p.got);
    return 0;
}
