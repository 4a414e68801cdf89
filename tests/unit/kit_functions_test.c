// Every function of the device headers, compiled by each installed compiler, optimised and not, and run on the
// simulator. All images must agree within the bounds that the headers state. Mathematical functions must also agree
// with the C library, so that the test is meaningful if clang is the only compiler.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/prng.h"
#include "base/text.h"
#include "compile/compile.h"
#include "sim/sim.h"

enum { N = 96, LANES = 32, ROWS = 128, VARIANTS = 4, BYTES = N * ROWS * 8 };
enum { FUNCTIONS, GROUPS, HALVES, BFLOATS, SOURCES };
static const char *const source_path[SOURCES] = {"tests/kit/device_functions.cu", "tests/kit/device_groups.cu",
                                                 "tests/kit/device_halves.cu", "tests/kit/device_bfloats.cu"};
static const char *const kit = "grader/kit";

static struct variant { // one image of each source
    char name[48];
    struct text image[SOURCES];
    struct engine *engine[SOURCES];
} variant[VARIANTS];
static int variants;

static void add_compiler(enum compile_kind kind, int which, const struct text *source)
{
    static const char *const image_name[IMAGE_CARD] = {"optimised", "unoptimised"};
    struct compiler compiler;
    struct compile_result result;
    struct text why = {0};
    if (compile_find(kind, &compiler, &why)) {
        print_message("without: %s\n", why.data);
        text_free(&why);
        return;
    }
    compile_source(&compiler, source->data, source->length, source_path[which], kit, 3, &result);
    if (result.status != COMPILED) fail_msg("%s: %s", compiler.version, result.messages.data);
    for (int i = 0; i < IMAGE_CARD; ++i) { // those that the simulator runs
        struct variant *v = &variant[variants++];
        snprintf(v->name, sizeof v->name, "%.24s, %s", compiler.version, image_name[i]);
        v->image[which] = result.image[i];
        result.image[i] = (struct text){0};
        struct engine_options options = {.device = NULL};
        struct engine_image *info = calloc(1, sizeof *info);
        char message[OBSERVATION_MESSAGE] = "";
        v->engine[which] = sim_engine_ops.open(&options, message);
        if (!v->engine[which]) fail_msg("%s", message);
        if (sim_engine_ops.load(v->engine[which], v->image[which].data, v->image[which].length, info, message))
            fail_msg("%s: %s", v->name, message);
        free(info);
    }
    compile_result_free(&result);
}

static int set_up(void **state)
{
    (void)state;
    for (int which = 0; which < SOURCES; ++which) {
        struct text source = {0};
        if (text_read_file(&source, source_path[which], 1 << 20)) return -1;
        variants = 0;
        add_compiler(COMPILE_NVCC, which, &source);
        add_compiler(COMPILE_CLANG, which, &source);
        text_free(&source);
    }
    return variants ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    for (int i = 0; i < variants; ++i) {
        for (int which = 0; which < SOURCES; ++which) {
            sim_engine_ops.close(variant[i].engine[which]);
            text_free(&variant[i].image[which]);
        }
    }
    return 0;
}

// ------------------------------------------------------------------------------------------------------ running
struct buffer {
    const void *data; // NULL: an output, zeroed
    size_t bytes, element;
    void *result; // if given: bytes are read back
};

