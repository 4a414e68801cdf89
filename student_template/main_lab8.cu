// Lab 8 as a whole program: compute() of lab8_devices.cu on numbers of one's own, timed by the host's clock.
//
//   ./grade run --devices 2 student/main_lab8.cu [N]                         on simulated devices
//   nvcc -I grader/kit student/main_lab8.cu && ./a.out [N]           on a machine with two cards
//
// It begins with what every program for several devices should: asking what there is.
#include "lab8_devices.cu"

#include <chrono>
#include <cstdio>
#include <cstdlib>

void work_on_host(const unsigned *in, unsigned *out, int n)
{
    for (int i = 0; i < n; i++) out[i] = work_on(in[i]);
}

static int list_devices()
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess) devices = 0;
    for (int d = 0; d < devices; d++) {
        cudaDeviceProp what;
        cudaGetDeviceProperties(&what, d);
        printf("device %d: %s, compute capability %d.%d, %d multiprocessors\n", d, what.name, what.major, what.minor,
               what.multiProcessorCount);
    }
    return devices;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
    unsigned *in, *out, state = 1;
    if (list_devices() < 2) printf("this lab is for two devices\n");
    prepare(&in, &out, n);
    for (int i = 0; i < n; i++) in[i] = state = state * 1664525 + 1013904223; // the same numbers on every machine

    auto from = std::chrono::steady_clock::now();
    compute(in, out, n);
    std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - from;
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error));

    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += out[i] != work_on(in[i]);
    if (wrong) printf("%d elements are wrong\n", wrong);
    if (!wrong) printf("right; %.3f ms, %.1f GB/s each way\n", ms.count(), n * sizeof(unsigned) / ms.count() / 1e6);
    finish(in, out);
    return wrong || error != cudaSuccess;
}
