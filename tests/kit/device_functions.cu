// Every function of the device headers, in kernels that write what each returns: both compilers must take all of it,
// and give the same values (within the bounds that the headers state for approximations).
//
// Each line adds a row to the output: row r of argument i stands at out[r * n + i]. Kernels of warps run in one warp.
#define KERNEL extern "C" __global__ void
#define PUT(expression) out[n * row++ + i] = (expression)

KERNEL unary_float(const float *x, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, row = 0;
    if (i >= n) return;
    float v = x[i], s, c;
    int e;
    PUT(sqrtf(v)); PUT(fabsf(v)); PUT(floorf(v)); PUT(ceilf(v)); PUT(truncf(v)); PUT(rintf(v)); PUT(nearbyintf(v)); PUT(roundf(v));
    PUT(expf(v)); PUT(exp2f(v)); PUT(exp10f(v)); PUT(expm1f(v)); PUT(logf(v)); PUT(log2f(v)); PUT(log10f(v)); PUT(log1pf(v));
    PUT(sinf(v)); PUT(cosf(v)); PUT(tanf(v)); PUT(asinf(v)); PUT(acosf(v)); PUT(atanf(v)); PUT(sinpif(v)); PUT(cospif(v));
    PUT(sinhf(v)); PUT(coshf(v)); PUT(tanhf(v)); PUT(asinhf(v)); PUT(acoshf(v)); PUT(atanhf(v)); PUT(cbrtf(v)); PUT(rcbrtf(v));
    PUT(erff(v)); PUT(erfcf(v)); PUT(normcdff(v)); PUT(rsqrtf(v)); PUT(logbf(v)); PUT(ldexpf(v, 3)); PUT(scalbnf(v, -5));
    sincosf(v, &s, &c); PUT(s); PUT(c);
    PUT(frexpf(v, &e)); PUT(isfinite(v) ? e : 0); PUT(modff(v, &s)); PUT(s);
    PUT(isnan(v)); PUT(isinf(v)); PUT(isfinite(v)); PUT(signbit(v) != 0);
    PUT(__frcp_rn(v)); PUT(__frcp_rz(v)); PUT(__frcp_ru(v)); PUT(__frcp_rd(v)); PUT(__fsqrt_rn(v)); PUT(__fsqrt_rz(v)); PUT(__fsqrt_ru(v)); PUT(__fsqrt_rd(v));
    PUT(__frsqrt_rn(v)); PUT(__saturatef(v)); PUT(__int_as_float(__float_as_int(v))); PUT(__uint_as_float(__float_as_uint(v)));
    PUT(sqrt(v)); PUT(exp(v)); PUT(log(v)); PUT(sin(v)); PUT(cos(v)); PUT(abs(v)); PUT(fabs(v)); PUT(floor(v)); PUT(round(v)); PUT(rsqrt(v));
}

KERNEL fast_float(const float *x, float *out, int n) // approximations: compared loosely
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, row = 0;
    if (i >= n) return;
    float v = x[i], s, c;
    PUT(__expf(v)); PUT(__exp10f(v)); PUT(__logf(v)); PUT(__log2f(v)); PUT(__log10f(v)); PUT(__sinf(v)); PUT(__cosf(v)); PUT(__tanf(v));
    __sincosf(v, &s, &c); PUT(s); PUT(c);
    PUT(__powf(v, 2.5f)); PUT(__fdividef(v, 3.0f)); PUT(fdividef(v, 3.0f));
}

