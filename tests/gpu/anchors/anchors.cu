// The references against what a user would call instead: anchors FOLDER, which holds a cubin of each.
//
// A line a pair: NAME ANCHOR_US REFERENCE_US, medians of launches in turn (anchor, reference, anchor, …), each behind a
// flush of the L2, times between two events. Buffers hold random numbers; results are the labs' business, not ours.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <cub/cub.cuh>
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime.h>

#define CHECK(call) check((int)(call), #call, __LINE__)
static void check(int error, const char *call, int line)
{
    if (!error) return;
    fprintf(stderr, "anchors.cu:%d: %s: error %d\n", line, call, error);
    exit(1);
}

enum { REPEATS = 31, WARM = 4 };
static const size_t FLUSH = 256 << 20, N = 1 << 24;
static void *flush_memory;
static cudaEvent_t from, to;
static unsigned turn;

static float once(const std::function<void()> &work)
{
    float ms;
    CHECK(cudaMemset(flush_memory, ++turn & 255, FLUSH));
    CHECK(cudaEventRecord(from));
    work();
    CHECK(cudaEventRecord(to));
    CHECK(cudaEventSynchronize(to));
    CHECK(cudaGetLastError());
    CHECK(cudaEventElapsedTime(&ms, from, to));
    return ms * 1000;
}

static float median(std::vector<float> times)
{
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

static void compare(const char *name, const std::function<void()> &anchor, const std::function<void()> &reference)
{
    std::vector<float> theirs, ours;
    for (int i = -WARM; i < REPEATS; ++i) {
        float a = once(anchor), r = once(reference);
        if (i < 0) continue;
        theirs.push_back(a);
        ours.push_back(r);
    }
    printf("%s %.2f %.2f\n", name, median(theirs), median(ours));
    fflush(stdout);
}

// As the kit's device header has it: what LAUNCH says.
struct shape {
    long long block[3], tile[3], grid[3], shared, per_sm;
};
static unsigned or_else(unsigned value, unsigned otherwise)
{
    return value ? value : otherwise;
}

// A kernel of one of the labs, with its LAUNCH.
struct kernel {
    CUfunction function;
    struct shape shape;
};
static std::string folder;
static kernel find(const char *slug, const char *name)
{
    CUmodule module;
    CUdeviceptr address;
    size_t bytes;
    kernel k;
    CHECK(cuModuleLoad(&module, (folder + "/" + slug + ".cubin").c_str()));
    CHECK(cuModuleGetFunction(&k.function, module, name));
    CHECK(cuModuleGetGlobal(&address, &bytes, module, (std::string(name) + "_launch").c_str()));
    CHECK(cuMemcpyDtoH(&k.shape, address, sizeof k.shape));
    return k;
}
// Over an extent of x by y elements.
static void launch(const kernel &k, unsigned x, unsigned y, std::vector<void *> arguments)
{
    const shape &s = k.shape;
    int sms;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    unsigned tile[2] = {or_else(s.tile[0], s.block[0]), or_else(s.tile[1], or_else(s.block[1], 1))};
    unsigned grid[2] = {(x + tile[0] - 1) / tile[0], (y + tile[1] - 1) / tile[1]};
    if (s.grid[0]) grid[0] = s.grid[0], grid[1] = or_else(s.grid[1], 1);
    if (s.per_sm) grid[0] = s.per_sm * sms, grid[1] = 1;
    if (s.shared > 48 << 10)
        CHECK(cuFuncSetAttribute(k.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)s.shared));
    CHECK(cuLaunchKernel(k.function, grid[0], grid[1], 1, s.block[0], or_else(s.block[1], 1), or_else(s.block[2], 1),
                         s.shared, 0, arguments.data(), NULL));
}

