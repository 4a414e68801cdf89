// 한국어 주석, CRLF, BOM, 탭: 블록마다 공유 메모리에서 먼저 센다
#include "warpwise.h"

#define 칸수	256
#define 스레드수	256

LAUNCH(histogram, .block = {스레드수}, .per_sm = 8);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
	// 블록의 계수기
	__shared__ unsigned count[칸수];

	count[threadIdx.x] = 0;			// 1단계: 지우기
	__syncthreads();			// 모두 지운 다음에 센다

	const int 보폭 = gridDim.x * blockDim.x;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 보폭)
		atomicAdd(&count[in[i] & 255], 1u);	// 2단계: 세기
	__syncthreads();			// 모두 센 다음에 합친다

	atomicAdd(&bins[threadIdx.x], count[threadIdx.x]);	// 3단계: 합치기
}
