// Reads CUB's header of everything. Two of its iterators read textures, which are not simulated: the names that they
// mention are declared here, and a program that uses one of the iterators does not link.
#ifndef WARPWISE_CLANG_CUB_H
#define WARPWISE_CLANG_CUB_H

typedef unsigned long long cudaTextureObject_t;
enum { cudaResourceTypeLinear = 2, cudaReadModeElementType = 0 };
struct cudaChannelFormatDesc {};
struct cudaTextureDesc {
    int readMode;
};
struct cudaResourceDesc {
    int resType;
    struct {
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
    } res;
};
struct textureReference {};
template <class T> struct texture : textureReference {};
template <class T> __host__ cudaChannelFormatDesc cudaCreateChannelDesc();
template <class T, class From> __device__ T tex1Dfetch(From, int);
__host__ cudaError_t cudaCreateTextureObject(cudaTextureObject_t *, const cudaResourceDesc *, const cudaTextureDesc *,
                                             const void *);
__host__ cudaError_t cudaDestroyTextureObject(cudaTextureObject_t);
template <class T>
__host__ cudaError_t cudaBindTexture(size_t *, const T &, const void *, const cudaChannelFormatDesc &, size_t);
template <class T> __host__ cudaError_t cudaUnbindTexture(const T &);

#include_next <cub/cub.cuh>

#endif
