// Lab 2: the matrix product by tiles in shared memory, for any m, n, k. A second kernel takes the tile's width at
// launch (`extern __shared__`); its correctness and technique are judged, but not its speed.
//
// Technique, from the counters of the speed case:
//
//   - bytes loaded from global memory: at most 1.25 / 16 of the baseline's, which loads two floats for each
//     multiply-add. A T x T tile loads 1 / T of that. Bytes count instead of requests, because 16-byte loads need a
//     quarter of the requests with any tile. 16 sums for each thread without a tile load a quarter of the baseline's
//     bytes.
//   - the operands come from shared memory: at least one shared load of a warp for each 64 of its multiply-adds. An
//     8 x 8 register tile with 16-byte loads needs 4 loads for 64.
//   - matmul_dynamic computes a small corner in the speed case. Without tiles, it loads each element once for each row
//     or column of C. A tile as wide as the block divides this number by its width; 1.25 times the rest is allowed. It
//     computes the corner at the launched width and at another: the tile's width is chosen at launch.
//   - matmul_dynamic keeps at least half of a multiprocessor's warps resident.
//   - the results of both kernels depend on what other threads stored in shared memory (.use).
//
// Speed, medians on an H200, cache flushed, at 1024 x 1024 x 1024: one sum in a register for each thread (the baseline)
// 424.9 us; tiles of 16 279.9 us, 1.5 x; of 32 248.9 us, 1.7 x; 64 x 64 with 4 x 4 sums for each thread 96.9 us, 4.4 x;
// cuBLAS 63.1 us. Without a tile, four rows for each thread in registers take 231.0 us, 1.8 x; the technique
// refuses that. The lesson's own step is a tile of 16, and the step of full marks has 4 x 4 sums. At 2048 the 64 x 64
// tile takes 633 us and cuBLAS 342 us. That size is measured, because at 1024 a good kernel ends before 100 us and
// large tiles leave multiprocessors idle.
#include "lab/lab.h"
#include "base/message.h"
#include "lab/product.h"

enum { A, B, C, CORNER_C, OTHER_C };   // buffers, in the order in which plan() creates them
enum { ROWS, COLUMNS, INNER, KERNEL }; // indices of dim
enum { MATMUL, MATMUL_DYNAMIC };       // indices of kernels
// Values of dim[KERNEL]: MATMUL; MATMUL_DYNAMIC as the student launches it; or, from NARROWEST on, a tile width that
// the case chooses for matmul_dynamic.
enum { NARROWEST = 4, CORNER = 64, OTHER = 8, OTHER_THAN_OTHER = 16 };

#define TILE 16 // the tile width that defines the allowed traffic
#define SLACK 1.25
#define BYTES_ALLOWED (SLACK / TILE)
#define WORK_PER_LOAD 64.0
#define OCCUPANCY 500 // permille, of matmul_dynamic

static const struct lab_case cases[] = {
    {"1 x 1 x 1", {1, 1, 1, MATMUL}, "random", .flags = CASE_SMALL},
    {N_("5 x 7 x 0: every sum is empty"), {5, 7, 0, MATMUL}, "zero", .flags = CASE_SMALL},
    {"31 x 33 x 31", {31, 33, 31, MATMUL}, "random", .flags = CASE_SMALL},
    {"36 x 68 x 44", {36, 68, 44, MATMUL}, "random", .flags = CASE_SMALL},
    {N_("53 x 67 x 41 (primes)"), {53, 67, 41, MATMUL}, "random", .flags = CASE_SMALL},
    {N_("1 x 129 x 65, huge range"), {1, 129, 65, MATMUL}, "range", .flags = CASE_SMALL},
    {N_("128 x 128 x 128, all equal"), {128, 128, 128, MATMUL}, "equal", .flags = 0},
    {"203 x 211 x 157", {203, 211, 157, MATMUL}, "random", .flags = 0},
    {N_("33 x 50 x 17, matmul_dynamic"), {33, 50, 17, MATMUL_DYNAMIC}, "random", .flags = CASE_SMALL},
    {N_("33 x 50 x 17, matmul_dynamic at T = 8"), {33, 50, 17, 8}, "random", .flags = CASE_SMALL},
    {N_("65 x 31 x 70, matmul_dynamic at T = 32"), {65, 31, 70, 32}, "random", .flags = CASE_SMALL},
    {"2048 x 2048 x 2048", {2048, 2048, 2048, MATMUL}, "random", .flags = CASE_SPEED},
    {"hidden: one column",
     {0, 1, 0, MATMUL},
     "random",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_PRIME(61, 97), {0}, LAB_REST(4, 2, 98, 162)}},
    {"hidden: odd, denormals",
     {0, 0, 0, MATMUL},
     "denormal",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(2, 1, 33, 47), LAB_REST(2, 1, 33, 47), LAB_REST(2, 1, 21, 31)}},
    {"hidden: one product in each sum",
     {0, 0, 1, MATMUL},
     "range",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(32, 1, 33, 97), LAB_REST(32, 0, 64, 128)}},
    {"hidden: odd, a multiple of 4, even",
     {0, 0, 0, MATMUL},
     "random",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(2, 1, 17, 31), LAB_REST(8, 4, 44, 76), LAB_REST(4, 2, 26, 46)}},
    {"hidden: odd, even, a multiple of 8",
     {0, 0, 0, MATMUL},
     "random",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(2, 1, 33, 47), LAB_REST(4, 2, 50, 78), LAB_REST(16, 8, 24, 56)}},
    {"hidden: several tiles",
     {0, 0, 0, MATMUL},
     "random",
     .flags = CASE_HIDDEN,
     .draw = {LAB_REST(2, 1, 129, 159), LAB_REST(32, 4, 228, 292), LAB_REST(8, 4, 68, 100)}},
    {"hidden: matmul_dynamic, odd width",
     {0, 0, 0, 0},
     "random",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_PRIME(17, 31), LAB_PRIME(37, 53), LAB_REST(35, 0, 35, 70), LAB_REST(2, 1, 5, 7)}},
    {"hidden: matmul_dynamic, as launched",
     {0, 0, 0, MATMUL_DYNAMIC},
     "range",
     .flags = CASE_HIDDEN,
     .draw = {LAB_REST(8, 4, 84, 116), LAB_REST(2, 1, 81, 105), LAB_PRIME(53, 79)}},
};

