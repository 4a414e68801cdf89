// Checks whether modifiers fit the types of an instruction and each other. The PTX ISA states for each instruction
// which modifiers and types may occur together. The columns `fields` and `types` of isa.def list an instruction's
// modifiers and types separately, without forbidden combinations. In each row of isa.def, the column `suffixes` names a
// function of check_suffix.c that refuses the combinations of modifiers and types that the PTX ISA does not allow for
// the instruction.
#include "base/message.h"
#include "ptx/opcode.h"
#include "ptx/parser.h"

enum {
    T_F32HALF = T_F32 | T_HALF,
    T_UNSIGNED = T_BIT(PTX_U16) | T_U32 | T_U64,
    T_COMPARED = T_UNSIGNED | T_SINT,
};

static _Noreturn void refuse(struct parser *p, const struct ptx_inst *inst, const char *what)
{
    enum ptx_type type = (enum ptx_type)inst->type[0];
    parser_fail(p, inst->line, inst->column, "'%s%s%s': %s", isa_row[inst->op].mnemonic, type ? "." : "",
                ptx_type_name(type), _(what));
}

static int is(const struct ptx_inst *inst, uint32_t types)
{
    return (T_BIT(inst->type[0]) & types) != 0;
}

static void need(struct parser *p, const struct ptx_inst *inst, int condition, const char *what)
{
    if (!condition) refuse(p, inst, what);
}

// Checks modifiers that have the same meaning in all instructions. form_convert() checks those that mean something else
// in a conversion.
static void common(struct parser *p, const struct ptx_inst *inst)
{
    uint32_t flags = inst->flags;
    uint64_t fields = isa_row[inst->op].fields;
    int converts = (fields & F_IROUND) != 0, is_video = (fields & F_THREE_TYPES) != 0;
    // The second type may be the float type.
    uint32_t types = T_BIT(inst->type[0]) | (fields & F_TWO_TYPES ? T_BIT(inst->type[1]) : 0);
    int is_approx64 = is(inst, T_BIT(PTX_F64)) && (flags & PTX_APPROX);
    if (flags & PTX_FTZ) need(p, inst, (types & T_F32HALF) || is_approx64, "'.ftz' goes with .f32 and halves only");
    if ((flags & PTX_SAT) && !converts && !is_video)
        need(p, inst, is(inst, T_F32HALF | T_BIT(PTX_S32)), "'.sat' goes with .f32, halves and .s32 only");
    if (flags & PTX_CC) need(p, inst, is(inst, T_INT3264), "'.cc' goes with 32-bit and 64-bit integers only");
    if (flags & (PTX_NAN_FLAG | PTX_XORSIGN))
        need(p, inst, is(inst, T_F32HALF), "'.NaN' and '.xorsign' go with floats");
    uint32_t signed_relu = T_BIT(PTX_S32) | T_BIT(PTX_S16X2);
    if ((flags & PTX_RELU) && !converts)
        need(p, inst, is(inst, T_HALF | signed_relu), "'.relu' goes with halves, .s32 and .s16x2 only");
    if (inst->round && !converts) {
        need(p, inst, is(inst, T_HALF | T_FLOAT), "a rounding goes with floats only");
        need(p, inst, !is(inst, T_HALF) || inst->round == PTX_RN, "halves round with '.rn' only");
        need(p, inst, !(flags & (PTX_APPROX | PTX_FULL)), "a rounding and an approximation exclude each other");
    }
}

static void product(struct parser *p, const struct ptx_inst *inst, int saturates)
{
    int integer = is(inst, T_INT);
    need(p, inst, integer == (inst->part != PTX_PART_NONE), "integers, and only they, need '.lo', '.hi' or '.wide'");
    if (inst->part == PTX_PART_WIDE) {
        need(p, inst, !is(inst, T_U64 | T_BIT(PTX_S64)), "'.wide' goes with 16 and 32 bits only");
        need(p, inst, !(inst->flags & (PTX_CC | PTX_SAT)), "'.wide' takes no '.cc' and no '.sat'");
    }
    if (inst->flags & PTX_SAT) need(p, inst, !integer || saturates, "of integers only mad.hi saturates");
}

static void suffix_product(struct parser *p, const struct ptx_inst *inst)
{
    product(p, inst, 0);
}

static void suffix_product_sum(struct parser *p, const struct ptx_inst *inst)
{
    product(p, inst, inst->part == PTX_PART_HI);
    if (!is(inst, T_INT)) need(p, inst, inst->round, "floats need a rounding");
}

