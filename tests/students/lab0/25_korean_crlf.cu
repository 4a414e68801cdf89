// 한국어 주석, tabs, CRLF, BOM, no newline at the end
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {512});

// 이웃한 스레드는 이웃한 원소를 읽는다
extern "C" __global__ void scale(const float *in, float *out, int n)
{
	int i = blockIdx.x * 512 + threadIdx.x;
	int j = i + 256;
	float a = 0, b = 0;	// 먼저 둘 다 읽기
	if (i < n)	a = in[i];
	if (j < n)	b = in[j];
	if (i < n)	out[i] = 2 * a + 1;
	if (j < n)	out[j] = 2 * b + 1;
}