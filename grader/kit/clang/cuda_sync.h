// Barriers, fences, shuffles, votes, matches and reductions of a warp.
#ifndef WARPWISE_CLANG_SYNC_H
#define WARPWISE_CLANG_SYNC_H

// Barriers and fences are written in PTX, not with clang's builtins: its alias analysis takes those for calls without an
// effect on a __shared__ variable whose address is not taken, and moves loads of it across a barrier.
#define WW_ORDER(name, ptx)                                                                                            \
    WW_DEVICE void name(void)                                                                                          \
    {                                                                                                                  \
        asm volatile(ptx ::: "memory");                                                                                \
    }
WW_ORDER(ww_syncthreads, "bar.sync 0;")
WW_ORDER(__threadfence_block, "membar.cta;")
WW_ORDER(__threadfence, "membar.gl;")
WW_ORDER(__threadfence_system, "membar.sys;")
#define __syncthreads() ww_syncthreads() // a name that clang keeps for itself

WW_DEVICE int __syncthreads_count(int predicate)
{
    int count;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
                 : "=r"(count)
                 : "r"(predicate)
                 : "memory");
    return count;
}
#define WW_SYNCTHREADS_VOTE(name, op)                                                                                  \
    WW_DEVICE int name(int predicate)                                                                                  \
    {                                                                                                                  \
        int result;                                                                                                    \
        asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red." op ".pred q, 0, p; selp.s32 %0, 1, 0, q; }"   \
                     : "=r"(result)                                                                                    \
                     : "r"(predicate)                                                                                  \
                     : "memory");                                                                                      \
        return result;                                                                                                 \
    }
WW_SYNCTHREADS_VOTE(__syncthreads_and, "and")
WW_SYNCTHREADS_VOTE(__syncthreads_or, "or")
WW_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu)
{
    asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}

