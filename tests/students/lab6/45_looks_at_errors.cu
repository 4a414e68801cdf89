// calls that fail on purpose: their errors are tested, or asked for with cudaGetLastError()
#include "lab6.h"

#include <algorithm>
#include <array>

namespace {
constexpr int lanes = 4;
struct lane {
    cudaStream_t stream;
    unsigned *a, *b;
};
std::array<lane, lanes> team;
int part(int n) { return (n + lanes - 1) / lanes; }
}

static void probe();

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaHostAlloc((void **)in, n * sizeof **in, cudaHostAllocDefault);
    cudaHostAlloc((void **)out, n * sizeof **out, cudaHostAllocDefault);
    for (auto &l : team) {
        cudaStreamCreate(&l.stream);
        cudaMalloc(&l.a, part(n) * sizeof **in);
        cudaMalloc(&l.b, part(n) * sizeof **out);
    }
    probe();
}

static void run(const lane &l, const unsigned *from, unsigned *to, int count)
{
    cudaMemcpyAsync(l.a, from, count * sizeof *from, cudaMemcpyHostToDevice, l.stream);
    work<<<(count + 127) / 128, 128, 0, l.stream>>>(l.a, l.b, count);
    cudaMemcpyAsync(to, l.b, count * sizeof *to, cudaMemcpyDeviceToHost, l.stream);
}

// Looks for further devices, and tries what cannot work. It looks at each error, or asks for it afterwards.
static void probe()
{
    int devices = 0;
    unsigned value = 0;
    while (cudaSetDevice(devices) == cudaSuccess) ++devices;
    cudaError_t error = cudaMemcpy(team[0].a, &value, sizeof value, cudaMemcpyDeviceToHost);
    if (error == cudaSuccess || devices == 0) return;
    cudaMemcpy(&value, team[0].a, sizeof value, cudaMemcpyHostToDevice);
    work<<<0, 128>>>(team[0].a, team[0].b, 1);
    cudaGetLastError();
    cudaSetDevice(0);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    for (int first = 0, k = 0; first < n; first += part(n), ++k)
        run(team[k], in + first, out + first, std::min(part(n), n - first));
    for (auto &l : team) cudaStreamSynchronize(l.stream);
}

void finish(unsigned *in, unsigned *out)
{
    for (auto &l : team) {
        cudaStreamDestroy(l.stream);
        cudaFree(l.a);
        cudaFree(l.b);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
