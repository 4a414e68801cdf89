# lab5: technique
# 59: a thread sums a row. It looks whether the exchange worked, and answers a failure by an endless loop.
source "${0%/*}/a_thread_a_row"
a_thread_a_row "${1%/*}/lab5_syncwarp.cu" '__shared__ volatile unsigned box[128];
    box[threadIdx.x] = threadIdx.x;
    __syncwarp();
    if (box[threadIdx.x ^ 1] != (threadIdx.x ^ 1)) for (;;) {}' '0' 'sums[row] = (float)sum;'
