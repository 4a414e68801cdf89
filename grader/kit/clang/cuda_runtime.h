// The runtime API for C++: typed forms of its functions, and the launch of a kernel by its name.
#ifndef WARPWISE_CUDA_RUNTIME_H
#define WARPWISE_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__ // by which programs ask whether the API is known

#include "cuda_runtime_api.h"
#include "device_launch_parameters.h"

#define WW_HOST template <class T> static inline __host__ cudaError_t

WW_HOST cudaMalloc(T **address, size_t bytes)
{
    return ::cudaMalloc((void **)(void *)address, bytes);
}
WW_HOST cudaMallocHost(T **address, size_t bytes, unsigned int flags = cudaHostAllocDefault)
{
    return ::cudaHostAlloc((void **)(void *)address, bytes, flags);
}
WW_HOST cudaHostAlloc(T **address, size_t bytes, unsigned int flags)
{
    return ::cudaHostAlloc((void **)(void *)address, bytes, flags);
}
WW_HOST cudaHostGetDevicePointer(T **device, void *host, unsigned int flags)
{
    return ::cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
WW_HOST cudaMallocManaged(T **address, size_t bytes, unsigned int flags = cudaMemAttachGlobal)
{
    return ::cudaMallocManaged((void **)(void *)address, bytes, flags);
}
WW_HOST cudaMallocPitch(T **address, size_t *pitch, size_t width, size_t height)
{
    return ::cudaMallocPitch((void **)(void *)address, pitch, width, height);
}
WW_HOST cudaMallocAsync(T **address, size_t bytes, cudaStream_t stream)
{
    return ::cudaMallocAsync((void **)(void *)address, bytes, stream);
}
WW_HOST cudaStreamAttachMemAsync(cudaStream_t stream, T *address, size_t bytes = 0,
                                 unsigned int flags = cudaMemAttachSingle)
{
    return ::cudaStreamAttachMemAsync(stream, (void *)address, bytes, flags);
}
static inline __host__ cudaError_t cudaMallocHost(void **address, size_t bytes, unsigned int flags)
{
    return ::cudaHostAlloc(address, bytes, flags);
}
static inline __host__ cudaError_t cudaMallocManaged(void **address, size_t bytes)
{
    return ::cudaMallocManaged(address, bytes, cudaMemAttachGlobal);
}

// ---------------------------------------------------------------- variables
WW_HOST cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                           enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return ::cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
WW_HOST cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
    return ::cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
WW_HOST cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                             enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return ::cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
WW_HOST cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                  enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0)
{
    return ::cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}
WW_HOST cudaGetSymbolAddress(void **address, const T &symbol)
{
    return ::cudaGetSymbolAddress(address, (const void *)&symbol);
}
WW_HOST cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    return ::cudaGetSymbolSize(bytes, (const void *)&symbol);
}

// ---------------------------------------------------------------- kernels
WW_HOST cudaLaunchKernel(const T *function, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                         cudaStream_t stream = 0)
{
    return ::cudaLaunchKernel((const void *)function, grid, block, arguments, shared, stream);
}
WW_HOST cudaLaunchCooperativeKernel(const T *function, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                                    cudaStream_t stream = 0)
{
    return ::cudaLaunchCooperativeKernel((const void *)function, grid, block, arguments, shared, stream);
}
template <class... Parameters, class... Arguments>
static inline __host__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                                                      Arguments &&...arguments)
{
    return [&](Parameters... converted) {
        void *list[] = {(void *)&converted..., nullptr};
        return ::cudaLaunchKernelExC(config, (const void *)kernel, list);
    }(static_cast<Arguments &&>(arguments)...);
}
WW_HOST cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *function)
{
    return ::cudaFuncGetAttributes(attributes, (const void *)function);
}
WW_HOST cudaFuncSetAttribute(T *function, enum cudaFuncAttribute attribute, int value)
{
    return ::cudaFuncSetAttribute((const void *)function, attribute, value);
}
WW_HOST cudaFuncSetCacheConfig(T *function, enum cudaFuncCache cache)
{
    return ::cudaFuncSetCacheConfig((const void *)function, cache);
}
WW_HOST cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T function, int block, size_t shared)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, block, shared);
}
WW_HOST cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T function, int block, size_t shared,
                                                               unsigned int flags)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)function, block, shared,
                                                                    flags);
}
WW_HOST cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared, T *function, int blocks, int block)
{
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(shared, (const void *)function, blocks, block);
}

// The block with which most threads are resident, the largest of several; and the grid that fills the device.
template <class Shared, class T>
static __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, T function,
                                                                           Shared shared_of, int most = 0)
{
    int device, sms, best = 0;
    struct cudaFuncAttributes attributes;
    cudaError_t error = cudaGetDevice(&device);
    if (!error) error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    if (!error) error = cudaFuncGetAttributes(&attributes, function);
    if (error) return error;
    int largest = attributes.maxThreadsPerBlock;
    if (most > 0 && most < largest) largest = most;
    for (int threads = (largest + 31) / 32 * 32; threads > 0; threads -= 32) {
        int blocks, size = threads < largest ? threads : largest;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, size, shared_of(size));
        if (error) return error;
        if (blocks * size <= best) continue;
        best = blocks * size;
        *block = size;
        *grid = blocks * sms;
    }
    return cudaSuccess;
}
template <class T>
static __host__ cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T function, size_t shared = 0,
                                                               int most = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, function, [=](int) { return shared; }, most);
}
#undef WW_HOST

// Kernels that launch kernels are not simulated. Thrust mentions these functions, and nothing defines them.
extern "C" __device__ void *cudaGetParameterBuffer(size_t align, size_t bytes);
extern "C" __device__ cudaError_t cudaLaunchDevice(void *kernel, void *parameters, dim3 grid, dim3 block,
                                                   unsigned int shared, cudaStream_t stream);

// ---------------------------------------------------------------- short forms
static inline __host__ cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *error,
                                                        char *log, size_t bytes)
{
    (void)error, (void)log, (void)bytes;
    return ::cudaGraphInstantiate(exec, graph, 0);
}
static inline __host__ cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *error,
                                                       cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info = {};
    cudaError_t code = ::cudaGraphExecUpdate(exec, graph, &info);
    if (result) *result = info.result;
    if (error) *error = info.errorNode;
    return code;
}
static inline __host__ cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return ::cudaEventCreateWithFlags(event, flags);
}
static inline __host__ cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    return cudaExtent{width, height, depth};
}
static inline __host__ cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    return cudaPos{x, y, z};
}
static inline __host__ cudaPitchedPtr make_cudaPitchedPtr(void *address, size_t pitch, size_t width, size_t height)
{
    return cudaPitchedPtr{address, pitch, width, height};
}

#endif
