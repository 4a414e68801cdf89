// The header that your kernel includes. LAUNCH tells how a kernel is launched.
//
//   LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});
//
// launches `transpose` with blocks of 32 x 8 threads. Each block processes 32 x 32 elements, and the number of blocks
// follows from the size of the problem. The fields, in this order; all except .block are optional:
//   .block   threads of a block in x, y, z          (y and z: default 1)
//   .tile    elements that one block processes      (default: as .block)
//   .grid    a fixed number of blocks instead
//   .shared  bytes of dynamic shared memory (extern __shared__)
//   .per_sm  number of blocks for each multiprocessor instead; the kernel then loops over the elements (grid-stride)
#ifndef WARPWISE_H
#define WARPWISE_H

struct launch { // long long, so that numbers above a limit are reported as you wrote them
    long long block[3], tile[3], grid[3], shared, per_sm;
};

#define LAUNCH(kernel, ...) extern "C" __device__ const struct launch kernel##_launch = {__VA_ARGS__}

#endif
