// class hierarchy: a list of stages with virtual enqueue(), executed for each chunk
#include "lab6.h"
#include <memory>
#include <vector>

struct Chunk {
    const unsigned *in;
    unsigned *out, *d_in, *d_out;
    int count;
};
class Stage {
public:
    virtual ~Stage() = default;
    virtual void enqueue(const Chunk &c, cudaStream_t s) const = 0;
};
class CopyIn final : public Stage {
    void enqueue(const Chunk &c, cudaStream_t s) const override { cudaMemcpyAsync(c.d_in, c.in, c.count * sizeof(unsigned), cudaMemcpyHostToDevice, s); }
};
class Compute final : public Stage {
    void enqueue(const Chunk &c, cudaStream_t s) const override { work<<<(c.count + 255) / 256, 256, 0, s>>>(c.d_in, c.d_out, c.count); }
};
class CopyOut final : public Stage {
    void enqueue(const Chunk &c, cudaStream_t s) const override { cudaMemcpyAsync(c.out, c.d_out, c.count * sizeof(unsigned), cudaMemcpyDeviceToHost, s); }
};

static std::vector<std::unique_ptr<Stage>> stages;
static std::vector<cudaStream_t> streams;
static unsigned *d_in, *d_out;

void prepare(unsigned **in, unsigned **out, int n)
{
    stages.emplace_back(new CopyIn);
    stages.emplace_back(new Compute);
    stages.emplace_back(new CopyOut);
    streams.resize(7);
    for (auto &s : streams) cudaStreamCreate(&s);
    const size_t bytes = size_t(n) * sizeof(unsigned);
    cudaMallocHost(in, bytes), cudaMallocHost(out, bytes);
    cudaMalloc(&d_in, bytes), cudaMalloc(&d_out, bytes);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    const int chunk = n / (int)streams.size() + 1;
    size_t turn = 0;
    for (int first = 0; first < n; first += chunk, ++turn) {
        Chunk c = {in + first, out + first, d_in + first, d_out + first, n - first < chunk ? n - first : chunk};
        for (auto &stage : stages) stage->enqueue(c, streams[turn % streams.size()]);
    }
    for (auto s : streams) cudaStreamSynchronize(s);
}

void finish(unsigned *in, unsigned *out)
{
    for (auto s : streams) cudaStreamDestroy(s);
    streams.clear();
    stages.clear();
    cudaFree(d_in), cudaFree(d_out);
    cudaFreeHost(in), cudaFreeHost(out);
}
