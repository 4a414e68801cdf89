// Draws the sizes of a lab's hidden cases, the test cases whose sizes and values a student never sees.
//
// Theory of operation: the project is public, so a size in its source code would be no secret. A lab therefore states
// only which sizes a hidden case may have: numbers in a range, numbers with a certain remainder (for example no
// multiples of 4), or primes. A lab limits the sizes of a hidden case so that all sizes that may be drawn reveal the
// same mistakes. The sizes that are drawn for a hidden test case depend on a secret key (base/secret.h). Each class has
// a key of its own, which its students do not know. Practice, which is grading without a gradebook, uses a key that
// everybody knows. Each submission has a seed of its own (judge/job/job.h).
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
