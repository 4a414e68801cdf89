// What a lab's source includes: how its kernels want to be launched.
//
//   LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});
//
// says that `transpose` runs in blocks of 32 x 8 threads of which each covers 32 x 32 elements; the number of blocks
// follows from the problem's size. Fields, in this order; all but the first are optional:
//   .block   threads of a block in x, y, z          (y and z: default 1)
//   .tile    elements that one block covers         (default: as .block)
//   .grid    a fixed number of blocks instead
//   .shared  bytes of dynamic shared memory (extern __shared__)
//   .per_sm  so many blocks for each multiprocessor instead; the kernel strides over the elements itself
#ifndef WARPWISE_H
#define WARPWISE_H

struct launch { // wider than any limit, so that a number beyond one is refused by what was written
    long long block[3], tile[3], grid[3], shared, per_sm;
};

#define LAUNCH(kernel, ...) extern "C" __device__ const struct launch kernel##_launch = {__VA_ARGS__}

#endif
