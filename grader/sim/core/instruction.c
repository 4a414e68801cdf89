// Makes isa.def, the table of PTX instructions, available as an array, and computes the cost of an instruction.
//
// Instructions are assigned to execution pipes as on recent NVIDIA devices. Work that is not single-precision,
// double-precision or special-function arithmetic uses the integer pipes.
#include "sim/core/instruction.h"

#include "device/profile.h"
#include "ptx/opcode.h"
#include "sim/core/op.h"
#include "sim/core/program.h"

const struct instruction instruction[PTX_OPS] = {
#define ISA(id, mnemonic, fields, types, operands, suffixes, form, effect, lowering, pipe, flops, latency, value,      \
            undefined, slots, unroll, section, meaning)                                                                \
    {PIPES_##pipe, flops, LATENCY_##latency, VALUE_##value, UNDEFINED_##undefined, SLOTS_##slots, UNROLL_##unroll},
#include "ptx/isa.def"
#undef ISA
};

enum { OF_INTEGERS, OF_FLOATS, OF_DOUBLES, KINDS };
// Gives the execution pipe of an instruction, by the pipe class of the instruction's row in isa.def and by the kind of
// its type (integers, floats or doubles).
static const uint8_t pipe[PIPES_CLASSES][KINDS] = {
    [PIPES_MATH] = {PIPE_ALU, PIPE_FP32, PIPE_FP64},
    [PIPES_ADD] = {PIPE_INT, PIPE_FP32, PIPE_FP64},
    [PIPES_MULTIPLY] = {PIPE_MUL, PIPE_FP32, PIPE_FP64},
    [PIPES_COMPARE] = {PIPE_ALU, PIPE_ALU, PIPE_FP64},
    [PIPES_SPECIAL] = {PIPE_ALU, PIPE_SFU, PIPE_FP64},
    [PIPES_BITS] = {PIPE_SFU, PIPE_SFU, PIPE_SFU},
    [PIPES_MOVE] = {PIPE_INT, PIPE_INT, PIPE_INT},
    [PIPES_MEMORY] = {PIPE_LSU, PIPE_LSU, PIPE_LSU},
    [PIPES_CONTROL] = {PIPE_CONTROL, PIPE_CONTROL, PIPE_CONTROL},
};

// Returns OF_INTEGERS, OF_FLOATS or OF_DOUBLES, the kind of a PTX type.
static int kind_of(uint32_t type)
{
    if (type == PTX_F64) return OF_DOUBLES;
    return type >= PTX_F16 && type <= PTX_F32 ? OF_FLOATS : OF_INTEGERS;
}

// Returns the latency class (enum latency_class) of an instruction that runs on the execution pipe `pipe`.
static uint8_t latency_of(const struct ptx_inst *i, uint32_t pipe)
{
    uint8_t class = instruction[i->op].latency;
    if (class == LATENCY_DIVISION && i->flags & PTX_APPROX) return LATENCY_DIVISION_APPROX;
    return class == LATENCY_ALU && pipe == PIPE_FP64 ? LATENCY_FP64 : class;
}

void instruction_cost(const struct ptx_inst *i, struct sim_op_info *info)
{
    const struct instruction *row = &instruction[i->op];
    int kind = kind_of(i->type[0]), is_product = row->value == VALUE_PRODUCT || row->value == VALUE_PRODUCT_SUM;
    info->pipe = pipe[row->pipes][kind];
    if (instruction_does(i, E_LOAD | E_STORE) && i->space == PTX_PARAM) info->pipe = PIPE_INT; // uses registers
    info->flops = kind == OF_INTEGERS ? 0 : row->flops;
    info->latency = latency_of(i, info->pipe);
    info->passes = is_product && kind == OF_INTEGERS && i->part == PTX_PART_HI ? 2 : 1;
}

int64_t instruction_latency(const struct device_profile *d, uint32_t class)
{
    const int64_t of[LATENCY_CLASSES] = {
        [LATENCY_ALU] = d->latency_alu,           [LATENCY_FP64] = d->latency_fp64,
        [LATENCY_SFU] = d->latency_sfu,           [LATENCY_POPC] = d->latency_popc,
        [LATENCY_DIVISION] = d->latency_division, [LATENCY_DIVISION_APPROX] = d->latency_division_approx,
        [LATENCY_SHUFFLE] = d->latency_shuffle,   [LATENCY_VOTE] = d->latency_vote,
        [LATENCY_MATCH] = d->latency_match,       [LATENCY_REDUCE] = d->latency_reduce};
    return of[class];
}

uint32_t instruction_distance(const struct ptx_inst *i)
{
    const struct device_profile *d = device_profile_find("h200");
    struct sim_op_info info;
    instruction_cost(i, &info);
    int64_t latency = instruction_latency(d, info.latency);
    if (instruction_does(i, E_LOAD | E_ATOMIC)) latency = i->space == PTX_SHARED ? d->latency_shared : d->latency_l2;
    return (uint32_t)((latency + 50) / 100);
}
