// half and half2: each function in a row of the output, as in device_functions.cu beside this file.
#include <cuda_fp16.h>

#define KERNEL extern "C" __global__ void
#define PUT(expression) out[n * row++ + i] = (expression)
#define BITS(h) __half_as_ushort(h)
#define PAIR(v) (__half_as_ushort(__low2half(v)) | (long long)__half_as_ushort(__high2half(v)) << 16)

KERNEL halves(const int *x, long long *out, int n)
{
    int i = threadIdx.x, row = 0;
    float f = x[i] * 0.37f - 3, g = 1.0f / (x[i] + 0.5f);
    __half a = __float2half(f), b = __float2half(g), c = __int2half_rn(x[i]);
    half2 p = __floats2half2_rn(f, g), q = __halves2half2(c, a);
    PUT(BITS(a)); PUT(BITS(b)); PUT(BITS(c)); PUT(BITS(__float2half(f * 100000))); PUT(BITS(__float2half(g * 1e-7f)));
    PUT(__float_as_int(__half2float(a))); PUT(__half2int_rn(a)); PUT(__half2int_rz(a));
    PUT(BITS(__hadd(a, b))); PUT(BITS(__hsub(a, b))); PUT(BITS(__hmul(a, b))); PUT(BITS(__hfma(a, b, c))); PUT(BITS(__hdiv(a, b)));
    PUT(BITS(a + b * c)); PUT(BITS(a / c - b)); PUT(BITS(-a)); PUT(BITS(__habs(a))); PUT(BITS(__hneg(b))); PUT(BITS(hsqrt(b)));
    PUT(BITS(hrcp(b))); PUT(BITS(hrsqrt(__habs(b)))); PUT(BITS(hexp(a))); PUT(BITS(hlog(__habs(b)))); PUT(BITS(hlog2(__habs(b)))); PUT(BITS(hexp2(b)));
    PUT(BITS(hsin(a))); PUT(BITS(hcos(b))); PUT(BITS(hfloor(a))); PUT(BITS(hceil(a))); PUT(BITS(htrunc(a))); PUT(BITS(hrint(a)));
    PUT(PAIR(h2sqrt(__habs2(p)))); PUT(PAIR(h2exp(p))); PUT(PAIR(__h2div(p, q))); PUT(PAIR(-p)); PUT(PAIR(__heq2(p, p))); PUT(PAIR(__hlt2(p, q)));
    PUT(PAIR(__hne2(p, q))); PUT(__hbge2(p, q)); PUT(__hbeq2(q, q)); PUT(__hisinf(a)); PUT(a != c);
    PUT(a < b); PUT(a >= c); PUT(a == a); PUT(__hgt(a, b)); PUT(__hle(a, c)); PUT(__hisnan(a));
    PUT(PAIR(p)); PUT(PAIR(__hadd2(p, q))); PUT(PAIR(__hmul2(p, q))); PUT(PAIR(__hfma2(p, q, p))); PUT(PAIR(__half2half2(a))); PUT(PAIR(p - q));
    PUT(__float_as_int(__low2float(p))); PUT(__float_as_int(__half22float2(q).x)); PUT(PAIR(__lowhigh2highlow(p)));
    __half sum = __float2half(0.0f);
    for (int k = 0; k < 5; k++) sum += a;
    PUT(BITS(sum));
    __shared__ half2 cell[32];
    cell[i % 32] = p; __syncthreads(); PUT(PAIR(cell[31 - i % 32]));
}
