# lab5: technique
# 59: a thread sums a row, stores the sum in shared memory, meets a __syncwarp(), and reads its own number.
source "${0%/*}/a_thread_a_row"
a_thread_a_row "${1%/*}/lab5_syncwarp.cu" '__shared__ volatile float decoration[128];' '0' 'decoration[threadIdx.x] = (float)sum;
    __syncwarp(__activemask());
    sums[row] = decoration[threadIdx.x]; // its own'
