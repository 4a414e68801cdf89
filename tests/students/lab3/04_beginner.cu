// a beginner's verbose code: every temporary has a name, if/else everywhere, bool flags
#include "warpwise.h"

// Number of threads in each block
#define NUMBER_OF_THREADS 256

LAUNCH(block_sums, .block = {NUMBER_OF_THREADS, 1, 1});
LAUNCH(scan_sums, .block = {NUMBER_OF_THREADS, 1, 1});
LAUNCH(scan_blocks, .block = {NUMBER_OF_THREADS, 1, 1});

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    // shared memory for the whole block
    __shared__ unsigned int shared_array[NUMBER_OF_THREADS];

    int my_thread = threadIdx.x;
    int my_block = blockIdx.x;
    int my_global_index = my_block * NUMBER_OF_THREADS + my_thread;
    bool i_am_inside = (my_global_index < n);
    unsigned int my_value;

    if (i_am_inside == true)
    {
        my_value = in[my_global_index];
    }
    else
    {
        my_value = 0;
    }
    shared_array[my_thread] = my_value;
    __syncthreads();

    int how_many = NUMBER_OF_THREADS;
    while (how_many > 1)
    {
        int half = how_many / 2;
        if (my_thread < half)
        {
            unsigned int left = shared_array[my_thread];
            unsigned int right = shared_array[my_thread + half];
            unsigned int sum = left + right;
            shared_array[my_thread] = sum;
        }
        __syncthreads();
        how_many = half;
    }

    if (my_thread == 0)
    {
        unsigned int result = shared_array[0];
        sums[my_block] = result;
    }
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned int shared_array[NUMBER_OF_THREADS];
    __shared__ unsigned int sum_so_far;

    int my_thread = threadIdx.x;
    if (my_thread == 0)
    {
        sum_so_far = 0;
    }
    __syncthreads();

    int number_of_tiles = (m + NUMBER_OF_THREADS - 1) / NUMBER_OF_THREADS;
    for (int tile_number = 0; tile_number < number_of_tiles; tile_number = tile_number + 1)
    {
        int index = tile_number * NUMBER_OF_THREADS + my_thread;
        unsigned int my_value = 0;
        if (index < m)
        {
            my_value = sums[index];
        }
        shared_array[my_thread] = my_value;
        __syncthreads();

        int distance = 1;
        while (distance < NUMBER_OF_THREADS)
        {
            unsigned int neighbour = 0;
            if (my_thread >= distance)
            {
                neighbour = shared_array[my_thread - distance];
            }
            __syncthreads();
            unsigned int old_value = shared_array[my_thread];
            unsigned int new_value = old_value + neighbour;
            shared_array[my_thread] = new_value;
            __syncthreads();
            distance = distance * 2;
        }

        // exclusive = inclusive of the one before
        unsigned int what_stands_before = 0;
        if (my_thread > 0)
        {
            what_stands_before = shared_array[my_thread - 1];
        }
        if (index < m)
        {
            sums[index] = sum_so_far + what_stands_before;
        }
        __syncthreads(); // everybody has read sum_so_far
        if (my_thread == NUMBER_OF_THREADS - 1)
        {
            sum_so_far = sum_so_far + shared_array[my_thread];
        }
        __syncthreads(); // everybody sees the new one
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned int shared_array[NUMBER_OF_THREADS];

    int my_thread = threadIdx.x;
    int my_block = blockIdx.x;
    int my_global_index = my_block * NUMBER_OF_THREADS + my_thread;
    bool i_am_inside = (my_global_index < n);

    if (i_am_inside == true)
    {
        shared_array[my_thread] = in[my_global_index];
    }
    else
    {
        shared_array[my_thread] = 0;
    }
    __syncthreads();

    int distance = 1;
    while (distance < NUMBER_OF_THREADS)
    {
        unsigned int neighbour = 0;
        if (my_thread >= distance)
        {
            neighbour = shared_array[my_thread - distance];
        }
        __syncthreads();
        shared_array[my_thread] = shared_array[my_thread] + neighbour;
        __syncthreads();
        distance = distance * 2;
    }

    unsigned int offset_of_block = sums[my_block];
    if (i_am_inside == true)
    {
        unsigned int final_result = shared_array[my_thread] + offset_of_block;
        out[my_global_index] = final_result;
    }
    else
    {
        // nothing to do
    }
}
