// bfloat16 and its pair: each function in a row of the output, as in device_functions.cu beside this file.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define KERNEL extern "C" __global__ void
#define PUT(expression) out[n * row++ + i] = (expression)
#define BITS(h) __bfloat16_as_ushort(h)
#define PAIR(v) (__bfloat16_as_ushort(__low2bfloat16(v)) | (long long)__bfloat16_as_ushort(__high2bfloat16(v)) << 16)

KERNEL bfloats(const int *x, long long *out, int n)
{
    int i = threadIdx.x, row = 0;
    float f = x[i] * 0.37f - 3, g = 1.0f / (x[i] + 0.5f);
    __nv_bfloat16 a = __float2bfloat16(f), b = __float2bfloat16(g), c = __int2bfloat16_rn(x[i]);
    __nv_bfloat162 p = __floats2bfloat162_rn(f, g), q = __halves2bfloat162(c, a);
    PUT(BITS(a)); PUT(BITS(b)); PUT(BITS(c)); PUT(BITS(__float2bfloat16(f * 1e38f))); PUT(BITS(__float2bfloat16(g * 1e-39f)));
    PUT(__float_as_int(__bfloat162float(a))); PUT(__bfloat162int_rn(a)); PUT(__bfloat162int_rz(a));
    PUT(BITS(__hadd(a, b))); PUT(BITS(__hsub(a, b))); PUT(BITS(__hmul(a, b))); PUT(BITS(__hfma(a, b, c)));
    PUT(BITS(a + b * c)); PUT(BITS(a * c - b)); PUT(BITS(-a)); PUT(BITS(__habs(a))); PUT(BITS(__hneg(b)));
    PUT(BITS(__hmin(a, b))); PUT(BITS(__hmax(a, c))); PUT(BITS(a / b)); PUT(BITS(hsqrt(b)));
    PUT(BITS(hrcp(b))); PUT(BITS(hrsqrt(__habs(b)))); PUT(BITS(hexp(a))); PUT(BITS(hlog(__habs(b)))); PUT(BITS(hlog2(__habs(b)))); PUT(BITS(hexp2(b)));
    PUT(BITS(hsin(a))); PUT(BITS(hcos(b))); PUT(BITS(hfloor(a))); PUT(BITS(hceil(a))); PUT(BITS(htrunc(a))); PUT(BITS(hrint(a)));
    PUT(PAIR(h2sqrt(__habs2(p)))); PUT(PAIR(h2exp(p))); PUT(PAIR(__h2div(p, q))); PUT(PAIR(-p)); PUT(PAIR(__heq2(p, p))); PUT(PAIR(__hlt2(p, q)));
    PUT(PAIR(__hne2(p, q))); PUT(__hbge2(p, q)); PUT(__hbeq2(q, q)); PUT(__hisinf(a)); PUT(a != c);
    PUT(a < b); PUT(a >= c); PUT(a == a); PUT(__hgt(a, b)); PUT(__hle(a, c)); PUT(__hisnan(a));
    PUT(PAIR(p)); PUT(PAIR(__hadd2(p, q))); PUT(PAIR(__hmul2(p, q))); PUT(PAIR(__hfma2(p, q, p))); PUT(PAIR(__bfloat162bfloat162(a))); PUT(PAIR(p - q));
    PUT(__float_as_int(__low2float(p))); PUT(__float_as_int(__bfloat1622float2(q).x)); PUT(PAIR(__lowhigh2highlow(p)));
    __nv_bfloat16 sum = __float2bfloat16(0.0f);
    for (int k = 0; k < 5; k++) sum += a;
    PUT(BITS(sum));
    PUT(__half_as_ushort(__hadd(__float2half(f), __float2half(g)))); // beside halves
    __shared__ __nv_bfloat162 cell[32];
    cell[i % 32] = p; __syncthreads(); PUT(PAIR(cell[31 - i % 32]));
}