static void launch(struct lab_plan *p, uint32_t kernel, uint32_t m, uint32_t n, uint32_t k, int to)
{
    struct lab_step *s = lab_step(p, kernel, n, m, 1); // x is the index in a row of C
    lab_arg_buffer(s, A);
    lab_arg_buffer(s, B);
    lab_arg_buffer(s, to);
    lab_arg_u32(s, m);
    lab_arg_u32(s, n);
    lab_arg_u32(s, k);
}

static uint32_t given(uint32_t value, uint32_t otherwise)
{
    return value ? value : otherwise;
}

// matmul_dynamic takes its tile width from blockDim.x, so block and tile must be squares of that width.
static void square(struct lab_plan *p)
{
    const struct lab_shape *s = &p->shape[MATMUL_DYNAMIC];
    uint32_t t = given(s->block[0], 1);
    if (given(s->block[1], 1) != t || given(s->block[2], 1) != 1 || given(s->tile[0], t) != t ||
        given(s->tile[1], t) != t)
        lab_reject(p,
                   "matmul_dynamic: a block must be T x T threads and cover T x T elements (.block = {T, T}, .shared = "
                   "2 * T * T * sizeof(float)); LAUNCH gives it %u x %u threads",
                   t, given(s->block[1], 1));
    if (s->per_sm || s->grid[0])
        lab_reject(p, "matmul_dynamic: its grid follows from M and N; leave out .grid and .per_sm");
}

static struct lab_shape shape_of(uint32_t width)
{
    return (struct lab_shape){
        .block = {width, width, 1}, .tile = {width, width, 1}, .shared = 2 * width * width * (uint32_t)sizeof(float)};
}

// Returns the width at which matmul_dynamic is launched, and another.
static uint32_t launched_width(const struct lab_plan *p)
{
    return given((uint32_t)p->shape[MATMUL_DYNAMIC].block[0], 1);
}

static uint32_t other_width(const struct lab_plan *p)
{
    return launched_width(p) == OTHER ? OTHER_THAN_OTHER : OTHER;
}

// The speed case also runs matmul_dynamic, for its technique. It computes a small corner, so that its time is
// negligible, and writes to buffers of its own. The launch of the student's shape is the last, whose occupancy counts.
static void plan_corners(struct lab_plan *p)
{
    const struct lab_shape launched = p->shape[MATMUL_DYNAMIC];
    lab_buffer(p, "C", LAB_F32, LAB_OUTPUT, CORNER * CORNER);
    lab_buffer(p, "C", LAB_F32, LAB_OUTPUT, CORNER * CORNER);
    p->shape[MATMUL_DYNAMIC] = shape_of(other_width(p));
    launch(p, MATMUL_DYNAMIC, CORNER, CORNER, CORNER, OTHER_C);
    p->shape[MATMUL_DYNAMIC] = launched;
    launch(p, MATMUL_DYNAMIC, CORNER, CORNER, CORNER, CORNER_C);
}

static void plan(struct lab_plan *p)
{
    uint32_t m = p->dim[ROWS], n = p->dim[COLUMNS], k = p->dim[INNER], width = p->dim[KERNEL];
    lab_buffer(p, "A", LAB_F32, LAB_INPUT, (uint64_t)m * k);
    lab_buffer(p, "B", LAB_F32, LAB_INPUT, (uint64_t)k * n);
    lab_buffer(p, "C", LAB_F32, LAB_OUTPUT, (uint64_t)m * n);
    square(p);
    if (width >= NARROWEST) p->shape[MATMUL_DYNAMIC] = shape_of(width);
    launch(p, width == MATMUL ? MATMUL : MATMUL_DYNAMIC, m, n, k, C);
    if (p->which->flags & CASE_SPEED) plan_corners(p);
}

