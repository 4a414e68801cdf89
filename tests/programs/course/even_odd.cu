// Synchronising a part of a block by hand: the even threads wait for all even threads on a counter in shared memory, the
// odd ones do something else; then all meet. The counter is initialised, each thread counts itself, and the wait reads
// it anew each time (a plain read could be kept in a register, and the loop would never end). Lanes of one warp wait for
// each other here: that ends because since Volta each makes progress of its own.
#include "check.h"

enum { THREADS = 128 };

__global__ void even_odd(int *out)
{
    __shared__ int arrived, before[THREADS];
    int me = threadIdx.x;
    if (me == 0) arrived = 0;
    __syncthreads();
    if (me % 2 == 0) {
        before[me] = me * me;
        __threadfence_block(); // what was written before the count is seen by whoever saw the count
        atomicAdd(&arrived, 1);
        while (atomicAdd(&arrived, 0) < THREADS / 2) {
        }
        __threadfence_block();
        out[me] = before[(me + 2) % THREADS]; // written by another even thread, before it counted itself
    } else {
        out[me] = -me;
    }
    __syncthreads();
    if (me == 0) out[THREADS] = arrived;
}

int main()
{
    int *out, host[THREADS + 1];
    CHECK(cudaMalloc(&out, sizeof host));
    even_odd<<<1, THREADS>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < THREADS; i++) {
        int other = (i + 2) % THREADS;
        REQUIRE(host[i] == (i % 2 ? -i : other * other));
    }
    REQUIRE(host[THREADS] == THREADS / 2);
    printf("%d even threads waited for each other\n", THREADS / 2);
    CHECK(cudaFree(out));
    return 0;
}
