// Draws the sizes of hidden cases.
//
// Theory of operation. The project is public, so sizes that stand in the source are no secret. A lab therefore states
// only what kind of sizes each hidden case has: a range, a remainder such as "no multiple of 4", or primes. The kinds
// are chosen so that any drawn sizes find the same mistakes. The sizes themselves follow from a key (base/secret.h). A
// class has a key of its own, which a student does not know. Practice uses a key that everybody knows.
#include <inttypes.h>
#include <string.h>

#include "base/die.h"
#include "base/text.h"
#include "lab/lab.h"

enum { TRIES = 1 << 20 };

static int is_prime(uint32_t n)
{
    for (uint32_t d = 2; (uint64_t)d * d <= n; ++d)
        if (n % d == 0) return 0;
    return n > 1;
}

static int fits(const struct lab_draw *d, uint32_t size)
{
    return size % d->step == d->rest && (!d->prime || is_prime(size));
}

static uint32_t draw(const struct lab_draw *d, struct prng *random)
{
    for (int i = 0; i < TRIES; ++i) {
        uint32_t size = d->low + prng_below(random, d->high - d->low + 1);
        if (fits(d, size)) return size;
    }
    BUG("no size from %u to %u fits", d->low, d->high);
}

void lab_draw(const struct lab *lab, const struct secret *secret, uint64_t seed, struct lab_drawn *out)
{
    struct secret key = secret_derive(secret, "hidden cases");
    BUG_ON(lab->ncases > LAB_CASES);
    out->lab = *lab;
    out->lab.cases = out->cases;
    memcpy(out->cases, lab->cases, lab->ncases * sizeof *lab->cases);
    for (uint32_t c = 0; c < lab->ncases; ++c) {
        struct text what = {0};
        text_printf(&what, "%" PRIu64 "/%s/%s", seed, lab->slug, lab->cases[c].name);
        struct prng random = {secret_hash(&key, what.data, what.length)};
        for (int d = 0; d < LAB_DIMS; ++d)
            if (lab->cases[c].draw[d].step) out->cases[c].dim[d] = draw(&lab->cases[c].draw[d], &random);
        text_free(&what);
    }
}