KERNEL binary_float(const float *x, const float *y, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, row = 0;
    if (i >= n) return;
    float v = x[i], w = y[i];
    PUT(fminf(v, w)); PUT(fmaxf(v, w)); PUT(min(v, w)); PUT(max(v, w)); PUT(fmin(v, w)); PUT(fmax(v, w)); PUT(copysignf(v, w)); PUT(fdimf(v, w)); PUT(fmodf(v, w)); PUT(remainderf(v, w));
    PUT(powf(v, w)); PUT(atan2f(v, w)); PUT(hypotf(v, w)); PUT(fmaf(v, w, 3.0f)); PUT(fma(v, w, 3.0f)); PUT(pow(v, w)); PUT(atan2(v, w)); PUT(fmod(v, w)); PUT(hypot(v, w));
    PUT(v / w);
    PUT(__fadd_rn(v, w)); PUT(__fadd_rz(v, w)); PUT(__fadd_ru(v, w)); PUT(__fadd_rd(v, w)); PUT(__fsub_rn(v, w)); PUT(__fsub_rz(v, w)); PUT(__fsub_ru(v, w)); PUT(__fsub_rd(v, w));
    PUT(__fmul_rn(v, w)); PUT(__fmul_rz(v, w)); PUT(__fmul_ru(v, w)); PUT(__fmul_rd(v, w)); PUT(__fdiv_rn(v, w)); PUT(__fdiv_rz(v, w)); PUT(__fdiv_ru(v, w)); PUT(__fdiv_rd(v, w));
    PUT(__fmaf_rn(v, w, 1.5f)); PUT(__fmaf_rz(v, w, 1.5f)); PUT(__fmaf_ru(v, w, 1.5f)); PUT(__fmaf_rd(v, w, 1.5f));
}

KERNEL unary_double(const double *x, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, row = 0;
    if (i >= n) return;
    double v = x[i], s, c;
    int e;
    PUT(sqrt(v)); PUT(fabs(v)); PUT(abs(v)); PUT(floor(v)); PUT(ceil(v)); PUT(trunc(v)); PUT(rint(v)); PUT(nearbyint(v)); PUT(round(v));
    PUT(exp(v)); PUT(exp2(v)); PUT(exp10(v)); PUT(expm1(v)); PUT(log(v)); PUT(log2(v)); PUT(log10(v)); PUT(log1p(v));
    PUT(sin(v)); PUT(cos(v)); PUT(tan(v)); PUT(asin(v)); PUT(acos(v)); PUT(atan(v)); PUT(sinpi(v)); PUT(cospi(v));
    PUT(sinh(v)); PUT(cosh(v)); PUT(tanh(v)); PUT(asinh(v)); PUT(acosh(v)); PUT(atanh(v)); PUT(cbrt(v)); PUT(rcbrt(v));
    PUT(erf(v)); PUT(erfc(v)); PUT(normcdf(v)); PUT(logb(v)); PUT(ldexp(v, 3)); PUT(scalbn(v, -5));
    sincos(v, &s, &c); PUT(s); PUT(c); sincospi(v, &s, &c); PUT(s); PUT(c);
    PUT(frexp(v, &e)); PUT(isfinite(v) ? e : 0); PUT(modf(v, &s)); PUT(s); PUT(isfinite(v) && v != 0 ? ilogb(v) : 0);
    PUT(isnan(v)); PUT(isinf(v)); PUT(isfinite(v)); PUT(signbit(v) != 0);
    PUT(__drcp_rn(v)); PUT(__drcp_rz(v)); PUT(__drcp_ru(v)); PUT(__drcp_rd(v)); PUT(__dsqrt_rn(v)); PUT(__dsqrt_rz(v)); PUT(__dsqrt_ru(v)); PUT(__dsqrt_rd(v));
    PUT(__longlong_as_double(__double_as_longlong(v))); PUT(__hiloint2double(__double2hiint(v), __double2loint(v)));
}

KERNEL fast_double(const double *x, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, row = 0;
    if (i >= n) return;
    PUT(rsqrt(x[i]));
}

KERNEL binary_double(const double *x, const double *y, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, row = 0;
    if (i >= n) return;
    double v = x[i], w = y[i];
    PUT(fmin(v, w)); PUT(fmax(v, w)); PUT(min(v, w)); PUT(max(v, w)); PUT(min((float)v, w)); PUT(max(v, (float)w)); PUT(copysign(v, w)); PUT(fdim(v, w)); PUT(fmod(v, w)); PUT(remainder(v, w));
    PUT(pow(v, w)); PUT(pow(v, 2)); PUT(pow(v, 3.0f)); PUT(atan2(v, w)); PUT(hypot(v, w)); PUT(fma(v, w, 3.0)); PUT(v / w);
    PUT(__dadd_rn(v, w)); PUT(__dadd_rz(v, w)); PUT(__dadd_ru(v, w)); PUT(__dadd_rd(v, w)); PUT(__dsub_rn(v, w)); PUT(__dsub_rz(v, w)); PUT(__dsub_ru(v, w)); PUT(__dsub_rd(v, w));
    PUT(__dmul_rn(v, w)); PUT(__dmul_rz(v, w)); PUT(__dmul_ru(v, w)); PUT(__dmul_rd(v, w)); PUT(__ddiv_rn(v, w)); PUT(__ddiv_rz(v, w)); PUT(__ddiv_ru(v, w)); PUT(__ddiv_rd(v, w));
    PUT(__fma_rn(v, w, 1.5)); PUT(__fma_rz(v, w, 1.5)); PUT(__fma_ru(v, w, 1.5)); PUT(__fma_rd(v, w, 1.5));
}

