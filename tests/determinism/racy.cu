// Kernels whose outcome hangs on which block or warp came first, or on what an earlier block left behind.
#define KERNEL extern "C" __global__ void
#define T threadIdx.x
#define I (blockIdx.x * blockDim.x + threadIdx.x)

KERNEL chain_of_blocks(unsigned *out, const unsigned *in)
{
    unsigned x = out[I * 7 % 3840];
    out[I] = in[I] + x;
}

KERNEL lost_updates(unsigned *out, const unsigned *in)
{
    out[0] = out[0] + in[I];
    out[in[I] % 256]++;
}

// Block 5 stops if it sees the word of block 3, which takes its time.
KERNEL stop_if_seen(unsigned *out, const unsigned *in)
{
    unsigned x = 0;
    for (unsigned k = 0; blockIdx.x == 3 && k < 20000; k++) x = x * 3 + in[k % 8192];
    if (T == 0) out[blockIdx.x] = x | 1;
    if (blockIdx.x == 5 && out[3]) __trap();
    out[64 + I] = 1;
}

// Whether two writes of a byte are of equal value, as words, hangs on the bytes beside it, which nobody wrote.
KERNEL bytes_of_words(unsigned *out, const unsigned *in)
{
    __shared__ unsigned char b[384];
    b[T] = in[T] + blockIdx.x;
    ((unsigned *)b)[T % 24] = in[T] & 0xff;
    b[T * 5 % 384] = 0;
    ((unsigned *)b)[T] = 0;
    __syncthreads();
    out[I] = b[T];
}

KERNEL unwritten_shared(unsigned *out, const unsigned *in)
{
    __shared__ unsigned a[192];
    out[I] = a[T] + a[T + 64];
    a[T] = in[T] + blockIdx.x;
}

KERNEL unwritten_local(unsigned *out, const unsigned *in)
{
    unsigned a[16];
    for (unsigned i = 0; i < 16; i++)
        if (in[i + blockIdx.x] % 3 == 0) a[i] = in[T] + blockIdx.x;
    out[I] = a[T % 16] + a[in[T] % 16];
}

static __device__ __noinline__ unsigned sometimes(const unsigned *in, unsigned i)
{
    unsigned a[4];
    if (in[i] & 1) a[i % 4] = i;
    return a[in[i] % 4];
}

KERNEL unwritten_frame(unsigned *out, const unsigned *in)
{
    out[I] = sometimes(in, I);
}

KERNEL unwritten_register(unsigned *out, const unsigned *in)
{
    unsigned x;
    for (unsigned i = 0; i < 4; i++)
        if (in[I + i] % 5 == 0) x += in[I + i] + blockIdx.x;
    out[I] = x;
}

KERNEL shuffle_from_nobody(unsigned *out, const unsigned *in)
{
    unsigned x = 0;
    if (T % 32 < 16) x = __shfl_down_sync(0xffff, in[T] * 7 + blockIdx.x, 9);
    out[I] = x;
}
