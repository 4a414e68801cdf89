// Atomic operations. They use clang's builtins if there are any, because clang then knows the state space of an
// address, else PTX. Each returns the old value. If it is unused, the compiler or the simulator makes a reduction of
// the atomic.
#ifndef WARPWISE_CLANG_ATOMICS_H
#define WARPWISE_CLANG_ATOMICS_H

// `scope` is empty, cta_ or sys_; `suffix` that of CUDA's name.
#define WW_ATOMIC(name, suffix, type, builtin, as)                                                                     \
    WW_DEVICE type name##suffix(type *address, type value)                                                             \
    {                                                                                                                  \
        return (type)builtin((as *)address, (as)value);                                                                \
    }
#define WW_CAS(suffix, type, builtin, as)                                                                              \
    WW_DEVICE type atomicCAS##suffix(type *address, type compare, type value)                                          \
    {                                                                                                                  \
        return (type)builtin((as *)address, (as)compare, (as)value);                                                   \
    }
#define WW_SUBTRACT(suffix, type)                                                                                      \
    WW_DEVICE type atomicSub##suffix(type *address, type value)                                                        \
    {                                                                                                                  \
        return atomicAdd##suffix(address, (type)(0u - (unsigned int)value));                                           \
    }
#define WW_EXCHANGE(suffix, type, as)                                                                                  \
    WW_DEVICE type atomicExch##suffix(type *address, type value)                                                       \
    {                                                                                                                  \
        as old = atomicExch##suffix((as *)address, __builtin_bit_cast(as, value));                                     \
        return __builtin_bit_cast(type, old);                                                                          \
    }
#define WW_ATOMICS(scope, suffix)                                                                                      \
    WW_ATOMIC(atomicAdd, suffix, int, __nvvm_atom_##scope##add_gen_i, int)                                             \
    WW_ATOMIC(atomicAdd, suffix, unsigned int, __nvvm_atom_##scope##add_gen_i, int)                                    \
    WW_ATOMIC(atomicAdd, suffix, unsigned long long, __nvvm_atom_##scope##add_gen_ll, long long)                       \
    WW_ATOMIC(atomicAdd, suffix, float, __nvvm_atom_##scope##add_gen_f, float)                                         \
    WW_ATOMIC(atomicAdd, suffix, double, __nvvm_atom_##scope##add_gen_d, double)                                       \
    WW_SUBTRACT(suffix, int)                                                                                           \
    WW_SUBTRACT(suffix, unsigned int)                                                                                  \
    WW_ATOMIC(atomicExch, suffix, int, __nvvm_atom_##scope##xchg_gen_i, int)                                           \
    WW_ATOMIC(atomicExch, suffix, unsigned int, __nvvm_atom_##scope##xchg_gen_i, int)                                  \
    WW_ATOMIC(atomicExch, suffix, unsigned long long, __nvvm_atom_##scope##xchg_gen_ll, long long)                     \
    WW_EXCHANGE(suffix, float, int)                                                                                    \
    WW_ATOMIC(atomicMin, suffix, int, __nvvm_atom_##scope##min_gen_i, int)                                             \
    WW_ATOMIC(atomicMin, suffix, unsigned int, __nvvm_atom_##scope##min_gen_ui, unsigned int)                          \
    WW_ATOMIC(atomicMin, suffix, long long, __nvvm_atom_##scope##min_gen_ll, long long)                                \
    WW_ATOMIC(atomicMin, suffix, unsigned long long, __nvvm_atom_##scope##min_gen_ull, unsigned long long)             \
    WW_ATOMIC(atomicMax, suffix, int, __nvvm_atom_##scope##max_gen_i, int)                                             \
    WW_ATOMIC(atomicMax, suffix, unsigned int, __nvvm_atom_##scope##max_gen_ui, unsigned int)                          \
    WW_ATOMIC(atomicMax, suffix, long long, __nvvm_atom_##scope##max_gen_ll, long long)                                \
    WW_ATOMIC(atomicMax, suffix, unsigned long long, __nvvm_atom_##scope##max_gen_ull, unsigned long long)             \
    WW_ATOMIC(atomicInc, suffix, unsigned int, __nvvm_atom_##scope##inc_gen_ui, unsigned int)                          \
    WW_ATOMIC(atomicDec, suffix, unsigned int, __nvvm_atom_##scope##dec_gen_ui, unsigned int)                          \
    WW_ATOMIC(atomicAnd, suffix, int, __nvvm_atom_##scope##and_gen_i, int)                                             \
    WW_ATOMIC(atomicAnd, suffix, unsigned int, __nvvm_atom_##scope##and_gen_i, int)                                    \
    WW_ATOMIC(atomicAnd, suffix, unsigned long long, __nvvm_atom_##scope##and_gen_ll, long long)                       \
    WW_ATOMIC(atomicOr, suffix, int, __nvvm_atom_##scope##or_gen_i, int)                                               \
    WW_ATOMIC(atomicOr, suffix, unsigned int, __nvvm_atom_##scope##or_gen_i, int)                                      \
    WW_ATOMIC(atomicOr, suffix, unsigned long long, __nvvm_atom_##scope##or_gen_ll, long long)                         \
    WW_ATOMIC(atomicXor, suffix, int, __nvvm_atom_##scope##xor_gen_i, int)                                             \
    WW_ATOMIC(atomicXor, suffix, unsigned int, __nvvm_atom_##scope##xor_gen_i, int)                                    \
    WW_ATOMIC(atomicXor, suffix, unsigned long long, __nvvm_atom_##scope##xor_gen_ll, long long)                       \
    WW_CAS(suffix, int, __nvvm_atom_##scope##cas_gen_i, int)                                                           \
    WW_CAS(suffix, unsigned int, __nvvm_atom_##scope##cas_gen_i, int)                                                  \
    WW_CAS(suffix, unsigned long long, __nvvm_atom_##scope##cas_gen_ll, long long)
WW_ATOMICS(, )
WW_ATOMICS(cta_, _block)
WW_ATOMICS(sys_, _system)
#undef WW_ATOMICS
#undef WW_ATOMIC
#undef WW_CAS
#undef WW_SUBTRACT
#undef WW_EXCHANGE

WW_DEVICE unsigned short atomicCAS(unsigned short *address, unsigned short compare, unsigned short value)
{
    unsigned short old;
    asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(old) : "l"(address), "h"(compare), "h"(value) : "memory");
    return old;
}

#endif
