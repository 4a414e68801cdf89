// refused: different barriers at line 22; different barriers at line 38; race at line 20; race at line 34
// the barrier stands inside the branch of the threads that clear
#include "warpwise.h"

#define NUMBER_OF_BINS 256
#define NUMBER_OF_THREADS 512

LAUNCH(histogram, .block = {NUMBER_OF_THREADS, 1, 1}, .per_sm = 4);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    // the counters of this block
    __shared__ unsigned int my_block_counters[NUMBER_OF_BINS];

    int my_thread_number = threadIdx.x;

    // STEP 1: set the counters to zero. There are more threads than bins, so only some do it
    if (my_thread_number < NUMBER_OF_BINS)
    {
        my_block_counters[my_thread_number] = 0;
        // everybody has to wait for the zeros
        __syncthreads();
    }

    // STEP 2: count
    int my_first_index = blockIdx.x * NUMBER_OF_THREADS + my_thread_number;
    int how_many_threads_in_grid = gridDim.x * NUMBER_OF_THREADS;
    int current_index = my_first_index;
    while (current_index < n)
    {
        unsigned int number = in[current_index];
        unsigned int lowest_eight_bits = number % NUMBER_OF_BINS;
        unsigned int *address_of_counter = &(my_block_counters[lowest_eight_bits]);
        atomicAdd(address_of_counter, 1);
        current_index = current_index + how_many_threads_in_grid;
    }
    // everybody has to wait until all have counted
    __syncthreads();

    // STEP 3: add to the bins
    if (my_thread_number < NUMBER_OF_BINS)
    {
        unsigned int how_many = my_block_counters[my_thread_number];
        if (how_many != 0)
        {
            atomicAdd(&(bins[my_thread_number]), how_many);
        }
    }
}
