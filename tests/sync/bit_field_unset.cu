// Of a byte of bit-fields not all are stored, and those that are not are not read.
// launch grid 1 block 64, twin: never_written at line 14 or 17
#define ORDER 1 // the twin has 0
struct bit_field_unset_word {
    unsigned char one : 1, two : 2, five : 5;
};
extern "C" __global__ void k(unsigned *out, unsigned *zeros)
{
    __shared__ bit_field_unset_word s[64];
    unsigned t = threadIdx.x;
    s[t].two = t & 3;
    if (ORDER) s[t].five = 9;
    __syncthreads();
    unsigned sum = s[63 - t].two;
    out[t] = sum == ((63 - t) & 3);
    out[64 + t] = 1;
    if (s[63 - t].five == 9) out[64 + t] = s[63 - t].five - 8;
}
