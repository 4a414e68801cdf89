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
// (u = 2^-11) in the inputs, products or result causes an error of about 1e-4 sqrt(K) in a dot product of K terms. The
// error bound gamma_K s is about 1.5e-8 K^2 for random inputs, which is less than 1e-4 sqrt(K) for K <= 300. No order
// of summation exceeds gamma_K s, whatever the inputs are.
//
// The speed cases have longer dot products, of random numbers. Their error bound is 3 sqrt(K) u s. Rounding errors have
// both signs, and the errors of K roundings add up like the steps of a random walk (Higham, Mary: A New Approach to
// Probabilistic Rounding Error Analysis, SIAM J. Sci. Comput. 41(5), 2019). For random numbers of both signs, a sum in
// order has errors of about 0.12 K u, and the error bound 3 sqrt(K) u s is 100 times as large for K = 300 and more for
// larger K. Even if all numbers were positive, it would be 13 standard deviations. For K = 2048 the error bound is
// about the standard deviation of the error of half precision, so a third of the compared elements of such a kernel are
// wrong.
#include "lab/product.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/prng.h"

static const double u = 0x1p-24;
enum { EVERY_ORDER = 300 }; // the most terms of a dot product whose error bound holds for all inputs
// In the speed case (the test case whose time is measured), the judge compares PIECES pieces of C at random. A piece is
// PIECE neighbouring elements of a row of C. The judge draws the pieces from those that the run wrote, after the run,
// and draws again for each new content of an input set. If a kernel leaves out a fraction f of the pieces that it
// writes, the kernel passes the comparison with probability (1 - f)^1024.
enum { PIECE = 16, PIECES = 1024 };

struct product {
    struct lab_plan *plan;
    int a, b, c;
    uint32_t m, n, k;
};
// A piece is a number: panel * m + row. A panel is PIECE columns of C.
struct place {
    size_t first;   // index of the piece's first element
    uint32_t width; // number of its elements
};

static struct place place_of(const struct product *x, uint32_t piece)
{
    uint32_t row = piece % x->m, column = piece / x->m * PIECE;
    return (struct place){(size_t)row * x->n + column, x->n - column < PIECE ? x->n - column : PIECE};
}

static double allowed(double k)
{
    return k <= EVERY_ORDER ? k * u / (1 - k * u) : 3 * sqrt(k) * u;
}

static void expect_piece(const struct product *x, struct place at)
{
    const struct lab_buffer *b = x->plan->buffer;
    const float *A = b[x->a].f32 + at.first / x->n * x->k, *B = b[x->b].f32 + at.first % x->n;
    double sum[PIECE] = {0}, size[PIECE] = {0};
    for (size_t i = 0; i < x->k; i++) {
        double left = A[i];
        for (size_t col = 0; col < at.width; col++) {
            double term = left * B[i * x->n + col];
            sum[col] += term;
            size[col] += fabs(term);
        }
    }
    for (size_t col = 0; col < at.width; col++) {
        b[x->c].expected[at.first + col] = sum[col];
        b[x->c].bound[at.first + col] = allowed(x->k) * size[col] + x->k * 0x1p-149;
    }
}

// Changes the elements of a piece that are `from` in the buffer's list of skipped elements to `to`.
static void mark(uint8_t *skipped, struct place at, uint8_t from, uint8_t to)
{
    for (size_t i = at.first; i < at.first + at.width; i++)
        if (skipped[i] == from) skipped[i] = to;
}

static int is_written(const uint8_t *skipped, struct place at)
{
    for (size_t i = at.first; i < at.first + at.width; i++)
        if (skipped[i] != LAB_UNWRITTEN) return 1;
    return 0;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Draws the pieces that are compared. `piece` holds all `count` pieces. Returns the number of drawn pieces, which stand
// at the beginning of `piece`, panel by panel.
static uint32_t draw_pieces(const struct product *x, uint32_t *piece, uint32_t count)
{
    struct lab_buffer *c = &x->plan->buffer[x->c];
    if (!c->skipped) c->skipped = ARENA_ARRAY(x->plan->arena, c->count, uint8_t);
    uint32_t written = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct place at = place_of(x, piece[i]);
        if (is_written(c->skipped, at)) piece[written++] = piece[i];
        mark(c->skipped, at, 0, LAB_UNDRAWN);
    }
    struct prng random = prng_stream(x->plan->secret, "pieces");
    prng_shuffle(&random, piece, written);
    if (written > PIECES) written = PIECES;
    qsort(piece, written, sizeof *piece, by_number);
    for (uint32_t i = 0; i < written; i++) mark(c->skipped, place_of(x, piece[i]), LAB_UNDRAWN, 0);
    return written;
}

void lab_product_fill(struct lab_plan *p, struct prng *r)
{
    const char *values = p->which->values, *second = strcmp(values, "denormal") ? values : "integers";
    lab_fill_f32(p->buffer[0].f32, p->buffer[0].count, values, r);
    lab_fill_f32(p->buffer[1].f32, p->buffer[1].count, second, r);
}

void lab_product(struct lab_plan *p, int a, int b, int c, uint32_t m, uint32_t n, uint32_t k)
{
    struct product x = {p, a, b, c, m, n, k};
    uint32_t count = (n + PIECE - 1) / PIECE * m, *piece = alloc_array(count, sizeof *piece);
    lab_expected(p, c, 1);
    BUG_ON(p->buffer[c].count != (uint64_t)m * n);
    for (uint32_t i = 0; i < count; i++) piece[i] = i;
    if (p->secret) count = draw_pieces(&x, piece, count);
    for (uint32_t i = 0; i < count; i++) expect_piece(&x, place_of(&x, piece[i]));
    free(piece);
}
