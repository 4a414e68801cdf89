// Lab 6 as a whole program: the pipeline of lab6_streams.cu on numbers of one's own, timed by the host's clock.
//
//   ./grade run student/main_lab6.cu [N]                                     on the simulated device
//   ./grade run --check student/main_lab6.cu [N]                             with a look at its copies and streams
//   nvcc -I grader/kit student/main_lab6.cu && ./a.out [N]           on a card
//
// It has no main.h beside it: the checks of errors belong into your own functions.
#include "lab6_streams.cu"

#include <chrono>
#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 18;
    unsigned *in, *out, state = 1;
    prepare(&in, &out, n);
    for (int i = 0; i < n; i++) in[i] = state = state * 1664525 + 1013904223; // the same numbers on every machine

    // What is timed is the host's time: from handing over the first piece of work to holding the last result.
    auto from = std::chrono::steady_clock::now();
    pipeline(in, out, n);
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
