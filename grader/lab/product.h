// Draws the factors of a matrix product and computes its expected values, for labs whose kernels compute one.
#ifndef LAB_PRODUCT_H
#define LAB_PRODUCT_H

#include <stdint.h>

#include "lab/lab.h"

// Fills buffers 0 and 1, the factors, with the values that the case names. If these are denormal, the second factor
// gets small integers: a denormal times a small integer is exact unless the hardware flushes denormals to zero, and a
// denormal times a denormal would be zero.
void lab_product_fill(struct lab_plan *, struct prng *);
// Sets `expected` and `bound` of buffer c (m x n) to the product of the buffers a (m x k) and b (k x n). All matrices
// are float and stored by rows. The error bound holds for every order of summation, with or without fused
// multiply-adds. For k > 300, it holds for random inputs (see product.c). If the plan has a secret, some elements are
// drawn, and the others are marked as skipped.
void lab_product(struct lab_plan *, int a, int b, int c, uint32_t m, uint32_t n, uint32_t k);

#endif
