// 한국어 주석과 식별자, 탭, CRLF, BOM, 마지막 줄바꿈 없음
#include "warpwise.h"

#define 타일 32	// 타일의 너비

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
	__shared__ float As[타일][타일 + 1];	// A의 조각
	__shared__ float Bs[타일][타일 + 1];	// B의 조각
	int tx = threadIdx.x, ty = threadIdx.y;
	int 행 = blockIdx.y * 타일, 열 = blockIdx.x * 타일 + tx;
	float 합[4] = { 0 };

	for (int m = 0; m < K; m += 타일)
	{
		for (int i = ty; i < 타일; i += 8)
		{
			As[i][tx] = (행 + i < M && m + tx < K) ? A[(행 + i) * K + m + tx] : 0.0f;
			Bs[i][tx] = (m + i < K && 열 < N) ? B[(m + i) * N + 열] : 0.0f;
		}
		__syncthreads();	// 모두 읽어 올 때까지 기다린다
		#pragma unroll
		for (int k = 0; k < 타일; k++)
			#pragma unroll
			for (int i = 0; i < 4; i++)
				합[i] += As[ty + 8 * i][k] * Bs[k][tx];
		__syncthreads();	// 모두 쓸 때까지 기다린다
	}
	#pragma unroll
	for (int i = 0; i < 4; i++)
		if (행 + ty + 8 * i < M && 열 < N)
			C[(행 + ty + 8 * i) * N + 열] = 합[i];
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tile[];
    const int T = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
    float *As = tile, *Bs = tile + T * T;
    const int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float sum = 0.0f;
    for (int phase = 0; phase < (K + T - 1) / T; phase++) {
        const int ka = phase * T + tx, kb = phase * T + ty;
        As[ty * T + tx] = (r < M && ka < K) ? A[r * K + ka] : 0.0f;
        Bs[ty * T + tx] = (kb < K && c < N) ? B[kb * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += As[ty * T + k] * Bs[k * T + tx];
        __syncthreads();
    }
    if (r < M && c < N)
        C[r * N + c] = sum;
}