// A module as text: what ptx_load reads back as an equal module. Functions are declared first, so that their order and
// every name is known; registers, variables and tables of a body stand at its top, which their unique names allow.
// A .loc line is written where the place changes; the lines that it is inlined into come before it where the last .loc
// at such a place says something else (see location.c).
#include "ptx_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/die.h"
#include "base/hash.h"
#include "base/text.h"
#include "ptx/isa.h"
#include "ptx/opcode.h"

// Behind `.loc … function_name`: debuggers would find the inlined function's name there; we keep none.
static const char info_label[] = "$L__info_string0";

struct printer {
    const struct ptx_module *m;
    const struct ptx_func *f; // whose body is being written
    struct text *out;
    uint32_t next_var; // first variable that no function printed so far owns
    int has_inlining;
    struct hash_map latest; // loc last written at a place, in this body; keys are in module.loc
    uint32_t current_loc;
};

static void typed_name(struct text *out, const struct ptx_var *v)
{
    uint32_t element = ptx_type_bytes((enum ptx_type)v->type);
    text_printf(out, ".align %" PRIu32 " .%s %s", v->align, ptx_type_name((enum ptx_type)v->type), v->name);
    if (v->is_extern && !v->bytes)
        text_puts(out, "[]");
    else if (v->bytes != element)
        text_printf(out, "[%" PRIu64 "]", v->bytes / element);
}

static void parameter_list(struct printer *pr, const uint32_t *var, uint32_t count)
{
    text_puts(pr->out, "(");
    for (uint32_t i = 0; i < count; ++i) {
        text_puts(pr->out, i ? ",\n\t.param " : "\n\t.param ");
        typed_name(pr->out, &pr->m->var[var[i]]);
    }
    text_puts(pr->out, count ? "\n)" : ")");
}

static void extents(struct text *out, const char *word, const uint32_t n[3])
{
    if (n[0] | n[1] | n[2]) text_printf(out, "\n.%s %" PRIu32 ", %" PRIu32 ", %" PRIu32, word, n[0], n[1], n[2]);
}

static const char *const linkage[] = {
    "", [PTX_VISIBLE_SYMBOL] = ".visible ", [PTX_WEAK_SYMBOL] = ".weak ", [PTX_COMMON_SYMBOL] = ".common "};

static void head(struct printer *pr, const struct ptx_func *f)
{
    struct text *out = pr->out;
    text_printf(out, "%s%s%s ", f->is_extern ? ".extern " : "", linkage[f->is_visible],
                f->is_entry ? ".entry" : ".func");
    if (f->nresults) {
        parameter_list(pr, f->result, f->nresults);
        text_puts(out, " ");
    }
    text_puts(out, f->name);
    parameter_list(pr, f->param, f->nparams);
    extents(out, "maxntid", f->maxntid);
    extents(out, "reqntid", f->reqntid);
    if (f->minnctapersm) text_printf(out, "\n.minnctapersm %" PRIu32, f->minnctapersm);
    if (f->maxnreg) text_printf(out, "\n.maxnreg %" PRIu32, f->maxnreg);
    if (f->is_noreturn) text_puts(out, "\n.noreturn");
}

static void address(struct printer *pr, const struct ptx_reloc *r)
{
    const char *name = r->is_func ? pr->m->func[r->symbol].name : pr->m->var[r->symbol].name;
    text_printf(pr->out, r->is_generic ? "generic(%s)" : "%s", name);
    if (r->addend) text_printf(pr->out, "+%" PRId64, r->addend);
}

static uint64_t little_endian(const uint8_t *bytes, uint32_t count)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count && i < 8; ++i) bits |= (uint64_t)bytes[i] << 8 * i;
    return bits;
}

