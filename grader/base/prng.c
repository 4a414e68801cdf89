// See prng.h.
#include "base/prng.h"

#include <string.h>

#include "base/hash.h"

struct prng prng_stream(uint64_t seed, const char *name)
{
    struct prng p = {hash_bytes(name, strlen(name), seed)};
    prng_u64(&p);
    return p;
}

uint64_t prng_u64(struct prng *p)
{
    uint64_t z = p->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint32_t prng_u32(struct prng *p)
{
    return (uint32_t)(prng_u64(p) >> 32);
}

uint32_t prng_below(struct prng *p, uint32_t bound)
{
    uint64_t product = (uint64_t)prng_u32(p) * bound;
    if ((uint32_t)product < bound) {
        uint32_t threshold = -bound % bound;
        while ((uint32_t)product < threshold) product = (uint64_t)prng_u32(p) * bound;
    }
    return (uint32_t)(product >> 32);
}

float prng_float(struct prng *p, float low, float high)
{
    float unit = (float)(prng_u32(p) >> 8) * 0x1p-24f;
    return low + unit * (high - low);
}

void prng_shuffle(struct prng *p, uint32_t *element, uint32_t count)
{
    for (uint32_t i = count; i > 1; --i) {
        uint32_t j = prng_below(p, i), t = element[i - 1];
        element[i - 1] = element[j];
        element[j] = t;
    }
}
