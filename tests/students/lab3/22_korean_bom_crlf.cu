// 한국어 주석, CRLF 줄 끝, UTF-8 BOM: 스레드마다 네 개씩
#include "warpwise.h"

#define 스레드 256
#define 개수 4
#define 타일 (스레드 * 개수)

LAUNCH(block_sums, .block = {스레드}, .tile = {타일});
LAUNCH(scan_sums, .block = {스레드});
LAUNCH(scan_blocks, .block = {스레드}, .tile = {타일});

// 블록 전체의 누적합 (포함). 두 버퍼를 번갈아 사용하므로 단계마다 장벽은 하나
__device__ unsigned block_scan(unsigned 값, unsigned *가, unsigned *나)
{
    int t = threadIdx.x;
    가[t] = 값;
    __syncthreads();
    for (int d = 1; d < 스레드; d *= 2) {
        if (t >= d) 값 += 가[t - d];   // 왼쪽 이웃을 더한다
        나[t] = 값;
        unsigned *임시 = 가; 가 = 나; 나 = 임시;
        __syncthreads();               // 다음 단계가 읽기 전에
    }
    return 값;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned a[스레드], b[스레드];
    unsigned 합 = 0;
    for (int k = 0; k < 개수; k++) {
        int i = blockIdx.x * 타일 + k * 스레드 + threadIdx.x;
        if (i < n) 합 += in[i];
    }
    합 = block_scan(합, a, b);
    if (threadIdx.x == 스레드 - 1) sums[blockIdx.x] = 합;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned a[스레드], b[스레드], total;
    unsigned 앞 = 0;
    for (int base = 0; base < m; base += 스레드) {
        int i = base + threadIdx.x;
        unsigned 값 = i < m ? sums[i] : 0;
        unsigned 결과 = block_scan(값, a, b);
        if (i < m) sums[i] = 앞 + 결과 - 값;
        if (threadIdx.x == 스레드 - 1) total = 결과;
        __syncthreads();
        앞 += total;
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned a[스레드], b[스레드];
    int i = blockIdx.x * 타일 + threadIdx.x * 개수;
    unsigned 값[개수], 합 = 0;
    for (int k = 0; k < 개수; k++) 값[k] = 합 += i + k < n ? in[i + k] : 0;
    unsigned 앞 = block_scan(합, a, b) - 합 + sums[blockIdx.x];
    for (int k = 0; k < 개수; k++)
        if (i + k < n) out[i + k] = 앞 + 값[k];   // 끝
}
