// C++ class templates: BlockScan<T, N> and BlockReduce<T, N> functors with TempStorage references
#include "warpwise.h"

namespace mine {

template <typename T, int N> class BlockReduce {
public:
    struct Storage { T cell[N]; };
    __device__ explicit BlockReduce(Storage &s) : store_(s), rank_(threadIdx.x) {}
    template <class Op> __device__ T operator()(T value, Op op) const
    {
        store_.cell[rank_] = value;
        __syncthreads();
        for (int width = N / 2; width >= 1; width >>= 1) {
            if (rank_ < width) store_.cell[rank_] = op(store_.cell[rank_], store_.cell[rank_ + width]);
            __syncthreads();
        }
        T all = store_.cell[0];
        __syncthreads();
        return all;
    }
private:
    Storage &store_;
    const int rank_;
};

template <typename T> struct Plus {
    __device__ constexpr T operator()(const T &a, const T &b) const { return a + b; }
};

template <typename T, int N> class BlockScan {
public:
    struct Storage { T even[N], odd[N]; };
    struct Result { T inclusive, exclusive, total; };
    __device__ explicit BlockScan(Storage &s) : store_(s), rank_(threadIdx.x) {}
    __device__ Result operator()(T value) const
    {
        T *src = store_.even, *dst = store_.odd;
        T mine = value;
        src[rank_] = mine;
        __syncthreads();
        for (int d = 1; d < N; d += d) {
            if (rank_ >= d) mine = Plus<T>()(src[rank_ - d], mine);
            dst[rank_] = mine;
            T *tmp = src; src = dst; dst = tmp;
            __syncthreads();
        }
        Result r{mine, static_cast<T>(mine - value), src[N - 1]};
        __syncthreads();
        return r;
    }
private:
    Storage &store_;
    const int rank_;
};

} // namespace mine

constexpr int kThreads = 256;
constexpr int kPer = 4;
constexpr int kTile = kThreads * kPer;

LAUNCH(block_sums, .block = {kThreads}, .tile = {kTile});
LAUNCH(scan_sums, .block = {kThreads});
LAUNCH(scan_blocks, .block = {kThreads}, .tile = {kTile});

using Scan = mine::BlockScan<unsigned, kThreads>;
using Reduce = mine::BlockReduce<unsigned, kThreads>;

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ Reduce::Storage storage;
    unsigned s = 0;
    const int first = blockIdx.x * kTile + threadIdx.x;
    for (int k = 0; k < kPer; ++k)
        if (first + k * kThreads < n) s += in[first + k * kThreads];
    const unsigned all = Reduce(storage)(s, mine::Plus<unsigned>{});
    if (threadIdx.x == 0) sums[blockIdx.x] = all;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ Scan::Storage storage;
    Scan scan(storage);
    unsigned carry = 0;
    for (int base = 0; base < m; base += kThreads) {
        const int i = base + static_cast<int>(threadIdx.x);
        const auto r = scan(i < m ? sums[i] : 0u);
        if (i < m) sums[i] = carry + r.exclusive;
        carry += r.total;
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ Scan::Storage storage;
    Scan scan(storage);
    unsigned carry = sums[blockIdx.x];
    // the tile is a row of kPer pieces, one after the other
    for (int k = 0; k < kPer; ++k) {
        const int i = blockIdx.x * kTile + k * kThreads + threadIdx.x;
        const auto r = scan(i < n ? in[i] : 0u);
        if (i < n) out[i] = carry + r.inclusive;
        carry += r.total;
    }
}
