// recursion: solve() halves the range and the set of devices until one device is left, then halves on into chunks
#include "lab8.h"

static const int leaf = 1 << 18;
static unsigned *dev_a[2], *dev_b[2];
static cudaStream_t streams[2][4];

static void chunks(int device, int depth, const unsigned *in, unsigned *out, int lo, int hi)
{
    if (lo >= hi) return;
    if (hi - lo > leaf) {
        int mid = lo + (hi - lo) / 2;
        chunks(device, 2 * depth, in, out, lo, mid);
        chunks(device, 2 * depth + 1, in, out, mid, hi);
        return;
    }
    cudaStream_t s = streams[device][depth % 4];
    cudaMemcpyAsync(dev_a[device] + lo, in + lo, (hi - lo) * sizeof(unsigned), cudaMemcpyHostToDevice, s);
    work<<<(hi - lo + 255) / 256, 256, 0, s>>>(dev_a[device] + lo, dev_b[device] + lo, hi - lo);
    cudaMemcpyAsync(out + lo, dev_b[device] + lo, (hi - lo) * sizeof(unsigned), cudaMemcpyDeviceToHost, s);
}

static void solve(int first_device, int devices, const unsigned *in, unsigned *out, int lo, int hi)
{
    if (devices == 1) {
        cudaSetDevice(first_device);
        chunks(first_device, 1, in, out, lo, hi);
        return;
    }
    int half = devices / 2;
    int mid = lo + (int)((long long)(hi - lo) * half / devices);
    solve(first_device, half, in, out, lo, mid);
    solve(first_device + half, devices - half, in, out, mid, hi);
}

static void wait(int devices)
{
    if (devices == 0) return;
    wait(devices - 1);
    cudaSetDevice(devices - 1);
    cudaDeviceSynchronize();
}

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaMalloc(&dev_a[d], n * sizeof(unsigned));
        cudaMalloc(&dev_b[d], n * sizeof(unsigned));
        for (int s = 0; s < 4; s++) cudaStreamCreate(&streams[d][s]);
    }
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int host = n / 80;
    solve(0, 2, in, out, host, n);
    work_on_host(in, out, host);
    wait(2);
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        for (int s = 0; s < 4; s++) cudaStreamDestroy(streams[d][s]);
        cudaFree(dev_a[d]);
        cudaFree(dev_b[d]);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
