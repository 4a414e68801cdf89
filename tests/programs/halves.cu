// Halves and bfloat16 on both sides: what the host narrows, widens and adds is what the device does, for every half and
// at the edges of rounding; a scalar product in pairs.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstring>

#include "check.h"

__device__ unsigned short bits_of(half h)
{
    return __half_as_ushort(h);
}
__global__ void widen(float *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __half2float(__ushort_as_half((unsigned short)i));
}
__global__ void narrow(const float *in, unsigned short *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = bits_of(__float2half(in[i]));
}
__global__ void bfloats(const float *in, __nv_bfloat16 *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    __nv_bfloat16 x = __float2bfloat16(in[i]), y = __float2bfloat16(in[i ^ 1]);
    out[i] = i & 2 ? x * y - x : x + y;
}
__global__ void product(const half2 *a, const half2 *b, float *out)
{
    half2 sum = __float2half2_rn(0);
    for (int i = 0; i < 4; i++) sum = __hfma2(a[i * 32 + threadIdx.x], b[i * 32 + threadIdx.x], sum);
    atomicAdd(out, __low2float(sum) + __high2float(sum));
}

int main()
{
    enum { ALL = 1 << 16 };
    float *wide, *sum;
    unsigned short *narrowed;
    half2 *a, *b;
    OK(cudaMallocManaged(&wide, ALL * sizeof *wide));
    OK(cudaMallocManaged(&narrowed, ALL * sizeof *narrowed));
    widen<<<ALL / 256, 256>>>(wide);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < ALL; i++) {
        half h;
        unsigned short bits = (unsigned short)i;
        memcpy(&h, &bits, sizeof h);
        float mine = __half2float(h);
        EXPECT(mine == wide[i] || (mine != mine && wide[i] != wide[i]));
    }
    for (int i = 0; i < ALL; i++) { // floats all over the halves' range, some of them halfway between two
        unsigned bits = (i & 0x8000) << 16 | (0x32000000u + (i & 0x7fff) * 0x2b00u + (i % 3 ? 0x1000 : 0));
        memcpy(&wide[i], &bits, sizeof bits);
    }
    narrow<<<ALL / 256, 256>>>(wide, narrowed);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < ALL; i++) {
        half h = __float2half(wide[i]);
        EXPECT(!memcmp(&h, &narrowed[i], sizeof h));
    }
    bfloats<<<ALL / 256, 256>>>(wide, (__nv_bfloat16 *)narrowed);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < ALL; i++) {
        __nv_bfloat16 x = __float2bfloat16(wide[i]), y = __float2bfloat16(wide[i ^ 1]), z = i & 2 ? x * y - x : x + y;
        EXPECT(!memcmp(&z, &narrowed[i], sizeof z));
    }
    OK(cudaMallocManaged(&a, 128 * sizeof *a));
    OK(cudaMallocManaged(&b, 128 * sizeof *b));
    OK(cudaMallocManaged(&sum, sizeof *sum));
    for (int i = 0; i < 128; i++) {
        a[i] = __floats2half2_rn(1, 2);
        b[i].x = __float2half(i % 4);
        b[i].y = __float2half(0.5f);
    }
    *sum = 0;
    product<<<1, 32>>>(a, b, sum);
    OK(cudaDeviceSynchronize());
    EXPECT(*sum == 128 * 1.5f + 128);
    return failed;
}
