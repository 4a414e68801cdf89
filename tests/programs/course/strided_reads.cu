// Reading floats next to each other, and 128 apart: the same number of reads, timed between two events over many
// launches. A checksum keeps the compiler from leaving the reads out.
//
//   strided_reads [N] [LAUNCHES]        defaults 1000000 and 10; the lesson takes 10000000 and 1000
#include "check.h"

__global__ void contiguous(const float *in, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = in[i];
}

__global__ void strided(const float *in, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = in[(long long)i * 128 % n];
}

// One clock for any kernel of that form: the pointer to it is a template's argument.
template <void (*kernel)(const float *, float *, int)> static float milliseconds(const float *in, float *out, int n, int launches)
{
    cudaEvent_t from, to;
    float ms;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    kernel<<<(n + 255) / 256, 256>>>(in, out, n); // the first launch pays for what comes once
    CHECK(cudaEventRecord(from));
    for (int i = 0; i < launches; i++) kernel<<<(n + 255) / 256, 256>>>(in, out, n);
    CHECK(cudaEventRecord(to));
    CHECK(cudaEventSynchronize(to));
    CHECK(cudaEventElapsedTime(&ms, from, to));
    CHECK(cudaEventDestroy(from));
    CHECK(cudaEventDestroy(to));
    return ms / launches;
}

static double checksum(const float *device, float *host, int n)
{
    double sum = 0;
    CHECK(cudaMemcpy(host, device, n * sizeof *host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) sum += host[i];
    return sum;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 1000000), launches = argument(argc, argv, 2, 10);
    float *host = (float *)malloc(n * sizeof *host), *in, *out;
    double all = 0, some = 0;
    for (int i = 0; i < n; i++) host[i] = i % 7;
    for (int i = 0; i < n; i++) {
        all += host[i];
        some += host[(long long)i * 128 % n];
    }
    CHECK(cudaMalloc(&in, n * sizeof *in));
    CHECK(cudaMalloc(&out, n * sizeof *out));
    CHECK(cudaMemcpy(in, host, n * sizeof *in, cudaMemcpyHostToDevice));

    float near = milliseconds<contiguous>(in, out, n, launches);
    REQUIRE(checksum(out, host, n) == all);
    float far = milliseconds<strided>(in, out, n, launches);
    REQUIRE(checksum(out, host, n) == some);
    printf("contiguous %.4f ms, strided %.4f ms: %.1f times\n", near, far, far / near);
    REQUIRE(near > 0 && far > near);

    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    free(host);
    return 0;
}