KERNEL conversions(const double *x, long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, row = 0;
    if (i >= n) return;
    double v = x[i];
    float f = (float)v;
    int k = (int)v;
    unsigned u = (unsigned)k;
    long long l = (long long)(v * 1e9);
    unsigned long long m = (unsigned long long)l;
    PUT(__float2int_rn(f)); PUT(__float2int_rz(f)); PUT(__float2int_ru(f)); PUT(__float2int_rd(f)); PUT(__float2uint_rn(f)); PUT(__float2uint_rz(f)); PUT(__float2uint_ru(f)); PUT(__float2uint_rd(f));
    PUT(__float2ll_rn(f)); PUT(__float2ll_rz(f)); PUT(__float2ll_ru(f)); PUT(__float2ll_rd(f)); PUT(__float2ull_rn(f)); PUT(__float2ull_rz(f)); PUT(__float2ull_ru(f)); PUT(__float2ull_rd(f));
    PUT(__double2int_rn(v)); PUT(__double2int_rz(v)); PUT(__double2int_ru(v)); PUT(__double2int_rd(v)); PUT(__double2uint_rn(v)); PUT(__double2uint_rz(v)); PUT(__double2uint_ru(v)); PUT(__double2uint_rd(v));
    PUT(__double2ll_rn(v)); PUT(__double2ll_rz(v)); PUT(__double2ll_ru(v)); PUT(__double2ll_rd(v)); PUT(__double2ull_rn(v)); PUT(__double2ull_rz(v)); PUT(__double2ull_ru(v)); PUT(__double2ull_rd(v));
    PUT(__float_as_int(__double2float_rn(v))); PUT(__float_as_int(__double2float_rz(v))); PUT(__float_as_int(__double2float_ru(v))); PUT(__float_as_int(__double2float_rd(v)));
    PUT(__float_as_int(__int2float_rn(k))); PUT(__float_as_int(__int2float_rz(k))); PUT(__float_as_int(__int2float_ru(k))); PUT(__float_as_int(__int2float_rd(k)));
    PUT(__float_as_int(__uint2float_rn(u))); PUT(__float_as_int(__uint2float_rz(u))); PUT(__float_as_int(__uint2float_ru(u))); PUT(__float_as_int(__uint2float_rd(u)));
    PUT(__float_as_int(__ll2float_rn(l))); PUT(__float_as_int(__ll2float_rz(l))); PUT(__float_as_int(__ll2float_ru(l))); PUT(__float_as_int(__ll2float_rd(l)));
    PUT(__float_as_int(__ull2float_rn(m))); PUT(__float_as_int(__ull2float_rz(m))); PUT(__float_as_int(__ull2float_ru(m))); PUT(__float_as_int(__ull2float_rd(m)));
    PUT(__double_as_longlong(__ll2double_rn(l))); PUT(__double_as_longlong(__ll2double_rz(l))); PUT(__double_as_longlong(__ll2double_ru(l))); PUT(__double_as_longlong(__ll2double_rd(l)));
    PUT(__double_as_longlong(__ull2double_rn(m))); PUT(__double_as_longlong(__ull2double_rz(m))); PUT(__double_as_longlong(__ull2double_ru(m))); PUT(__double_as_longlong(__ull2double_rd(m)));
    PUT(__double_as_longlong(__int2double_rn(k))); PUT(__double_as_longlong(__uint2double_rn(u)));
    PUT(lrint(v)); PUT(lrintf(f)); PUT(llrint(v)); PUT(llrintf(f)); PUT(lround(v)); PUT(lroundf(f)); PUT(llround(v)); PUT(llroundf(f)); PUT(ilogbf(f == 0 || !isfinite(f) ? 1 : f));
}