static void run(struct variant *v, const char *kernel, unsigned threads, const struct buffer *buffer, unsigned count,
                int32_t n)
{
    static const uint8_t zeros[BYTES];
    static struct observation seen;
    int id[ENGINE_ARGS];
    int which = !strcmp(kernel, "halves")                                      ? HALVES
                : !strcmp(kernel, "bfloats")                                   ? BFLOATS
                : strcmp(kernel, "groups") && strcmp(kernel, "lanes_together") ? FUNCTIONS
                                                                               : GROUPS;
    struct engine *engine = v->engine[which];
    struct engine_launch launch = {.grid = {1, 1, 1}, .block = {threads, 1, 1}, .shared = 128, .nargs = count};
    snprintf(launch.kernel, sizeof launch.kernel, "%s", kernel);
    for (unsigned i = 0; i < count; ++i) {
        id[i] = sim_engine_ops.alloc(engine, buffer[i].bytes, (uint32_t)buffer[i].element);
        assert_true(id[i] >= 0);
        const void *data = buffer[i].data ? buffer[i].data : zeros;
        assert_int_equal(sim_engine_ops.write(engine, id[i], 0, data, buffer[i].bytes, 0), 0);
        launch.arg[i] = (struct engine_arg){.kind = ARG_BUFFER, .buffer = id[i]};
    }
    if (n) launch.arg[launch.nargs++] = (struct engine_arg){.kind = ARG_VALUE, .bytes = 4, .value = (uint32_t)n};
    launch.checks = CHECK_ALL;
    sim_engine_ops.launch(engine, &launch, &seen);
    if (seen.status != OBSERVED_OK) fail_msg("%s, %s: status %u: %s", kernel, v->name, seen.status, seen.message);
    for (uint32_t i = 0; i < seen.nfindings; ++i)
        if (seen.finding[i].kind < FINDING_KINDS && finding_info[seen.finding[i].kind].severity == FINDING_DEFECT)
            fail_msg("%s, %s: %s in line %u", kernel, v->name, finding_info[seen.finding[i].kind].id,
                     seen.finding[i].at.line);
    for (unsigned i = 0; i < count; ++i)
        if (buffer[i].result)
            assert_int_equal(sim_engine_ops.read(engine, id[i], 0, buffer[i].result, buffer[i].bytes), 0);
    sim_engine_ops.reset(engine);
}

// ---------------------------------------------------------------------------------------------------- comparing
static int64_t ordered_f(float x)
{
    int32_t bits;
    memcpy(&bits, &x, 4);
    return bits < 0 ? (int64_t)INT32_MIN - bits : bits;
}
static double ulps_f(float a, float b)
{
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b) ? 0 : INFINITY;
    return (double)llabs(ordered_f(a) - ordered_f(b));
}
static double ulps_d(double a, double b)
{
    int64_t p, q;
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b) ? 0 : INFINITY;
    memcpy(&p, &a, 8);
    memcpy(&q, &b, 8);
    uint64_t up = p < 0 ? ~(uint64_t)p : (uint64_t)p | 1ull << 63; // in the order of the numbers
    uint64_t uq = q < 0 ? ~(uint64_t)q : (uint64_t)q | 1ull << 63;
    return (double)(up < uq ? uq - up : up - uq);
}

static void same_floats(const char *kernel, const struct variant *v, const float *got, const float *expected, int count,
                        double most)
{
    for (int i = 0; i < count; ++i)
        if (!(ulps_f(got[i], expected[i]) <= most))
            fail_msg("%s, row %d, argument %d: %s gives %.9g, %s %.9g", kernel, i / N, i % N, v->name, got[i],
                     variant[0].name, expected[i]);
}
static void same_doubles(const char *kernel, const struct variant *v, const double *got, const double *expected,
                         int count, double most)
{
    for (int i = 0; i < count; ++i)
        if (!(ulps_d(got[i], expected[i]) <= most))
            fail_msg("%s, row %d, argument %d: %s gives %.17g, %s %.17g", kernel, i / N, i % N, v->name, got[i],
                     variant[0].name, expected[i]);
}
static void same_integers(const char *kernel, const struct variant *v, const int64_t *got, const int64_t *expected,
                          int count, int width)
{
    for (int i = 0; i < count; ++i)
        if (got[i] != expected[i])
            fail_msg("%s, row %d, argument %d: %s gives %lld, %s %lld", kernel, i / width, i % width, v->name,
                     (long long)got[i], variant[0].name, (long long)expected[i]);
}

// ----------------------------------------------------------------------------------------------------- arguments
static double x_double[N], y_double[N];
static float x_float[N], y_float[N];
static int32_t x_int[N], y_int[N];

