// object oriented: an abstract Source and Sink with virtual functions on the device
#include "warpwise.h"

LAUNCH(block_sums, .block = {256}, .tile = {1024});
LAUNCH(scan_sums, .block = {256});
LAUNCH(scan_blocks, .block = {256}, .tile = {1024});

class Source {
public:
    __device__ virtual unsigned get(int k) const = 0;
};

class Global : public Source {
    const unsigned *p;
    int left;
public:
    __device__ Global(const unsigned *p, int base, int n) : p(p + base), left(n - base) {}
    __device__ unsigned get(int k) const override { return k < left ? p[k] : 0; }
};

class Sink {
public:
    __device__ virtual void put(int k, unsigned before, unsigned own) = 0;
};

class Inclusive : public Sink {
    unsigned *p, add;
    int left;
public:
    __device__ Inclusive(unsigned *p, int base, int n, unsigned add) : p(p + base), add(add), left(n - base) {}
    __device__ void put(int k, unsigned before, unsigned own) override
    {
        if (k < left) p[k] = add + before + own;
    }
};

class Exclusive : public Sink {
    unsigned *p, add;
    int left;
public:
    __device__ Exclusive(unsigned *p, int base, int n, unsigned add) : p(p + base), add(add), left(n - base) {}
    __device__ void put(int k, unsigned before, unsigned) override
    {
        if (k < left) p[k] = add + before;
    }
};

class Nothing : public Sink {
public:
    __device__ void put(int, unsigned, unsigned) override {}
};

class Scanner {
    unsigned *tile;
public:
    __device__ explicit Scanner(unsigned *shared) : tile(shared) {}
    __device__ unsigned run(const Source &source, Sink &sink)
    {
        int t = threadIdx.x;
        unsigned v[4], s = 0;
        for (int k = 0; k < 4; k++) s += v[k] = source.get(4 * t + k);
        tile[t] = s;
        __syncthreads();
        for (int d = 1; d < 256; d *= 2) {
            unsigned below = t >= d ? tile[t - d] : 0;
            __syncthreads();
            tile[t] += below;
            __syncthreads();
        }
        unsigned before = tile[t] - s;
        for (int k = 0; k < 4; k++) {
            sink.put(4 * t + k, before, v[k]);
            before += v[k];
        }
        unsigned total = tile[255];
        __syncthreads();
        return total;
    }
};

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned tile[256];
    Global source(in, blockIdx.x * 1024, n);
    Nothing sink;
    unsigned total = Scanner(tile).run(source, sink);
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned tile[256];
    unsigned carry = 0;
    for (int base = 0; base < m; base += 1024) {
        Global source(sums, base, m);
        Exclusive sink(sums, base, m, carry);
        carry += Scanner(tile).run(source, sink);
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned tile[256];
    Global source(in, blockIdx.x * 1024, n);
    Inclusive sink(out, blockIdx.x * 1024, n, sums[blockIdx.x]);
    Scanner(tile).run(source, sink);
}
