# lab5: technique
# 59: a thread sums a row. All warps store and meet a __syncwarp(), and nobody reads what was stored.
source "${0%/*}/a_thread_a_row"
a_thread_a_row "${1%/*}/lab5_syncwarp.cu" '__shared__ volatile float decoration[128];
    decoration[threadIdx.x] = 1.0f;
    __syncwarp(); // nobody reads behind it' '0' 'sums[row] = (float)sum;'
