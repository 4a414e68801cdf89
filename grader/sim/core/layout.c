// Places a kernel's .shared variables in the shared window. A device places .shared variables one after the other, with
// gaps only for alignment. The simulator's layout inserts 128 more bytes after each variable, so every static variable
// lies a multiple of 128 bytes above its place on a device. A shift by a multiple of 128 bytes, the width of all 32
// banks, leaves a variable in the same banks as on a device. At least 128 unused bytes separate two .shared arrays. An
// index that runs past the end of an array hits unused bytes and not the next array.
#include "sim/core/layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/ptx.h"
#include "sim/core/program.h"
#include "sim/core/region.h"

enum { GAP = 128, DYNAMIC_ALIGN = 16 };

// If a kernel reads the address of the shared memory that the system reserves, layout_shared() places the reserved
// bytes after the kernel's .shared variables, like one more variable. Cooperative groups use the second half of the
// reserved shared memory for tiles that span several warps.

// Returns 1 if the operand is one of the %reserved_smem_offset_… registers.
static int asks_for_reserved(const struct ptx_operand *o)
{
    return o->kind == PTX_OPERAND_SREG && o->index >= PTX_SREG_reserved_smem_offset_begin &&
           o->index <= PTX_SREG_reserved_smem_offset_1;
}

uint32_t layout_reserved(const struct shared_layout *layout, uint32_t sreg)
{
    switch (sreg) {
    case PTX_SREG_reserved_smem_offset_cap:
        return SIM_RESERVED_SHARED;
    case PTX_SREG_reserved_smem_offset_end:
        return layout->reserved_offset + SIM_RESERVED_SHARED;
    case PTX_SREG_reserved_smem_offset_1:
        return layout->reserved_offset + SIM_RESERVED_SHARED / 2;
    default:
        return layout->reserved_offset;
    }
}

// Marks the variable or function that one operand of an instruction names. Sets var[v] to 1 if the operand names
// variable v. Sets var[module->nvars] to 1 if the operand is a %reserved_smem_offset_… register. Sets func[f] to 1 if
// the operand names function f and func[f] is 0.
static void mark_operand(const struct ptx_module *module, const struct ptx_operand *o, uint8_t *var, uint8_t *func)
{
    int is_symbol =
        o->kind == PTX_OPERAND_SYMBOL || (o->kind == PTX_OPERAND_ADDRESS && o->base_kind == PTX_OPERAND_SYMBOL);
    if (is_symbol && o->index < module->nvars) var[o->index] = 1;
    if (asks_for_reserved(o)) var[module->nvars] = 1;
    if (o->kind == PTX_OPERAND_FUNC && o->index < module->nfuncs && !func[o->index]) func[o->index] = 1;
}

// Marks the variables and functions that the operands in a function's code name.
static void mark_func(const struct ptx_module *module, const struct ptx_func *f, uint8_t *var, uint8_t *func)
{
    for (uint32_t i = 0; i < f->ninsts; i++) {
        for (uint32_t k = 0; k < f->inst[i].noperands && k < PTX_OPERANDS; k++) {
            mark_operand(module, &f->inst[i].operand[k], var, func);
        }
    }
    for (uint32_t i = 0; i < f->nelements; i++) mark_operand(module, &f->element[i], var, func);
}

// Marks the .shared variables whose addresses are in the initial value of a variable.
static void mark_initialiser(const struct ptx_module *module, const struct ptx_var *v, uint8_t *var)
{
    for (uint32_t i = 0; i < v->nrelocs; i++) {
        uint32_t named = v->reloc[i].symbol;
        if (!v->reloc[i].is_func && module->var[named].space == PTX_SHARED) var[named] = 1;
    }
}

// Sets var[v] to 1 for each .shared variable v that the kernel with index `entry` can use. The kernel can use variables
// that its code, or the code of a function that it can reach, declares or names. If the initial value of a variable
// that the kernel can use contains the address of a .shared variable, the kernel can also use the .shared variable.
// Sets var[nvars] to 1 if the kernel, or a function that it can reach, reads the address of the shared memory that the
// system reserves. `var` must have nvars + 1 elements, all 0.
static void mark_used(const struct ptx_module *module, uint32_t entry, uint8_t *var, struct arena *arena)
{
    uint8_t *func = ARENA_ARRAY(arena, module->nfuncs, uint8_t); // 0: not seen; 1: still to visit; 2: visited
    func[entry] = 1;
    for (int again = 1; again;) {
        again = 0;
        for (uint32_t f = 0; f < module->nfuncs; f++) {
            if (func[f] != 1) continue;
            func[f] = 2;
            again = 1;
            mark_func(module, &module->func[f], var, func);
        }
    }
    for (uint32_t v = 0; v < module->nvars; v++) {
        uint32_t owner = module->var[v].func;
        if (owner != PTX_NO_REG && owner < module->nfuncs && func[owner] == 2) var[v] = 1;
    }
    for (uint32_t v = 0; v < module->nvars; v++)
        if (var[v]) mark_initialiser(module, &module->var[v], var);
    for (uint32_t v = 0; v < module->nvars; v++)
        if (module->var[v].space != PTX_SHARED) var[v] = 0;
}

