// Implements the functions of the CUDA Runtime API about the attributes of kernels and their occupancy.
#include <string.h>

#include "host/runtime/device.h"
#include "host/runtime/register.h"

static cudaError_t attributes(struct cudaFuncAttributes *out, const void *function)
{
    struct cudart_kernel *kernel;
    if (!out) return cudaErrorInvalidValue;
    cudaError_t error = cudart_kernel_find(function, &kernel);
    if (error) return error;
    const struct host_reply *f = &kernel->facts;
    *out =
        (struct cudaFuncAttributes){.sharedSizeBytes = f->shared_bytes,
                                    .constSizeBytes = f->const_bytes,
                                    .localSizeBytes = f->local_bytes,
                                    .maxThreadsPerBlock = (int)f->threads_per_block,
                                    .numRegs = (int)f->registers,
                                    .ptxVersion = (int)f->ptx_version,
                                    .binaryVersion = (int)cudart_device_facts(cudart_thread.device)->compute_capability,
                                    .maxDynamicSharedSizeBytes = (int)f->max_dynamic_shared,
                                    .preferredShmemCarveout = f->carveout};
    return cudaSuccess;
}

API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *function)
{
    return CALL(attributes(out, function));
}

static cudaError_t set_attribute(const void *function, enum cudaFuncAttribute which, int value)
{
    struct cudart_kernel *kernel;
    cudaError_t error = cudart_kernel_find(function, &kernel);
    if (error) return error;
    int carveout = which == cudaFuncAttributePreferredSharedMemoryCarveout;
    if (!carveout && which != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaErrorInvalidValue;
    struct host_command command = {.op = HOST_OP_set_attribute,
                                   .set_attribute = {.function = kernel->facts.function,
                                                     .attribute = carveout ? HOST_CARVEOUT : HOST_MAX_DYNAMIC_SHARED,
                                                     .value = value}};
    error = cudart_ask(&command);
    kernel->ready = 0; // the attributes of the kernel have changed
    return error;
}

API cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute which, int value)
{
    return CALL(set_attribute(function, which, value));
}

static cudaError_t check(const void *function)
{
    struct cudart_kernel *kernel;
    return cudart_kernel_find(function, &kernel);
}

// The functions cudaFuncSetCacheConfig() and cudaFuncSetSharedMemConfig() set preferences, which the simulated devices
// ignore.
API cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache cache)
{
    return CALL((unsigned)cache > cudaFuncCachePreferEqual ? cudaErrorInvalidValue : check(function));
}

API cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig banks)
{
    return CALL((unsigned)banks > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue : check(function));
}

static cudaError_t name_of(const char **name, const void *function)
{
    struct cudart_kernel *kernel;
    cudaError_t error = name ? cudart_kernel_find(function, &kernel) : cudaErrorInvalidValue;
    if (!error) *name = kernel->name;
    return error;
}

API cudaError_t cudaFuncGetName(const char **name, const void *function)
{
    return CALL(name_of(name, function));
}

static cudaError_t parameter(const void *function, size_t index, size_t *offset, size_t *bytes)
{
    struct cudart_kernel *kernel;
    cudaError_t error = offset ? cudart_kernel_find(function, &kernel) : cudaErrorInvalidValue;
    if (error || index >= kernel->params) return error ? error : cudaErrorInvalidValue;
    *offset = kernel->param[index].offset;
    if (bytes) *bytes = kernel->param[index].bytes;
    return cudaSuccess;
}

API cudaError_t cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *bytes)
{
    return CALL(parameter(function, index, offset, bytes));
}

static cudaError_t handle(void **out, const void *function)
{
    struct cudart_kernel *kernel;
    cudaError_t error = out ? cudart_kernel_find(function, &kernel) : cudaErrorInvalidValue;
    if (!error) *out = kernel;
    return error;
}

API cudaError_t cudaGetFuncBySymbol(cudaFunction_t *out, const void *function)
{
    return CALL(handle((void **)out, function));
}

API cudaError_t cudaGetKernel(cudaKernel_t *out, const void *function)
{
    return CALL(handle((void **)out, function));
}

// Returns the address of the host function as the kernel's handle. The host stubs that nvcc generates call
// __cudaGetKernel() and ignore its result. If the kernel does not exist, __cudaGetKernel() succeeds, and the later
// launch returns the error.
cudaError_t __cudaGetKernel(cudaKernel_t *, const void *);
API cudaError_t __cudaGetKernel(cudaKernel_t *out, const void *function)
{
    *out = (cudaKernel_t)(uintptr_t)function;
    return cudaSuccess;
}

// ---------------------------------------------------------------- occupancy
static cudaError_t resident(int *blocks, const void *function, int block, size_t shared)
{
    struct cudart_kernel *kernel;
    if (!blocks || block <= 0) return cudaErrorInvalidValue;
    cudaError_t error = cudart_kernel_find(function, &kernel);
    if (error) return error;
    struct host_command command = {
        .op = HOST_OP_occupancy,
        .occupancy = {.function = kernel->facts.function, .block = (uint32_t)block, .shared = shared}};
    struct host_reply reply;
    error = cudart_send(&command, &reply, NULL);
    if (!error) *blocks = (int)reply.bytes;
    return error;
}

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int block,
                                                              size_t shared)
{
    return CALL(resident(blocks, function, block, shared));
}

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int block,
                                                                       size_t shared, unsigned flags)
{
    return CALL(flags & ~1u ? cudaErrorInvalidValue : resident(blocks, function, block, shared));
}

// Finds by bisection the maximum dynamic shared memory per block with which `blocks` blocks still fit on a
// multiprocessor.
static cudaError_t available(size_t *shared, const void *function, int blocks, int block)
{
    size_t low = 0, high = cudart_device_facts(cudart_thread.device)->shared_per_block;
    int fit = 0;
    if (!shared || blocks <= 0) return cudaErrorInvalidValue;
    cudaError_t error = resident(&fit, function, block, 0);
    if (error || fit < blocks) return error ? error : cudaErrorInvalidValue;
    while (low < high && !error) {
        size_t middle = low + (high - low + 1) / 2;
        error = resident(&fit, function, block, middle);
        if (!error && fit >= blocks)
            low = middle;
        else
            high = middle - 1;
    }
    *shared = low;
    return error;
}

API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared, const void *function, int blocks, int block)
{
    return CALL(available(shared, function, blocks, block));
}
