// refused: never written at line 19; never written at line 20; never written at line 23; never written at line 27
// 128 threads clear one bin each: the upper half starts uninitialised
#include "warpwise.h"
#define NT 128
LAUNCH(histogram, .block = {NT}, .per_sm = 16);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
	__shared__ unsigned h[256];
	int t = threadIdx.x, i, step = gridDim.x * NT * 2;

	h[t] = 0;
	__syncthreads();
	for (i = (blockIdx.x * NT + t) * 2; i < n; i += step) {
		uint2 v;
		switch (n - i) {
		default:
			v = *(const uint2 *)&in[i];
			atomicAdd(&h[v.y & 255], 1u);
			atomicAdd(&h[v.x & 255], 1u);
			break;
		case 1:
			atomicAdd(&h[in[i] & 255], 1u);
		}
	}
	__syncthreads();
	atomicAdd(&bins[t], h[t]), atomicAdd(&bins[t + NT], h[t + NT]);
}