KERNEL integers(const int *x, const int *y, long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, row = 0;
    if (i >= n) return;
    int v = x[i], w = y[i];
    unsigned a = v, b = w;
    long long l = ((long long)v << 32) ^ w, m = ((long long)w << 30) ^ v;
    PUT(__popc(a)); PUT(__popcll(l)); PUT(__clz(v)); PUT(__clzll(l)); PUT(__ffs(v)); PUT(__ffsll(l)); PUT(__brev(a)); PUT(__brevll(l)); PUT(__byte_perm(a, b, 0x5140)); PUT(__byte_perm(a, b, w));
    PUT(__funnelshift_l(a, b, w)); PUT(__funnelshift_lc(a, b, w)); PUT(__funnelshift_r(a, b, w)); PUT(__funnelshift_rc(a, b, w)); PUT(__fns(a | 1, 0, 1));
    PUT(__mul24(v, w)); PUT(__umul24(a, b)); PUT(__mulhi(v, w)); PUT(__umulhi(a, b)); PUT(__mul64hi(l, m)); PUT(__umul64hi(l, m)); PUT(__sad(v, w, 7)); PUT(__usad(a, b, 7));
    PUT(__hadd(v, w)); PUT(__rhadd(v, w)); PUT(__uhadd(a, b)); PUT(__urhadd(a, b)); PUT(__dp4a(v, w, 5)); PUT(__dp4a(a, b, 5u)); PUT(__dp2a_lo(v, w, 5)); PUT(__dp2a_hi(v, w, 5));
    PUT(__dp4a(make_char4(v, v >> 3, w, w >> 3), make_char4(w, v, v, w), 5)); PUT(__dp4a(make_uchar4(v, v >> 3, w, w >> 3), make_uchar4(w, v, v, w), 5u)); PUT(__dp2a_lo(a, b, 5u)); PUT(__dp2a_hi(a, b, 5u));
    PUT(min(v, w)); PUT(max(v, w)); PUT(min(a, b)); PUT(max(a, b)); PUT(min(v, b)); PUT(max(a, w)); PUT(min(l, m)); PUT(max(l, m)); PUT(umin(a, b)); PUT(umax(a, b)); PUT(llmin(l, m)); PUT(llmax(l, m)); PUT(ullmin(l, m)); PUT(ullmax(l, m));
    PUT(abs(v == INT_MIN ? 0 : v)); PUT(abs(l)); PUT(labs((long)l)); PUT(llabs(l)); PUT((long long)sqrt((double)abs(w % 1000))); PUT((long long)pow((double)(v % 10), 2.0));
}

