// Implements the names and descriptions of CUDA errors, the last error of a host thread, and version queries.
#include "host/runtime/unchecked.h"

static const struct {
    cudaError_t value;
    const char *name, *sentence;
} errors[] = {
#define CUDA_ERROR(name, value, sentence) {name, #name, sentence},
#include "kit/runtime/cuda_error.def"
#undef CUDA_ERROR
};

API const char *cudaGetErrorName(cudaError_t error)
{
    for (unsigned i = 0; i < sizeof errors / sizeof *errors; ++i)
        if (errors[i].value == error) return errors[i].name;
    return "unrecognized error code";
}

API const char *cudaGetErrorString(cudaError_t error)
{
    for (unsigned i = 0; i < sizeof errors / sizeof *errors; ++i)
        if (errors[i].value == error) return errors[i].sentence;
    return "unrecognized error code";
}

// Returns the calling thread's last error. If `forget` is 1 and the device has no sticky error, the thread's last error
// becomes cudaSuccess.
static cudaError_t last(int forget)
{
    cudaError_t error = cudart_thread.last;
    cudart_unchecked_seen();
    if (forget && !cudart_sticky()) cudart_thread.last = cudaSuccess;
    return error;
}

API cudaError_t cudaGetLastError(void)
{
    return CALL_QUIETLY(last(1));
}

API cudaError_t cudaPeekAtLastError(void)
{
    return CALL_QUIETLY(last(0));
}

static cudaError_t version(int *out)
{
    if (!out) return cudaErrorInvalidValue;
    *out = CUDART_VERSION;
    return cudaSuccess;
}

API cudaError_t cudaRuntimeGetVersion(int *out)
{
    return CALL(version(out));
}

API cudaError_t cudaDriverGetVersion(int *out)
{
    return CALL(version(out));
}

API cudaError_t cudaProfilerStart(void)
{
    return CALL(cudaSuccess);
}

API cudaError_t cudaProfilerStop(void)
{
    return CALL(cudaSuccess);
}
