// Arithmetic on the two half-words or four bytes of a word (__vadd4 and similar functions), by PTX video instructions.
#ifndef WARPWISE_CLANG_SIMD_H
#define WARPWISE_CLANG_SIMD_H

#define WW_FIELDS(name, instruction, x, y, result)                                                                     \
    WW_DEVICE unsigned int name(unsigned int a, unsigned int b)                                                        \
    {                                                                                                                  \
        unsigned int r;                                                                                                \
        asm(instruction " %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(0));                                        \
        return result;                                                                                                 \
    }
#define WW_FIELDS_OF_ONE(name, instruction, x, y)                                                                      \
    WW_DEVICE unsigned int name(unsigned int a)                                                                        \
    {                                                                                                                  \
        unsigned int r;                                                                                                \
        asm(instruction " %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(0));                                        \
        return r;                                                                                                      \
    }
// One in each field where the comparison holds, and all ones.
#define WW_FIELDS_COMPARE(name, n, type, compare, ones)                                                                \
    WW_FIELDS(__vset##name##n, "vset" #n "." type "." type "." compare, a, b, r)                                       \
    WW_FIELDS(__vcmp##name##n, "vset" #n "." type "." type "." compare, a, b, r *ones)
#define WW_FIELDS_ALL(n, ones, even)                                                                                   \
    WW_FIELDS(__vadd##n, "vadd" #n ".u32.u32.u32", a, b, r)                                                            \
    WW_FIELDS(__vaddss##n, "vadd" #n ".s32.s32.s32.sat", a, b, r)                                                      \
    WW_FIELDS(__vaddus##n, "vadd" #n ".u32.u32.u32.sat", a, b, r)                                                      \
    WW_FIELDS(__vsub##n, "vsub" #n ".u32.u32.u32", a, b, r)                                                            \
    WW_FIELDS(__vsubss##n, "vsub" #n ".s32.s32.s32.sat", a, b, r)                                                      \
    WW_FIELDS(__vsubus##n, "vsub" #n ".u32.u32.u32.sat", a, b, r)                                                      \
    WW_FIELDS(__vavgs##n, "vavrg" #n ".s32.s32.s32", a, b, r)                                                          \
    WW_FIELDS(__vavgu##n, "vavrg" #n ".u32.u32.u32", a, b, r)                                                          \
    WW_FIELDS(__vabsdiffs##n, "vabsdiff" #n ".s32.s32.s32", a, b, r)                                                   \
    WW_FIELDS(__vabsdiffu##n, "vabsdiff" #n ".u32.u32.u32", a, b, r)                                                   \
    WW_FIELDS(__vmaxs##n, "vmax" #n ".s32.s32.s32", a, b, r)                                                           \
    WW_FIELDS(__vmaxu##n, "vmax" #n ".u32.u32.u32", a, b, r)                                                           \
    WW_FIELDS(__vmins##n, "vmin" #n ".s32.s32.s32", a, b, r)                                                           \
    WW_FIELDS(__vminu##n, "vmin" #n ".u32.u32.u32", a, b, r)                                                           \
    WW_FIELDS(__vsads##n, "vabsdiff" #n ".s32.s32.s32.add", a, b, r)                                                   \
    WW_FIELDS(__vsadu##n, "vabsdiff" #n ".u32.u32.u32.add", a, b, r)                                                   \
    WW_FIELDS_OF_ONE(__vneg##n, "vsub" #n ".u32.u32.u32", 0, a)                                                        \
    WW_FIELDS_OF_ONE(__vnegss##n, "vsub" #n ".s32.s32.s32.sat", 0, a)                                                  \
    WW_FIELDS_OF_ONE(__vabs##n, "vabsdiff" #n ".s32.s32.s32", a, 0)                                                    \
    WW_FIELDS_OF_ONE(__vabsss##n, "vabsdiff" #n ".s32.s32.s32.sat", a, 0)                                              \
    WW_FIELDS_COMPARE(eq, n, "u32", "eq", ones)                                                                        \
    WW_FIELDS_COMPARE(ne, n, "u32", "ne", ones)                                                                        \
    WW_FIELDS_COMPARE(ges, n, "s32", "ge", ones)                                                                       \
    WW_FIELDS_COMPARE(geu, n, "u32", "ge", ones)                                                                       \
    WW_FIELDS_COMPARE(gts, n, "s32", "gt", ones)                                                                       \
    WW_FIELDS_COMPARE(gtu, n, "u32", "gt", ones)                                                                       \
    WW_FIELDS_COMPARE(les, n, "s32", "le", ones)                                                                       \
    WW_FIELDS_COMPARE(leu, n, "u32", "le", ones)                                                                       \
    WW_FIELDS_COMPARE(lts, n, "s32", "lt", ones)                                                                       \
    WW_FIELDS_COMPARE(ltu, n, "u32", "lt", ones)                                                                       \
    WW_DEVICE unsigned int __vhaddu##n(unsigned int a, unsigned int b)                                                 \
    {                                                                                                                  \
        return (a & b) + ((a ^ b) >> 1 & even);                                                                        \
    }
WW_FIELDS_ALL(2, 0xffffu, 0x7fff7fffu)
WW_FIELDS_ALL(4, 0xffu, 0x7f7f7f7fu)
#undef WW_FIELDS
#undef WW_FIELDS_OF_ONE
#undef WW_FIELDS_COMPARE
#undef WW_FIELDS_ALL

#endif
