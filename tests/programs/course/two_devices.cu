// One array over two devices and the processor: each owns its third, and all work at once. (Needs two devices: with one
// it says so and has nothing to show.)
//
//   two_devices [N]
#include "check.h"

__global__ void square(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= x[i];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 300000), devices, part = n / 3;
    float *data, *device[2];
    CHECK(cudaGetDeviceCount(&devices));
    if (devices < 2) {
        printf("only one device here\n");
        return 0;
    }
    CHECK(cudaMallocHost(&data, n * sizeof *data));
    for (int i = 0; i < n; i++) data[i] = i % 100;
    cudaStream_t stream[2];
    for (int d = 0; d < 2; d++) {
        CHECK(cudaSetDevice(d)); // what follows belongs to this device: memory, stream, launch
        CHECK(cudaMalloc(&device[d], part * sizeof **device));
        CHECK(cudaStreamCreate(&stream[d]));
        CHECK(cudaMemcpyAsync(device[d], data + d * part, part * sizeof **device, cudaMemcpyHostToDevice, stream[d]));
        square<<<(part + 255) / 256, 256, 0, stream[d]>>>(device[d], part);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(data + d * part, device[d], part * sizeof **device, cudaMemcpyDeviceToHost, stream[d]));
    }
    for (int i = 2 * part; i < n; i++) data[i] *= data[i]; // the processor's third, meanwhile
    for (int d = 0; d < 2; d++) {
        CHECK(cudaSetDevice(d));
        CHECK(cudaStreamSynchronize(stream[d]));
        CHECK(cudaStreamDestroy(stream[d]));
        CHECK(cudaFree(device[d]));
    }
    for (int i = 0; i < n; i++) REQUIRE(data[i] == (float)(i % 100) * (i % 100));
    printf("%d numbers on two devices and the processor\n", n);
    CHECK(cudaFreeHost(data));
    return 0;
}
