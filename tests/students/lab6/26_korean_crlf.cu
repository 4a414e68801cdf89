// 한국어 주석, 탭, CRLF, BOM, 마지막 줄바꿈 없음: Korean comments, tabs, CRLF line ends, byte-order mark, no newline at the end
#include "lab6.h"

#define STREAMS 8	// 스트림 여덟 개

static unsigned *device_in, *device_out;
static cudaStream_t stream[STREAMS];

// 시간을 재기 전에: 고정 메모리, 장치 메모리, 스트림
void prepare(unsigned **in, unsigned **out, int n)
{
	size_t bytes = (size_t)n * sizeof(unsigned);
	cudaMallocHost(in, bytes);
	cudaMallocHost(out, bytes);
	cudaMalloc(&device_in, bytes);
	cudaMalloc(&device_out, bytes);
	for (int s = 0; s < STREAMS; ++s)
		cudaStreamCreate(&stream[s]);
}

// 조각마다 복사, 커널, 복사
void pipeline(const unsigned *in, unsigned *out, int n)
{
	int chunk = (n + STREAMS - 1) / STREAMS;
	for (int s = 0, first = 0; first < n; ++s, first += chunk) {
		int count = n - first < chunk ? n - first : chunk;	/* 마지막 조각 */
		cudaMemcpyAsync(device_in + first, in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice, stream[s]);
		work<<<(count + 255) / 256, 256, 0, stream[s]>>>(device_in + first, device_out + first, count);
		cudaMemcpyAsync(out + first, device_out + first, count * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[s]);
	}
	cudaDeviceSynchronize();	// 모두 끝날 때까지 기다림
}

void finish(unsigned *in, unsigned *out)
{
	for (int s = 0; s < STREAMS; ++s)
		cudaStreamDestroy(stream[s]);
	cudaFree(device_in);
	cudaFree(device_out);
	cudaFreeHost(in);
	cudaFreeHost(out);
}