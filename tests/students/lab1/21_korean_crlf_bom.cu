// 한국어 주석, 탭, CRLF, BOM, 파일 끝에 줄바꿈 없음
#include "warpwise.h"

// 블록 하나가 C의 32 x 32 조각을 계산한다
LAUNCH(matmul, .block = {32, 4}, .tile = {32, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
	// 열과 첫 행
	int 열 = blockIdx.x * 32 + threadIdx.x;
	int r = blockIdx.y * 32 + threadIdx.y * 8;
	if (열 >= N || r >= M) return;	// 경계 밖

	float s[8] = { 0.0f };	// 레지스터에 있는 여덟 개의 합
	#pragma unroll 4
	for (int k = 0; k < K; k++)
	{
		float b = B[k * N + 열];
		#pragma unroll
		for (int i = 0; i < 8; i++)
		{
			int row = min(r + i, M - 1);	// 마지막 행을 넘지 않게
			s[i] += A[row * K + k] * b;
		}
	}
	#pragma unroll
	for (int i = 0; i < 8; i++)
		if (r + i < M)
			C[(r + i) * N + 열] = s[i];
}