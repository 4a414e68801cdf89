// beginner's code: every value gets a name, lots of temporaries, if/else spelled out
#include "warpwise.h"
#include <math.h>

LAUNCH(row_sums, .block = {128}, .tile = {4});
LAUNCH(softmax, .block = {128}, .tile = {4});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float shared_values[4][32];

    int thread_number = threadIdx.x;
    int my_warp = thread_number / 32;
    int my_lane = thread_number - my_warp * 32;
    int first_row_of_block = blockIdx.x * 4;
    int my_row = first_row_of_block + my_warp;

    bool there_is_work = false;
    if (my_row < rows) {
        there_is_work = true;
    }
    else {
        there_is_work = false;
    }

    float my_sum = 0.0f;
    if (there_is_work == true) {
        int column = my_lane;
        while (column < cols) {
            int index = my_row * cols + column;
            float value = in[index];
            float new_sum = my_sum + value;
            my_sum = new_sum;
            column = column + 32;
        }
    }

    shared_values[my_warp][my_lane] = my_sum;
    __syncwarp();

    // step 1: 16 lanes add
    float a = 0.0f;
    float b = 0.0f;
    if (my_lane < 16) {
        a = shared_values[my_warp][my_lane];
        b = shared_values[my_warp][my_lane + 16];
    }
    __syncwarp();
    if (my_lane < 16) { shared_values[my_warp][my_lane] = a + b; }
    __syncwarp();
    // step 2: 8
    if (my_lane < 8) {
        a = shared_values[my_warp][my_lane];
        b = shared_values[my_warp][my_lane + 8];
    }
    __syncwarp();
    if (my_lane < 8) { shared_values[my_warp][my_lane] = a + b; }
    __syncwarp();
    // step 3: 4
    if (my_lane < 4) {
        a = shared_values[my_warp][my_lane];
        b = shared_values[my_warp][my_lane + 4];
    }
    __syncwarp();
    if (my_lane < 4) { shared_values[my_warp][my_lane] = a + b; }
    __syncwarp();
    // the rest by one lane
    if (my_lane == 0) {
        float x0 = shared_values[my_warp][0];
        float x1 = shared_values[my_warp][1];
        float x2 = shared_values[my_warp][2];
        float x3 = shared_values[my_warp][3];
        float result = (x0 + x1) + (x2 + x3);
        if (there_is_work == true) {
            sums[my_row] = result;
        }
    }
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    int thread_number = threadIdx.x;
    int my_warp = thread_number / 32;
    int my_lane = thread_number % 32;
    int my_row = blockIdx.x * 4 + my_warp;
    if (my_row >= rows) {
        return;
    }

    // 1. maximum
    float my_maximum = -INFINITY;
    int column = my_lane;
    while (column < cols) {
        float value = in[my_row * cols + column];
        if (value > my_maximum) {
            my_maximum = value;
        }
        column = column + 32;
    }
    float other = 0.0f;
    other = __shfl_down_sync(0xffffffff, my_maximum, 16);
    if (other > my_maximum) my_maximum = other;
    other = __shfl_down_sync(0xffffffff, my_maximum, 8);
    if (other > my_maximum) my_maximum = other;
    other = __shfl_down_sync(0xffffffff, my_maximum, 4);
    if (other > my_maximum) my_maximum = other;
    other = __shfl_down_sync(0xffffffff, my_maximum, 2);
    if (other > my_maximum) my_maximum = other;
    other = __shfl_down_sync(0xffffffff, my_maximum, 1);
    if (other > my_maximum) my_maximum = other;
    float maximum = __shfl_sync(0xffffffff, my_maximum, 0); // lane 0 knows

    // 2. sum
    float my_sum = 0.0f;
    column = my_lane;
    while (column < cols) {
        float value = in[my_row * cols + column];
        float difference = value - maximum;
        float exponential = expf(difference);
        my_sum = my_sum + exponential;
        column = column + 32;
    }
    my_sum = my_sum + __shfl_down_sync(0xffffffff, my_sum, 16);
    my_sum = my_sum + __shfl_down_sync(0xffffffff, my_sum, 8);
    my_sum = my_sum + __shfl_down_sync(0xffffffff, my_sum, 4);
    my_sum = my_sum + __shfl_down_sync(0xffffffff, my_sum, 2);
    my_sum = my_sum + __shfl_down_sync(0xffffffff, my_sum, 1);
    float sum = __shfl_sync(0xffffffff, my_sum, 0);

    // 3. quotient
    column = my_lane;
    while (column < cols) {
        float value = in[my_row * cols + column];
        float difference = value - maximum;
        float exponential = expf(difference);
        float quotient = exponential / sum;
        out[my_row * cols + column] = quotient;
        column = column + 32;
    }
}
