// macros that hide the loops, odd block of 96 threads, no newline at the end
#include "warpwise.h"
#define BINS 256
#define NT 96
#define SHARE(i,n) for(int i=threadIdx.x;i<(n);i+=NT)
#define GRID(i,n) for(int i=blockIdx.x*NT+threadIdx.x;i<(n);i+=gridDim.x*NT)
#define WAIT __syncthreads();
LAUNCH(histogram, .block={NT}, .per_sm=16);
extern "C" __global__ void histogram(const unsigned *in,unsigned *bins,int n){
__shared__ unsigned h[BINS];
SHARE(b,BINS)h[b]=0;
WAIT
GRID(i,n)atomicAdd(h+(in[i]&(BINS-1)),1);
WAIT
SHARE(b,BINS)atomicAdd(bins+b,h[b]);
}