static void expect(struct lab_plan *p)
{
    lab_product(p, A, B, C, p->dim[ROWS], p->dim[COLUMNS], p->dim[INNER]);
    for (int c = CORNER_C; c < (int)p->nbuffers; c++) lab_product(p, A, B, c, CORNER, CORNER, CORNER);
}

// Tiles must be as wide as the block. Returns 1 if matmul_dynamic loaded `bytes` of a corner as such tiles do.
static int loads_tiles(struct lab_techniques *t, uint64_t bytes, uint32_t width)
{
    uint32_t tiles = (CORNER + width - 1) / width;
    double wide = (double)tiles * width / CORNER; // tiles at the edges may be loaded whole
    double loads = (double)bytes / (2 * CORNER * CORNER * sizeof(float)), most = SLACK * tiles * wide * wide;
    lab_technique(
        t, loads <= most,
        "matmul_dynamic loads each element of A and B %.1f times; at most %.1f are allowed with %u x %u threads", loads,
        most, width, width);
    lab_advice(t, "load tiles as wide as the block, and let all its threads use them");
    return loads <= most;
}

// matmul_dynamic's loads must be those of tiles at both widths, and other threads must use what a thread loaded.
static void dynamic_technique(const struct lab_evidence *e, struct lab_techniques *t)
{
    const struct observation *student = e->student[MATMUL_DYNAMIC];
    uint64_t launched = lab_traffic_of(&student->counters).ld_bytes;
    uint64_t both = lab_traffic_of(e->student_kernel[MATMUL_DYNAMIC]).ld_bytes;
    int tiled = loads_tiles(t, launched, launched_width(e->plan));
    tiled &= loads_tiles(t, both - launched, other_width(e->plan));
    if (tiled) lab_use(e, t, 1, N_("what other threads stored in shared memory"));

    uint32_t occupancy = student->occupancy_permille;
    lab_technique(t, occupancy >= OCCUPANCY, "matmul_dynamic at %u %% occupancy; at least %u %% are needed",
                  occupancy / 10, OCCUPANCY / 10);
    lab_advice(t, "choose another block, or less shared memory for it");
}

static void technique(const struct lab_evidence *e, struct lab_techniques *t)
{
    const struct counters *student = &e->student[MATMUL]->counters, *baseline = e->baseline[MATMUL];
    const uint32_t *dim = e->plan->dim;

    double share = (double)lab_traffic_of(student).ld_bytes / (double)baseline->global_ld_bytes;
    lab_technique(t, share <= BYTES_ALLOWED,
                  "%.1f %% of the baseline's bytes loaded from global memory; at most %.1f %% are allowed", 100 * share,
                  100 * BYTES_ALLOWED);
    lab_advice(t, "load each tile once, and let all threads of the block use it");

    double work = (double)dim[ROWS] * dim[COLUMNS] * dim[INNER] / 32; // multiply-adds of a warp
    double loads = (double)student->shared_ld_inst;
    lab_technique(t, loads * WORK_PER_LOAD >= work,
                  "%.3f loads from shared memory for each multiply-add; at least %.3f are needed", loads / work,
                  1 / WORK_PER_LOAD);
    lab_advice(t, "take the factors from the tiles");
    if (loads * WORK_PER_LOAD >= work) lab_use(e, t, 0, N_("what other threads stored in shared memory"));
    dynamic_technique(e, t);
}

const struct lab lab2_tiling = {
    .name = "lab2",
    .slug = "lab2_tiling",
    .title = N_("A matrix product by tiles"),
    .task =
        N_("write matmul by tiles in shared memory for any M, N, K, and matmul_dynamic with the tile's width chosen at "
           "launch"),
    .kernel = {"matmul", "matmul_dynamic"},
    .cases = cases,
    .ncases = sizeof cases / sizeof *cases,
    .lesson = 1.48,
    .furthest = 4.88,
    .plan = plan,
    .fill = lab_product_fill,
    .expect = expect,
    .technique = technique,
    .use = {{MATMUL, WITHOUT_BLOCK_BARRIERS | WITHOUT_WARP_BARRIERS},
            {MATMUL_DYNAMIC, WITHOUT_BLOCK_BARRIERS | WITHOUT_WARP_BARRIERS}},
    .hint =
        {
            N_("All threads of a block read the same rows of A and the same columns of B. Walk along k in phases: in "
               "each, "
               "the block loads one tile of A and one of B into shared memory, waits, multiplies them, waits again, "
               "and "
               "goes "
               "on. Why are there two barriers?"),
            N_("M, N and K need not be multiples of T: there are (K + T - 1) / T phases, and an element of a tile that "
               "lies "
               "outside its matrix must be stored as 0.0f, not left as it was. No thread may leave before the last "
               "barrier; guard only loads and the final store."),
            N_("A tile alone passes, but each multiply-add still waits for two loads from shared memory. Let "
               "a "
               "thread keep several sums, as in lab 1: .block = {32, 8}, .tile = {32, 32}, thread (tx, ty) computes "
               "rows "
               "ty, "
               "ty + 8, ty + 16, ty + 24 of the tile, and one load of Bs[k][tx] serves four sums."),
        },
};
