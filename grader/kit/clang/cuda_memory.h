// Memory and text: loads and stores with a cache hint, copies, asynchronous copies, the heap, printf and assert.
#ifndef WARPWISE_CLANG_MEMORY_H
#define WARPWISE_CLANG_MEMORY_H

// ------------------------------------------------------------------------------------------------ hinted access
#define WW_LOAD(name, hint, clobber, type, out, size)                                                                  \
    WW_DEVICE type name(const type *address)                                                                           \
    {                                                                                                                  \
        out value;                                                                                                     \
        asm volatile("ld.global" hint "." size " %0, [%1];" : WW_OUT_##out(value) : "l"(address)clobber);              \
        return (type)value;                                                                                            \
    }
#define WW_LOAD_2(name, hint, clobber, type, part, size)                                                               \
    WW_DEVICE type name(const type *address)                                                                           \
    {                                                                                                                  \
        part x, y;                                                                                                     \
        asm volatile("ld.global" hint ".v2." size " {%0, %1}, [%2];"                                                   \
                     : WW_OUT_##part(x), WW_OUT_##part(y)                                                              \
                     : "l"(address)clobber);                                                                           \
        return type{x, y};                                                                                             \
    }
#define WW_LOAD_4(name, hint, clobber, type, part, size)                                                               \
    WW_DEVICE type name(const type *address)                                                                           \
    {                                                                                                                  \
        part x, y, z, w;                                                                                               \
        asm volatile("ld.global" hint ".v4." size " {%0, %1, %2, %3}, [%4];"                                           \
                     : WW_OUT_##part(x), WW_OUT_##part(y), WW_OUT_##part(z), WW_OUT_##part(w)                          \
                     : "l"(address)clobber);                                                                           \
        return type{x, y, z, w};                                                                                       \
    }
#define WW_STORE(name, hint, type, out, size)                                                                          \
    WW_DEVICE void name(type *address, type value)                                                                     \
    {                                                                                                                  \
        asm volatile("st.global" hint "." size " [%0], %1;" ::"l"(address), WW_IN_##out((out)value) : "memory");       \
    }
#define WW_STORE_2(name, hint, type, part, size)                                                                       \
    WW_DEVICE void name(type *address, type value)                                                                     \
    {                                                                                                                  \
        asm volatile("st.global" hint ".v2." size " [%0], {%1, %2};" ::"l"(address), WW_IN_##part(value.x),            \
                     WW_IN_##part(value.y)                                                                             \
                     : "memory");                                                                                      \
    }
#define WW_STORE_4(name, hint, type, part, size)                                                                       \
    WW_DEVICE void name(type *address, type value)                                                                     \
    {                                                                                                                  \
        asm volatile("st.global" hint ".v4." size " [%0], {%1, %2, %3, %4};" ::"l"(address), WW_IN_##part(value.x),    \
                     WW_IN_##part(value.y), WW_IN_##part(value.z), WW_IN_##part(value.w)                               \
                     : "memory");                                                                                      \
    }
typedef int ww_s32;
typedef unsigned int ww_u32;
typedef long long ww_s64;
typedef unsigned long long ww_u64;
typedef short ww_s16;
typedef unsigned short ww_u16;
typedef float ww_f32;
typedef double ww_f64;
#define WW_OUT_ww_s16 "=h"
#define WW_OUT_ww_u16 "=h"
#define WW_OUT_ww_s32 "=r"
#define WW_OUT_ww_u32 "=r"
#define WW_OUT_ww_s64 "=l"
#define WW_OUT_ww_u64 "=l"
#define WW_OUT_ww_f32 "=f"
#define WW_OUT_ww_f64 "=d"
#define WW_IN_ww_s16 "h"
#define WW_IN_ww_u16 "h"
#define WW_IN_ww_s32 "r"
#define WW_IN_ww_u32 "r"
#define WW_IN_ww_s64 "l"
#define WW_IN_ww_u64 "l"
#define WW_IN_ww_f32 "f"
#define WW_IN_ww_f64 "d"
#define WW_CLOBBER : "memory"

// one, two and four are WW_LOAD… or WW_STORE… with what stands before the type.
#define WW_EACH_TYPE(one, two, four)                                                                                   \
    one(char, ww_s16, "s8") one(signed char, ww_s16, "s8") one(unsigned char, ww_u16, "u8")                            \
    one(short, ww_s16, "s16") one(unsigned short, ww_u16, "u16") one(int, ww_s32, "s32")                               \
    one(unsigned int, ww_u32, "u32") one(long, ww_s64, "s64") one(unsigned long, ww_u64, "u64")                        \
    one(long long, ww_s64, "s64") one(unsigned long long, ww_u64, "u64") one(float, ww_f32, "f32")                     \
    one(double, ww_f64, "f64") two(int2, ww_s32, "s32") two(uint2, ww_u32, "u32")                                      \
    two(longlong2, ww_s64, "s64") two(ulonglong2, ww_u64, "u64") two(float2, ww_f32, "f32")                            \
    two(double2, ww_f64, "f64") four(int4, ww_s32, "s32") four(uint4, ww_u32, "u32")                                   \
    four(float4, ww_f32, "f32")
// __ldg is a builtin rather than inline PTX: clang does not unroll or move a loop's code around inline PTX.
#define WW_LDG(type, letter)                                                                                           \
    WW_DEVICE type __ldg(const type *address)                                                                          \
    {                                                                                                                  \
        return __nvvm_ldg_##letter(address);                                                                           \
    }
#define WW_LDG_2(type, part, letter)                                                                                   \
    WW_DEVICE type __ldg(const type *address)                                                                          \
    {                                                                                                                  \
        typedef part pair __attribute__((ext_vector_type(2)));                                                         \
        pair v = __nvvm_ldg_##letter((const pair *)(const void *)address);                                             \
        return type{v[0], v[1]};                                                                                       \
    }
#define WW_LDG_4(type, part, letter)                                                                                   \
    WW_DEVICE type __ldg(const type *address)                                                                          \
    {                                                                                                                  \
        typedef part four __attribute__((ext_vector_type(4)));                                                         \
        four v = __nvvm_ldg_##letter((const four *)(const void *)address);                                             \
        return type{v[0], v[1], v[2], v[3]};                                                                           \
    }
WW_LDG(char, c)
WW_DEVICE signed char __ldg(const signed char *address)
{
    return (signed char)__nvvm_ldg_c((const char *)address);
}
WW_LDG(unsigned char, uc)
WW_LDG(short, s)
WW_LDG(unsigned short, us)
WW_LDG(int, i)
WW_LDG(unsigned int, ui)
WW_LDG(long, l)
WW_LDG(unsigned long, ul)
WW_LDG(long long, ll)
WW_LDG(unsigned long long, ull)
WW_LDG(float, f)
WW_LDG(double, d)
WW_LDG_2(char2, char, c2)
WW_LDG_2(uchar2, unsigned char, uc2)
WW_LDG_2(short2, short, s2)
WW_LDG_2(ushort2, unsigned short, us2)
WW_LDG_2(int2, int, i2)
WW_LDG_2(uint2, unsigned int, ui2)
WW_LDG_2(longlong2, long long, ll2)
WW_LDG_2(ulonglong2, unsigned long long, ull2)
WW_LDG_2(float2, float, f2)
WW_LDG_2(double2, double, d2)
WW_LDG_4(char4, char, c4)
WW_LDG_4(uchar4, unsigned char, uc4)
WW_LDG_4(short4, short, s4)
WW_LDG_4(ushort4, unsigned short, us4)
WW_LDG_4(int4, int, i4)
WW_LDG_4(uint4, unsigned int, ui4)
WW_LDG_4(float4, float, f4)
#undef WW_LDG
#undef WW_LDG_2
#undef WW_LDG_4
#define WW_ONE___ldca(t, p, s) WW_LOAD(__ldca, ".ca", WW_CLOBBER, t, p, s)
#define WW_TWO___ldca(t, p, s) WW_LOAD_2(__ldca, ".ca", WW_CLOBBER, t, p, s)
#define WW_FOUR___ldca(t, p, s) WW_LOAD_4(__ldca, ".ca", WW_CLOBBER, t, p, s)
#define WW_ONE___ldcg(t, p, s) WW_LOAD(__ldcg, ".cg", WW_CLOBBER, t, p, s)
#define WW_TWO___ldcg(t, p, s) WW_LOAD_2(__ldcg, ".cg", WW_CLOBBER, t, p, s)
#define WW_FOUR___ldcg(t, p, s) WW_LOAD_4(__ldcg, ".cg", WW_CLOBBER, t, p, s)
#define WW_ONE___ldcs(t, p, s) WW_LOAD(__ldcs, ".cs", WW_CLOBBER, t, p, s)
#define WW_TWO___ldcs(t, p, s) WW_LOAD_2(__ldcs, ".cs", WW_CLOBBER, t, p, s)
#define WW_FOUR___ldcs(t, p, s) WW_LOAD_4(__ldcs, ".cs", WW_CLOBBER, t, p, s)
#define WW_ONE___ldlu(t, p, s) WW_LOAD(__ldlu, ".lu", WW_CLOBBER, t, p, s)
#define WW_TWO___ldlu(t, p, s) WW_LOAD_2(__ldlu, ".lu", WW_CLOBBER, t, p, s)
#define WW_FOUR___ldlu(t, p, s) WW_LOAD_4(__ldlu, ".lu", WW_CLOBBER, t, p, s)
#define WW_ONE___ldcv(t, p, s) WW_LOAD(__ldcv, ".cv", WW_CLOBBER, t, p, s)
#define WW_TWO___ldcv(t, p, s) WW_LOAD_2(__ldcv, ".cv", WW_CLOBBER, t, p, s)
#define WW_FOUR___ldcv(t, p, s) WW_LOAD_4(__ldcv, ".cv", WW_CLOBBER, t, p, s)
#define WW_ONE___stwb(t, p, s) WW_STORE(__stwb, ".wb", t, p, s)
#define WW_TWO___stwb(t, p, s) WW_STORE_2(__stwb, ".wb", t, p, s)
#define WW_FOUR___stwb(t, p, s) WW_STORE_4(__stwb, ".wb", t, p, s)
#define WW_ONE___stcg(t, p, s) WW_STORE(__stcg, ".cg", t, p, s)
#define WW_TWO___stcg(t, p, s) WW_STORE_2(__stcg, ".cg", t, p, s)
#define WW_FOUR___stcg(t, p, s) WW_STORE_4(__stcg, ".cg", t, p, s)
#define WW_ONE___stcs(t, p, s) WW_STORE(__stcs, ".cs", t, p, s)
#define WW_TWO___stcs(t, p, s) WW_STORE_2(__stcs, ".cs", t, p, s)
#define WW_FOUR___stcs(t, p, s) WW_STORE_4(__stcs, ".cs", t, p, s)
#define WW_ONE___stwt(t, p, s) WW_STORE(__stwt, ".wt", t, p, s)
#define WW_TWO___stwt(t, p, s) WW_STORE_2(__stwt, ".wt", t, p, s)
#define WW_FOUR___stwt(t, p, s) WW_STORE_4(__stwt, ".wt", t, p, s)
#define WW_HINTED(name) WW_EACH_TYPE(WW_ONE_##name, WW_TWO_##name, WW_FOUR_##name)
WW_HINTED(__ldca)
WW_HINTED(__ldcg)
WW_HINTED(__ldcs)
WW_HINTED(__ldlu)
WW_HINTED(__ldcv)
WW_HINTED(__stwb)
WW_HINTED(__stcg)
WW_HINTED(__stcs)
WW_HINTED(__stwt)
#undef WW_HINTED

// ------------------------------------------------------------------------------------------------------ spaces
WW_DEVICE unsigned int __isGlobal(const void *address)
{
    return __nvvm_isspacep_global(address);
}
WW_DEVICE unsigned int __isShared(const void *address)
{
    return __nvvm_isspacep_shared(address);
}
WW_DEVICE unsigned int __isConstant(const void *address)
{
    return __nvvm_isspacep_const(address);
}
WW_DEVICE unsigned int __isLocal(const void *address)
{
    return __nvvm_isspacep_local(address);
}
WW_DEVICE size_t __cvta_generic_to_shared(const void *address)
{
    return (size_t)(__attribute__((address_space(3))) const void *)address;
}
WW_DEVICE size_t __cvta_generic_to_global(const void *address)
{
    return (size_t)(__attribute__((address_space(1))) const void *)address;
}

// ------------------------------------------------------------------------------------------------------ copies
extern "C" {
WW_DEVICE void *memcpy(void *to, const void *from, size_t bytes)
{
    return __builtin_memcpy(to, from, bytes);
}
WW_DEVICE void *memset(void *to, int byte, size_t bytes)
{
    return __builtin_memset(to, byte, bytes);
}
}

// cuda_pipeline.h: copies from global to shared memory that pass no register (4, 8 or 16 bytes).
WW_DEVICE void __pipeline_memcpy_async(void *shared, const void *global, size_t bytes, size_t zeros = 0)
{
    unsigned int to = (unsigned int)__cvta_generic_to_shared(shared), read = (unsigned int)(bytes - zeros);
    size_t from = __cvta_generic_to_global(global);
    if (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(read) : "memory");
    else if (bytes == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(from), "r"(read) : "memory");
    else if (bytes == 4)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(read) : "memory");
    else
        __trap();
}
WW_DEVICE void __pipeline_commit(void)
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}
// Waits until at most `groups` of the thread's last groups are pending; more than 8 count as 8, as in CUDA's header.
WW_DEVICE void __pipeline_wait_prior(size_t groups)
{
    switch (groups) {
#define WW_WAIT(n)                                                                                                     \
    case n:                                                                                                            \
        asm volatile("cp.async.wait_group " #n ";" ::: "memory");                                                      \
        break;
        WW_WAIT(0)
        WW_WAIT(1)
        WW_WAIT(2)
        WW_WAIT(3)
        WW_WAIT(4)
        WW_WAIT(5)
        WW_WAIT(6)
        WW_WAIT(7)
#undef WW_WAIT
    default:
        asm volatile("cp.async.wait_group 8;" ::: "memory");
    }
}

// cuda::annotated_ptr marks a pointer with a hint for the L2 cache. The simulator does not follow such hints.
WW_DEVICE void *__nv_associate_access_property(const void *address, unsigned long long)
{
    return (void *)address;
}

// ------------------------------------------------------------------------------------------- heap, printf and assert
extern "C" __device__ void *malloc(size_t); // from the device's heap; operator new calls it
extern "C" __device__ void free(void *);
// The assert of glibc ends in __assert_fail.
extern "C" __device__ int printf(const char *format, ...);
extern "C" __device__ void __assertfail(const char *expression, const char *file, unsigned int line,
                                        const char *function, size_t size);
extern "C" {
WW_DEVICE void __assert_fail(const char *expression, const char *file, unsigned int line, const char *function)
{
    __assertfail(expression, file, line, function, sizeof(char));
}
}

#endif
