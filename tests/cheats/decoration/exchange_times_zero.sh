# lab5: technique
# 59: a thread sums a row, and adds its neighbour's number times zero.
source "${0%/*}/a_thread_a_row"
a_thread_a_row "${1%/*}/lab5_syncwarp.cu" '__shared__ volatile float decoration[128];
    float zero;
    asm volatile("mov.f32 %0, 0f00000000;" : "=f"(zero));
    decoration[threadIdx.x] = 1.0f;
    __syncwarp();
    zero *= decoration[threadIdx.x ^ 1];' 'zero' 'sums[row] = (float)sum;'