static void fill(void)
{
    static const double special[] = {
        0,         -0., 1,   -1,  0.5,    -0.5,  2,    -2.5, 3.5,      INFINITY, NAN,  1e-40,  1e-30,   1e30,   -1e30,
        -INFINITY, 88,  -87, 0.1, 100.25, 1e-10, 1e10, 1e5,  -123456., 709.25,   -708, 1e-300, 1.5e300, 0x1p52, 0.999};
    struct prng random = prng_stream(1, "functions");
    int specials = (int)(sizeof special / sizeof *special);
    for (int i = 0; i < N; ++i) {
        x_double[i] = i < specials ? special[i] : (double)prng_float(&random, i % 2 ? -1 : -20, i % 2 ? 1 : 20);
        y_double[i] = i % 3 == 0 ? special[(i * 7 + 3) % specials] : (double)prng_float(&random, -4, 4);
        x_float[i] = (float)x_double[i];
        y_float[i] = (float)y_double[i];
        x_int[i] = i < 8 ? (int[]){0, 1, -1, INT32_MAX, INT32_MIN, 32, 31, 255}[i] : (int32_t)prng_u32(&random);
        y_int[i] = i % 5 ? (int32_t)prng_u32(&random) : i;
    }
}

// ---------------------------------------------------------------------------------------------------------- tests
static union values { // what a kernel wrote
    float f[N * ROWS];
    double d[N * ROWS];
    int32_t i[N * ROWS];
    int64_t l[N * ROWS];
} first, other;

static void floats(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int arguments;
        double ulps;
    } kernel[] = {{"unary_float", 1, 16}, {"fast_float", 1, 4}, {"binary_float", 2, 2}, {"vectors", 1, 0}};
    for (size_t k = 0; k < sizeof kernel / sizeof *kernel; ++k)
        for (int i = 0; i < variants; ++i) {
            struct buffer b[3] = {{x_float, sizeof x_float, 4, NULL}, {y_float, sizeof y_float, 4, NULL}};
            b[kernel[k].arguments] = (struct buffer){NULL, N * ROWS * 4, 4, i ? &other : &first};
            run(&variant[i], kernel[k].name, N, b, (unsigned)kernel[k].arguments + 1, N);
            if (i) same_floats(kernel[k].name, &variant[i], other.f, first.f, N * ROWS, kernel[k].ulps);
        }
}

static void doubles(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int arguments;
        double ulps;
    } kernel[] = {{"unary_double", 1, 16}, {"fast_double", 1, 1}, {"binary_double", 2, 4}};
    for (size_t k = 0; k < sizeof kernel / sizeof *kernel; ++k)
        for (int i = 0; i < variants; ++i) {
            struct buffer b[3] = {{x_double, sizeof x_double, 8, NULL}, {y_double, sizeof y_double, 8, NULL}};
            b[kernel[k].arguments] = (struct buffer){NULL, N * ROWS * 8, 8, i ? &other : &first};
            run(&variant[i], kernel[k].name, N, b, (unsigned)kernel[k].arguments + 1, N);
            if (i) same_doubles(kernel[k].name, &variant[i], other.d, first.d, N * ROWS, kernel[k].ulps);
        }
}

static double exp10_of(double x)
{
    return pow(10, x);
}
static double rcbrt_of(double x)
{
    return 1 / cbrt(x);
}

// The first rows of unary_double and unary_float, in their order; NULL: not in the C library.
static void against_the_c_library(void **state)
{
    (void)state;
    static double (*const of_double[])(double) = {
        sqrt,  fabs, fabs, floor, ceil,  trunc, rint,  rint, round,    exp,  exp2, exp10_of,
        expm1, log,  log2, log10, log1p, sin,   cos,   tan,  asin,     acos, atan, NULL,
        NULL,  sinh, cosh, tanh,  asinh, acosh, atanh, cbrt, rcbrt_of, erf,  erfc,
    };
    static double (*const of_float[])(double) = {
        sqrt, fabs, floor, ceil,  trunc, rint,  rint, round,    exp,  exp2, exp10_of, expm1,
        log,  log2, log10, log1p, sin,   cos,   tan,  asin,     acos, atan, NULL,     NULL,
        sinh, cosh, tanh,  asinh, acosh, atanh, cbrt, rcbrt_of, erf,  erfc,
    };
    for (int v = 0; v < variants; ++v) {
        struct buffer d[2] = {{x_double, sizeof x_double, 8, NULL}, {NULL, N * ROWS * 8, 8, &first}};
        struct buffer f[2] = {{x_float, sizeof x_float, 4, NULL}, {NULL, N * ROWS * 4, 4, &other}};
        run(&variant[v], "unary_double", N, d, 2, N);
        run(&variant[v], "unary_float", N, f, 2, N);
        for (int i = 0; i < N; ++i) {
            for (int row = 0; row < (int)(sizeof of_double / sizeof *of_double); ++row) {
                if (!of_double[row]) continue;
                double got = first.d[row * N + i], expected = of_double[row](x_double[i]);
                if (!(ulps_d(got, expected) <= 16))
                    fail_msg("unary_double, row %d of %.17g: %s gives %.17g, the C library %.17g", row, x_double[i],
                             variant[v].name, got, expected);
            }
            for (int row = 0; row < (int)(sizeof of_float / sizeof *of_float); ++row) {
                if (!of_float[row]) continue;
                float got = other.f[row * N + i], expected = (float)of_float[row]((double)x_float[i]);
                if (!(ulps_f(got, expected) <= 8))
                    fail_msg("unary_float, row %d of %.9g: %s gives %.9g, the C library %.9g", row, x_float[i],
                             variant[v].name, got, expected);
            }
        }
    }
}

