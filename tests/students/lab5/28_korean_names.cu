// Korean identifiers (legal UTF-8 names), Korean comments
#include "warpwise.h"

#define WARPS 4	// 블록마다 워프 네 개

LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
	__shared__ float 교환[WARPS][32];	// 워프마다 자기 행만 사용
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	int row = blockIdx.x * WARPS + warp;
	if (row >= rows)
		return;	/* 워프 전체가 나간다 */
	float sum = 0.0f;
	for (int c = lane; c < cols; c += 32)
		sum += in[(size_t)row * cols + c];
	교환[warp][lane] = sum;
	__syncwarp();	// 서로 기다림
	for (int half = 16; half > 0; half /= 2) {
		if (lane < half)
			교환[warp][lane] += 교환[warp][lane + half];
		__syncwarp();
	}
	if (lane == 0)
		sums[row] = 교환[warp][0];
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	int row = blockIdx.x * WARPS + warp;
	if (row >= rows)
		return;
	// 1단계: 최댓값
	float m = -INFINITY;
	for (int c = lane; c < cols; c += 32)
		m = fmaxf(m, in[(size_t)row * cols + c]);
	for (int d = 16; d > 0; d /= 2)
		m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
	// 2단계: 지수의 합
	float s = 0.0f;
	for (int c = lane; c < cols; c += 32)
		s += expf(in[(size_t)row * cols + c] - m);
	for (int d = 16; d > 0; d /= 2)
		s += __shfl_xor_sync(0xffffffff, s, d);
	// 3단계: 나눗셈 \
	   (이 줄도 주석이다)
	for (int c = lane; c < cols; c += 32)
		out[(size_t)row * cols + c] = expf(in[(size_t)row * cols + c] - m) / s;
}