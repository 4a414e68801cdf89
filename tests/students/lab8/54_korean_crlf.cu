// Korean comments, CRLF line ends and a byte-order mark; write-combined input, one stream a device
#include "lab8.h"

// 두 장치와 호스트가 배열을 나누어 계산한다.
static unsigned *장치_입력[2], *장치_출력[2];
static cudaStream_t 스트림[2];

void prepare(unsigned **in, unsigned **out, int n)
{
    // 호스트는 입력을 거의 읽지 않으므로 write-combined 메모리를 쓴다.
    cudaHostAlloc(in, n * sizeof(unsigned), cudaHostAllocWriteCombined | cudaHostAllocPortable);
    cudaHostAlloc(out, n * sizeof(unsigned), cudaHostAllocPortable);
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaMalloc(&장치_입력[d], (n / 2 + 1) * sizeof(unsigned));
        cudaMalloc(&장치_출력[d], (n / 2 + 1) * sizeof(unsigned));
        cudaStreamCreate(&스트림[d]);
    }
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int 호스트 = n / 64; /* 약 1.6 % */
    int 절반 = (n - 호스트) / 2;
    for (int d = 0; d < 2; d++) {
        int 시작 = d * 절반, 개수 = d ? n - 호스트 - 절반 : 절반;
        if (!개수) continue;
        cudaSetDevice(d);
        cudaMemcpyAsync(장치_입력[d], in + 시작, 개수 * sizeof(unsigned), cudaMemcpyHostToDevice, 스트림[d]);
        work<<<(개수 + 255) / 256, 256, 0, 스트림[d]>>>(장치_입력[d], 장치_출력[d], 개수);
        cudaMemcpyAsync(out + 시작, 장치_출력[d], 개수 * sizeof(unsigned), cudaMemcpyDeviceToHost, 스트림[d]);
    }
    work_on_host(in + n - 호스트, out + n - 호스트, 호스트); // 장치들이 일하는 동안
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaDeviceSynchronize();
    }
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaStreamDestroy(스트림[d]);
        cudaFree(장치_입력[d]);
        cudaFree(장치_출력[d]);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