static void integers(void **state)
{
    (void)state;
    for (int i = 0; i < variants; ++i) {
        struct buffer b[3] = {
            {x_int, sizeof x_int, 4, NULL}, {y_int, sizeof y_int, 4, NULL}, {NULL, BYTES, 8, i ? &other : &first}};
        run(&variant[i], "integers", N, b, 3, N);
        if (i) same_integers("integers", &variant[i], other.l, first.l, N * ROWS, N);
    }
    const int64_t *row = first.l; // the first rows, worked out here
    for (int i = 0; i < N; ++i) {
        assert_int_equal(row[i], __builtin_popcount((unsigned)x_int[i]));
        assert_int_equal(row[2 * N + i], x_int[i] ? __builtin_clz((unsigned)x_int[i]) : 32);
        assert_int_equal(row[4 * N + i], __builtin_ffs(x_int[i]));
        assert_int_equal(row[17 * N + i], ((int64_t)x_int[i] * y_int[i]) >> 32);
        assert_int_equal(row[23 * N + i], ((int64_t)x_int[i] + y_int[i]) >> 1);
    }
}

// The low byte of the first rows of each width says whether the fields are kept apart, and their signs.
static void fields(void **state)
{
    (void)state;
    for (int i = 0; i < variants; ++i) {
        struct buffer b[3] = {
            {x_int, sizeof x_int, 4, NULL}, {y_int, sizeof y_int, 4, NULL}, {NULL, BYTES, 8, i ? &other : &first}};
        run(&variant[i], "fields", N, b, 3, N);
        if (i) same_integers("fields", &variant[i], other.l, first.l, N * ROWS, N);
    }
    enum { OF_FOUR = 41 }; // rows of two half-words before those of four bytes
    for (int i = 0; i < N; ++i) {
        uint32_t sum = 0, largest = 0, apart = 0;
        for (int k = 0; k < 4; ++k) {
            uint8_t a = (uint8_t)((uint32_t)x_int[i] >> 8 * k), b = (uint8_t)((uint32_t)y_int[i] >> 8 * k);
            sum |= (uint32_t)(uint8_t)(a + b) << 8 * k;
            largest |= (uint32_t)(uint8_t)((int8_t)a > (int8_t)b ? a : b) << 8 * k;
            apart += a > b ? a - b : b - a;
        }
        assert_int_equal(first.l[OF_FOUR * N + i], sum);
        assert_int_equal(first.l[(OF_FOUR + 10) * N + i], largest);
        assert_int_equal(first.l[(OF_FOUR + 15) * N + i], apart);
    }
}

// Both kernels take small numbers; the first two rows of their outputs are x * 0.37 - 3 and 1 / (x + 0.5), of which
// those of 4 are known.
static void narrow_floats(const char *kernel, int64_t scaled, int64_t inverse)
{
    static int32_t lane[LANES];
    for (int i = 0; i < LANES; ++i) lane[i] = i * i % 61;
    for (int i = 0; i < variants; ++i) {
        struct buffer b[2] = {{lane, sizeof lane, 4, NULL}, {NULL, LANES * ROWS * 8, 8, i ? &other : &first}};
        run(&variant[i], kernel, LANES, b, 2, LANES);
        if (i) same_integers(kernel, &variant[i], other.l, first.l, LANES * ROWS, LANES);
    }
    assert_int_equal(first.l[2], scaled);
    assert_int_equal(first.l[LANES + 2], inverse);
}

