// odd tile: 96 x 3 threads, five rows and one column each, enum constants
#include "warpwise.h"

enum { BX = 96, BY = 3, R = 5 };

LAUNCH(matmul, .block = {BX, BY}, .tile = {BX, BY * R});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
	int c = blockIdx.x*BX+threadIdx.x, r = (blockIdx.y*BY+threadIdx.y)*R, i, k;
	if (c>=N || r>=M) return;
	float s[R];
	#pragma unroll
	for (i=0;i<R;i++) s[i]=0;
	#pragma unroll 4
	for (k=0;k<K;k++) {
		float b=B[k*N+c];
		#pragma unroll
		for (i=0;i<R;i++) s[i]=__fadd_rn(s[i], __fmul_rn(A[min(r+i,M-1)*K+k], b));
	}
	#pragma unroll
	for (i=0;i<R;i++) if (r+i<M) C[(r+i)*N+c]=s[i];
}
