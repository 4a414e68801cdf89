// Plans the cases of host labs: one array of words goes in, and one array of words comes out (lab.h).
#include "lab/lab.h"

enum { IN, OUT };

void lab_host_plan(struct lab_plan *p)
{
    lab_buffer(p, "in", LAB_U32, LAB_INPUT, p->dim[0]);
    lab_buffer(p, "out", LAB_U32, LAB_OUTPUT, p->dim[0]);
}

void lab_host_fill(struct lab_plan *p, struct prng *random)
{
    struct lab_buffer *in = &p->buffer[IN];
    for (uint64_t i = 0; i < in->count; ++i) in->u32[i] = prng_u32(random);
}

void lab_host_expect(struct lab_plan *p)
{
    lab_expected(p, OUT, 0);
    for (uint64_t i = 0; i < p->buffer[OUT].count; ++i)
        p->buffer[OUT].expected[i] = p->lab->host->map(p->buffer[IN].u32[i]);
}
