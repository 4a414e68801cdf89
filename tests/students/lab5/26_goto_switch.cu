// goto, do-while and a switch that falls through
#include "warpwise.h"
LAUNCH(row_sums, .block = {256}, .tile = {8});
LAUNCH(softmax, .block = {256}, .tile = {8});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
	__shared__ float sh[8][32];
	int lane = threadIdx.x & 31, w = threadIdx.x >> 5, row = blockIdx.x * 8 + w, c, half;
	float acc = 0, *a = sh[w];
	if (row >= rows) goto done;
	c = lane;
again:
	if (c < cols) {
		acc += in[(size_t)row * cols + c];
		c += 32;
		goto again;
	}
	a[lane] = acc;
	half = 16;
	do {
		__syncwarp();
		if (lane < half) a[lane] += a[lane + half];
	} while (half >>= 1);
	switch (lane) {
	case 0:
		sums[row] = a[0];
	default:
		break;
	}
done:
	return;
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
	int lane = threadIdx.x & 31, row = blockIdx.x * 8 + (threadIdx.x >> 5), step = 0, c;
	float m = -INFINITY, s = 0;
	if (row >= rows) return;
	do {
		switch (step) {
		case 0:
			for (c = lane; c < cols; c += 32) m = fmaxf(m, in[(size_t)row * cols + c]);
			c = 16;
			do m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, c)); while (c >>= 1);
			step = 1;
			/* fall through */
		case 1:
			for (c = lane; c < cols; c += 32) s += expf(in[(size_t)row * cols + c] - m);
			c = 16;
			do s += __shfl_xor_sync(0xffffffff, s, c); while (c >>= 1);
			step = 2;
			break;
		case 2:
			for (c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = expf(in[(size_t)row * cols + c] - m) / s;
			step = 3;
		}
	} while (step < 3);
}
