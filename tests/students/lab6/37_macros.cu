// macros that hide the loop over the chunks and the three calls
#include "lab6.h"
#define NS 16
#define BYTES(k) ((size_t)(k) * sizeof(unsigned))
#define FOR_CHUNKS(s, f, c, n) \
    for (int s = 0, size_ = ((n) + NS - 1) / NS, f = 0, c = (n) < size_ ? (n) : size_; f < (n); ++s, f += size_, c = (n) - f < size_ ? (n) - f : size_)
#define TO(dst, src, c, s) cudaMemcpyAsync(dst, src, BYTES(c), cudaMemcpyHostToDevice, s)
#define FROM(dst, src, c, s) cudaMemcpyAsync(dst, src, BYTES(c), cudaMemcpyDeviceToHost, s)
#define WORK(a, b, c, s) work<<<((c) + 255) / 256, 256, 0, s>>>(a, b, c)
#define EACH_STREAM(x) for (int i = 0; i < NS; ++i) x

static unsigned *A, *B;
static cudaStream_t S[NS];

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, BYTES(n));
    cudaMallocHost(out, BYTES(n));
    cudaMalloc(&A, BYTES(n));
    cudaMalloc(&B, BYTES(n));
    EACH_STREAM(cudaStreamCreate(S + i));
}
void pipeline(const unsigned *in, unsigned *out, int n)
{
    FOR_CHUNKS(s, f, c, n) { TO(A + f, in + f, c, S[s]); WORK(A + f, B + f, c, S[s]); FROM(out + f, B + f, c, S[s]); }
    EACH_STREAM(cudaStreamSynchronize(S[i]));
}
void finish(unsigned *in, unsigned *out)
{
    EACH_STREAM(cudaStreamDestroy(S[i]));
    cudaFree(A); cudaFree(B); cudaFreeHost(in); cudaFreeHost(out);
}
