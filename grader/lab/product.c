// See product.h. Computes the expected values and error bounds of the matrix product C = A B.
//
// Each expected value is a dot product of K terms a_k b_k, summed in double. The rounding error of a sum in double is
// at most K 2^-53 s, where s is the sum over k of |a_k||b_k|. The rounding error of the expected value, which is a sum
// in double, is ignored, because the error bound for the student's sum in float is 2^29 times as large.
//
// A kernel may sum a dot product of K terms in order, in blocks or as a tree, with or without fused multiply-adds. In
// any order of summation, each term a_k b_k passes through at most K roundings: of its product and of at most K - 1
// additions. The error of a dot product in float is at most gamma_K s, with u = 2^-24, gamma_K = K u / (1 - K u), and s
// the sum over k of |a_k||b_k|. Higham proves the error bound gamma_K s of a dot product in Accuracy and Stability of
// Numerical Algorithms, 2nd ed., section 3.1. A product below the smallest normal float is rounded to a multiple of
// 2^-149, with an error of at most 2^-150. For a dot product of K terms, product.c computes the error bound gamma_K s +
// K 2^-149, where s is the sum over k of |a_k||b_k|. The term K 2^-149 covers the errors of up to K products below the
// smallest normal float. Later additions enlarge the error of such a product, at most 2^-150, by factors (1 + u), and
// the term K 2^-149 is large enough for the enlarged errors.
//
// The error bound must be so small that kernels that compute in half precision fail. For random inputs, half precision
// (u = 2^-11) in the inputs, products or result causes an error of about 1e-4 sqrt(K) in a dot product of K terms. For
// random inputs, the error bound of a dot product of K terms is about 1.5e-8 K^2. For K <= 300, the error bound 1.5e-8
// K^2 is less than 1e-4 sqrt(K), the error of half precision. The dot products in the labs' test cases therefore have
// at most 300 terms.
#include "lab/product.h"

#include <math.h>
#include <string.h>

#include "base/die.h"
#include "base/prng.h"

static const double u = 0x1p-24;
// SOME_ROWS is the number of rows of the product C that the judge compares in the speed case (the test case whose time
// is measured), if C has more rows. The judge draws the compared rows of C at random, and draws again for each new
// content of an input set. If a kernel leaves out a fraction f of the rows of C, the kernel passes the comparison after
// one launch with probability (1 - f)^16. A measurement on a GPU compares the outputs of at least 32 launches.
enum { SOME_ROWS = 16 };

static void product_row(const struct lab_plan *p, int a, int b, int c, size_t r, uint32_t n, uint32_t k)
{
    const float *A = p->buffer[a].f32, *B = p->buffer[b].f32;
    double *sum = p->buffer[c].expected + r * n, *bound = p->buffer[c].bound + r * n;
    double gamma = k * u / (1 - k * u), tiny = k * 0x1p-149;
    for (size_t col = 0; col < n; col++) sum[col] = bound[col] = 0;
    for (size_t i = 0; i < k; i++) {
        double left = A[r * k + i];
        for (size_t col = 0; col < n; col++) {
            double term = left * B[i * n + col];
            sum[col] += term;
            bound[col] += fabs(term);
        }
    }
    for (size_t col = 0; col < n; col++) bound[col] = gamma * bound[col] + tiny;
}

void lab_product(struct lab_plan *p, int a, int b, int c, uint32_t m, uint32_t n, uint32_t k)
{
    lab_expected(p, c, 1);
    BUG_ON(p->buffer[c].count != (uint64_t)m * n);
    if (!p->secret || m <= SOME_ROWS) {
        for (size_t r = 0; r < m; r++) product_row(p, a, b, c, r, n, k);
        return;
    }
    uint8_t *skipped = p->buffer[c].skipped;
    if (!skipped) p->buffer[c].skipped = skipped = ARENA_ARRAY(p->arena, (size_t)m * n, uint8_t);
    memset(skipped, 1, (size_t)m * n);
    struct prng random = prng_stream(p->secret, "rows");
    for (int i = 0; i < SOME_ROWS; i++) {
        size_t r = prng_below(&random, m);
        product_row(p, a, b, c, r, n, k);
        memset(skipped + r * n, 0, n);
    }
}
