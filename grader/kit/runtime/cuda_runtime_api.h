// This file declares, for C, the functions of the CUDA Runtime API that the kit's libcudart implements. The
// declarations of this file are written from the reference of the CUDA Runtime API.
#ifndef WARPWISE_CUDA_RUNTIME_API_H
#define WARPWISE_CUDA_RUNTIME_API_H
#define __CUDA_RUNTIME_API_H__

#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __cplusplus // default values of optional arguments
#define CUDA_DEFAULT(value) = value
#else
#define CUDA_DEFAULT(value)
#endif
#if defined __CUDA__
#define CUDA_API __attribute__((host)) cudaError_t
#else
#define CUDA_API cudaError_t
#endif

// ---------------------------------------------------------------- errors and versions
CUDA_API cudaGetLastError(void);
CUDA_API cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t);
const char *cudaGetErrorString(cudaError_t);
CUDA_API cudaDriverGetVersion(int *version);
CUDA_API cudaRuntimeGetVersion(int *version);
CUDA_API cudaProfilerStart(void);
CUDA_API cudaProfilerStop(void);

// ---------------------------------------------------------------- devices
CUDA_API cudaGetDeviceCount(int *count);
CUDA_API cudaGetDevice(int *device);
CUDA_API cudaSetDevice(int device);
CUDA_API cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
CUDA_API cudaSetValidDevices(int *devices, int count);
CUDA_API cudaChooseDevice(int *device, const struct cudaDeviceProp *);
CUDA_API cudaSetDeviceFlags(unsigned int flags);
CUDA_API cudaGetDeviceFlags(unsigned int *flags);
#if CUDART_VERSION >= 12000 && CUDART_VERSION < 13000
#define cudaGetDeviceProperties cudaGetDeviceProperties_v2
#endif
CUDA_API cudaGetDeviceProperties(struct cudaDeviceProp *, int device);
CUDA_API cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr, int device);
CUDA_API cudaDeviceGetByPCIBusId(int *device, const char *id);
CUDA_API cudaDeviceGetPCIBusId(char *id, int bytes, int device);
CUDA_API cudaDeviceSynchronize(void);
CUDA_API cudaDeviceReset(void);
CUDA_API cudaDeviceGetLimit(size_t *value, enum cudaLimit);
CUDA_API cudaDeviceSetLimit(enum cudaLimit, size_t value);
CUDA_API cudaDeviceGetCacheConfig(enum cudaFuncCache *);
CUDA_API cudaDeviceSetCacheConfig(enum cudaFuncCache);
CUDA_API cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *);
CUDA_API cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig);
CUDA_API cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
CUDA_API cudaDeviceCanAccessPeer(int *can, int device, int peer);
CUDA_API cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
CUDA_API cudaDeviceDisablePeerAccess(int peer);
CUDA_API cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr, int from, int to);
CUDA_API cudaCtxResetPersistingL2Cache(void);
#if CUDART_VERSION < 13000
CUDA_API cudaThreadSynchronize(void);
CUDA_API cudaThreadExit(void);
#endif

// ---------------------------------------------------------------- memory
CUDA_API cudaMalloc(void **address, size_t bytes);
CUDA_API cudaMallocPitch(void **address, size_t *pitch, size_t width, size_t height);
CUDA_API cudaMalloc3D(struct cudaPitchedPtr *, struct cudaExtent);
CUDA_API cudaFree(void *address);
CUDA_API cudaMallocHost(void **address, size_t bytes);
CUDA_API cudaHostAlloc(void **address, size_t bytes, unsigned int flags);
CUDA_API cudaFreeHost(void *address);
CUDA_API cudaHostRegister(void *address, size_t bytes, unsigned int flags);
CUDA_API cudaHostUnregister(void *address);
CUDA_API cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
CUDA_API cudaHostGetFlags(unsigned int *flags, void *host);
CUDA_API cudaMallocManaged(void **address, size_t bytes, unsigned int flags);
CUDA_API cudaMemGetInfo(size_t *free_bytes, size_t *total);
CUDA_API cudaPointerGetAttributes(struct cudaPointerAttributes *, const void *address);
#if CUDART_VERSION < 13000
CUDA_API cudaMemAdvise(const void *, size_t bytes, enum cudaMemoryAdvise, int device);
CUDA_API cudaMemAdvise_v2(const void *, size_t bytes, enum cudaMemoryAdvise, struct cudaMemLocation);
CUDA_API cudaMemPrefetchAsync(const void *, size_t bytes, int device, cudaStream_t stream CUDA_DEFAULT(0));
CUDA_API cudaMemPrefetchAsync_v2(const void *, size_t bytes, struct cudaMemLocation, unsigned int flags,
                                 cudaStream_t stream CUDA_DEFAULT(0));
#else
CUDA_API cudaMemAdvise(const void *, size_t bytes, enum cudaMemoryAdvise, struct cudaMemLocation);
CUDA_API cudaMemPrefetchAsync(const void *, size_t bytes, struct cudaMemLocation, unsigned int flags,
                              cudaStream_t stream CUDA_DEFAULT(0));