// ---------------------------------------------------------------------------------------------------- shuffles
// The last operand of shfl.sync: the segment's mask in bits 8-12, the clamp in bits 0-4 (PTX ISA 9.7.9.6).
#define WW_SHUFFLES(type, int32, from, to)                                                                             \
    WW_DEVICE type __shfl_sync(unsigned int mask, type value, int lane, int width = 32)                                \
    {                                                                                                                  \
        return to(__nvvm_shfl_sync_idx_##int32(mask, from(value), lane, ((32 - width) << 8) | 31));                    \
    }                                                                                                                  \
    WW_DEVICE type __shfl_up_sync(unsigned int mask, type value, unsigned int delta, int width = 32)                   \
    {                                                                                                                  \
        return to(__nvvm_shfl_sync_up_##int32(mask, from(value), delta, (32 - width) << 8));                           \
    }                                                                                                                  \
    WW_DEVICE type __shfl_down_sync(unsigned int mask, type value, unsigned int delta, int width = 32)                 \
    {                                                                                                                  \
        return to(__nvvm_shfl_sync_down_##int32(mask, from(value), delta, ((32 - width) << 8) | 31));                  \
    }                                                                                                                  \
    WW_DEVICE type __shfl_xor_sync(unsigned int mask, type value, int lanes, int width = 32)                           \
    {                                                                                                                  \
        return to(__nvvm_shfl_sync_bfly_##int32(mask, from(value), lanes, ((32 - width) << 8) | 31));                  \
    }
WW_SHUFFLES(int, i32, int, int)
WW_SHUFFLES(unsigned int, i32, int, (unsigned int))
WW_SHUFFLES(float, f32, float, float)

// A type of 64 bits goes in two halves.
#define WW_SHUFFLE_HALVES(type, name, third, bits_of, of_bits)                                                         \
    WW_DEVICE type name(unsigned int mask, type value, third, int width = 32)                                          \
    {                                                                                                                  \
        unsigned long long bits = bits_of(value);                                                                      \
        unsigned int low = name(mask, (unsigned int)bits, lane, width);                                                \
        unsigned int high = name(mask, (unsigned int)(bits >> 32), lane, width);                                       \
        return of_bits((unsigned long long)high << 32 | low);                                                          \
    }
#define WW_SHUFFLES_64(type, bits_of, of_bits)                                                                         \
    WW_SHUFFLE_HALVES(type, __shfl_sync, int lane, bits_of, of_bits)                                                   \
    WW_SHUFFLE_HALVES(type, __shfl_up_sync, unsigned int lane, bits_of, of_bits)                                       \
    WW_SHUFFLE_HALVES(type, __shfl_down_sync, unsigned int lane, bits_of, of_bits)                                     \
    WW_SHUFFLE_HALVES(type, __shfl_xor_sync, int lane, bits_of, of_bits)
WW_SHUFFLES_64(long, (unsigned long long), (long))
WW_SHUFFLES_64(unsigned long, (unsigned long long), (unsigned long))
WW_SHUFFLES_64(long long, (unsigned long long), (long long))
WW_SHUFFLES_64(unsigned long long, , )
#define WW_BITS_OF_DOUBLE(value) __builtin_bit_cast(unsigned long long, value)
#define WW_DOUBLE_OF_BITS(bits) __builtin_bit_cast(double, bits)
WW_SHUFFLES_64(double, WW_BITS_OF_DOUBLE, WW_DOUBLE_OF_BITS)
#undef WW_BITS_OF_DOUBLE
#undef WW_DOUBLE_OF_BITS
#undef WW_SHUFFLES
#undef WW_SHUFFLES_64
#undef WW_SHUFFLE_HALVES

// ------------------------------------------------------------------------------------------------------- votes
WW_DEVICE int __all_sync(unsigned int mask, int predicate)
{
    return __nvvm_vote_all_sync(mask, predicate != 0);
}
WW_DEVICE int __any_sync(unsigned int mask, int predicate)
{
    return __nvvm_vote_any_sync(mask, predicate != 0);
}
WW_DEVICE int __uni_sync(unsigned int mask, int predicate)
{
    return __nvvm_vote_uni_sync(mask, predicate != 0);
}
WW_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate)
{
    return __nvvm_vote_ballot_sync(mask, predicate != 0);
}
WW_DEVICE unsigned int __activemask(void)
{
    unsigned int lanes;
    asm volatile("activemask.b32 %0;" : "=r"(lanes));
    return lanes;
}

// ----------------------------------------------------------------------------------------------------- matches
#define WW_MATCH(type, size, letter, as)                                                                               \
    WW_DEVICE unsigned int __match_any_sync(unsigned int mask, type value)                                             \
    {                                                                                                                  \
        unsigned int lanes;                                                                                            \
        asm volatile("match.any.sync." size " %0, %1, %2;" : "=r"(lanes) : letter(as), "r"(mask));                     \
        return lanes;                                                                                                  \
    }                                                                                                                  \
    WW_DEVICE unsigned int __match_all_sync(unsigned int mask, type value, int *all)                                   \
    {                                                                                                                  \
        unsigned int lanes, same;                                                                                      \
        asm volatile("{ .reg .pred p; match.all.sync." size " %0|p, %2, %3; selp.u32 %1, 1, 0, p; }"                   \
                     : "=r"(lanes), "=r"(same)                                                                         \
                     : letter(as), "r"(mask));                                                                         \
        *all = (int)same;                                                                                              \
        return lanes;                                                                                                  \
    }
WW_MATCH(int, "b32", "r", value)
WW_MATCH(unsigned int, "b32", "r", value)
WW_MATCH(float, "b32", "r", __builtin_bit_cast(unsigned int, value))
WW_MATCH(long, "b64", "l", value)
WW_MATCH(unsigned long, "b64", "l", value)
WW_MATCH(long long, "b64", "l", value)
WW_MATCH(unsigned long long, "b64", "l", value)
WW_MATCH(double, "b64", "l", __builtin_bit_cast(unsigned long long, value))
#undef WW_MATCH

// -------------------------------------------------------------------------------------------------- reductions
#define WW_REDUCE(name, type, instruction)                                                                             \
    WW_DEVICE type __reduce_##name##_sync(unsigned int mask, type value)                                               \
    {                                                                                                                  \
        type result;                                                                                                   \
        asm volatile("redux.sync." instruction " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));                 \
        return result;                                                                                                 \
    }
WW_REDUCE(add, int, "add.s32")
WW_REDUCE(add, unsigned int, "add.u32")
WW_REDUCE(min, int, "min.s32")
WW_REDUCE(min, unsigned int, "min.u32")
WW_REDUCE(max, int, "max.s32")
WW_REDUCE(max, unsigned int, "max.u32")
WW_REDUCE(and, unsigned int, "and.b32")
WW_REDUCE(or, unsigned int, "or.b32")
WW_REDUCE(xor, unsigned int, "xor.b32")
#undef WW_REDUCE

// -------------------------------------------------------------------------------------------- clocks and stops
WW_DEVICE long long clock64(void)
{
    long long now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
    return now;
}
WW_DEVICE clock_t clock(void)
{
    return (clock_t)clock64();
}
WW_DEVICE void __nanosleep(unsigned int ns)
{
    asm volatile("nanosleep.u32 %0;" ::"r"(ns) : "memory");
}
WW_DEVICE void __trap(void)
{
    asm volatile("trap;" ::: "memory");
}
WW_DEVICE void __brkpt(void)
{
    asm volatile("brkpt;" ::: "memory");
}

#endif