KERNEL fields(const int *x, const int *y, long long *out, int n) // of two half-words, of four bytes
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, row = 0;
    if (i >= n) return;
    unsigned a = x[i], b = y[i];
    PUT(__vadd2(a, b)); PUT(__vaddss2(a, b)); PUT(__vaddus2(a, b)); PUT(__vsub2(a, b)); PUT(__vsubss2(a, b)); PUT(__vsubus2(a, b)); PUT(__vavgs2(a, b)); PUT(__vavgu2(a, b)); PUT(__vabsdiffs2(a, b)); PUT(__vabsdiffu2(a, b)); PUT(__vmaxs2(a, b)); PUT(__vmaxu2(a, b)); PUT(__vmins2(a, b)); PUT(__vminu2(a, b)); PUT(__vsads2(a, b)); PUT(__vsadu2(a, b)); PUT(__vhaddu2(a, b));
    PUT(__vneg2(a)); PUT(__vnegss2(a)); PUT(__vabs2(a)); PUT(__vabsss2(a));
    PUT(__vseteq2(a, b)); PUT(__vsetne2(a, b)); PUT(__vsetges2(a, b)); PUT(__vsetgeu2(a, b)); PUT(__vsetgts2(a, b)); PUT(__vsetgtu2(a, b)); PUT(__vsetles2(a, b)); PUT(__vsetleu2(a, b)); PUT(__vsetlts2(a, b)); PUT(__vsetltu2(a, b));
    PUT(__vcmpeq2(a, b)); PUT(__vcmpne2(a, b)); PUT(__vcmpges2(a, b)); PUT(__vcmpgeu2(a, b)); PUT(__vcmpgts2(a, b)); PUT(__vcmpgtu2(a, b)); PUT(__vcmples2(a, b)); PUT(__vcmpleu2(a, b)); PUT(__vcmplts2(a, b)); PUT(__vcmpltu2(a, b));
    PUT(__vadd4(a, b)); PUT(__vaddss4(a, b)); PUT(__vaddus4(a, b)); PUT(__vsub4(a, b)); PUT(__vsubss4(a, b)); PUT(__vsubus4(a, b)); PUT(__vavgs4(a, b)); PUT(__vavgu4(a, b)); PUT(__vabsdiffs4(a, b)); PUT(__vabsdiffu4(a, b)); PUT(__vmaxs4(a, b)); PUT(__vmaxu4(a, b)); PUT(__vmins4(a, b)); PUT(__vminu4(a, b)); PUT(__vsads4(a, b)); PUT(__vsadu4(a, b)); PUT(__vhaddu4(a, b));
    PUT(__vneg4(a)); PUT(__vnegss4(a)); PUT(__vabs4(a)); PUT(__vabsss4(a));
    PUT(__vseteq4(a, b)); PUT(__vsetne4(a, b)); PUT(__vsetges4(a, b)); PUT(__vsetgeu4(a, b)); PUT(__vsetgts4(a, b)); PUT(__vsetgtu4(a, b)); PUT(__vsetles4(a, b)); PUT(__vsetleu4(a, b)); PUT(__vsetlts4(a, b)); PUT(__vsetltu4(a, b));
    PUT(__vcmpeq4(a, b)); PUT(__vcmpne4(a, b)); PUT(__vcmpges4(a, b)); PUT(__vcmpgeu4(a, b)); PUT(__vcmpgts4(a, b)); PUT(__vcmpgtu4(a, b)); PUT(__vcmples4(a, b)); PUT(__vcmpleu4(a, b)); PUT(__vcmplts4(a, b)); PUT(__vcmpltu4(a, b));
}

