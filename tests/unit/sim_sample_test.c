// One request of each access is kept: which one, and its addresses.
#define _GNU_SOURCE
#include "sim_run.h"

// The access of the observation that goes to that space and is of that kind.
static const struct line_access *find(const struct run *r, uint32_t space, uint32_t kind)
{
    for (uint32_t i = 0; i < r->observation.naccesses; i++) {
        const struct line_access *a = &r->observation.access[i];
        if (a->space == space && a->kind == kind) return a;
    }
    fail_msg("no access to space %u of kind %u", space, kind);
    return NULL;
}

// Each thread stores to word 8 * tid of p.
static const char *const strided = KERNEL("", ".loc 1 5 1\nmul.lo.u32 %r5, %r1, 32;\ncvt.u64.u32 %d4, %r5;\n"
                                              "add.u64 %d5, %d1, %d4;\nst.global.u32 [%d5], %r1;\n");

static void the_addresses_are_those_of_a_request(void **state)
{
    (void)state;
    struct run *r = calloc(1, sizeof *r);
    r->kernel = strided;
    run_kernel(r);
    const struct line_access *a = find(r, SPACE_GLOBAL, ACCESS_WRITE);
    assert_int_equal(a->line, 5);
    assert_int_equal(a->file, FILE_STUDENT);
    assert_int_equal(a->buffer, 0);
    assert_int_equal(a->mask, 0xffffffff);
    assert_int_equal(a->bytes, 4);
    assert_int_equal(a->excess, 32 - 4);
    for (uint32_t l = 0; l < 32; l++) assert_int_equal(a->address[l] - a->origin, 32 * l);
    free(r);
}

// Warp 0 reads word tid of shared memory, warp 1 word 32 * (tid % 32): the second is the worse.
static const char *const banks =
    KERNEL("", ".shared .align 4 .b8 tile[4096];\nmov.u32 %r6, tile;\nsetp.ge.u32 %p1, %r1, 32;\n"
               "shl.b32 %r7, %r1, 2;\n@%p1 shl.b32 %r7, %r1, 7;\nand.b32 %r7, %r7, 4095;\nadd.u32 %r8, %r6, %r7;\n"
               ".loc 1 7 1\nst.shared.u32 [%r8], %r1;\n");

static void of_a_line_the_worst_request_is_kept(void **state)
{
    (void)state;
    struct run *r = calloc(1, sizeof *r);
    r->kernel = banks;
    r->block = 64;
    run_kernel(r);
    const struct line_access *a = find(r, SPACE_SHARED, ACCESS_WRITE);
    assert_int_equal(a->line, 7);
    assert_int_equal(a->warp, 1);
    assert_int_equal(a->excess, 31);
    assert_string_equal(a->symbol, "tile");
    for (uint32_t l = 0; l < 32; l++) assert_int_equal(a->address[l] - a->origin, 128 * l);
    free(r);
}

static void the_sample_is_the_same_on_any_number_of_threads(void **state)
{
    (void)state;
    struct run *one = calloc(1, sizeof *one), *many = calloc(1, sizeof *many);
    one->kernel = many->kernel = strided;
    one->grid = many->grid = 64;
    one->threads = 1, many->threads = 4;
    run_kernel(one);
    run_kernel(many);
    assert_int_equal(one->observation.naccesses, many->observation.naccesses);
    assert_memory_equal(one->observation.access, many->observation.access, sizeof one->observation.access);
    free(one);
    free(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_addresses_are_those_of_a_request),
        cmocka_unit_test(of_a_line_the_worst_request_is_kept),
        cmocka_unit_test(the_sample_is_the_same_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
