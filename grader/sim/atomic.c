// What an atomic does to a value (PTX ISA 9.7.13.15, atom). Integers go through the host's own atomics, because blocks
// on other host threads may hit the same word; floats through a compare-and-swap loop around the same rounding that
// the instruction has: add.f32 on global memory flushes denormals, on shared memory it does not.
#include <string.h>

#include "sim/access.h"

static int is_signed(uint32_t type)
{
    return type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}

static int is_float(uint32_t type)
{
    return type == PTX_F16 || type == PTX_F16X2 || type == PTX_BF16 || type == PTX_BF16X2 || type == PTX_F32 ||
           type == PTX_F64;
}

int access_commutes(const struct sim_access *a)
{
    if (a->returns || is_float(a->atom_type)) return 0;
    // inc and dec commute only where their limits agree
    return a->atom != PTX_ATOM_EXCH && a->atom != PTX_ATOM_CAS && a->atom != PTX_ATOM_INC && a->atom != PTX_ATOM_DEC;
}

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
    if (sum != sum) bits = 0x7fffffffu; // the device's NaN
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

// A 16-bit float with `fraction` bits of fraction as a double; and back, rounded to nearest even. A sum of two such in
// double is exact, or so far from a tie that rounding it twice changes nothing.
static double from_16(uint32_t bits, uint32_t fraction)
{
    uint32_t exponents = (1u << (15 - fraction)) - 1, exponent = bits >> fraction & exponents;
    uint64_t part = bits & ((1u << fraction) - 1), out = (uint64_t)(bits >> 15) << 63;
    int bias = (int)(exponents >> 1);
    if (exponent == exponents) {
        out |= (uint64_t)0x7ff << 52 | part << (52 - fraction);
    } else if (exponent) {
        out |= (uint64_t)((int)exponent - bias + 1023) << 52 | part << (52 - fraction);
    } else if (part) {
        int shift = __builtin_clzll(part) - (63 - (int)fraction);
        part = part << shift & ((1u << fraction) - 1);
        out |= (uint64_t)(1 - bias - shift + 1023) << 52 | part << (52 - fraction);
    }
    double value;
    memcpy(&value, &out, 8);
    return value;
}

static uint32_t to_16(double value, uint32_t fraction)
{
    uint64_t bits;
    memcpy(&bits, &value, 8);
    uint32_t exponents = (1u << (15 - fraction)) - 1, sign = (uint32_t)(bits >> 63) << 15;
    int bias = (int)(exponents >> 1), exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    uint64_t part = bits & (((uint64_t)1 << 52) - 1);
    if (value != value) return 0x7fff;
    if (exponent == 1024) return sign | exponents << fraction;
    if (exponent < -1022) return sign; // a denormal double is far below
    part |= (uint64_t)1 << 52;
    int shift = 52 - (int)fraction, target = exponent + bias;
    if (target < 1) {
        shift += 1 - target;
        target = 0;
    }
    if (shift > 54) return sign;
    uint64_t kept = part >> shift, rest = part & (((uint64_t)1 << shift) - 1), half = (uint64_t)1 << (shift - 1);
    if (rest > half || (rest == half && (kept & 1))) kept++;
    // The leading one of a normal number adds 1 to the exponent field; a carry does the same.
    uint64_t result = ((uint64_t)(target ? target - 1 : 0) << fraction) + kept;
    if (result >= (uint64_t)exponents << fraction) result = (uint64_t)exponents << fraction;
    return sign | (uint32_t)result;
}

static uint32_t add_16(uint32_t x, uint32_t y, uint32_t fraction)
{
    return to_16(from_16(x & 0xffff, fraction) + from_16(y & 0xffff, fraction), fraction);
}

static uint64_t add_float(uint32_t type, uint64_t x, uint64_t y, int flush)
{
    uint32_t fraction = type == PTX_F16 || type == PTX_F16X2 ? 10 : 7;
    if (type == PTX_F32) return add_f32((uint32_t)x, (uint32_t)y, flush);
    if (type == PTX_F64) return add_f64(x, y);
    uint32_t low = add_16((uint32_t)x, (uint32_t)y, fraction);
    if (type == PTX_F16 || type == PTX_BF16) return low;
    return low | add_16((uint32_t)x >> 16, (uint32_t)y >> 16, fraction) << 16;
}

// Sign- or zero-extends `bytes` bytes.
static uint64_t extended(uint64_t value, uint32_t bytes, int sign)
{
    uint32_t unused = 64 - 8 * bytes;
    return sign ? (uint64_t)((int64_t)(value << unused) >> unused) : value << unused >> unused;
}

static uint64_t apply(const struct sim_access *a, uint64_t old, uint64_t operand, uint64_t compare)
{
    int sign = is_signed(a->atom_type);
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

uint64_t access_atomic(const struct sim_access *a, uint8_t *host, uint64_t operand, uint64_t compare, int shared_host)
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
