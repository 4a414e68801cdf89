// Reads one PTX instruction: finds the instruction's row in isa.def, and reads the modifiers (mod.def) and the
// operands. In isa.def, a string such as "daa" has one letter for each operand, which tells the operand's kind and
// type. The operands of call and bar.red are read by separate code, because no string of operand letters can describe
// them.
//
// The mnemonic of an instruction may have several words ("bar.warp.sync"). Several rows of isa.def may begin with the
// same word. The parser chooses the row of isa.def whose mnemonic matches the most words of the instruction. Several
// rows of mod.def may have the same text, such as .lo. If several rows of mod.def have the text of a modifier, the
// parser chooses the first row whose group of modifiers is allowed for the instruction.
#include "ptx/parser.h"

#include <string.h>

#include "base/die.h"
#include "base/message.h"
#include "ptx/opcode.h"

enum { NONE = 0xffff };

struct suffixes { // the words that follow the first word of an instruction, each after a dot
    struct token word[PARSER_MODIFIERS];
    uint32_t count;
    struct token first;
};

static size_t first_word(const char *text)
{
    return strcspn(text, ".");
}

static void add_to_chain(struct hash_map *map, uint16_t *next, const char *text, size_t length, unsigned row)
{
    int head = hash_map_get(map, text, length);
    next[row] = NONE;
    if (head < 0) {
        hash_map_put(map, text, length, (int)row);
        return;
    }
    unsigned last = (unsigned)head;
    while (next[last] != NONE) last = next[last];
    next[last] = (uint16_t)row;
}

void instruction_tables(struct parser *p)
{
    for (unsigned i = 0; i < PTX_OPS; ++i)
        add_to_chain(&p->opcodes, p->next_opcode, isa_row[i].mnemonic, first_word(isa_row[i].mnemonic), i);
    BUG_ON(isa_mods > PARSER_MOD_ROWS);
    for (unsigned i = 0; i < isa_mods; ++i)
        if (isa_mod[i].kind != MOD_TYPES)
            add_to_chain(&p->modifiers, p->next_modifier, isa_mod[i].text, first_word(isa_mod[i].text), i);
}

static _Noreturn void unsupported(struct parser *p, const struct suffixes *s, const struct token *because)
{
    char name[120];
    size_t length = s->first.length < 40 ? s->first.length : 40;
    memcpy(name, s->first.text, length);
    for (uint32_t i = 0; i < s->count; ++i) {
        size_t more = s->word[i].length;
        if (length + 1 + more >= sizeof name) break;
        name[length++] = '.';
        memcpy(name + length, s->word[i].text, more);
        length += more;
    }
    if (because)
        parser_fail_at(p, *because, "instruction '%.*s' is not supported: '.%.*s'", (int)length, name,
                       (int)(because->length < 30 ? because->length : 30), because->text);
    parser_fail_at(p, s->first, "instruction '%.*s' is not supported", (int)length, name);
}

static int is_text(const struct token *t, const char *text, size_t length)
{
    return t->length == length && !memcmp(t->text, text, length);
}

// Returns the number of an instruction's suffixes that belong to the mnemonic, or -1 if the suffixes do not match the
// mnemonic.
static int matches(const struct suffixes *s, const char *mnemonic)
{
    int taken = 0;
    for (const char *rest = mnemonic + first_word(mnemonic); *rest; ++taken) {
        size_t length = first_word(++rest);
        if ((uint32_t)taken == s->count || !is_text(&s->word[taken], rest, length)) return -1;
        rest += length;
    }
    return taken;
}

// Returns the number of the instruction's row in isa.def. Sets `*taken` to the number of suffixes that belong to the
// mnemonic.
static enum ptx_op opcode(struct parser *p, const struct suffixes *s, int *taken)
{
    int head = hash_map_get(&p->opcodes, s->first.text, s->first.length);
    if (head < 0) unsupported(p, s, NULL);
    unsigned best = NONE;
    *taken = -1;
    for (unsigned row = (unsigned)head; row != NONE; row = p->next_opcode[row]) {
        int words = matches(s, isa_row[row].mnemonic);
        if (words > *taken) {
            *taken = words;
            best = row;
        }
    }
    if (best == NONE) unsupported(p, s, NULL);
    return (enum ptx_op)best;
}

