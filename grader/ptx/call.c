// Reads call instructions and the tables of indirect jumps and calls: .branchtargets, .calltargets, .callprototype (PTX
// ISA 9.7.12, 11.2).
#include "ptx/parser.h"

static void named_function(struct parser *p, struct ptx_operand *o)
{
    struct token t = p->tok;
    operand_read(p, o);
    p->operand_line[1] = t.line;
    if (o->kind != PTX_OPERAND_FUNC && o->kind != PTX_OPERAND_REG)
        parser_fail_at(p, t, "a call needs a function or a register");
}

static void table_name(struct parser *p, struct ptx_inst *inst)
{
    struct token t = parser_word(p, "a table or prototype");
    struct symbol *s = symbol_find(p, t.text, t.length);
    if (!s || s->kind != SYMBOL_TABLE)
        parser_fail_at(p, t, "'%.*s' is no table or prototype", (int)(t.length < 80 ? t.length : 80), t.text);
    inst->operand[3] = (struct ptx_operand){.kind = PTX_OPERAND_TABLE, .index = s->index, .column = t.column};
    p->operand_line[3] = t.line;
    inst->noperands = 4;
}

// Reads the rest of a call instruction: call {(results),} target {, (arguments)} {, table};
void call_read(struct parser *p, struct ptx_inst *inst)
{
    inst->noperands = 3;
    for (int i = 0; i < 3; ++i) {
        inst->operand[i] = (struct ptx_operand){.kind = PTX_OPERAND_VECTOR, .column = p->tok.column};
        inst->operand[i].index = (uint32_t)p->element.count;
        p->operand_line[i] = p->tok.line;
    }
    if (parser_take(p, '(')) {
        operand_list(p, &inst->operand[0], ')');
        parser_expect(p, ',', "after a call's results");
    }
    named_function(p, &inst->operand[1]);
    inst->operand[2].index = (uint32_t)p->element.count;
    if (!parser_take(p, ',')) return;
    if (p->tok.kind == '(') {
        inst->operand[2].column = p->tok.column;
        p->operand_line[2] = p->tok.line;
        parser_next(p);
        operand_list(p, &inst->operand[2], ')');
        if (!parser_take(p, ',')) return;
    }
    table_name(p, inst);
}

static void shapes(struct parser *p, uint32_t *count)
{
    *count = 0;
    if (!parser_take(p, '(') || parser_take(p, ')')) return;
    do {
        struct token t = p->tok;
        struct declared d;
        if (!parser_take_dot(p, "param")) parser_fail_at(p, t, "only .param parameters are supported");
        declaration_type(p, &d);
        declaration_name(p, &d);
        struct ptx_shape *s = parser_push(p, &p->shape, sizeof *s);
        *s = (struct ptx_shape){.type = d.type, .align = d.align, .bytes = d.bytes};
        ++*count;
    } while (parser_take(p, ','));
    parser_expect(p, ')', "after parameters");
}

// Reads the rest of a prototype: name: .callprototype (results) _ (parameters) {.noreturn};
static void prototype(struct parser *p, struct ptx_table *table)
{
    table->kind = PTX_PROTOTYPE;
    p->shape.count = 0;
    if (p->tok.kind == '(') shapes(p, &table->nresults);
    struct token name = parser_word(p, "'_'");
    if (name.length != 1 || *name.text != '_') parser_fail_at(p, name, "a prototype's name must be '_'");
    if (p->tok.kind == '(') shapes(p, &table->nparams);
    parser_take_dot(p, "noreturn");
    table->shape = parser_keep(p, &p->shape, sizeof *table->shape);
}

static void targets(struct parser *p, struct ptx_table *table)
{
    uint32_t first = (uint32_t)p->target.count;
    do {
        uint32_t at = (uint32_t)p->target.count;
        uint32_t *target = parser_push(p, &p->target, sizeof *target);
        if (table->kind == PTX_BRANCH_TARGETS) {
            operand_target(p, PTX_NO_REG, at);
            continue;
        }
        struct token t = parser_word(p, "a function");
        struct symbol *s = symbol_find(p, t.text, t.length);
        if (!s || s->kind != SYMBOL_FUNC)
            parser_fail_at(p, t, "'%.*s' is no function", (int)(t.length < 80 ? t.length : 80), t.text);
        *target = s->index;
    } while (parser_take(p, ','));
    // The targets are copied by function_read() after all labels are known.
    table->ntargets = (uint32_t)p->target.count - first;
}

// Reads the .branchtargets, .calltargets or .callprototype table with the name `name`. The parser must be at the
// directive after `name:`.
void call_table(struct parser *p, struct token name)
{
    struct ptx_table table = {0};
    uint32_t index = (uint32_t)p->table.count;
    uint32_t symbol = symbol_declare(p, name, SYMBOL_TABLE, index);
    table.name = symbol_unique_name(p, AT(p->symbol, struct symbol, symbol)->atom);
    if (parser_take_dot(p, "callprototype")) {
        prototype(p, &table);
    } else {
        table.kind = parser_take_dot(p, "branchtargets") ? PTX_BRANCH_TARGETS : PTX_CALL_TARGETS;
        if (table.kind == PTX_CALL_TARGETS && !parser_take_dot(p, "calltargets"))
            parser_fail_at(p, p->tok, "'.%.*s' is not supported", (int)(p->tok.length < 40 ? p->tok.length : 40),
                           p->tok.text);
        targets(p, &table);
    }
    parser_expect(p, ';', "after a table");
    *(struct ptx_table *)parser_push(p, &p->table, sizeof table) = table;
}
