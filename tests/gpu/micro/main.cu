// Measures the latencies and rates of a card that a device profile (grader/device/profiles) holds: micro [PART...]
//
// Each row is a fact about the device alone: a chain of dependent instructions for a latency, independent ones for a
// rate, a grid of a known shape for a launch. Cycles are those of the multiprocessor's own clock; times are medians of
// cudaEvent pairs. Rows begin with their part's words, so that two tables can be compared line by line
// (tests/gpu/micro.awk); tests/truth/h200_micro.txt holds those of an H200.
//
//   arithmetic   latencies and rates of instructions, barriers and fences
//   atomics      on shared and on global memory
//   launches     empty grids
//   memory       bandwidth by footprint, and by bytes in flight
//   mixed        loads beside stores
//   chase        a chain of loads: hit in L1, L2, DRAM; in data that another multiprocessor has read
//   step         multiprocessors that load the same lines at the same moment, or apart from one another
//   loaded       the latency of one warp's loads while the others keep the memory busy
//   objects      mbarriers, barriers of libcu++, asynchronous copies
//   calls        malloc, new, printf, and arrays in local memory
//   floor        kernels that do almost nothing, for Nsight Compute (gpu__time_duration): run "ncu micro floor"
#include <cstring>

#include "micro.h"

int sms;
u64 *clocks;
unsigned *sink, *memory;

static const struct {
    const char *name;
    void (*run)();
} part[] = {{"arithmetic", arithmetic}, {"atomics", atomics}, {"launches", launches}, {"memory", memory_rows},
            {"mixed", mixed_rows},      {"chase", chase},     {"step", step},         {"loaded", loaded},
            {"objects", objects},       {"calls", calls},     {"floor", floor_rows}};

int main(int argc, char **argv)
{
    cudaDeviceProp d;
    CHECK(cudaGetDeviceProperties(&d, 0));
    sms = d.multiProcessorCount;
    CHECK(cudaMalloc(&clocks, CLOCKS * sizeof *clocks));
    CHECK(cudaMalloc(&sink, SINK * sizeof *sink));
    CHECK(cudaMalloc(&memory, MEMORY));
    CHECK(cudaMemset(memory, 0, MEMORY));
    CHECK(cudaMemset(clocks, 0, CLOCKS * sizeof *clocks));
    printf("device %s SMs %d L2 %d MB shared/SM %zu regs/SM %d threads/SM %d\n", d.name, sms, d.l2CacheSize >> 20,
           d.sharedMemPerMultiprocessor, d.regsPerMultiprocessor, d.maxThreadsPerMultiProcessor);
    for (auto &p : part) {
        int wanted = argc == 1 && strcmp(p.name, "floor");
        for (int i = 1; i < argc; i++) wanted |= !strcmp(argv[i], p.name);
        if (!wanted) continue;
        p.run();
        CHECK(cudaDeviceSynchronize());
        fflush(stdout);
    }
    return 0;
}