template <typename T> static T *device(size_t count)
{
    T *memory;
    std::vector<unsigned> host(count);
    unsigned state = 1;
    for (unsigned &word : host) {
        state = state * 1664525 + 1013904223;
        word = state >> 9 | 0x3f800000; // a float in [1, 2)
    }
    CHECK(cudaMalloc(&memory, count * sizeof(T)));
    CHECK(cudaMemcpy(memory, host.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    return memory;
}

static void transposes(cublasHandle_t blas)
{
    kernel k = find("lab7_transpose", "transpose");
    int n = 4096;
    float *in = device<float>(N), *out = device<float>(N), one = 1, zero = 0;
    auto ours = [&] { launch(k, n, n, {&in, &out, &n, &n}); };
    compare("transpose-geam", [&] {
        CHECK(cublasSgeam(blas, CUBLAS_OP_T, CUBLAS_OP_N, n, n, &one, in, n, &zero, in, n, out, n));
    }, ours);
    compare("transpose-copy", [&] { CHECK(cudaMemcpyAsync(out, in, N * 4, cudaMemcpyDeviceToDevice)); }, ours);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}

static void histogram()
{
    kernel k = find("lab4_atomics", "histogram");
    unsigned state = 1, *bins = device<unsigned>(256), *data;
    std::vector<unsigned> host(N);
    for (unsigned &word : host) word = (state = state * 1664525 + 1013904223) >> 24;
    CHECK(cudaMalloc(&data, N * 4));
    CHECK(cudaMemcpy(data, host.data(), N * 4, cudaMemcpyHostToDevice));
    size_t size = 0;
    int n = (int)N;
    auto theirs = [&](void *memory) {
        CHECK(cub::DeviceHistogram::HistogramEven(memory, size, data, bins, 257, 0u, 256u, n));
    };
    theirs(NULL);
    void *memory;
    CHECK(cudaMalloc(&memory, size));
    compare("histogram-cub", [&] { theirs(memory); }, [&] {
        CHECK(cudaMemsetAsync(bins, 0, 256 * sizeof *bins)); // theirs does it, too
        launch(k, n, 1, {&data, &bins, &n});
    });
    CHECK(cudaFree(data));
    CHECK(cudaFree(memory));
}

static void scan()
{
    unsigned *in = device<unsigned>(N), *out = device<unsigned>(N), *sums = device<unsigned>(N);
    kernel first = find("lab3_syncthreads", "block_sums"), second = find("lab3_syncthreads", "scan_sums"),
           third = find("lab3_syncthreads", "scan_blocks");
    int n = (int)N, m;
    unsigned tile = or_else(first.shape.tile[0], first.shape.block[0]);
    m = (int)((N + tile - 1) / tile);
    size_t size = 0;
    CHECK(cub::DeviceScan::InclusiveSum(NULL, size, in, out, n));
    void *memory;
    CHECK(cudaMalloc(&memory, size));
    compare("scan-cub", [&] { CHECK(cub::DeviceScan::InclusiveSum(memory, size, in, out, n)); }, [&] {
        launch(first, n, 1, {&in, &sums, &n});
        launch(second, 1, 1, {&sums, &m});
        launch(third, n, 1, {&in, &sums, &out, &n});
    });
    CHECK(cudaFree(memory));
}

static void products(cublasHandle_t blas)
{
    int n = 2048, m = 1024;
    float *a = device<float>(N), *b = device<float>(N), *c = device<float>(N), one = 1, zero = 0;
    kernel tiled = find("lab2_tiling", "matmul"), base = find("lab1_baseline", "matmul"),
           registers = find("lab1_registers", "matmul");
    CHECK(cublasSetMathMode(blas, CUBLAS_PEDANTIC_MATH)); // no tensor cores
    compare("product-sgemm", [&] {
        CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &zero, c, n));
    }, [&] { launch(tiled, n, n, {&a, &b, &c, &n, &n, &n}); });
    compare("registers-baseline", [&] { launch(base, m, m, {&a, &b, &c, &m, &m, &m}); },
            [&] { launch(registers, m, m, {&a, &b, &c, &m, &m, &m}); });
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
}

int main(int argc, char **argv)
{
    cublasHandle_t blas;
    if (argc != 2) return fprintf(stderr, "usage: anchors FOLDER\n"), 2;
    folder = argv[1];
    CHECK(cudaFree(NULL));
    CHECK(cudaMalloc(&flush_memory, FLUSH));
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    CHECK(cublasCreate(&blas));
    transposes(blas);
    histogram();
    scan();
    products(blas);
    CHECK(cublasDestroy(blas));
    return 0;
}