KERNEL vectors(const float *x, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, row = 0;
    if (i >= n) return;
    float v = x[i];
    char1 c1 = make_char1(1); char2 c2 = make_char2(1, 2); char3 c3 = make_char3(1, 2, 3); char4 c4 = make_char4(1, 2, 3, 4);
    uchar1 d1 = make_uchar1(1); uchar2 d2 = make_uchar2(1, 2); uchar3 d3 = make_uchar3(1, 2, 3); uchar4 d4 = make_uchar4(1, 2, 3, 4);
    short1 s1 = make_short1(1); short2 s2 = make_short2(1, 2); short3 s3 = make_short3(1, 2, 3); short4 s4 = make_short4(1, 2, 3, 4);
    ushort1 t1 = make_ushort1(1); ushort2 t2 = make_ushort2(1, 2); ushort3 t3 = make_ushort3(1, 2, 3); ushort4 t4 = make_ushort4(1, 2, 3, 4);
    int1 i1 = make_int1(i); int2 i2 = make_int2(i, 2); int3 i3 = make_int3(i, 2, 3); int4 i4 = make_int4(i, 2, 3, 4);
    uint1 u1 = make_uint1(i); uint2 u2 = make_uint2(i, 2); uint3 u3 = make_uint3(i, 2, 3); uint4 u4 = make_uint4(i, 2, 3, 4);
    long1 l1 = make_long1(i); long2 l2 = make_long2(i, 2); long3 l3 = make_long3(i, 2, 3); ulong1 m1 = make_ulong1(i); ulong2 m2 = make_ulong2(i, 2); ulong3 m3 = make_ulong3(i, 2, 3);
    longlong1 g1 = make_longlong1(i); longlong2 g2 = make_longlong2(i, 2); longlong3 g3 = make_longlong3(i, 2, 3); ulonglong1 h1 = make_ulonglong1(i); ulonglong2 h2 = make_ulonglong2(i, 2); ulonglong3 h3 = make_ulonglong3(i, 2, 3);
    float1 f1 = make_float1(v); float2 f2 = make_float2(v, 2); float3 f3 = make_float3(v, 2, 3); float4 f4 = make_float4(v, 2, 3, 4);
    double1 e1 = make_double1(v); double2 e2 = make_double2(v, 2); double3 e3 = make_double3(v, 2, 3);
    PUT(c1.x + c2.y + c3.z + c4.w + d1.x + d2.y + d3.z + d4.w); PUT(s1.x + s2.y + s3.z + s4.w + t1.x + t2.y + t3.z + t4.w); PUT(i1.x + i2.y + i3.z + i4.w + u1.x + u2.y + u3.z + u4.w);
    PUT(l1.x + l2.y + l3.z + m1.x + m2.y + m3.z); PUT(g1.x + g2.y + g3.z + h1.x + h2.y + h3.z); PUT(f1.x + f2.y + f3.z + f4.w); PUT(e1.x + e2.y + e3.z);
    PUT(sizeof(char3) * 100 + alignof(char4)); PUT(sizeof(int3) * 100 + alignof(int4)); PUT(sizeof(float2) * 100 + alignof(float2)); PUT(sizeof(float4) * 100 + alignof(float4));
    PUT(sizeof(double2) * 100 + alignof(double2)); PUT(sizeof(short4) * 100 + alignof(short4)); PUT(sizeof(longlong2) * 100 + alignof(longlong2)); PUT(sizeof(uchar2) * 100 + alignof(uchar2)); PUT(sizeof(long3) * 100 + alignof(long3)); PUT(sizeof(double3) * 100 + alignof(double3)); PUT(sizeof(dim3) * 100 + alignof(dim3));
    dim3 block = blockDim, one, two(2), three(2, 3); uint3 index = threadIdx; auto grid = gridDim;
    PUT(block.x + block.y * block.z + one.x + one.y + one.z + two.x + two.y + three.y + three.z); PUT(index.x - threadIdx.x + index.y + index.z); PUT(grid.x - gridDim.x + warpSize); PUT(blockIdx.y + blockIdx.z + threadIdx.y + threadIdx.z + blockDim.y + blockDim.z + gridDim.y + gridDim.z);
    float4 pair[2] = {f4, make_float4(4, 3, 2, 1)}; float4 sum = pair[i & 1]; PUT(sum.x + sum.y * 2); memset(pair, 0, sizeof pair); memcpy(pair, &f4, sizeof f4); PUT(pair[0].y + pair[1].y);
}

