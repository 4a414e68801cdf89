// Winnowing ignores names, layout and comments, and distinguishes other code.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "batch/export/similarity.h"

static const char one[] = "#include <cuda.h>\n__global__ void f(const float *in, float *out, int n)\n{\n"
                          "    int i = blockIdx.x * blockDim.x + threadIdx.x; // mine\n"
                          "    if (i < n) out[i] = 2.0f * in[i] + 1;\n"
                          "    for (int k = 0; k < 8; ++k) { out[i] += in[k] * in[i + k]; __syncthreads(); }\n}\n";
static const char same[] =
    "__global__ void g(const float *a, float *b, int count)\n{ /* yours */\n\tint at = blockIdx.x * "
    "blockDim.x + threadIdx.x;\n\n\tif (at < count) b[at] = 3.5f * a[at] + 7;\n\tfor (int j = 1; j "
    "< 9; ++j) { b[at] += a[j] * a[at + j]; __syncthreads(); }\n}\n";
static const char other[] =
    "__global__ void f(unsigned *bins)\n{\n    __shared__ unsigned count[256];\n    while (bins[0] > "
    "count[threadIdx.x]) { atomicAdd(&count[bins[1] & 255], 1u); --bins; }\n    switch (bins[2]) { "
    "case 1: bins[0] = 4; break; case 2: return; }\n}\n";

static double between(const char *a, const char *b)
{
    struct similarity x, y;
    similarity_make(&x, a, strlen(a));
    similarity_make(&y, b, strlen(b));
    double share = similarity_of(&x, &y);
    similarity_free(&x);
    similarity_free(&y);
    return share;
}

static void alike(void **state)
{
    (void)state;
    assert_true(between(one, one) == 1);
    assert_true(between(one, same) == 1);
    assert_true(between(one, other) < 0.2);
    assert_true(between("int i;", "int i;") == 0); // too short to say anything
    assert_true(between("", "/* never ends") == 0);
    assert_true(between("\"never ends", "'") == 0);
}

static void given_code_does_not_count(void **state)
{
    struct similarity x, y, given;
    char both[2][2048];
    (void)state;
    for (int i = 0; i < 2; ++i) {
        size_t n = strlen(one);
        memcpy(both[i], one, n);
        strncpy(both[i] + n, i ? other : same, sizeof both[i] - n);
    }
    similarity_make(&given, one, strlen(one));
    similarity_make(&x, both[0], strlen(both[0]));
    similarity_make(&y, both[1], strlen(both[1]));
    assert_true(similarity_of(&x, &y) > 0.4);
    similarity_subtract(&x, &given);
    similarity_subtract(&y, &given);
    assert_true(similarity_of(&x, &y) < 0.2);
    similarity_free(&given);
    similarity_free(&x);
    similarity_free(&y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(alike), cmocka_unit_test(given_code_does_not_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
