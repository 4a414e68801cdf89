// Types: sized integers, vectors with the alignment of CUDA, dim3, and the indices of a thread.
#ifndef WARPWISE_CLANG_TYPES_H
#define WARPWISE_CLANG_TYPES_H

typedef unsigned char uchar;

// NAME1 … NAME4 of `type`; a2 and a4 are the alignments of two and of four.
#define WW_VECTOR(name, type, a2, a4)                                                                                  \
    struct name##1 {                                                                                                   \
        type x;                                                                                                        \
    };                                                                                                                 \
    struct __attribute__((aligned(a2))) name##2 {                                                                      \
        type x, y;                                                                                                     \
    };                                                                                                                 \
    struct name##3 {                                                                                                   \
        type x, y, z;                                                                                                  \
    };                                                                                                                 \
    struct __attribute__((aligned(a4))) name##4 {                                                                      \
        type x, y, z, w;                                                                                               \
    };                                                                                                                 \
    WW_BOTH name##1 make_##name##1(type x)                                                                             \
    {                                                                                                                  \
        name##1 v = {x};                                                                                               \
        return v;                                                                                                      \
    }                                                                                                                  \
    WW_BOTH name##2 make_##name##2(type x, type y)                                                                     \
    {                                                                                                                  \
        name##2 v = {x, y};                                                                                            \
        return v;                                                                                                      \
    }                                                                                                                  \
    WW_BOTH name##3 make_##name##3(type x, type y, type z)                                                             \
    {                                                                                                                  \
        name##3 v = {x, y, z};                                                                                         \
        return v;                                                                                                      \
    }                                                                                                                  \
    WW_BOTH name##4 make_##name##4(type x, type y, type z, type w)                                                     \
    {                                                                                                                  \
        name##4 v = {x, y, z, w};                                                                                      \
        return v;                                                                                                      \
    }
WW_VECTOR(char, signed char, 2, 4)
WW_VECTOR(uchar, unsigned char, 2, 4)
WW_VECTOR(short, short, 4, 8)
WW_VECTOR(ushort, unsigned short, 4, 8)
WW_VECTOR(int, int, 8, 16)
WW_VECTOR(uint, unsigned int, 8, 16)
WW_VECTOR(long, long, 16, 16)
WW_VECTOR(ulong, unsigned long, 16, 16)
WW_VECTOR(longlong, long long, 16, 16)
WW_VECTOR(ulonglong, unsigned long long, 16, 16)
WW_VECTOR(float, float, 8, 16)
WW_VECTOR(double, double, 16, 16)
#undef WW_VECTOR

struct dim3 {
    unsigned int x, y, z;
    __host__ __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z)
    {
    }
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    __host__ __device__ constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
};

// A read of threadIdx.x is a read of a special register: the variables are empty, their members are properties.
#define WW_PROPERTY(member, read)                                                                                      \
    __declspec(property(get = ww_##member)) unsigned int member;                                                       \
    static inline __device__ __attribute__((nodebug, always_inline)) unsigned int ww_##member()                        \
    {                                                                                                                  \
        return read();                                                                                                 \
    }
#define WW_INDEX(name, sreg)                                                                                           \
    struct ww_##name {                                                                                                 \
        WW_PROPERTY(x, __nvvm_read_ptx_sreg_##sreg##_x)                                                                \
        WW_PROPERTY(y, __nvvm_read_ptx_sreg_##sreg##_y)                                                                \
        WW_PROPERTY(z, __nvvm_read_ptx_sreg_##sreg##_z)                                                                \
        __device__ __attribute__((nodebug, always_inline)) operator uint3() const                                      \
        {                                                                                                              \
            return uint3{ww_x(), ww_y(), ww_z()};                                                                      \
        }                                                                                                              \
        __device__ __attribute__((nodebug, always_inline)) operator dim3() const                                       \
        {                                                                                                              \
            return dim3(ww_x(), ww_y(), ww_z());                                                                       \
        }                                                                                                              \
    };                                                                                                                 \
    extern const __device__ __attribute__((weak)) ww_##name name;
WW_INDEX(threadIdx, tid)
WW_INDEX(blockIdx, ctaid)
WW_INDEX(blockDim, ntid)
WW_INDEX(gridDim, nctaid)
#undef WW_INDEX
#undef WW_PROPERTY

static const __device__ int warpSize = 32;

// Which of two arithmetic types the mathematical functions compute in: float if both are float, else double.
template <class T> struct ww_arithmetic {
};
#define WW_ARITHMETIC(name, result)                                                                                    \
    template <> struct ww_arithmetic<name> {                                                                           \
        typedef result type;                                                                                           \
    };
WW_ARITHMETIC(bool, double)
WW_ARITHMETIC(char, double)
WW_ARITHMETIC(signed char, double)
WW_ARITHMETIC(unsigned char, double)
WW_ARITHMETIC(short, double)
WW_ARITHMETIC(unsigned short, double)
WW_ARITHMETIC(int, double)
WW_ARITHMETIC(unsigned int, double)
WW_ARITHMETIC(long, double)
WW_ARITHMETIC(unsigned long, double)
WW_ARITHMETIC(long long, double)
WW_ARITHMETIC(unsigned long long, double)
#undef WW_ARITHMETIC

#endif
