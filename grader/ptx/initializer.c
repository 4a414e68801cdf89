// Reads initial values of .global and .const variables: numbers, and addresses of variables and functions (PTX ISA
// 5.4.4). If a list of initial values is shorter than its array, the rest of the array is zero and is not stored. An
// address in an initial value becomes a relocation (struct ptx_reloc). The parser finds the variable or function that a
// relocation names only after it has read the whole module. In the initialiser of a packed structure, the address of x
// is written as eight bytes: 0xFF(x), 0xFF00(x), and so on. The parser combines the eight bytes 0xFF(x), 0xFF00(x), …
// of an address into one relocation.
#include "ptx/parser.h"

#include <string.h>

struct initializer {
    const struct declared *declared;
    uint64_t limit; // bytes of the variable; not used if the first dimension is open
    enum ptx_type type;
    uint32_t var;
    uint32_t partial;      // bytes still missing from the last relocation, if its address is written byte by byte
    uint32_t partial_atom; // name in the address that is written byte by byte
};

static void put(struct parser *p, struct initializer *in, struct token at, uint64_t bits)
{
    uint32_t bytes = ptx_type_bytes(in->type);
    if (!in->declared->open && p->byte.count + bytes > in->limit)
        parser_fail_at(p, at, "more initial values than the variable has room for");
    for (uint32_t i = 0; i < bytes; ++i) *(uint8_t *)parser_push(p, &p->byte, 1) = i < 8 ? (uint8_t)(bits >> 8 * i) : 0;
}

static uint32_t is_word(const struct token *t, const char *word)
{
    return t->kind == TOKEN_WORD && t->length == strlen(word) && !memcmp(t->text, word, t->length);
}

struct address {
    uint32_t atom;
    int is_generic;
    int64_t addend;
    struct token name;
};

static struct address address(struct parser *p)
{
    struct address a = {.is_generic = is_word(&p->tok, "generic")};
    a.name = parser_word(p, "a variable's or function's name");
    if (a.is_generic) {
        parser_expect(p, '(', "after 'generic'");
        a.name = parser_word(p, "a variable's name");
        if (p->tok.kind == '+') a.addend = (int64_t)constant_read(p).bits;
        parser_expect(p, ')', "after 'generic(' and a name");
    }
    a.atom = symbol_atom(p, a.name.text, a.name.length);
    if (p->tok.kind == '+' || p->tok.kind == '-') {
        struct token t = p->tok;
        struct constant c = constant_read(p);
        if (c.kind != CONSTANT_INT) parser_fail_at(p, t, "an offset must be an integer");
        a.addend += (int64_t)c.bits;
    }
    return a;
}

static void relocate(struct parser *p, struct initializer *in, const struct address *a, uint64_t offset)
{
    struct ptx_reloc *r = parser_push(p, &p->reloc, sizeof *r);
    *r = (struct ptx_reloc){.offset = offset, .is_generic = (uint32_t)a->is_generic, .addend = a->addend};
    struct late_reloc *late = parser_push(p, &p->late, sizeof *late);
    *late = (struct late_reloc){.var = in->var,
                                .reloc = (uint32_t)p->reloc.count - 1,
                                .atom = a->atom,
                                .line = a->name.line,
                                .column = a->name.column};
}

// Reads one byte of an address that is written byte by byte, such as 0xFF00(x). `mask` selects the byte of the address:
// 0xFF selects byte 0, 0xFF00 selects byte 1, and so on.
static void masked_byte(struct parser *p, struct initializer *in, uint64_t mask, struct token at)
{
    parser_expect(p, '(', "after a mask");
    struct address a = address(p);
    parser_expect(p, ')', "after a masked address");
    uint32_t byte = mask ? (uint32_t)__builtin_ctzll(mask) / 8 : 8;
    int is_byte = byte < 8 && mask == 0xffull << 8 * byte;
    if (!is_byte || ptx_type_bytes(in->type) != 1)
        parser_fail_at(p, at, "only single bytes of an address are supported behind a mask");
    if (byte == 0 && !in->partial) {
        relocate(p, in, &a, p->byte.count);
        in->partial = 8;
        in->partial_atom = a.atom;
    } else if (in->partial != 8 - byte || in->partial_atom != a.atom) {
        parser_fail_at(p, at, "the bytes of a masked address must follow each other");
    }
    --in->partial;
    put(p, in, at, 0);
}

static void element(struct parser *p, struct initializer *in)
{
    struct token at = p->tok;
    if (at.kind == TOKEN_WORD && !is_word(&at, "WARP_SZ")) {
        if (ptx_type_bytes(in->type) != 8) parser_fail_at(p, at, "an address needs a 64-bit element");
        struct address a = address(p);
        relocate(p, in, &a, p->byte.count);
        put(p, in, at, 0);
        return;
    }
    if (!constant_starts(p)) parser_fail_at(p, at, "expected an initial value");
    struct constant c = constant_read(p);
    if (p->tok.kind == '(' && c.kind == CONSTANT_INT) {
        masked_byte(p, in, c.bits, at);
        return;
    }
    if (in->partial) parser_fail_at(p, at, "the bytes of a masked address must follow each other");
    put(p, in, at, constant_convert(p, &c, in->type, at.line, at.column));
}

static void pad_to(struct parser *p, struct initializer *in, uint64_t bytes, struct token at)
{
    // `longest` limits the size of an array without a length, because an inner {} may leave gaps of zeros.
    uint64_t longest = (uint64_t)(p->source.end - p->module_text) * 16 + 4096;
    if (bytes > longest) parser_fail_at(p, at, "initial values with gaps are too large");
    while (p->byte.count < bytes) put(p, &(struct initializer){in->declared, in->limit, PTX_B8, 0, 0, 0}, at, 0);
}

static void list(struct parser *p, struct initializer *in)
{
    uint64_t start[8];
    uint32_t depth = 0;
    do {
        while (p->tok.kind == '{') {
            if (depth > in->declared->ndims || depth == 7)
                parser_fail_at(p, p->tok, "more '{' than the variable has dimensions");
            start[depth++] = p->byte.count;
            parser_next(p);
        }
        if (p->tok.kind != '}') element(p, in);
        while (depth && p->tok.kind == '}') {
            struct token at = p->tok;
            parser_next(p);
            --depth;
            if (depth && depth <= in->declared->ndims) pad_to(p, in, start[depth] + in->declared->stride[depth], at);
        }
    } while (depth && (parser_take(p, ',') || (parser_expect(p, '}', "after initial values"), 0)));
}

void initializer_read(struct parser *p, uint32_t var, const struct declared *d)
{
    p->byte.count = p->reloc.count = 0;
    struct initializer in = {.declared = d, .limit = d->bytes, .type = (enum ptx_type)d->type, .var = var};
    struct token at = p->tok;
    if (p->tok.kind == '{')
        list(p, &in);
    else
        element(p, &in);
    if (in.partial) parser_fail_at(p, at, "a masked address lacks bytes");
    struct ptx_var *v = AT(p->var, struct ptx_var, var);
    if (v->init || v->nrelocs) parser_fail_at(p, at, "'%s' is initialised twice", v->name);
    if (v->is_extern || v->bytes != d->bytes) parser_fail_at(p, at, "an extern variable cannot have initial values");
    size_t used = p->byte.count;
    if (d->open) v->bytes = used;
    v->init = parser_keep(p, &p->byte, 1);
    v->init_bytes = used;
    v->reloc = parser_keep(p, &p->reloc, sizeof *v->reloc);
    v->nrelocs = (uint32_t)p->reloc.count;
}
