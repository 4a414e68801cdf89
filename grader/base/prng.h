// Generates reproducible random numbers with SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
// generators", OOPSLA 2014). The same seed gives the same sequence of random numbers on every machine.
#ifndef BASE_PRNG_H
#define BASE_PRNG_H

#include <stdint.h>

struct prng {
    uint64_t state;
};

// Returns a random number generator for the pair (seed, name). Random number generators with different names are
// independent of each other.
struct prng prng_stream(uint64_t seed, const char *name);
// Returns the next 64 random bits; prng_u32() returns the next 32 random bits.
uint64_t prng_u64(struct prng *p);
uint32_t prng_u32(struct prng *p);
// Returns a number that is uniformly distributed in [0, bound), without modulo bias (Lemire 2019). `bound` must be
// above 0.
uint32_t prng_below(struct prng *p, uint32_t bound);
// Returns a number that is uniformly distributed in [low, high), made of 24 random bits.
float prng_float(struct prng *p, float low, float high);
// Shuffles the `count` elements of `element` by the method of Fisher and Yates.
void prng_shuffle(struct prng *p, uint32_t *element, uint32_t count);

#endif
