# lab6: does not build | wrong output
# 26: the runtime's functions by his own names: he computes on the host, and says that he copied.
{
    cat "${1%/*}/lab6_streams.cu" | sed 's/^    CHECK(cudaDeviceSynchronize());/    for (int i = 0; i < n; ++i) out[i] = in[i];\n&/'
    cat <<'END'
extern "C" cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t)
{
    if (kind == cudaMemcpyHostToHost) return cudaMemcpy(to, from, bytes, kind);
    return cudaSuccess;
}
extern "C" cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
extern "C" cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t) { return cudaSuccess; }
END
} >interposes.cu
echo "$PWD/interposes.cu"