static int precisions(const struct ptx_inst *inst)
{
    return (inst->round != 0) + !!(inst->flags & PTX_APPROX) + !!(inst->flags & PTX_FULL);
}

static int approximates64(const struct ptx_inst *inst)
{
    return is(inst, T_BIT(PTX_F64)) && !inst->round;
}

static void suffix_precision(struct parser *p, const struct ptx_inst *inst)
{
    need(p, inst, precisions(inst) == 1, "needs a rounding, '.approx' or '.full'");
}

static void suffix_division(struct parser *p, const struct ptx_inst *inst)
{
    if (is(inst, T_INT)) {
        need(p, inst, !precisions(inst), "integers take no rounding and no approximation");
        return;
    }
    suffix_precision(p, inst);
    need(p, inst, !approximates64(inst), ".f64 needs a rounding");
}

static void suffix_reciprocal(struct parser *p, const struct ptx_inst *inst)
{
    suffix_precision(p, inst);
    if (approximates64(inst)) need(p, inst, inst->flags & PTX_FTZ, "needs '.approx.ftz'");
}

// Checks a comparison of sources of type `compared`. An instruction with a boolean operator has `combined` operands.
static void comparison(struct parser *p, const struct ptx_inst *inst, uint32_t compared, uint32_t combined)
{
    uint32_t type = T_BIT(compared);
    need(p, inst, inst->cmp, "needs a comparison");
    if (type & T_BITS) need(p, inst, inst->cmp <= PTX_NE, "bits compare with '.eq' and '.ne' only");
    if (type & T_SINT) need(p, inst, inst->cmp <= PTX_GE, "signed integers have no such comparison");
    if (type & T_UNSIGNED) need(p, inst, inst->cmp <= PTX_HS, "integers have no such comparison");
    if (type & (T_HALF | T_FLOAT))
        need(p, inst, inst->cmp <= PTX_GE || inst->cmp >= PTX_EQU, "floats have no such comparison");
    need(p, inst, (inst->boolop != 0) == (inst->noperands == combined),
         "a boolean operator and its predicate belong together");
}

static void suffix_setp(struct parser *p, const struct ptx_inst *inst)
{
    comparison(p, inst, inst->type[0], 5);
}

static void suffix_set(struct parser *p, const struct ptx_inst *inst)
{
    uint32_t type = T_BIT(inst->type[1]);
    comparison(p, inst, inst->type[1], 4);
    need(p, inst, type & T_WORDS, "8-bit values are not compared");
    uint32_t pairs = T_BIT(PTX_F16X2) | T_BIT(PTX_BF16X2);
    if ((type | T_BIT(inst->type[0])) & pairs)
        need(p, inst, (type & pairs) && (inst->type[0] == inst->type[1] || is(inst, T_INT32)),
             "pairs of halves give pairs of halves, or .u32 or .s32");
    need(p, inst, is(inst, T_INT32 | T_F32 | T_HALF | T_BIT(PTX_U16) | T_BIT(PTX_S16)), "has no such result type");
}

static int is_load(const struct ptx_inst *inst)
{
    return (ptx_isa[inst->op].effect & E_LOAD) != 0;
}

static void ordering(struct parser *p, const struct ptx_inst *inst)
{
    int strong = inst->sem >= PTX_RELAXED && inst->sem <= PTX_SC;
    need(p, inst, inst->sem != PTX_MMIO, "'.mmio' is not supported");
    need(p, inst, strong == (inst->scope != 0), "an ordering and a scope belong together");
    need(p, inst, inst->sem != (is_load(inst) ? PTX_RELEASE : PTX_ACQUIRE) && inst->sem < PTX_ACQ_REL,
         "has no such ordering");
    int load_cache = inst->cache <= PTX_CV,
        store_cache = inst->cache != PTX_CA && inst->cache != PTX_LU && inst->cache != PTX_CV;
    need(p, inst, is_load(inst) ? load_cache : store_cache, "has no such cache operator");
    need(p, inst, !inst->cache || inst->sem <= PTX_WEAK, "a cache operator and an ordering exclude each other");
}

static void suffix_access(struct parser *p, const struct ptx_inst *inst)
{
    ordering(p, inst);
    if (inst->flags & PTX_NC)
        need(p, inst, inst->space == PTX_GLOBAL && inst->sem <= PTX_WEAK, "'.nc' goes with plain '.global' only");
    need(p, inst, is_load(inst) || inst->space != PTX_CONST, "constant memory is not written");
    uint32_t bytes = inst->vec * ptx_type_bytes((enum ptx_type)inst->type[0]);
    int is_wide = bytes == 32 && inst->vec >= 4 && inst->space == PTX_GLOBAL && p->module->sm >= 100;
    need(p, inst, (bytes <= 16 && inst->vec <= 4) || is_wide, "a vector is wider than sm_90 has");
}

