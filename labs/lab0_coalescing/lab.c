// Lab 0, the warm-up: out = 2 in + 1 over a long array. The lesson is which thread takes which element. A warp whose
// lanes access adjacent elements needs 4 sectors for each 128 bytes. A warp whose lanes are 32 elements apart needs 32
// sectors, for loads and for stores.
//
// Technique: the sectors of global loads and of stores, divided by the number of 128-byte lines of the array. The
// divisor is not the number of requests, for two reasons. 16-byte loads need 16 sectors for each request, all of them
// useful. And a kernel must not be able to lower the figure by additional loads.
//
// Speed, medians on an H200 at n = 10485760, cache flushed: 32 consecutive elements for each thread (the baseline)
// 409.7 us; a grid-stride loop 39.4 us, 10.4 x; one element for each thread 36.3 us, 11.3 x; the driver's own copy of
// as many bytes 23.8 us, 17.2 x. With 8 or 16 consecutive elements, a kernel touches the baseline's 32 sectors for each
// request and is about as slow. Loads of every 128th float reach 5.5 x, and with 2 consecutive elements a kernel is
// nearly as fast as with one; the technique refuses both. The lesson's own step is one element for each thread, and the
// step of full marks is the grid-stride loop.
#include "lab/lab.h"
#include "base/message.h"

enum { IN, OUT }; // buffers, in the order in which plan() creates them

#define SECTORS_ALLOWED 5.0 // for 128 bytes; 4 if the lanes access adjacent elements

static const struct lab_case cases[] = {
    {N_("no element"), {0}, "zero", .flags = CASE_SMALL},
    {N_("1 element"), {1}, "random", .flags = CASE_SMALL},
    {N_("31, one lane short of a warp"), {31}, "random", .flags = CASE_SMALL},
    {N_("33, one lane more than a warp"), {33}, "integers", .flags = CASE_SMALL},
    {"1000", {1000}, "random", .flags = CASE_SMALL},
    {N_("4099 (prime), huge range"), {4099}, "range", .flags = CASE_SMALL},
    {N_("10007 (prime), denormals"), {10007}, "denormal", .flags = CASE_SMALL},
    {N_("3400043 (prime)"), {3400043}, "random", .flags = 0},
    {"10485760", {10485760}, "random", .flags = CASE_SPEED},
    {"hidden: part of a warp", {0}, "range", .flags = CASE_SMALL | CASE_HIDDEN, .draw = {LAB_BETWEEN(2, 30)}},
    {"hidden: one more than whole blocks",
     {0},
     "equal",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(256, 1, 257, 2049)}},
    {"hidden: prime", {0}, "random", .flags = CASE_SMALL | CASE_HIDDEN, .draw = {LAB_PRIME(5003, 9973)}},
    {"hidden: large, odd", {0}, "range", .flags = CASE_HIDDEN, .draw = {LAB_REST(2, 1, 200001, 300001)}},
};

static void plan(struct lab_plan *p)
{
    uint32_t n = p->dim[0];
    int in = lab_buffer(p, "in", LAB_F32, LAB_INPUT, n);
    int out = lab_buffer(p, "out", LAB_F32, LAB_OUTPUT, n);
    struct lab_step *s = lab_step(p, 0, n, 1, 1);
    lab_arg_buffer(s, in);
    lab_arg_buffer(s, out);
    lab_arg_u32(s, n);
}

static void fill(struct lab_plan *p, struct prng *r)
{
    lab_fill_f32(p->buffer[IN].f32, p->buffer[IN].count, p->which->values, r);
}

// The result is exact. 2x is exact in binary, so the sum is the only rounding, fused or not, and every correct kernel
// returns the float nearest to 2x + 1. Computing in double does not round twice: twice a float's 24 bits plus 1 fits
// into 53 bits. For |x| < 2^-29 it does not fit, but the sum is then far from the middle between two floats.
static void expect(struct lab_plan *p)
{
    lab_expected(p, OUT, 0);
    const float *in = p->buffer[IN].f32;
    for (uint64_t i = 0; i < p->buffer[OUT].count; i++) p->buffer[OUT].expected[i] = (float)(2.0 * in[i] + 1.0);
}

static void coalesced(struct lab_techniques *t, const char *what, uint64_t sectors, uint32_t n)
{
    double per_line = (double)sectors / (n / 32.0);
    lab_technique(t, per_line <= SECTORS_ALLOWED, "%.1f sectors for each 128 bytes %s; at most %.0f are allowed",
                  per_line, what, SECTORS_ALLOWED);
    lab_advice(t, "let neighbouring threads use neighbouring elements");
}

static void technique(const struct lab_evidence *e, struct lab_techniques *t)
{
    struct lab_traffic moved = lab_traffic_of(&e->student_sum);
    coalesced(t, _("loaded"), moved.ld_sectors, e->plan->dim[0]);
    coalesced(t, _("stored"), moved.st_sectors, e->plan->dim[0]);
}

const struct lab lab0_coalescing = {
    .name = "lab0",
    .slug = "lab0_coalescing",
    .title = N_("Neighbouring threads read neighbouring elements"),
    .task = N_("write scale: out[i] = 2 in[i] + 1, so that each warp's loads and stores fill whole sectors"),
    .kernel = {"scale"},
    .cases = cases,
    .ncases = sizeof cases / sizeof *cases,
    .lesson = 11.39,
    .furthest = 12.09,
    .plan = plan,
    .fill = fill,
    .expect = expect,
    .technique = technique,
    .hint =
        {
            N_("Write down which elements the 32 lanes of one warp touch in the same instruction, for the baseline and "
               "for "
               "yours. The memory moves whole sectors of 32 bytes: how many does that instruction need?"),
            N_("Element i belongs to thread i: i = blockIdx.x * blockDim.x + threadIdx.x, guarded by i < n. Lane k and "
               "lane k + 1 then touch neighbours, and a warp's 128 bytes are four sectors."),
            N_("If a thread is to do several elements, let it step by the number of all threads, not by one: for (int "
               "i = "
               "blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = 2.0f * in[i] + "
               "1.0f; "
               "with LAUNCH(scale, .block = {256}, .per_sm = 8)."),
        },
};
