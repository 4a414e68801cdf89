// Video instructions: one handler each; what the suffixes say goes along in op->side.
#include "sim/op/lower.h"
#include "sim/op/lowering.h"

void lower_video(struct lower *l, const struct ptx_inst *i)
{
    int compares = i->cmp != 0; // vset has no type of its result, which is .u32
    uint32_t a = i->type[!compares], b = i->type[1 + !compares], nsrc = i->noperands - 1u;
    struct ref src[3] = {{0, 0}, {0, 0}, {0, 0}}, dst;
    for (uint32_t s = 0; s < nsrc; s++) src[s] = lower_source(l, &i->operand[1 + s], 4);
    if (nsrc == 2) src[2] = src[1];
    dst = lower_dest(l, &i->operand[0], 4, 0);
    struct sim_op *op = lower_emit(l, lower_find(l, i->op, PTX_U32, VARIANT_PLAIN), src, 3, &dst, 1);
    op->side = (!compares && i->type[0] == PTX_S32 ? VIDEO_D_SIGNED : 0) | (a == PTX_S32 ? VIDEO_A_SIGNED : 0) |
               (b == PTX_S32 ? VIDEO_B_SIGNED : 0) | (i->flags & PTX_SAT ? VIDEO_SAT : 0) |
               (i->flags & PTX_WRAP ? VIDEO_WRAP : 0) | (uint32_t)i->atom * VIDEO_SECOND | (uint32_t)i->cmp * VIDEO_CMP;
}