KERNEL warps(const int *x, long long *out, int n) // one warp, all lanes
{
    int i = threadIdx.x, row = 0, all;
    int v = x[i];
    unsigned u = (unsigned)v * 3u;
    float f = (float)v * 0.5f;
    double d = (double)v * 0.25;
    long long l = ((long long)v << 33) + i;
    unsigned long long m = (unsigned long long)l * 5;
    long s = (long)l - 1;
    unsigned long t = (unsigned long)m - 1;
    PUT(__shfl_sync(~0u, v, 3)); PUT(__shfl_sync(~0u, u, i + 1)); PUT(__shfl_sync(~0u, v, 2, 8)); PUT(__float_as_int(__shfl_sync(~0u, f, 31 - i))); PUT(__double_as_longlong(__shfl_sync(~0u, d, i ^ 5))); PUT(__shfl_sync(~0u, l, 7)); PUT(__shfl_sync(~0u, m, 9)); PUT(__shfl_sync(~0u, s, 7)); PUT(__shfl_sync(~0u, t, 9));
    PUT(__shfl_up_sync(~0u, v, 1)); PUT(__shfl_up_sync(~0u, u, 2)); PUT(__shfl_up_sync(~0u, v, 3, 16)); PUT(__float_as_int(__shfl_up_sync(~0u, f, 4))); PUT(__double_as_longlong(__shfl_up_sync(~0u, d, 5))); PUT(__shfl_up_sync(~0u, l, 6)); PUT(__shfl_up_sync(~0u, m, 7)); PUT(__shfl_up_sync(~0u, s, 6)); PUT(__shfl_up_sync(~0u, t, 7));
    PUT(__shfl_down_sync(~0u, v, 1)); PUT(__shfl_down_sync(~0u, u, 2)); PUT(__shfl_down_sync(~0u, v, 3, 16)); PUT(__float_as_int(__shfl_down_sync(~0u, f, 4))); PUT(__double_as_longlong(__shfl_down_sync(~0u, d, 5))); PUT(__shfl_down_sync(~0u, l, 6)); PUT(__shfl_down_sync(~0u, m, 7)); PUT(__shfl_down_sync(~0u, s, 6)); PUT(__shfl_down_sync(~0u, t, 7));
    PUT(__shfl_xor_sync(~0u, v, 1)); PUT(__shfl_xor_sync(~0u, u, 2)); PUT(__shfl_xor_sync(~0u, v, 3, 4)); PUT(__float_as_int(__shfl_xor_sync(~0u, f, 4))); PUT(__double_as_longlong(__shfl_xor_sync(~0u, d, 5))); PUT(__shfl_xor_sync(~0u, l, 6)); PUT(__shfl_xor_sync(~0u, m, 7)); PUT(__shfl_xor_sync(~0u, s, 6)); PUT(__shfl_xor_sync(~0u, t, 7));
    PUT(__all_sync(~0u, v)); PUT(__any_sync(~0u, v & 1)); PUT(__uni_sync(~0u, v & 1)); PUT(__ballot_sync(~0u, v & 1)); PUT(__activemask());
    PUT(__match_any_sync(~0u, v & 3)); PUT(__match_any_sync(~0u, u & 1)); PUT(__match_any_sync(~0u, (float)(v & 1))); PUT(__match_any_sync(~0u, l & 7)); PUT(__match_any_sync(~0u, m & 3)); PUT(__match_any_sync(~0u, (double)(v & 1))); PUT(__match_any_sync(~0u, (long)(v & 3))); PUT(__match_any_sync(~0u, (unsigned long)(v & 3)));
    PUT(__match_all_sync(~0u, v & 1, &all)); PUT(all); PUT(__match_all_sync(~0u, 7u, &all)); PUT(all); PUT(__match_all_sync(~0u, l, &all)); PUT(all); PUT(__match_all_sync(~0u, 1.5f, &all)); PUT(all); PUT(__match_all_sync(~0u, 1.5, &all)); PUT(all);
    PUT(__reduce_add_sync(~0u, v)); PUT(__reduce_add_sync(~0u, u)); PUT(__reduce_min_sync(~0u, v)); PUT(__reduce_min_sync(~0u, u)); PUT(__reduce_max_sync(~0u, v)); PUT(__reduce_max_sync(~0u, u)); PUT(__reduce_and_sync(~0u, u)); PUT(__reduce_or_sync(~0u, u)); PUT(__reduce_xor_sync(~0u, u));
    __shared__ int tile[32];
    extern __shared__ int more[];
    tile[i] = v; __syncwarp(); PUT(tile[31 - i]); __syncwarp(0xffffffffu);
    more[i] = v + 1; __syncthreads(); PUT(more[31 - i]);
    PUT(__syncthreads_count(v & 1)); PUT(__syncthreads_and(v)); PUT(__syncthreads_or(v & 1));
    PUT(__isShared(tile) + 2 * __isGlobal(x) + 4 * __isLocal(&all) + 8 * __isShared(x));
    __threadfence(); __threadfence_block(); __threadfence_system(); __nanosleep(10);
    PUT(clock64() >= 0); PUT(clock() >= 0);
}

