// refused: unchecked error at line 33; wrong output
// the copy out has a wrong kind, and nobody looks at the error
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

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaHostAlloc((void **)in, n * sizeof **in, cudaHostAllocDefault);
    cudaHostAlloc((void **)out, n * sizeof **out, cudaHostAllocDefault);
    for (auto &l : team) {
        cudaStreamCreate(&l.stream);
        cudaMalloc(&l.a, part(n) * sizeof **in);
        cudaMalloc(&l.b, part(n) * sizeof **out);
    }
}

static void run(const lane &l, const unsigned *from, unsigned *to, int count)
{
    cudaMemcpyAsync(l.a, from, count * sizeof *from, cudaMemcpyHostToDevice, l.stream);
    work<<<(count + 127) / 128, 128, 0, l.stream>>>(l.a, l.b, count);
    cudaMemcpyAsync(to, l.b, count * sizeof *to, cudaMemcpyHostToHost, l.stream);
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
