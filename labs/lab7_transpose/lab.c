// Lab 7: the transpose of any R x C matrix. If a warp reads along a row, it writes along a column, with a stride
// between lanes. A tile in shared memory avoids the stride, but reading a column of the tile causes bank conflicts.
// Padding or swizzling the tile's rows avoids the conflicts.
//
// Technique: the sectors of global loads and of stores, divided by the number of 128-byte lines of the matrix, so that
// 16-byte accesses are judged like 4-byte accesses; and the wavefronts for each shared access. A kernel that transposes
// in registers and meets the first two limits makes no shared accesses and passes.
//
// Speed, medians on an H200 at 4096 x 4096, cache flushed: naive (the baseline) 250.9 us; a tile of 32 x 16 with one
// element for each thread 90.3 us, 2.8 x; the same padded 72.5 us, 3.5 x; a tile of 32 x 32 with 32 x 8 threads 81.8
// us, 3.1 x; padded 40.2 us, 6.2 x; cuBLAS 40.3 us; the driver's copy 35.5 us. The lesson's own step is the
// padded tile with one element for each thread, and the step of full marks has four rows for each thread.
#include "lab/lab.h"
#include "base/message.h"

enum { IN, OUT };       // buffers, in the order in which plan() creates them
enum { ROWS, COLUMNS }; // indices of dim

#define SECTORS_ALLOWED 5.0    // for 128 bytes; 4 if the lanes access adjacent elements
#define WAVEFRONTS_ALLOWED 2.0 // for each shared access; 1 without conflicts

static const struct lab_case cases[] = {
    {"1 x 1", {1, 1}, "random", .flags = CASE_SMALL},
    {"1 x 33", {1, 33}, "random", .flags = CASE_SMALL},
    {"31 x 1", {31, 1}, "random", .flags = CASE_SMALL},
    {"32 x 32", {32, 32}, "random", .flags = CASE_SMALL},
    {"33 x 31", {33, 31}, "random", .flags = CASE_SMALL},
    {"36 x 68", {36, 68}, "random", .flags = CASE_SMALL},
    {N_("67 x 101 (primes), huge range"), {67, 101}, "range", .flags = CASE_SMALL},
    {N_("64 x 128, denormals"), {64, 128}, "denormal", .flags = CASE_SMALL},
    {"1000 x 3001", {1000, 3001}, "random", .flags = 0},
    {"4096 x 4096", {4096, 4096}, "random", .flags = CASE_SPEED},
    {"hidden: few rows",
     {0, 0},
     "random",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_BETWEEN(2, 3), LAB_REST(32, 1, 65, 129)}},
    {"hidden: one more and one less than tiles, all equal",
     {0, 0},
     "equal",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(32, 1, 97, 161), LAB_REST(32, 31, 63, 95)}},
    {"hidden: odd, half a tile",
     {0, 0},
     "random",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_PRIME(89, 103), LAB_REST(32, 16, 48, 80)}},
    {"hidden: even, a multiple of 4",
     {0, 0},
     "random",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(4, 2, 38, 62), LAB_REST(8, 4, 84, 116)}},
    {"hidden: a multiple of 4, even",
     {0, 0},
     "random",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(8, 4, 84, 116), LAB_REST(4, 2, 38, 62)}},
    {"hidden: large, huge range",
     {0, 0},
     "range",
     .flags = CASE_HIDDEN,
     .draw = {LAB_PRIME(499, 541), LAB_REST(32, 4, 228, 292)}},
};

static void plan(struct lab_plan *p)
{
    uint32_t rows = p->dim[ROWS], columns = p->dim[COLUMNS];
    int in = lab_buffer(p, "in", LAB_F32, LAB_INPUT, (uint64_t)rows * columns);
    int out = lab_buffer(p, "out", LAB_F32, LAB_OUTPUT, (uint64_t)rows * columns);
    struct lab_step *s = lab_step(p, 0, columns, rows, 1); // x is the index in a row of `in`
    lab_arg_buffer(s, in);
    lab_arg_buffer(s, out);
    lab_arg_u32(s, rows);
    lab_arg_u32(s, columns);
}

