// Which devices there are, and what they can do.
#include "check.h"

int main()
{
    int count, current, driver, runtime;
    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    printf("%d device%s, driver %d, runtime %d\n", count, count == 1 ? "" : "s", driver, runtime);
    REQUIRE(count >= 1);
    for (int d = 0; d < count; d++) {
        cudaDeviceProp p;
        int sms, major;
        CHECK(cudaGetDeviceProperties(&p, d));
        CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, d));
        CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, d));
        printf("%d: %s, compute capability %d.%d, %d multiprocessors, %.1f GB, %zu KB shared a block, %d threads a block\n",
               d, p.name, p.major, p.minor, p.multiProcessorCount, p.totalGlobalMem / 1e9, p.sharedMemPerBlock >> 10,
               p.maxThreadsPerBlock);
        REQUIRE(sms == p.multiProcessorCount && major == p.major && p.warpSize == 32 && p.maxThreadsPerBlock == 1024);
        CHECK(cudaSetDevice(d));
        CHECK(cudaGetDevice(&current));
        REQUIRE(current == d);
        size_t free_bytes, total;
        CHECK(cudaMemGetInfo(&free_bytes, &total));
        REQUIRE(free_bytes > 0 && free_bytes <= total);
    }
    REQUIRE(cudaSetDevice(count) == cudaErrorInvalidDevice);
    REQUIRE(cudaGetLastError() == cudaErrorInvalidDevice);
    REQUIRE(cudaGetLastError() == cudaSuccess); // looking takes it away
    return 0;
}
