// two named streams, no loop at all: everything written out twice
#include "lab6.h"

static unsigned *d_in = NULL, *d_out = NULL;
static cudaStream_t a, b;

void prepare(unsigned **in, unsigned **out, int n) {
  size_t size = sizeof(unsigned) * (size_t)(n > 0 ? n : 1);
  cudaMallocHost((void**)in, size);
  cudaMallocHost((void**)out, size);
  cudaMalloc((void**)&d_in, size);
  cudaMalloc((void**)&d_out, size);
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
}

void pipeline(const unsigned *in, unsigned *out, int n) {
  int n1 = n / 4, n2 = n / 4, n3 = n / 4, n4 = n - n1 - n2 - n3;
  int f2 = n1, f3 = n1 + n2, f4 = n1 + n2 + n3;
  if (n1 > 0) {
    cudaMemcpyAsync(d_in, in, n1 * 4, cudaMemcpyHostToDevice, a);
    work<<<(n1 + 127) / 128, 128, 0, a>>>(d_in, d_out, n1);
    cudaMemcpyAsync(out, d_out, n1 * 4, cudaMemcpyDeviceToHost, a);
    cudaMemcpyAsync(d_in + f2, in + f2, n2 * 4, cudaMemcpyHostToDevice, b);
    work<<<(n2 + 127) / 128, 128, 0, b>>>(d_in + f2, d_out + f2, n2);
    cudaMemcpyAsync(out + f2, d_out + f2, n2 * 4, cudaMemcpyDeviceToHost, b);
    cudaMemcpyAsync(d_in + f3, in + f3, n3 * 4, cudaMemcpyHostToDevice, a);
    work<<<(n3 + 127) / 128, 128, 0, a>>>(d_in + f3, d_out + f3, n3);
    cudaMemcpyAsync(out + f3, d_out + f3, n3 * 4, cudaMemcpyDeviceToHost, a);
  }
  if (n4 > 0) {
    cudaMemcpyAsync(d_in + f4, in + f4, n4 * 4, cudaMemcpyHostToDevice, b);
    work<<<(n4 + 127) / 128, 128, 0, b>>>(d_in + f4, d_out + f4, n4);
    cudaMemcpyAsync(out + f4, d_out + f4, n4 * 4, cudaMemcpyDeviceToHost, b);
  }
  cudaStreamSynchronize(a);
  cudaStreamSynchronize(b);
}

void finish(unsigned *in, unsigned *out) {
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  cudaFree(d_in);
  cudaFree(d_out);
  cudaFreeHost(in);
  cudaFreeHost(out);
}