// Returns 1 if the variable is dynamic shared memory, whose size the launch determines.
static int is_dynamic(const struct ptx_var *var)
{
    return var->is_extern || var->bytes == 0;
}

struct shared_layout layout_shared(const struct ptx_module *module, uint32_t func, uint32_t dynamic,
                                   struct arena *arena)
{
    struct shared_layout layout = {.offset = ARENA_ARRAY(arena, module->nvars + 1, uint32_t)};
    uint8_t *used = ARENA_ARRAY(arena, module->nvars + 1, uint8_t);
    mark_used(module, func, used, arena);
    uint64_t device = 0, moved = 0, align = DYNAMIC_ALIGN;
    for (uint32_t v = 0; v < module->nvars; v++) {
        const struct ptx_var *var = &module->var[v];
        if (!used[v]) continue;
        uint64_t own = var->align ? var->align : 1;
        if (is_dynamic(var)) {
            if (own > align) align = own;
            continue;
        }
        device = (device + own - 1) / own * own;
        layout.offset[v] = (uint32_t)(device + moved);
        device += var->bytes;
        moved += GAP;
        if (device + moved >= SIM_WINDOW_BYTES / 2) break; // exceeds every device; the launch is refused
    }
    if (used[module->nvars]) {
        moved = (device + moved + GAP) / GAP * GAP - device;
        layout.reserved_offset = (uint32_t)(device + moved);
        moved += SIM_RESERVED_SHARED + GAP;
    }
    device = (device + align - 1) / align * align;
    layout.dynamic_offset = (uint32_t)(device + moved);
    layout.dynamic_bytes = dynamic;
    for (uint32_t v = 0; v < module->nvars; v++) {
        if (used[v] && is_dynamic(&module->var[v])) layout.offset[v] = layout.dynamic_offset;
    }
    uint64_t charged = device + dynamic;
    layout.charged_bytes = charged > UINT32_MAX ? UINT32_MAX : (uint32_t)charged;
    uint64_t placed = device + moved + dynamic + GAP;
    layout.placed_bytes = placed > UINT32_MAX ? UINT32_MAX : (uint32_t)placed;
    return layout;
}

// Compares two extents of .shared variables for qsort(), first by the extents' start, then by the variables' index.
static int by_lo(const void *a, const void *b)
{
    const struct shared_extent *x = a, *y = b;
    int order = (x->lo > y->lo) - (x->lo < y->lo);
    return order ? order : (x->var > y->var) - (x->var < y->var);
}

// All dynamic shared arrays have the same address, and the launch request gives their size. The extents of the kernel's
// .shared variables are sorted by their start.
void layout_extents(struct sim_memory *m, const struct sim_launch *launch)
{
    const struct sim_program *program = launch->program;
    const struct ptx_module *module = program->module;
    const struct shared_layout *layout = program->shared;
    struct arena scratch = {0};
    uint8_t *used = ARENA_ARRAY(&scratch, module->nvars + 1, uint8_t);
    mark_used(module, program->entry, used, &scratch);
    m->nextents = 0;
    free(m->extent);
    m->extent = alloc_zeroed(module->nvars + 1, sizeof *m->extent);
    for (uint32_t v = 0; v < module->nvars; v++) {
        const struct ptx_var *var = &module->var[v];
        if (!used[v]) continue;
        uint32_t bytes = is_dynamic(var) ? launch->request->shared : (uint32_t)var->bytes;
        m->extent[m->nextents++] =
            (struct shared_extent){.lo = layout->offset[v], .hi = layout->offset[v] + bytes, .var = (int32_t)v};
    }
    if (used[module->nvars])
        m->extent[m->nextents++] = (struct shared_extent){
            .lo = layout->reserved_offset, .hi = layout->reserved_offset + SIM_RESERVED_SHARED, .var = -1};
    arena_free(&scratch);
    qsort(m->extent, m->nextents, sizeof m->extent[0], by_lo);
}
