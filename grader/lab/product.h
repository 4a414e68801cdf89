// The matrix product's oracle, for the labs whose kernels compute one.
#ifndef LAB_PRODUCT_H
#define LAB_PRODUCT_H

#include <stdint.h>

#include "lab/lab.h"

// Fills expected and bound of buffer c (m x n) with the product of the buffers a (m x k) and b (k x n), all float and
// row by row. The bound holds for every order of summation, fused or not; see product.c for its derivation.
void lab_product(struct lab_plan *, int a, int b, int c, uint32_t m, uint32_t n, uint32_t k);

#endif