static void apply(struct parser *p, struct ptx_inst *inst, const struct isa_mod *m, const struct suffixes *s,
                  const struct token *t)
{
    if (m->kind == MOD_FLAG) {
        if (inst->flags & m->value) unsupported(p, s, t);
        inst->flags |= m->value;
    } else if (m->kind == MOD_FIELD) {
        uint8_t *field = (uint8_t *)inst + m->offset;
        int is_vec = m->offset == offsetof(struct ptx_inst, vec);
        if (*field != is_vec) unsupported(p, s, t); // the modifier is given twice; the initial width of a vector is 1
        *field = (uint8_t)m->value;
    }
}

// Reads the modifier that begins at suffix `i` of an instruction. Returns the number of suffixes that belong to the
// modifier, 1 or 2.
static uint32_t modifier(struct parser *p, struct ptx_inst *inst, const struct suffixes *s, uint32_t i,
                         uint64_t *groups, int *has_policy)
{
    const struct isa_row *row = &isa_row[inst->op];
    const struct token *t = &s->word[i];
    int head = hash_map_get(&p->modifiers, t->text, t->length);
    for (unsigned m = head < 0 ? NONE : (unsigned)head; m != NONE; m = p->next_modifier[m]) {
        if (!(isa_mod[m].group & row->fields)) continue;
        const char *rest = isa_mod[m].text + first_word(isa_mod[m].text);
        if (*rest && (i + 1 == s->count || !is_text(&s->word[i + 1], rest + 1, strlen(rest + 1)))) continue;
        apply(p, inst, &isa_mod[m], s, t);
        *groups |= isa_mod[m].group;
        *has_policy |= isa_mod[m].kind == MOD_POLICY;
        return *rest ? 2 : 1;
    }
    unsupported(p, s, t);
}

static void modifiers(struct parser *p, struct ptx_inst *inst, const struct suffixes *s, int taken, int *has_policy)
{
    const struct isa_row *row = &isa_row[inst->op];
    uint64_t groups = 0;
    int types = 0, most = row->fields & F_THREE_TYPES ? 3 : row->fields & F_TWO_TYPES ? 2 : 1;
    for (uint32_t i = (uint32_t)taken; i < s->count;) {
        const struct token *t = &s->word[i];
        enum ptx_type type = isa_type(t->text, t->length);
        if (type == PTX_NONE) {
            i += modifier(p, inst, s, i, &groups, has_policy);
            continue;
        }
        if (types == most) unsupported(p, s, t);
        if (types == 0 && !(row->types & T_BIT(type))) unsupported(p, s, t);
        inst->type[types++] = (uint8_t)type;
        ++i;
    }
    if (!types && !(row->types & T_NONE)) parser_fail_at(p, s->first, "'%s' needs a type", row->mnemonic);
    if (types < most && most > 1)
        parser_fail_at(p, s->first, most == 2 ? "'%s' needs two types" : N_("'%s' needs three types"), row->mnemonic);
    for (unsigned m = 0; m < isa_mods; ++m)
        if (isa_mod[m].kind == MOD_REQUIRED && (isa_mod[m].group & row->fields & ~groups))
            parser_fail_at(p, s->first, "'%s' needs '.%s'", row->mnemonic, isa_mod[m].text);
}

struct raw { // the operands in the order of the text
    struct ptx_operand operand[PTX_OPERANDS];
    uint32_t line[PTX_OPERANDS];
    uint8_t behind_bar[PTX_OPERANDS]; // 1: the operand follows a '|' in the text
    uint32_t count;
};

// Skips the cache policy, the last operand of an instruction with .L2::cache_hint. A cache policy changes no result, so
// the simulator does not need the register that contains the cache policy. Returns 1 if the next operand was a cache
// policy.
static int skip_policy(struct parser *p)
{
    struct token name = p->tok;
    struct token_source source = p->source;
    if (name.kind != TOKEN_WORD) return 0;
    parser_next(p);
    if (p->tok.kind != ';') {
        p->tok = name;
        p->source = source;
        return 0;
    }
    const struct symbol *s = symbol_find(p, name.text, name.length);
    if (!s || s->kind != SYMBOL_REG || !check_agrees(PTX_B64, (enum ptx_type)s->type, CHECK_EXACT))
        parser_fail_at(p, name, "a cache policy must be a 64-bit register");
    return 1;
}