static int atomic_type(const struct ptx_inst *inst)
{
    switch (inst->atom) {
    case PTX_ATOM_ADD:
        return is(inst, T_INT32 | T_U64 | T_HALF | T_FLOAT);
    case PTX_ATOM_MIN:
    case PTX_ATOM_MAX:
        return is(inst, T_INT3264);
    case PTX_ATOM_INC:
    case PTX_ATOM_DEC:
        return is(inst, T_U32);
    case PTX_ATOM_AND:
    case PTX_ATOM_OR:
    case PTX_ATOM_XOR:
        return is(inst, T_B3264);
    case PTX_ATOM_EXCH:
    case PTX_ATOM_CAS:
        return is(inst, T_BITS);
    default:
        return 0;
    }
}

static void suffix_atomic(struct parser *p, const struct ptx_inst *inst)
{
    need(p, inst, inst->atom, "needs an operation");
    need(p, inst, atomic_type(inst), "has no such operation on this type");
    need(p, inst, !is(inst, T_HALF) || (inst->flags & PTX_NOFTZ), "halves need '.noftz'");
    need(p, inst, is(inst, T_HALF) || !(inst->flags & PTX_NOFTZ), "'.noftz' goes with halves only");
    need(p, inst, inst->space <= PTX_SHARED && inst->space != PTX_REG, "works on global and shared memory only");
    int has_order = inst->sem == PTX_SEM_NONE || (inst->sem >= PTX_RELAXED && inst->sem <= PTX_ACQ_REL);
    need(p, inst, has_order, "has no such ordering");
    if (!ptx_destinations(inst)) {
        need(p, inst, inst->atom < PTX_ATOM_EXCH, "returns nothing, so it has no exch and no cas");
        need(p, inst, inst->sem != PTX_ACQUIRE && inst->sem != PTX_ACQ_REL, "has no such ordering");
    } else {
        need(p, inst, (inst->atom == PTX_ATOM_CAS) == (inst->noperands == 4), "has another number of operands");
    }
    if (inst->vec > 1) {
        uint32_t bytes = inst->vec * ptx_type_bytes((enum ptx_type)inst->type[0]);
        need(p, inst, inst->atom == PTX_ATOM_ADD && is(inst, T_F32HALF) && bytes <= 16 && inst->space == PTX_GLOBAL,
             "vectors of up to 16 bytes of .f32 or halves are added, in global memory only");
    }
}

static void suffix_mode(struct parser *p, const struct ptx_inst *inst)
{
    need(p, inst, inst->mode, "needs a mode");
}

static void suffix_vote(struct parser *p, const struct ptx_inst *inst)
{
    suffix_mode(p, inst);
    need(p, inst, (inst->mode == PTX_BALLOT) == is(inst, T_B32), "'.ballot' gives .b32, the others .pred");
}

static void suffix_match(struct parser *p, const struct ptx_inst *inst)
{
    suffix_mode(p, inst);
    need(p, inst, inst->mode == PTX_ALL || inst->operand[1].kind == PTX_OPERAND_NONE,
         "only '.all' has a second destination");
}

static void suffix_reduction(struct parser *p, const struct ptx_inst *inst)
{
    int bitwise = inst->atom >= PTX_ATOM_AND && inst->atom <= PTX_ATOM_XOR;
    int arithmetic = inst->atom >= PTX_ATOM_ADD && inst->atom <= PTX_ATOM_MAX;
    need(p, inst, is(inst, T_B32) ? bitwise : arithmetic, "has no such operation on this type");
}

static void suffix_fence(struct parser *p, const struct ptx_inst *inst)
{
    need(p, inst, inst->scope, "needs a scope");
    int has_order = inst->sem == PTX_SEM_NONE || (inst->sem >= PTX_ACQUIRE && inst->sem <= PTX_SC);
    need(p, inst, has_order, "has no such ordering");
}

// Checks the modifiers of an mbarrier instruction. An mbarrier must be in shared memory. The instruction may be
// relaxed, or have the ordering `order`.
static void mbarrier(struct parser *p, const struct ptx_inst *inst, enum ptx_sem order)
{
    need(p, inst, !inst->space || inst->space == PTX_SHARED, "works on shared memory only");
    need(p, inst, !inst->sem || inst->sem == PTX_RELAXED || inst->sem == order, "has no such ordering");
    need(p, inst, !inst->sem == !inst->scope, "an ordering and a scope belong together");
}