#endif
CUDA_API cudaStreamAttachMemAsync(cudaStream_t, void *address, size_t bytes, unsigned int flags);
CUDA_API cudaMallocAsync(void **address, size_t bytes, cudaStream_t);
CUDA_API cudaFreeAsync(void *address, cudaStream_t);
CUDA_API cudaMallocFromPoolAsync(void **address, size_t bytes, cudaMemPool_t, cudaStream_t);
CUDA_API cudaMemPoolCreate(cudaMemPool_t *, const struct cudaMemPoolProps *);
CUDA_API cudaMemPoolDestroy(cudaMemPool_t);
CUDA_API cudaMemPoolSetAttribute(cudaMemPool_t, enum cudaMemPoolAttr, void *value);
CUDA_API cudaMemPoolGetAttribute(cudaMemPool_t, enum cudaMemPoolAttr, void *value);
CUDA_API cudaMemPoolTrimTo(cudaMemPool_t, size_t keep);
CUDA_API cudaMemPoolSetAccess(cudaMemPool_t, const struct cudaMemAccessDesc *, size_t count);
CUDA_API cudaMemPoolGetAccess(enum cudaMemAccessFlags *, cudaMemPool_t, struct cudaMemLocation *);
CUDA_API cudaDeviceGetDefaultMemPool(cudaMemPool_t *, int device);
CUDA_API cudaDeviceGetMemPool(cudaMemPool_t *, int device);
CUDA_API cudaDeviceSetMemPool(int device, cudaMemPool_t);

// ---------------------------------------------------------------- copies and fills
CUDA_API cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind);
CUDA_API cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind,
                         cudaStream_t stream CUDA_DEFAULT(0));
CUDA_API cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                      enum cudaMemcpyKind);
CUDA_API cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                           enum cudaMemcpyKind, cudaStream_t stream CUDA_DEFAULT(0));
CUDA_API cudaMemcpy3D(const struct cudaMemcpy3DParms *);
CUDA_API cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *, cudaStream_t stream CUDA_DEFAULT(0));
CUDA_API cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes);
CUDA_API cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                             cudaStream_t stream CUDA_DEFAULT(0));
CUDA_API cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *);
CUDA_API cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *, cudaStream_t stream CUDA_DEFAULT(0));
CUDA_API cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind);
CUDA_API cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind,
                                 cudaStream_t);
CUDA_API cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind);
CUDA_API cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind,
                                   cudaStream_t);
CUDA_API cudaGetSymbolAddress(void **address, const void *symbol);
CUDA_API cudaGetSymbolSize(size_t *bytes, const void *symbol);
CUDA_API cudaMemset(void *to, int value, size_t bytes);
CUDA_API cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream CUDA_DEFAULT(0));
CUDA_API cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height);
CUDA_API cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                           cudaStream_t stream CUDA_DEFAULT(0));
CUDA_API cudaMemset3D(struct cudaPitchedPtr, int value, struct cudaExtent);
CUDA_API cudaMemset3DAsync(struct cudaPitchedPtr, int value, struct cudaExtent, cudaStream_t stream CUDA_DEFAULT(0));

// ---------------------------------------------------------------- streams and events
CUDA_API cudaStreamCreate(cudaStream_t *);
CUDA_API cudaStreamCreateWithFlags(cudaStream_t *, unsigned int flags);
CUDA_API cudaStreamCreateWithPriority(cudaStream_t *, unsigned int flags, int priority);
CUDA_API cudaStreamDestroy(cudaStream_t);
CUDA_API cudaStreamSynchronize(cudaStream_t);
CUDA_API cudaStreamQuery(cudaStream_t);
CUDA_API cudaStreamGetFlags(cudaStream_t, unsigned int *flags);
CUDA_API cudaStreamGetPriority(cudaStream_t, int *priority);
CUDA_API cudaStreamGetDevice(cudaStream_t, int *device);
CUDA_API cudaStreamGetId(cudaStream_t, unsigned long long *id);
CUDA_API cudaStreamSetAttribute(cudaStream_t, cudaLaunchAttributeID, const cudaLaunchAttributeValue *);
CUDA_API cudaStreamGetAttribute(cudaStream_t, cudaLaunchAttributeID, cudaLaunchAttributeValue *);
CUDA_API cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
CUDA_API cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned int flags CUDA_DEFAULT(0));
CUDA_API cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void *data);
CUDA_API cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t, void *data, unsigned int flags);
CUDA_API cudaStreamBeginCapture(cudaStream_t, enum cudaStreamCaptureMode);
CUDA_API cudaStreamEndCapture(cudaStream_t, cudaGraph_t *);
CUDA_API cudaStreamIsCapturing(cudaStream_t, enum cudaStreamCaptureStatus *);
CUDA_API cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *);
CUDA_API cudaEventCreateWithFlags(cudaEvent_t *, unsigned int flags);
CUDA_API cudaEventCreate(cudaEvent_t *);
CUDA_API cudaEventDestroy(cudaEvent_t);
CUDA_API cudaEventRecord(cudaEvent_t, cudaStream_t stream CUDA_DEFAULT(0));
CUDA_API cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t stream CUDA_DEFAULT(0), unsigned int flags CUDA_DEFAULT(0));
CUDA_API cudaEventSynchronize(cudaEvent_t);
CUDA_API cudaEventQuery(cudaEvent_t);
CUDA_API cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);

