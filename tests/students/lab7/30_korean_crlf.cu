// 한국어 주석, 탭, CRLF, BOM, 줄 끝 없음 (Korean comments)
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});

/* 타일을 거쳐서 뒤집는다. 한 칸을 비워 두면 뱅크 충돌이 없다. */
extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
	__shared__ float tile[32][33];	// 33: 뱅크
	int x = blockIdx.x * 32 + threadIdx.x;
	int y = blockIdx.y * 32 + threadIdx.y;
	for (int j = 0; j < 32; j += 8) {
		if (x < C && y + j < R)
			tile[threadIdx.y + j][threadIdx.x] = in[(size_t) (y + j) * C + x];
	}
	__syncthreads();	// 모두 기다린다
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int j = 0; j < 32; j += 8) {
		if (x < R && y + j < C)
			out[(size_t) (y + j) * R + x] = tile[threadIdx.x][threadIdx.y + j];
	}
}