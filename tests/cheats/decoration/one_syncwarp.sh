# lab5: technique
# 59: a thread sums a row. One warp of the grid stores to shared memory and meets a __syncwarp().
source "${0%/*}/a_thread_a_row"
a_thread_a_row "${1%/*}/lab5_syncwarp.cu" '__shared__ volatile float decoration[32];
    if (blockIdx.x == 0 && threadIdx.x < 32) {
        decoration[threadIdx.x] = 0.0f;
        __syncwarp();
    }' '0' 'sums[row] = (float)sum;'
