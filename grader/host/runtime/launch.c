// Implements launches. The compiler turns kernel<<<grid, block, shared, stream>>>(…) into a call that pushes the launch
// configuration, and a call of the kernel's host stub. The kernel's host stub pops the launch configuration and
// launches the kernel. The host stubs that clang generates launch with cudaLaunchKernel. The host stubs that nvcc 13
// generates launch with __cudaLaunchKernel and a handle from an earlier call of __cudaGetKernel. In reports, the
// position of a launch is the position of the call that pushed the launch configuration.
#include "host/runtime/launch.h"

#include <string.h>

#include "host/runtime/register.h"
#include "host/runtime/stream.h"
#include "host/runtime/unchecked.h"

enum { NESTED = 8 }; // maximum configurations on the stack, because an argument of a launch may itself launch
static __thread struct {
    struct dim3 grid, block;
    size_t shared;
    struct CUstream_st *stream;
    struct host_place place;
} pushed[NESTED];
static __thread unsigned depth;
static __thread struct host_place popped; // place of the last popped configuration, for the launch that follows
static __thread int from_stub;

API unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared, struct CUstream_st *stream)
{
    if (depth == NESTED) return 1;
    pushed[depth].grid = grid;
    pushed[depth].block = block;
    pushed[depth].shared = shared;
    pushed[depth].stream = stream;
    pushed[depth++].place = cudart_place_of(__builtin_return_address(0));
    return 0;
}

API cudaError_t __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared, void *stream)
{
    if (!depth) return cudaErrorMissingConfiguration;
    *grid = pushed[--depth].grid;
    *block = pushed[depth].block;
    *shared = pushed[depth].shared;
    *(struct CUstream_st **)stream = pushed[depth].stream;
    popped = pushed[depth].place;
    from_stub = 1;
    return cudaSuccess;
}

cudaError_t cudart_launch_work(const struct cudart_launch *l, unsigned char parameters[HOST_PARAM_BYTES],
                               struct cudart_work *work)
{
    struct cudart_kernel *kernel;
    cudaError_t error = cudart_kernel_find(l->function, &kernel);
    if (error) return error;
    if (kernel->param_bytes > HOST_PARAM_BYTES || (kernel->params && !l->arguments)) return cudaErrorInvalidValue;
    memset(parameters, 0, kernel->param_bytes);
    for (unsigned i = 0; i < kernel->params; ++i) {
        uint64_t value;
        memcpy(parameters + kernel->param[i].offset, l->arguments[i], kernel->param[i].bytes);
        if (kernel->param[i].bytes != sizeof value) continue;
        memcpy(&value, l->arguments[i], sizeof value);
        value = cudart_variable_reach(value);
        memcpy(parameters + kernel->param[i].offset, &value, sizeof value);
    }
    *work = (struct cudart_work){.command = {.op = HOST_OP_launch,
                                             .launch = {.function = kernel->facts.function,
                                                        .grid = {l->grid.x, l->grid.y, l->grid.z},
                                                        .block = {l->block.x, l->block.y, l->block.z},
                                                        .cooperative = (uint32_t)l->cooperative,
                                                        .param_bytes = kernel->param_bytes,
                                                        .shared = l->shared}},
                                 .data = parameters,
                                 .kernel = kernel->host};
    return cudaSuccess;
}

// Says why the launch will fail, if it will.
static void foresee(const struct cudart_launch *l, cudaStream_t handle)
{
    enum { THREADS = 1024 };
    uint64_t threads = (uint64_t)l->block.x * l->block.y * l->block.z;
    const struct CUstream_st *stream = cudart_stream_find(handle);
    if (!l->grid.x || !l->grid.y || !l->grid.z)
        cudart_unchecked_because(HOST_REASON_GRID, 0, 0);
    else if (!threads)
        cudart_unchecked_because(HOST_REASON_BLOCK, 0, 0);
    else if (threads > THREADS)
        cudart_unchecked_because(HOST_REASON_THREADS, threads, THREADS);
    else if (stream && stream->device != cudart_thread.device)
        cudart_unchecked_because(HOST_REASON_STREAM, (uint64_t)stream->device, (uint64_t)cudart_thread.device);
}

static cudaError_t launch(const struct cudart_launch *l, cudaStream_t stream)
{
    unsigned char parameters[HOST_PARAM_BYTES];
    struct cudart_work work;
    if (from_stub) cudart_unchecked_silent();
    if (from_stub) cudart_place_is(&popped);
    from_stub = 0;
    foresee(l, stream);
    cudaError_t error = cudart_launch_work(l, parameters, &work);
    return error ? error : cudart_stream_submit(stream, &work);
}

#define LAUNCH(...) (cudart_enter(__func__, __builtin_return_address(0)), cudart_leave(launch(__VA_ARGS__)))

API cudaError_t cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments,
                                 size_t shared, cudaStream_t stream)
{
    struct cudart_launch l = {function, grid, block, shared, arguments, 0};
    return LAUNCH(&l, stream);
}

API cudaError_t cudaLaunchCooperativeKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments,
                                            size_t shared, cudaStream_t stream)
{
    struct cudart_launch l = {function, grid, block, shared, arguments, 1};
    return LAUNCH(&l, stream);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t, struct dim3, struct dim3, void **, size_t, cudaStream_t);
API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, struct dim3 grid, struct dim3 block, void **arguments,
                                   size_t shared, cudaStream_t stream)
{
    struct cudart_launch l = {kernel, grid, block, shared, arguments, 0};
    return LAUNCH(&l, stream);
}

static cudaError_t launch_configured(const cudaLaunchConfig_t *c, const void *function, void **arguments)
{
    if (!c || (c->numAttrs && !c->attrs)) return cudaErrorInvalidValue;
    struct cudart_launch l = {function, c->gridDim, c->blockDim, c->dynamicSmemBytes, arguments, 0};
    for (unsigned i = 0; i < c->numAttrs; ++i) {
        const cudaLaunchAttributeValue *value = &c->attrs[i].val;
        if (c->attrs[i].id == cudaLaunchAttributeCooperative) l.cooperative = value->cooperative != 0;
        if (c->attrs[i].id == cudaLaunchAttributeClusterDimension &&
            value->clusterDim.x * value->clusterDim.y * value->clusterDim.z > 1)
            cudart_stop("cudaLaunchKernelExC with clusters of blocks is not implemented");
    }
    return launch(&l, c->stream);
}

API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **arguments)
{
    cudart_enter(__func__, __builtin_return_address(0));
    return cudart_leave(launch_configured(config, function, arguments));
}