// ---------------------------------------------------------------- functions and launches
CUDA_API cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments, size_t shared,
                          cudaStream_t);
CUDA_API cudaLaunchCooperativeKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments,
                                     size_t shared, cudaStream_t);
CUDA_API cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *function, void **arguments);
CUDA_API cudaFuncGetAttributes(struct cudaFuncAttributes *, const void *function);
CUDA_API cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute, int value);
CUDA_API cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache);
CUDA_API cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig);
CUDA_API cudaFuncGetName(const char **name, const void *function);
CUDA_API cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *bytes);
CUDA_API cudaGetFuncBySymbol(cudaFunction_t *, const void *function);
CUDA_API cudaGetKernel(cudaKernel_t *, const void *function);
CUDA_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int block, size_t shared);
CUDA_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int block,
                                                                size_t shared, unsigned int flags);
CUDA_API cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared, const void *function, int blocks, int block);
#ifdef __cplusplus
unsigned int __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared = 0,
                                         struct CUstream_st *stream = 0);
#else
unsigned int __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared, struct CUstream_st *);
#endif
cudaError_t __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared, void *stream);

// ---------------------------------------------------------------- graphs
CUDA_API cudaGraphCreate(cudaGraph_t *, unsigned int flags);
CUDA_API cudaGraphDestroy(cudaGraph_t);
CUDA_API cudaGraphClone(cudaGraph_t *, cudaGraph_t);
CUDA_API cudaGraphAddKernelNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *after, size_t count,
                                const struct cudaKernelNodeParams *);
CUDA_API cudaGraphAddMemcpyNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *after, size_t count,
                                const struct cudaMemcpy3DParms *);
CUDA_API cudaGraphAddMemcpyNode1D(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *after, size_t count, void *to,
                                  const void *from, size_t bytes, enum cudaMemcpyKind);
CUDA_API cudaGraphAddMemsetNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *after, size_t count,
                                const struct cudaMemsetParams *);
CUDA_API cudaGraphAddHostNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *after, size_t count,
                              const struct cudaHostNodeParams *);
CUDA_API cudaGraphAddEmptyNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *after, size_t count);
CUDA_API cudaGraphAddChildGraphNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *after, size_t count,
                                    cudaGraph_t child);
CUDA_API cudaGraphKernelNodeGetParams(cudaGraphNode_t, struct cudaKernelNodeParams *);
CUDA_API cudaGraphMemsetNodeGetParams(cudaGraphNode_t, struct cudaMemsetParams *);
CUDA_API cudaGraphHostNodeGetParams(cudaGraphNode_t, struct cudaHostNodeParams *);
CUDA_API cudaGraphKernelNodeSetParams(cudaGraphNode_t, const struct cudaKernelNodeParams *);
CUDA_API cudaGraphMemcpyNodeSetParams(cudaGraphNode_t, const struct cudaMemcpy3DParms *);
CUDA_API cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t, void *to, const void *from, size_t bytes, enum cudaMemcpyKind);
CUDA_API cudaGraphMemsetNodeSetParams(cudaGraphNode_t, const struct cudaMemsetParams *);
CUDA_API cudaGraphHostNodeSetParams(cudaGraphNode_t, const struct cudaHostNodeParams *);
CUDA_API cudaGraphExecKernelNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const struct cudaKernelNodeParams *);
CUDA_API cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const struct cudaMemcpy3DParms *);
CUDA_API cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t, cudaGraphNode_t, void *to, const void *from, size_t bytes,
                                            enum cudaMemcpyKind);
CUDA_API cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const struct cudaMemsetParams *);
CUDA_API cudaGraphExecHostNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const struct cudaHostNodeParams *);
CUDA_API cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t *, size_t *count);
CUDA_API cudaGraphGetRootNodes(cudaGraph_t, cudaGraphNode_t *, size_t *count);
CUDA_API cudaGraphNodeGetType(cudaGraphNode_t, enum cudaGraphNodeType *);
#if CUDART_VERSION < 12000
CUDA_API cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, cudaGraphNode_t *wrong, char *log, size_t bytes);
CUDA_API cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, cudaGraphNode_t *, enum cudaGraphExecUpdateResult *);
#else
CUDA_API cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, cudaGraphExecUpdateResultInfo *);
CUDA_API cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, unsigned long long flags CUDA_DEFAULT(0));
#endif
CUDA_API cudaGraphInstantiateWithFlags(cudaGraphExec_t *, cudaGraph_t, unsigned long long flags);
CUDA_API cudaGraphExecDestroy(cudaGraphExec_t);
CUDA_API cudaGraphUpload(cudaGraphExec_t, cudaStream_t);
CUDA_API cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
#if CUDART_VERSION < 13000
CUDA_API cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count);
#else
CUDA_API cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                  const void *edges, size_t count);
#endif

#ifdef __cplusplus
}
#endif

#endif
