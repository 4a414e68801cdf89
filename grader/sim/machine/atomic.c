// Computes the effect of atomics on a value; atomic.h states the contracts (PTX ISA 9.7.13.15, atom). Blocks on other
// host threads may access the same word, so values in global memory are changed by atomics of the host. Integer add.u32
// and add.s32 use the host's fetch-and-add. Atomics on global memory other than add.u32 and add.s32 use a
// compare-and-swap loop of the host. The atomic instruction add.f32 flushes denormals in global memory, but not in
// shared memory.
#include "sim/machine/atomic.h"

#include <string.h>

#include "ptx/type.h"
#include "sim/core/access.h"
#include "sim/core/half.h"
#include "sim/core/mbarrier.h"

static int is_signed(uint32_t type)
{
    return type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}

static int is_float(uint32_t type)
{
    return type == PTX_F16 || type == PTX_F16X2 || type == PTX_BF16 || type == PTX_BF16X2 || type == PTX_F32 ||
           type == PTX_F64;
}

int atomic_commutes(const struct sim_access *a)
{
    if (a->returns || is_float(a->atom_type)) return 0;
    // inc and dec do not commute if their limits differ.
    return a->atom != PTX_ATOM_EXCH && a->atom != PTX_ATOM_CAS && a->atom != PTX_ATOM_INC && a->atom != PTX_ATOM_DEC;
}

// Returns the bits of a float, with denormals replaced by a zero of the same sign.
static uint32_t flushed(uint32_t bits)
{
    return bits & 0x7f800000u ? bits : bits & 0x80000000u;
}

static uint32_t add_f32(uint32_t x, uint32_t y, int flush)
{
    float a, b;
    if (flush) x = flushed(x), y = flushed(y);
    memcpy(&a, &x, 4);
    memcpy(&b, &y, 4);
    float sum = a + b;
    uint32_t bits;
    memcpy(&bits, &sum, 4);
    if (sum != sum) bits = 0x7fffffffu; // the NaN that devices return
    return flush ? flushed(bits) : bits;
}

static uint64_t add_f64(uint64_t x, uint64_t y)
{
    double a, b;
    memcpy(&a, &x, 8);
    memcpy(&b, &y, 8);
    double sum = a + b;
    uint64_t bits;
    memcpy(&bits, &sum, 8);
    return sum != sum ? 0x7fffffffffffffffu : bits;
}

static uint32_t add_half(uint32_t type, uint32_t x, uint32_t y)
{
    int is_f16 = type == PTX_F16 || type == PTX_F16X2;
    return is_f16 ? f16_add(x & 0xffff, y & 0xffff) : bf16_add(x & 0xffff, y & 0xffff);
}

static uint64_t add_float(uint32_t type, uint64_t x, uint64_t y, int flush)
{
    if (type == PTX_F32) return add_f32((uint32_t)x, (uint32_t)y, flush);
    if (type == PTX_F64) return add_f64(x, y);
    uint32_t low = add_half(type, (uint32_t)x, (uint32_t)y);
    if (type == PTX_F16 || type == PTX_BF16) return low;
    return low | add_half(type, (uint32_t)x >> 16, (uint32_t)y >> 16) << 16;
}

// Returns the lowest `bytes` bytes of `value`, sign-extended (if `sign` is 1) or zero-extended to 64 bits.
static uint64_t extended(uint64_t value, uint32_t bytes, int sign)
{
    uint32_t unused = 64 - 8 * bytes;
    return sign ? (uint64_t)((int64_t)(value << unused) >> unused) : value << unused >> unused;
}

// Returns the new value that an atomic instruction computes from the old value in memory and the instruction's
// operands.
static uint64_t apply(const struct sim_access *a, uint64_t old, uint64_t operand, uint64_t compare)
{
    int sign = is_signed(a->atom_type);
    if (mbarrier_is_atom(a->atom)) return mbarrier_arrived(old, a->atom, (uint32_t)operand);
    old = extended(old, a->bytes, sign);
    operand = extended(operand, a->bytes, sign);
    int less = sign ? (int64_t)old < (int64_t)operand : old < operand;
    switch (a->atom) {
    case PTX_ATOM_ADD:
        return is_float(a->atom_type) ? add_float(a->atom_type, old, operand, a->space == SPACE_GLOBAL) : old + operand;
    case PTX_ATOM_MIN:
        return less ? old : operand;
    case PTX_ATOM_MAX:
        return less ? operand : old;
    case PTX_ATOM_INC:
        return old >= operand ? 0 : old + 1;
    case PTX_ATOM_DEC:
        return old == 0 || old > operand ? operand : old - 1;
    case PTX_ATOM_AND:
        return old & operand;
    case PTX_ATOM_OR:
        return old | operand;
    case PTX_ATOM_XOR:
        return old ^ operand;
    case PTX_ATOM_EXCH:
        return operand;
    case PTX_ATOM_CAS:
        return old == extended(compare, a->bytes, sign) ? operand : old;
    default:
        return old;
    }
}

#define SWAP_LOOP(TYPE)                                                                                                \
    do {                                                                                                               \
        TYPE *place = (TYPE *)(void *)host, old = __atomic_load_n(place, __ATOMIC_RELAXED);                            \
        TYPE fresh = (TYPE)apply(a, old, operand, compare);                                                            \
        while (!__atomic_compare_exchange_n(place, &old, fresh, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {              \
            fresh = (TYPE)apply(a, old, operand, compare);                                                             \
        }                                                                                                              \
        return old;                                                                                                    \
    } while (0)

uint64_t atomic_apply(const struct sim_access *a, uint8_t *host, uint64_t operand, uint64_t compare, int shared_host)
{
    if (!shared_host) {
        uint64_t old = 0;
        memcpy(&old, host, a->bytes);
        uint64_t fresh = apply(a, old, operand, compare);
        memcpy(host, &fresh, a->bytes);
        return old;
    }
    if (a->atom == PTX_ATOM_ADD && a->bytes == 4 && !is_float(a->atom_type)) {
        return __atomic_fetch_add((uint32_t *)(void *)host, (uint32_t)operand, __ATOMIC_SEQ_CST);
    }
    if (a->bytes == 8) SWAP_LOOP(uint64_t);
    if (a->bytes == 2) SWAP_LOOP(uint16_t);
    SWAP_LOOP(uint32_t);
}