static void fill(struct lab_plan *p, struct prng *r)
{
    lab_fill_f32(p->buffer[IN].f32, p->buffer[IN].count, p->which->values, r);
}

// The result is exact, because nothing is computed. A few rows are handled at a time, so that the lines of the output
// that they touch stay in the cache.
static void expect(struct lab_plan *p)
{
    enum { FEW = 8 };
    lab_expected(p, OUT, 0);
    size_t rows = p->dim[ROWS], columns = p->dim[COLUMNS];
    const float *in = p->buffer[IN].f32;
    double *out = p->buffer[OUT].expected;
    for (size_t first = 0; first < rows; first += FEW)
        for (size_t c = 0; c < columns; c++)
            for (size_t r = first; r < first + FEW && r < rows; r++) out[c * rows + r] = in[r * columns + c];
}

static void coalesced(struct lab_techniques *t, const char *what, uint64_t sectors, double elements)
{
    double per_line = (double)sectors / (elements / 32);
    lab_technique(t, per_line <= SECTORS_ALLOWED, "%.1f sectors for each 128 bytes %s; at most %.0f are allowed",
                  per_line, what, SECTORS_ALLOWED);
    lab_advice(t, "let neighbouring threads use neighbouring elements");
}

// Bank conflicts are counted for each 32 elements, not for each access. Accesses without a conflict that move no
// element could otherwise hide the conflicts of those that do.
static void conflict_free(struct lab_techniques *t, const char *what, uint64_t conflicts, uint64_t accesses,
                          double elements)
{
    double each = accesses ? 1 + (double)conflicts / (elements / 32) : 0;
    lab_technique(t, each <= WAVEFRONTS_ALLOWED, "%.1f passes for each %s; at most %.0f are allowed", each, what,
                  WAVEFRONTS_ALLOWED);
    lab_advice(t, "pad the rows of the tile");
}

static void technique(const struct lab_evidence *e, struct lab_techniques *t)
{
    struct lab_traffic moved = lab_traffic_of(&e->student_sum);
    double elements = (double)e->plan->dim[ROWS] * e->plan->dim[COLUMNS];
    coalesced(t, _("loaded"), moved.ld_sectors, elements);
    coalesced(t, _("stored"), moved.st_sectors, elements);
    conflict_free(t, _("load from shared memory"), moved.shared_ld_conflicts, moved.shared_ld, elements);
    conflict_free(t, _("store to shared memory"), moved.shared_st_conflicts, moved.shared_st, elements);
}

const struct lab lab7_transpose = {
    .name = "lab7",
    .slug = "lab7_transpose",
    .title = N_("A transpose without strides and without bank conflicts"),
    .task =
        N_("write transpose for any R x C, coalesced both ways, through a tile whose columns meet 32 different banks"),
    .kernel = {"transpose"},
    .cases = cases,
    .ncases = sizeof cases / sizeof *cases,
    .lesson = 3.45,
    .furthest = 6.03,
    .plan = plan,
    .fill = fill,
    .expect = expect,
    .technique = technique,
    .hint =
        {
            N_("Read a tile by rows into shared memory, wait, and write it by columns: threadIdx.x must run along a "
               "row "
               "of "
               "`in` when you load and along a row of `out` when you store. Which two numbers change places for the "
               "second "
               "half: the block's, the thread's, or both?"),
            N_("Lane k reads tile[k][y]: in a tile of 32 x 32 floats these lie 32 apart, all in one bank, 32 "
               "wavefronts "
               "for "
               "one load. One float more in each row, tile[32][33], and lane k meets bank (k + y) % 32."),
            N_("A thread that moves one float spends its time on its index and on waiting. Let a block of 32 x 8 "
               "threads "
               "do a "
               "tile of 32 x 32: for (int j = 0; j < 32; j += 8), guarded by x < C && y + j < R, then the barrier, "
               "then "
               "the same loop over the other side with x < R && y + j < C. Four loads are on their way at once."),
        },
};