static void number(struct text *out, enum ptx_type type, uint64_t bits)
{
    if (type == PTX_F32)
        text_printf(out, "0f%08" PRIX64, bits);
    else if (type == PTX_F64)
        text_printf(out, "0d%016" PRIX64, bits);
    else if (type >= PTX_S8 && type <= PTX_S64) // with the type's sign, as assemblers want it
        text_printf(out, "%" PRId64,
                    (int64_t)(bits << (64 - 8 * ptx_type_bytes(type))) >> (64 - 8 * ptx_type_bytes(type)));
    else
        text_printf(out, "%" PRIu64, bits);
}

static void initializer(struct printer *pr, const struct ptx_var *v)
{
    enum { PER_LINE = 16, ADDRESS = 8 };
    uint32_t element = ptx_type_bytes((enum ptx_type)v->type), next = 0;
    int is_list = v->bytes != element;
    text_puts(pr->out, is_list ? " = {" : " = ");
    for (uint64_t at = 0; at < v->init_bytes; at += element) {
        if (at) text_puts(pr->out, at / element % PER_LINE ? ", " : ",\n\t");
        const struct ptx_reloc *r = next < v->nrelocs ? &v->reloc[next] : NULL;
        if (!r || at < r->offset) {
            number(pr->out, (enum ptx_type)v->type, little_endian(v->init + at, element));
            continue;
        }
        if (element == 1) text_printf(pr->out, "0x%" PRIX64 "(", (uint64_t)0xff << 8 * (at - r->offset));
        address(pr, r);
        if (element == 1) text_puts(pr->out, ")");
        if (at + element == r->offset + ADDRESS) ++next;
    }
    if (is_list) text_puts(pr->out, "}");
}

static void variable(struct printer *pr, const struct ptx_var *v)
{
    static const char *const space[PTX_SPACES] = {
        [PTX_GLOBAL] = "global", [PTX_SHARED] = "shared", [PTX_LOCAL] = "local",
        [PTX_CONST] = "const",   [PTX_PARAM] = "param",
    };
    text_printf(pr->out, "%s%s.%s ", v->is_extern ? ".extern " : "", linkage[v->is_visible], space[v->space]);
    typed_name(pr->out, v);
    if (v->init_bytes) initializer(pr, v);
    text_puts(pr->out, ";\n");
}

static const char *label_at(const struct ptx_func *f, uint32_t inst)
{
    uint32_t low = 0, high = f->nlabels;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (f->label_inst[middle] < inst)
            low = middle + 1;
        else
            high = middle;
    }
    BUG_ON(low == f->nlabels || f->label_inst[low] != inst);
    return f->label_name[low];
}

static void offset(struct text *out, uint64_t bits)
{
    if (bits) text_printf(out, "+%" PRId64, (int64_t)bits);
}

static void special_register(struct text *out, const struct ptx_operand *o)
{
    const struct isa_sreg *sreg = &isa_sreg[o->index];
    text_puts(out, sreg->text);
    if (sreg->components == 3)
        text_printf(out, ".%c", "xyzw"[o->component & 3]);
    else if (sreg->components)
        text_printf(out, "%d", o->component);
}

static void base(struct printer *pr, uint8_t kind, const struct ptx_operand *o)
{
    if (kind == PTX_OPERAND_REG)
        text_puts(pr->out, pr->f->reg[o->index].name);
    else if (kind == PTX_OPERAND_SYMBOL)
        text_puts(pr->out, pr->m->var[o->index].name);
    else
        text_printf(pr->out, "%" PRId64, (int64_t)o->bits);
}