KERNEL atomics(int *si, unsigned *ui, unsigned long long *ul, long long *sl, float *f, double *d, unsigned short *us)
{
    int i = threadIdx.x;
    if (i == 0) us[0] += atomicCAS(&us[1], (unsigned short)3, (unsigned short)4);
#define ROW(scope) \
    atomicAdd##scope(&si[0], i); atomicSub##scope(&si[1], i); atomicMin##scope(&si[2], -i); atomicMax##scope(&si[3], i); atomicAnd##scope(&si[4], ~(1 << i)); atomicOr##scope(&si[5], 1 << i); atomicXor##scope(&si[6], 1 << i); \
    atomicAdd##scope(&ui[0], (unsigned)i); atomicSub##scope(&ui[1], (unsigned)i); atomicMin##scope(&ui[2], (unsigned)i); atomicMax##scope(&ui[3], (unsigned)i); atomicAnd##scope(&ui[4], ~(1u << i)); atomicOr##scope(&ui[5], 1u << i); atomicXor##scope(&ui[6], 1u << i); atomicInc##scope(&ui[7], 20u); atomicDec##scope(&ui[8], 20u); \
    atomicAdd##scope(&ul[0], (unsigned long long)i << 30); atomicMin##scope(&ul[1], (unsigned long long)i + 5); atomicMax##scope(&ul[2], (unsigned long long)i << 40); atomicAnd##scope(&ul[3], ~(1ull << 2 * i)); atomicOr##scope(&ul[4], 1ull << 2 * i); atomicXor##scope(&ul[5], 1ull << 2 * i); \
    atomicMin##scope(&sl[0], -(long long)i << 33); atomicMax##scope(&sl[1], (long long)i << 33); atomicAdd##scope(&f[0], (float)i); atomicAdd##scope(&d[0], (double)i); \
    if (i == 0) { si[7] += atomicExch##scope(&si[8], 5) + atomicCAS##scope(&si[8], 5, 6); ui[9] += atomicExch##scope(&ui[10], 5u) + atomicCAS##scope(&ui[10], 5u, 6u); ul[6] += atomicExch##scope(&ul[7], 5ull) + atomicCAS##scope(&ul[7], 5ull, 6ull); f[1] += atomicExch##scope(&f[2], 2.5f); }
    ROW()
    __syncthreads();
    ROW(_block)
    __syncthreads();
    ROW(_system)
}

KERNEL hints(const float *x, const float4 *x4, const int2 *x2, const unsigned char *x1, float *out, float4 *out4, int n)
{
    int i = threadIdx.x, row = 0;
    PUT(__ldg(x + i)); PUT(__ldca(x + i)); PUT(__ldcg(x + i)); PUT(__ldcs(x + i)); PUT(__ldlu(x + i)); PUT(__ldcv(x + i)); PUT(__ldg(x4 + i).w); PUT(__ldcs(x4 + i).z); PUT(__ldg(x2 + i).y); PUT(__ldcg(x2 + i).x); PUT(__ldg(x1 + i)); PUT(__ldcs(x1 + i));
    __stwb(out + n * row++ + i, 1.5f); __stcg(out + n * row++ + i, 2.5f); __stcs(out + n * row++ + i, 3.5f); __stwt(out + n * row++ + i, 4.5f);
    __stwb(out4 + i, make_float4(1, 2, 3, 4)); __stcs(out4 + n + i, make_float4(5, 6, 7, 8));
}

#include <cuda_pipeline.h>
KERNEL pipeline(const float4 *x, float4 *out)
{
    __shared__ float4 tile[3][32];
    int i = threadIdx.x;
    __pipeline_memcpy_async(&tile[0][i], &x[i], 16);
    __pipeline_memcpy_async(&tile[1][i].x, &x[i].y, 4); __pipeline_memcpy_async(&tile[1][i].y, &x[i].z, 4);
    __pipeline_memcpy_async(&tile[1][i].z, &x[i].x, 8);
    __pipeline_commit();
    __pipeline_memcpy_async(&tile[2][i], &x[31 - i], 16, 8);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    out[i] = tile[0][i];
    __pipeline_wait_prior(0);
    __syncthreads();
    out[32 + i] = tile[1][31 - i]; out[64 + i] = tile[2][31 - i];
}

#include <stdio.h>
#include <assert.h>
__device__ __noinline__ int recursive(int k) { return k < 2 ? k : recursive(k - 1) + recursive(k - 2); }
__device__ __forceinline__ int twice(int k) { return 2 * k; }
__constant__ int table[4] = {1, 2, 3, 4};
__device__ int counter = 7;
extern "C" __global__ void __launch_bounds__(128, 2) language(const int *__restrict__ x, int *out, int n)
{
    int i = threadIdx.x, row = 0;
    struct __align__(16) { int a, b; } pair = {x[i], 2};
    PUT(recursive(x[i] & 7)); PUT(twice(x[i])); PUT(table[i & 3]); PUT(counter); PUT(pair.a + pair.b); PUT(sizeof pair); PUT(sizeof(size_t)); PUT((int)sizeof(uint64_t)); PUT((int *)NULL == nullptr);
    assert(n > 0);
    if (x[i] == -12345) { printf("%d %f %s %c %llu\n", x[i], 1.5f, "text", 'c', 1ull << 40); __trap(); __brkpt(); }
}
