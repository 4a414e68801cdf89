// Structures with padding go word by word through a function, shared memory and global memory: only padding is undefined.
// launch grid 1 block 32, twin: never_written at line 24 or 28
#define ORDER 1 // the twin has 0
struct padding_travels_entry {
    char c;
    int x;
    short s;
};
static __device__ __noinline__ padding_travels_entry padding_travels_make(int x)
{
    padding_travels_entry p;
    p.c = 1;
    p.x = x;
    if (ORDER) p.s = 2;
    return p;
}
extern "C" __global__ void k(unsigned *out, unsigned *zeros)
{
    __shared__ padding_travels_entry s[32];
    unsigned t = threadIdx.x;
    padding_travels_entry *global = (padding_travels_entry *)(zeros + 128);
    s[t] = padding_travels_make(t);
    __syncthreads();
    padding_travels_entry mine = s[31 - t];
    global[t] = mine;
    out[t] = mine.c;
    out[t + 32] = mine.x == (int)(31 - t);
    out[t + 64] = mine.s == 2;
}