static void halves(void **state)
{
    (void)state;
    narrow_floats("halves", 0xbe14, 0x331c);
}

static void bfloats(void **state)
{
    (void)state;
    narrow_floats("bfloats", 0xbfc3, 0x3e64);
}

static void groups(void **state)
{
    (void)state;
    static int32_t lane[LANES];
    int32_t sum = 0, least = INT32_MAX, odd = 0;
    for (int i = 0; i < LANES; ++i) {
        lane[i] = i * i % 13 - 2;
        if (lane[i] < least) least = lane[i];
        if (lane[i] & 1) odd += lane[i];
    }
    for (int i = 0; i < variants; ++i) {
        struct buffer b[2] = {{lane, sizeof lane, 4, NULL}, {NULL, LANES * ROWS * 8, 8, i ? &other : &first}};
        run(&variant[i], "groups", LANES, b, 2, LANES);
        if (i) same_integers("groups", &variant[i], other.l, first.l, LANES * ROWS, LANES);
    }
    const int64_t *row = first.l;
    for (int i = 0; i < LANES; ++i) {
        if (i % 8 == 0) sum = 0;
        for (int k = i; i % 8 == 0 && k < i + 8; ++k) sum += lane[k];
        assert_int_equal(row[8 * LANES + i], i % 8);
        assert_int_equal(row[10 * LANES + i], i / 8);
        assert_int_equal(row[13 * LANES + i], lane[i / 8 * 8 + 2]);
        assert_int_equal(row[24 * LANES + i], sum);
        assert_int_equal(row[25 * LANES + i], least);
    }
    for (int i = 0; i < variants; ++i) {
        struct buffer b[2] = {{lane, sizeof lane, 4, NULL}, {NULL, LANES * ROWS * 8, 8, i ? &other : &first}};
        run(&variant[i], "lanes_together", LANES, b, 2, LANES);
        if (i) same_integers("lanes_together", &variant[i], other.l, first.l, LANES * ROWS, LANES);
    }
    for (int i = 0; i < LANES; ++i) assert_int_equal(row[5 * LANES + i], lane[i] & 1 ? odd : 0);
}

static void conversions(void **state)
{
    (void)state;
    static double small[N]; // what every target type can hold, halves and quarters among them
    for (int i = 0; i < N; ++i) small[i] = i * 0.25 + (i % 7) * 1e-3;
    for (int i = 0; i < variants; ++i) {
        struct buffer b[2] = {{small, sizeof small, 8, NULL}, {NULL, BYTES, 8, i ? &other : &first}};
        run(&variant[i], "conversions", N, b, 2, N);
        if (i) same_integers("conversions", &variant[i], other.l, first.l, N * ROWS, N);
    }
    const int64_t *row = first.l;
    for (int i = 0; i < N; ++i) {
        assert_int_equal(row[i], lrintf((float)small[i]));
        assert_int_equal(row[N + i], (int)(float)small[i]);
        assert_int_equal(row[2 * N + i], (int)ceilf((float)small[i]));
        assert_int_equal(row[3 * N + i], (int)floorf((float)small[i]));
    }
}

static void warps(void **state)
{
    (void)state;
    static int32_t lane[LANES];
    for (int i = 0; i < LANES; ++i) lane[i] = i * i % 13 - 2;
    for (int i = 0; i < variants; ++i) {
        struct buffer b[2] = {{lane, sizeof lane, 4, NULL}, {NULL, LANES * ROWS * 8, 8, i ? &other : &first}};
        run(&variant[i], "warps", LANES, b, 2, LANES);
        if (i) same_integers("warps", &variant[i], other.l, first.l, LANES * ROWS, LANES);
    }
    const int64_t *row = first.l;
    for (int i = 0; i < LANES; ++i) {
        assert_int_equal(row[i], lane[3]);
        assert_int_equal(row[2 * LANES + i], lane[i / 8 * 8 + 2]);
        assert_int_equal(row[9 * LANES + i], lane[i ? i - 1 : 0]);
        assert_int_equal(row[18 * LANES + i], lane[i < 31 ? i + 1 : 31]);
        assert_int_equal(row[27 * LANES + i], lane[i ^ 1]);
    }
}