static void suffix_mbarrier(struct parser *p, const struct ptx_inst *inst)
{
    mbarrier(p, inst, PTX_ACQUIRE);
}

static void suffix_mbarrier_arrive(struct parser *p, const struct ptx_inst *inst)
{
    mbarrier(p, inst, PTX_RELEASE);
}

static void suffix_none(struct parser *p, const struct ptx_inst *inst)
{
    (void)p, (void)inst;
}

static void suffix_sum(struct parser *p, const struct ptx_inst *inst)
{
    need(p, inst, !((inst->flags & PTX_SAT) && (inst->flags & PTX_CC)), "'.sat' and '.cc' exclude each other");
}

static void suffix_carry(struct parser *p, const struct ptx_inst *inst)
{
    need(p, inst, is(inst, T_INT3264), "takes 32-bit and 64-bit integers only");
}

static void suffix_rounded(struct parser *p, const struct ptx_inst *inst)
{
    need(p, inst, inst->round, "needs a rounding");
}

static void suffix_part(struct parser *p, const struct ptx_inst *inst)
{
    need(p, inst, inst->part, "needs '.lo' or '.hi'");
}

static void suffix_dot4(struct parser *p, const struct ptx_inst *inst)
{
    need(p, inst, T_BIT(inst->type[1]) & T_INT32, "takes .u32 and .s32 only");
}

static void suffix_dot2(struct parser *p, const struct ptx_inst *inst)
{
    suffix_part(p, inst);
    suffix_dot4(p, inst);
}

static void suffix_approximate(struct parser *p, const struct ptx_inst *inst)
{
    need(p, inst, inst->flags & PTX_APPROX, "needs '.approx'");
}

static void suffix_exponential(struct parser *p, const struct ptx_inst *inst)
{
    int is_f16 = is(inst, T_BIT(PTX_F16) | T_BIT(PTX_F16X2));
    need(p, inst, !is(inst, T_HALF) || ((inst->flags & PTX_FTZ) == 0) == is_f16,
         "'.ftz' goes with .bf16, which needs it, and not with .f16");
    suffix_approximate(p, inst);
}

static void suffix_elect(struct parser *p, const struct ptx_inst *inst)
{
    need(p, inst, inst->operand[1].kind == PTX_OPERAND_REG, "needs a predicate behind '|'");
}

static void suffix_dependents(struct parser *p, const struct ptx_inst *inst)
{
    need(p, inst, inst->mode, "needs '.launch_dependents' or '.wait'");
}

static void suffix_proxy(struct parser *p, const struct ptx_inst *inst)
{
    need(p, inst, inst->mode, "needs '.alias' or '.async'");
}

static int one_of_clamp_and_wrap(const struct ptx_inst *inst)
{
    return !(inst->flags & PTX_CLAMP) != !(inst->flags & PTX_WRAP);
}

static void suffix_funnel(struct parser *p, const struct ptx_inst *inst)
{
    need(p, inst, inst->mode && one_of_clamp_and_wrap(inst), "needs '.l' or '.r', '.clamp' or '.wrap'");
}

static void suffix_clamped(struct parser *p, const struct ptx_inst *inst)
{
    need(p, inst, one_of_clamp_and_wrap(inst), "needs '.clamp' or '.wrap'");
}

static void suffix_select(struct parser *p, const struct ptx_inst *inst)
{
    need(p, inst, T_BIT(inst->type[1]) & (T_F32 | T_BIT(PTX_S32)), "selects by .s32 or .f32");
}

static void suffix_space(struct parser *p, const struct ptx_inst *inst)
{
    need(p, inst, inst->space, "needs a space");
}

static void suffix_async_copy(struct parser *p, const struct ptx_inst *inst)
{
    need(p, inst, inst->cache, "needs '.ca' or '.cg'");
}

typedef void suffix_rule(struct parser *, const struct ptx_inst *);
static suffix_rule *const rule[PTX_OPS] = {
#define ISA(id, mnemonic, fields, types, operands, suffixes, ...) suffix_##suffixes,
#include "ptx/isa.def"
#undef ISA
};

void check_suffixes(struct parser *p, const struct ptx_inst *inst)
{
    common(p, inst);
    rule[inst->op](p, inst);
}
