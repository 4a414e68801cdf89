// Lab 6's reference against two copies in opposite directions at the same time, as many bytes each: what its pipeline
// would take if kernels cost nothing and the first chunk and the last one did not stand alone. streams [NUMBERS]
//
// One line, NAME ANCHOR_US REFERENCE_US: medians of runs in turn (anchor, reference, …) by the host's clock, from handing
// over the first piece of work to holding the last result. The pipeline's results are compared.
#include "lab6_streams.cu"

#include <algorithm>
#include <chrono>
#include <vector>

enum { REPEATS = 31, WARM = 4 };

template <typename F> static double once(F work)
{
    auto from = std::chrono::steady_clock::now();
    work();
    std::chrono::duration<double, std::micro> us = std::chrono::steady_clock::now() - from;
    return us.count();
}

static double median(std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 28;
    unsigned *in, *out, *there, *back, state = 1;
    size_t bytes = n * sizeof *in;
    cudaStream_t to, from;
    prepare(&in, &out, n);
    CHECK(cudaMalloc(&there, bytes));
    CHECK(cudaMalloc(&back, bytes));
    CHECK(cudaStreamCreateWithFlags(&to, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&from, cudaStreamNonBlocking));
    for (int i = 0; i < n; ++i) in[i] = state = state * 1664525 + 1013904223;
    std::vector<double> theirs, ours;
    for (int i = -WARM; i < REPEATS; ++i) {
        double a = once([&] {
            CHECK(cudaMemcpyAsync(there, in, bytes, cudaMemcpyHostToDevice, to));
            CHECK(cudaMemcpyAsync(out, back, bytes, cudaMemcpyDeviceToHost, from));
            CHECK(cudaDeviceSynchronize());
        });
        double r = once([&] { pipeline(in, out, n); });
        if (i < 0) continue;
        theirs.push_back(a);
        ours.push_back(r);
    }
    for (int i = 0; i < n; i += 4099)
        if (out[i] != work_on(in[i])) return fprintf(stderr, "element %d is wrong\n", i), 1;
    printf("streams-copies %.2f %.2f\n", median(theirs), median(ours));
    finish(in, out);
    return 0;
}