static void read_operands(struct parser *p, const struct ptx_inst *inst, int has_policy, struct raw *raw)
{
    const char *letters = isa_row[inst->op].operands;
    raw->count = 0;
    if (p->tok.kind == ';' || !*letters) return;
    for (;;) {
        uint32_t i = raw->count;
        if (i == PTX_OPERANDS) parser_fail_at(p, p->tok, "'%s' has too many operands", isa_row[inst->op].mnemonic);
        raw->line[i] = p->tok.line;
        if (i < strlen(letters) && (letters[i] == 'l' || letters[i] == 't')) {
            uint8_t kind = letters[i] == 'l' ? PTX_OPERAND_LABEL : PTX_OPERAND_TABLE;
            raw->operand[i] = (struct ptx_operand){.kind = kind, .column = p->tok.column};
            operand_target(p, (uint32_t)p->inst.count, i);
        } else {
            operand_read(p, &raw->operand[i]);
        }
        ++raw->count;
        int bar = p->tok.kind == '|';
        if (!bar && p->tok.kind != ',') return;
        if (raw->count < PTX_OPERANDS) raw->behind_bar[raw->count] = (uint8_t)bar;
        parser_next(p);
        if (has_policy && !bar && skip_policy(p)) return;
    }
}

static int is_optional(char letter)
{
    return letter && strchr("eAPUX", letter) != NULL;
}

static void place(struct parser *p, struct ptx_inst *inst, const struct raw *raw, unsigned at, unsigned from)
{
    inst->operand[at] = raw->operand[from];
    p->operand_line[at] = raw->line[from];
    inst->noperands = (uint8_t)(at + 1);
}

// Stores the operands of a bar or barrier instruction in inst->operand, at the positions that the instruction's mode
// (such as .sync or .red) defines. A bar or barrier with .red has four operands; the third operand has the kind NONE if
// the text does not give it.
static void place_barrier(struct parser *p, struct ptx_inst *inst, const struct raw *raw)
{
    int red = inst->mode == PTX_BAR_RED;
    for (unsigned i = 0; i < raw->count && i < 4; ++i) place(p, inst, raw, red && raw->count == 3 && i == 2 ? 3 : i, i);
}

static void place_operands(struct parser *p, struct ptx_inst *inst, const struct raw *raw)
{
    const char *letters = isa_row[inst->op].operands, *name = isa_row[inst->op].mnemonic;
    unsigned from = 0, at = 0, needed = 0;
    for (const char *l = letters; *l; ++l) needed += !is_optional(*l);
    for (; letters[at]; ++at) {
        int given = from < raw->count;
        if (letters[at] == 'e') given = given && raw->behind_bar[from];
        if (given && letters[at] != 'e' && raw->behind_bar[from])
            parser_fail(p, raw->line[from], raw->operand[from].column, "'%s' has no second destination here", name);
        if (given)
            place(p, inst, raw, at, from++);
        else if (!is_optional(letters[at]))
            parser_fail(p, inst->line, inst->column, "'%s' needs %u operands, not %u", name, needed, raw->count);
    }
    if (from < raw->count)
        parser_fail(p, raw->line[from], raw->operand[from].column, "'%s' has too many operands", name);
}

static struct suffixes read_suffixes(struct parser *p, struct token word)
{
    struct suffixes s = {.first = word};
    while (p->tok.kind == TOKEN_DOT) {
        if (s.count == PARSER_MODIFIERS) parser_fail_at(p, p->tok, "an instruction has too many suffixes");
        s.word[s.count++] = p->tok;
        parser_next(p);
    }
    return s;
}

void instruction_read(struct parser *p, struct token word, uint32_t guard, int guard_negated)
{
    struct suffixes s = read_suffixes(p, word);
    int taken, has_policy = 0;
    struct ptx_inst inst = {.op = (uint16_t)opcode(p, &s, &taken), .vec = 1, .guard = guard};
    inst.guard_negated = (uint8_t)guard_negated;
    inst.line = word.line;
    inst.column = word.column;
    modifiers(p, &inst, &s, taken, &has_policy);
    if (inst.op == PTX_OP_call) {
        call_read(p, &inst);
    } else {
        struct raw raw = {.count = 0};
        read_operands(p, &inst, has_policy, &raw);
        if (*isa_row[inst.op].operands == 'B')
            place_barrier(p, &inst, &raw);
        else
            place_operands(p, &inst, &raw);
    }
    parser_expect(p, ';', "after an instruction");
    inst.loc = location_here(p);
    inst.nounroll = (uint8_t)p->nounroll;
    p->nounroll = 0;
    check_instruction(p, &inst);
    *(struct ptx_inst *)parser_push(p, &p->inst, sizeof inst) = inst;
}