static void atomics(void **state)
{
    (void)state;
    enum { PARTS = 7, WORDS = 16 };
    static uint64_t at[VARIANTS][PARTS][WORDS];
    static const uint64_t start[WORDS] = {3, 5, 7, ~0ull, 9, 11, 13, 17};
    for (int i = 0; i < variants; ++i) {
        struct buffer b[PARTS];
        static const size_t element[PARTS] = {4, 4, 8, 8, 4, 8, 2};
        for (int k = 0; k < PARTS; ++k) b[k] = (struct buffer){start, sizeof start, element[k], at[i][k]};
        b[4].data = b[5].data = b[6].data = NULL;
        run(&variant[i], "atomics", LANES, b, PARTS, 0);
        assert_memory_equal(at[i], at[0], sizeof at[i]);
    }
    int32_t sum; // three scopes, each adds 0 … 31
    float sum_f;
    double sum_d;
    memcpy(&sum, at[0][0], sizeof sum);
    memcpy(&sum_f, at[0][4], sizeof sum_f);
    memcpy(&sum_d, at[0][5], sizeof sum_d);
    assert_int_equal(sum, 3 + 3 * 496);
    assert_true(sum_f == 3 * 496);
    assert_true(sum_d == 3 * 496);
}

static void memory_and_language(void **state)
{
    (void)state;
    static float quads[LANES * 4], out_4[LANES * 8];
    static int32_t pairs[LANES * 2], table[LANES];
    static uint8_t bytes[LANES];
    static float quads_out[VARIANTS][LANES * 12], quads_first[VARIANTS][LANES * 8];
    for (int i = 0; i < LANES * 4; ++i) quads[i] = (float)i;
    for (int i = 0; i < LANES; ++i) {
        pairs[2 * i] = i;
        pairs[2 * i + 1] = -i;
        bytes[i] = (uint8_t)(200 + i);
        table[i] = i;
    }
    static union values language; // as `first`, which holds what "hints" wrote
    for (int i = 0; i < variants; ++i) {
        struct buffer b[6] = {{x_float, LANES * 4, 4, NULL},
                              {quads, sizeof quads, 16, NULL},
                              {pairs, sizeof pairs, 8, NULL},
                              {bytes, sizeof bytes, 1, NULL},
                              {NULL, LANES * 32 * 4, 4, i ? &other : &first},
                              {NULL, sizeof out_4, 16, quads_first[i]}};
        run(&variant[i], "hints", LANES, b, 6, LANES);
        if (i) same_floats("hints", &variant[i], other.f, first.f, LANES * 32, 0);
        assert_memory_equal(quads_first[i], quads_first[0], sizeof out_4);
        struct buffer c[2] = {{quads, sizeof quads, 16, NULL}, {NULL, sizeof quads_out[0], 16, quads_out[i]}};
        run(&variant[i], "pipeline", LANES, c, 2, 0);
        assert_memory_equal(quads_out[i], quads_out[0], sizeof quads_out[0]);
        struct buffer d[2] = {{table, sizeof table, 4, NULL}, {NULL, LANES * 16 * 4, 4, i ? &other : &language}};
        run(&variant[i], "language", LANES, d, 2, LANES);
        if (i) assert_memory_equal(&other, &language, LANES * 16 * 4);
    }
    assert_memory_equal(quads_out[0], quads, sizeof quads);
    assert_int_equal(language.i[7], 13); // fibonacci(7)
}

int main(void)
{
    fill();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats),   cmocka_unit_test(doubles), cmocka_unit_test(against_the_c_library),
        cmocka_unit_test(integers), cmocka_unit_test(fields),  cmocka_unit_test(halves),
        cmocka_unit_test(bfloats),  cmocka_unit_test(groups),  cmocka_unit_test(conversions),
        cmocka_unit_test(warps),    cmocka_unit_test(atomics), cmocka_unit_test(memory_and_language),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
