// Breadth-first search in one block: who claims a vertex first puts it into the next frontier.
// launch grid 1 block 64, twin: race at line 17 or 18 or 27
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned queue[2][256], count[2], distance[256];
    unsigned t = threadIdx.x;
    for (unsigned v = t; v < 256; v += blockDim.x) distance[v] = ~0u;
    if (t == 0) {
        queue[0][0] = 0;
        count[0] = 1;
        count[1] = 0;
    }
    __syncthreads();
    if (t == 0) distance[0] = 0;
    __syncthreads();
    for (unsigned level = 0, now = 0; count[now]; level++, now ^= 1) {
        for (unsigned i = t; i < count[now]; i += blockDim.x) {
            unsigned v = queue[now][i];
            for (unsigned e = 1; e <= 2; e++) {
                unsigned to = 2 * v + e;
                if (to < 256 && atomicCAS(&distance[to], ~0u, level + 1) == ~0u)
                    queue[now ^ 1][atomicAdd(&count[now ^ 1], 1)] = to;
            }
        }
        __syncthreads();
        if (t == 0) count[now] = 0;
#if ORDER
        __syncthreads();
#endif
    }
    for (unsigned v = t; v < 256; v += blockDim.x) out[v] = distance[v] == 31 - __clz(v + 1);
}
