// a whole test main() left in the file, with a CHECK macro and CPU comparison
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cmath>
#include "warpwise.h"

#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { \
    fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); exit(1); } } while (0)

LAUNCH(scale, .block = {256}, .per_sm = 16);

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int step = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + step < n; i += 2 * step) {
        float a = in[i], b = in[i + step];
        out[i] = 2.0f * a + 1.0f;
        out[i + step] = 2.0f * b + 1.0f;
    }
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
    std::vector<float> h(n), r(n);
    for (int i = 0; i < n; i++) h[i] = (float)rand() / RAND_MAX;
    float *a, *b;
    CHECK(cudaMalloc(&a, n * sizeof(float)));
    CHECK(cudaMalloc(&b, n * sizeof(float)));
    CHECK(cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    scale<<<(n + 255) / 256, 256>>>(a, b, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < n; i++) bad += std::fabs(r[i] - (2 * h[i] + 1)) > 1e-6f;
    printf("%d wrong\n", bad);
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    return bad != 0;
}