static void scalar(struct printer *pr, const struct ptx_operand *o)
{
    static const enum ptx_type literal[] = {PTX_NONE, PTX_F32, PTX_F64};
    struct text *out = pr->out;
    if (o->negate) text_puts(out, "!");
    switch (o->kind) {
    case PTX_OPERAND_REG:
        base(pr, o->kind, o);
        break;
    case PTX_OPERAND_IMM:
        if (o->component)
            number(out, literal[o->component], o->bits);
        else
            base(pr, o->kind, o);
        break;
    case PTX_OPERAND_SREG:
        special_register(out, o);
        break;
    case PTX_OPERAND_SYMBOL:
        base(pr, o->kind, o);
        offset(out, o->bits);
        break;
    case PTX_OPERAND_FUNC:
        text_puts(out, pr->m->func[o->index].name);
        break;
    case PTX_OPERAND_LABEL:
        text_puts(out, label_at(pr->f, o->index));
        break;
    case PTX_OPERAND_TABLE:
        text_puts(out, pr->f->table[o->index].name);
        break;
    case PTX_OPERAND_ADDRESS:
        text_puts(out, "[");
        base(pr, o->base_kind, o);
        if (o->base_kind != PTX_OPERAND_IMM) offset(out, o->bits);
        text_puts(out, "]");
        break;
    case PTX_OPERAND_SINK:
        text_puts(out, "_");
        break;
    default:
        BUG("operand of kind %d", o->kind);
    }
}

static void list(struct printer *pr, const struct ptx_operand *o, const char *open, const char *close)
{
    text_puts(pr->out, open);
    for (uint32_t i = 0; i < o->count; ++i) {
        if (i) text_puts(pr->out, ", ");
        scalar(pr, &pr->f->element[o->index + i]);
    }
    text_puts(pr->out, close);
}

static void call_operands(struct printer *pr, const struct ptx_inst *inst)
{
    if (inst->operand[0].count) list(pr, &inst->operand[0], "(", "), ");
    scalar(pr, &inst->operand[1]);
    int has_table = inst->noperands == 4;
    if (inst->operand[2].count || has_table) list(pr, &inst->operand[2], ", (", ")");
    if (!has_table) return;
    text_puts(pr->out, ", ");
    scalar(pr, &inst->operand[3]);
}

static void operands(struct printer *pr, const struct ptx_inst *inst)
{
    const char *letters = isa_row[inst->op].operands;
    size_t known = strlen(letters);
    for (uint32_t i = 0, written = 0; i < inst->noperands; ++i) {
        const struct ptx_operand *o = &inst->operand[i];
        if (o->kind == PTX_OPERAND_NONE) continue;
        if (written++) text_puts(pr->out, i < known && letters[i] == 'e' ? "|" : ", ");
        if (o->kind == PTX_OPERAND_VECTOR)
            list(pr, o, "{", "}");
        else
            scalar(pr, o);
    }
}

static int is_given(const struct ptx_inst *inst, const struct isa_mod *m, uint64_t written)
{
    switch (m->kind) {
    case MOD_FLAG:
        return (inst->flags & m->value) != 0;
    case MOD_FIELD:
        return *((const uint8_t *)inst + m->offset) == m->value && !(written & m->group);
    case MOD_REQUIRED:
        return !(written & m->group);
    default:
        return 0;
    }
}

static void suffixes(struct text *out, const struct ptx_inst *inst)
{
    uint64_t fields = isa_row[inst->op].fields, written = 0;
    for (unsigned i = 0; i < isa_mods; ++i) {
        const struct isa_mod *m = &isa_mod[i];
        if (m->kind == MOD_TYPES) {
            for (int k = 0; k < 3; ++k)
                if (inst->type[k]) text_printf(out, ".%s", ptx_type_name((enum ptx_type)inst->type[k]));
        } else if ((m->group & fields) && is_given(inst, m, written)) {
            text_printf(out, ".%s", m->text);
            written |= m->group;
        }
    }
}

static void instruction(struct printer *pr, const struct ptx_inst *inst)
{
    if (inst->guard != PTX_NO_REG)
        text_printf(pr->out, "@%s%s ", inst->guard_negated ? "!" : "", pr->f->reg[inst->guard].name);
    text_puts(pr->out, isa_row[inst->op].mnemonic);
    suffixes(pr->out, inst);
    if (inst->noperands) text_puts(pr->out, " \t");
    if (inst->op == PTX_OP_call)
        call_operands(pr, inst);
    else
        operands(pr, inst);
    text_puts(pr->out, ";");
}

