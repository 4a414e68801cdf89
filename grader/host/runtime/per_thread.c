// Defines the variants of API functions for programs compiled with -default-stream per-thread (per_thread.def). For
// example, the per-thread variant of cudaMemcpy calls cudaMemcpyAsync in the host thread's own default stream, and
// waits for that stream.
#include "host/runtime/call.h"

#define OWN(stream) ((stream) ? (cudaStream_t)(stream) : cudaStreamPerThread)

cudaError_t __cudaLaunchKernel(cudaKernel_t, struct dim3, struct dim3, void **, size_t, cudaStream_t);

#define TWIN(name, suffix, parameters, arguments)                                                                      \
    cudaError_t name##_##suffix parameters;                                                                            \
    API cudaError_t name##_##suffix parameters                                                                         \
    {                                                                                                                  \
        cudart_from(__builtin_return_address(0));                                                                      \
        return name arguments;                                                                                         \
    }
#define ASYNC(name, suffix, parameters, asynchronous, arguments)                                                       \
    cudaError_t name##_##suffix parameters;                                                                            \
    API cudaError_t name##_##suffix parameters                                                                         \
    {                                                                                                                  \
        const void *from_here = __builtin_return_address(0);                                                           \
        cudart_from(from_here);                                                                                        \
        cudaError_t error = asynchronous arguments;                                                                    \
        cudart_from(from_here);                                                                                        \
        return error ? error : cudaStreamSynchronize(cudaStreamPerThread);                                             \
    }
#include "host/runtime/per_thread.def"

static cudaError_t launch_configured(const cudaLaunchConfig_t *config, const void *function, void **arguments)
{
    cudaLaunchConfig_t own = *config;
    own.stream = OWN(config->stream);
    return cudaLaunchKernelExC(&own, function, arguments);
}

cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *, const void *, void **);
API cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config, const void *function, void **arguments)
{
    cudart_from(__builtin_return_address(0));
    return config ? launch_configured(config, function, arguments) : cudaLaunchKernelExC(NULL, function, arguments);
}
#if CUDART_VERSION < 13000
cudaError_t cudaMemPrefetchAsync_ptsz(const void *, size_t, int, cudaStream_t);
API cudaError_t cudaMemPrefetchAsync_ptsz(const void *address, size_t bytes, int device, cudaStream_t stream)
{
    cudart_from(__builtin_return_address(0));
    return cudaMemPrefetchAsync(address, bytes, device, OWN(stream));
}
#define cudaMemPrefetchAsync cudaMemPrefetchAsync_v2
#define cudaMemPrefetchAsync_ptsz cudaMemPrefetchAsync_v2_ptsz
#endif
cudaError_t cudaMemPrefetchAsync_ptsz(const void *, size_t, struct cudaMemLocation, unsigned, cudaStream_t);
API cudaError_t cudaMemPrefetchAsync_ptsz(const void *address, size_t bytes, struct cudaMemLocation location,
                                          unsigned flags, cudaStream_t stream)
{
    cudart_from(__builtin_return_address(0));
    return cudaMemPrefetchAsync(address, bytes, location, flags, OWN(stream));
}
