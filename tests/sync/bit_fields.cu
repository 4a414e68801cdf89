// Bit-fields of one word, stored one after the other: the word is read before all of it was written.
// launch grid 2 block 64, twin: never_written at line 22
#define ORDER 1 // the twin has 0
struct bit_fields_word {
    unsigned low : 3, mid : 7;
    int high : 9;
    unsigned char byte;
};
extern "C" __global__ void k(unsigned *out, unsigned *zeros)
{
    __shared__ bit_fields_word s[64];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    bit_fields_word mine;
    mine.low = t & 7;
    if (ORDER) mine.mid = 5;
    mine.byte = 1;
    s[t].high = -3;
    s[t].low = mine.low;
    s[t].mid = mine.mid;
    __syncthreads();
    const bit_fields_word other = s[(t + 1) % 64];
    out[i] = other.low == ((t + 1) & 7) && other.high == -3 && other.mid == 5;
}