void ptx_print_inst(const struct ptx_module *m, const struct ptx_func *f, const struct ptx_inst *inst, struct text *out)
{
    struct printer pr = {.m = m, .f = f, .out = out};
    instruction(&pr, inst);
}

enum { POSITION_BYTES = offsetof(struct ptx_loc, inlined_at) };

static uint32_t latest_at(const struct printer *pr, const struct ptx_loc *loc)
{
    int found = hash_map_get(&pr->latest, (const char *)loc, POSITION_BYTES);
    return found < 0 ? 0 : (uint32_t)found;
}

static void write_loc(struct printer *pr, uint32_t index)
{
    const struct ptx_loc *loc = &pr->m->loc[index];
    text_printf(pr->out, "\t.loc\t%" PRIu32 " %" PRIu32 " %" PRIu32, loc->file, loc->line, loc->column);
    if (loc->inlined_at) {
        const struct ptx_loc *caller = &pr->m->loc[loc->inlined_at];
        text_printf(pr->out, ", function_name %s, inlined_at %" PRIu32 " %" PRIu32 " %" PRIu32, info_label,
                    caller->file, caller->line, caller->column);
        hash_map_put(&pr->latest, (const char *)caller, POSITION_BYTES, (int)loc->inlined_at);
        pr->has_inlining = 1;
    }
    text_puts(pr->out, "\n");
    hash_map_put(&pr->latest, (const char *)loc, POSITION_BYTES, (int)index);
}

// The .loc of an instruction, its callers' before it unless they are the last written at their places.
static void location(struct printer *pr, uint32_t index)
{
    enum { DEEPEST = 512 }; // deeper than location.c lets pass
    if (index == pr->current_loc) return;
    pr->current_loc = index;
    uint32_t chain[DEEPEST], n = 0;
    for (uint32_t i = pr->m->loc[index].inlined_at; i && n < DEEPEST; i = pr->m->loc[i].inlined_at) chain[n++] = i;
    while (n--) {
        if (latest_at(pr, &pr->m->loc[chain[n]]) != chain[n]) write_loc(pr, chain[n]);
    }
    write_loc(pr, index);
}

static void registers(struct printer *pr)
{
    enum { PER_LINE = 8 };
    const struct ptx_func *f = pr->f;
    for (uint32_t i = 0, n = 0; i < f->nregs; ++i, ++n) {
        if (i && n < PER_LINE && f->reg[i].type == f->reg[i - 1].type) {
            text_printf(pr->out, ", %s", f->reg[i].name);
            continue;
        }
        text_printf(pr->out, "%s\t.reg .%s \t%s", i ? ";\n" : "", ptx_type_name((enum ptx_type)f->reg[i].type),
                    f->reg[i].name);
        n = 0;
    }
    if (f->nregs) text_puts(pr->out, ";\n");
}

static void shapes(struct text *out, const struct ptx_shape *shape, uint32_t count)
{
    text_puts(out, "(");
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t element = ptx_type_bytes((enum ptx_type)shape[i].type);
        text_printf(out, "%s.param .align %" PRIu32 " .%s _", i ? ", " : "", shape[i].align,
                    ptx_type_name((enum ptx_type)shape[i].type));
        if (shape[i].bytes != element) text_printf(out, "[%" PRIu64 "]", shape[i].bytes / element);
    }
    text_puts(out, ")");
}

static void table(struct printer *pr, const struct ptx_table *t)
{
    static const char *const word[] = {".branchtargets", ".calltargets", ".callprototype"};
    text_printf(pr->out, "%s: %s ", t->name, word[t->kind]);
    if (t->kind == PTX_PROTOTYPE) {
        if (t->nresults) shapes(pr->out, t->shape, t->nresults);
        text_puts(pr->out, " _ ");
        if (t->nparams) shapes(pr->out, t->shape + t->nresults, t->nparams);
    }
    for (uint32_t i = 0; i < t->ntargets; ++i) {
        if (i) text_puts(pr->out, ", ");
        text_puts(pr->out,
                  t->kind == PTX_CALL_TARGETS ? pr->m->func[t->target[i]].name : label_at(pr->f, t->target[i]));
    }
    text_puts(pr->out, ";\n");
}

// Steps over the variables that function `index` owns; those that are no parameters are written if `write`.
static void own_variables(struct printer *pr, uint32_t index, int write)
{
    const struct ptx_func *f = &pr->m->func[index];
    uint32_t skip = f->nparams + f->nresults; // they stand first
    for (; pr->next_var < pr->m->nvars && pr->m->var[pr->next_var].func == index; ++pr->next_var) {
        if (skip) {
            --skip;
        } else if (write) {
            text_puts(pr->out, "\t");
            variable(pr, &pr->m->var[pr->next_var]);
        }
    }
}

static void body(struct printer *pr, uint32_t index)
{
    const struct ptx_func *f = pr->f = &pr->m->func[index];
    text_puts(pr->out, "\n{\n");
    registers(pr);
    own_variables(pr, index, 1);
    for (uint32_t i = 0; i < f->ntables; ++i) table(pr, &f->table[i]);
    hash_map_free(&pr->latest);
    pr->current_loc = 0;
    uint32_t label = 0;
    for (uint32_t i = 0; i < f->ninsts; ++i) {
        for (; label < f->nlabels && f->label_inst[label] == i; ++label)
            text_printf(pr->out, "%s:\n", f->label_name[label]);
        location(pr, f->inst[i].loc);
        if (f->inst[i].nounroll) text_puts(pr->out, "\t.pragma \"nounroll\";\n");
        text_puts(pr->out, "\t");
        instruction(pr, &f->inst[i]);
        text_puts(pr->out, "\n");
    }
    text_puts(pr->out, "}\n");
}

static void functions(struct printer *pr)
{
    for (uint32_t i = 0; i < pr->m->nfuncs; ++i) {
        const struct ptx_func *f = &pr->m->func[i];
        if (!f->has_body && !f->is_entry) { // declared before
            own_variables(pr, i, 0);
            continue;
        }
        text_puts(pr->out, "\n");
        head(pr, f);
        if (f->has_body) {
            body(pr, i);
        } else {
            own_variables(pr, i, 0);
            text_puts(pr->out, ";\n");
        }
    }
}

void ptx_print(const struct ptx_module *m, struct text *out)
{
    struct printer pr = {.m = m, .out = out};
    for (uint32_t i = 0; i < m->nfuncs; ++i)
        if (m->func[i].registers)
            text_printf(out, "// registers %" PRIu32 " %s\n", m->func[i].registers, m->func[i].name);
    for (uint32_t i = 0; i < m->nfuncs; ++i)
        if (m->func[i].spilled) text_printf(out, "// spills %" PRIu32 " %s\n", m->func[i].spilled, m->func[i].name);
    text_printf(out, ".version %u.%u\n.target sm_%u%s\n.address_size 64\n\n", m->version / 10, m->version % 10, m->sm,
                m->is_debug ? ", debug" : "");
    for (uint32_t i = 0; i < m->nfiles; ++i)
        if (m->file[i]) text_printf(out, ".file\t%" PRIu32 " \"%s\"\n", i, m->file[i]);
    for (uint32_t i = 0; i < m->nfuncs && !m->func[i].is_entry; ++i) {
        head(&pr, &m->func[i]);
        text_puts(out, ";\n");
    }
    for (; pr.next_var < m->nvars && m->var[pr.next_var].func == PTX_NO_REG; ++pr.next_var)
        variable(&pr, &m->var[pr.next_var]);
    functions(&pr);
    if (pr.has_inlining) text_printf(out, "\t.section\t.debug_str\n\t{\n%s:\n.b8 0\n\t}\n", info_label);
    hash_map_free(&pr.latest);
}
