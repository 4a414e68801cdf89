// Loads a PTX module: reads the head of the text and the declarations, and runs all stages of loading. See ptx.h.
#include "base/alloc.h"
#include "ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/parser.h"

enum { BYTES_PER_BYTE = 48, FIXED_BYTES = 4 << 20, LARGEST_TEXT = 1 << 30 };

static int all_digits(struct token t)
{
    for (uint32_t i = 0; i < t.length; ++i)
        if (t.text[i] < '0' || t.text[i] > '9') return 0;
    return t.length > 0 && t.length < 7;
}

// Reads the number after `.version`, such as 9.0.
static void version(struct parser *p)
{
    struct token t = p->tok;
    if (!parser_take_dot(p, "version")) parser_fail_at(p, t, "a module must begin with '.version'");
    t = p->tok;
    const char *dot = memchr(t.text, '.', t.length);
    if (t.kind != TOKEN_NUMBER || !dot || dot + 2 != t.text + t.length || dot - t.text > 2)
        parser_fail_at(p, t, "expected a version such as 7.5");
    for (const char *c = t.text; c < dot + 2; ++c)
        if (c != dot) {
            if (*c < '0' || *c > '9') parser_fail_at(p, t, "expected a version such as 7.5");
            p->module->version = p->module->version * 10 + (uint32_t)(*c - '0');
        }
    parser_next(p);
}

static int has_prefix(struct token t, const char *prefix)
{
    return t.length > strlen(prefix) && !memcmp(t.text, prefix, strlen(prefix));
}

// Reads the rest of a directive such as `.target sm_75, debug`. The letter at the end of a target such as sm_90a is
// ignored, because the parser refuses all instructions that need such a target.
static void target(struct parser *p)
{
    struct token t = p->tok;
    if (!parser_take_dot(p, "target")) parser_fail_at(p, t, "expected '.target'");
    do {
        struct token word = parser_word(p, "a target");
        if (has_prefix(word, "sm_")) {
            struct token digits = {.text = word.text + 3, .length = word.length - 3};
            char last = digits.text[digits.length - 1];
            if (last == 'a' || last == 'f') --digits.length;
            if (!all_digits(digits)) parser_fail_at(p, word, "expected a target such as sm_75");
            p->module->sm = (uint32_t)strtoul(digits.text, NULL, 10);
        } else if (word.length == 5 && !memcmp(word.text, "debug", 5)) {
            p->module->is_debug = 1;
        } else {
            parser_fail_at(p, word, "target '%.*s' is not supported", (int)(word.length < 40 ? word.length : 40),
                           word.text);
        }
    } while (parser_take(p, ','));
    if (!p->module->sm) parser_fail_at(p, t, "'.target' names no sm_");
}

static void address_size(struct parser *p)
{
    if (!parser_take_dot(p, "address_size")) return;
    struct token t = p->tok;
    if (parser_unsigned(p, 64, "an address size") != 64) parser_fail_at(p, t, "only 64-bit addresses are supported");
}

static int is_word(struct token t, const char *word)
{
    return t.length == strlen(word) && !memcmp(t.text, word, t.length);
}

// Stores for debug.c where the text between the braces of `.section name { ... }` is. A .section of a PTX module
// contains debug data.
static void section(struct parser *p)
{
    struct token name = p->tok;
    if (name.kind != TOKEN_DOT && name.kind != TOKEN_WORD) parser_fail_at(p, name, "expected a section's name");
    parser_next(p);
    struct token open = p->tok;
    if (open.kind != '{') parser_fail_at(p, open, "expected '{' after a section's name");
    const char *from = p->source.at;
    if (!token_skip_block(&p->source)) parser_fail_at(p, open, "a section does not end");
    struct parser_section text = {from, p->source.at - 1};
    if (is_word(name, "debug_info") && !p->debug.info.at) p->debug.info = text;
    if (is_word(name, "debug_abbrev") && !p->debug.abbrev.at) p->debug.abbrev = text;
    if (is_word(name, "debug_loc") && !p->debug.loc.at) p->debug.loc = text;
    parser_next(p);
}

static void skip_pragma(struct parser *p)
{
    while (p->tok.kind == TOKEN_STRING || p->tok.kind == ',') parser_next(p);
    parser_expect(p, ';', "after '.pragma'");
}

static void declaration(struct parser *p)
{
    struct token t = p->tok;
    int is_extern = 0, is_visible = 0;
    for (;; parser_next(p)) {
        if (parser_is_dot(p, "extern"))
            is_extern = 1;
        else if (parser_is_dot(p, "visible"))
            is_visible = PTX_VISIBLE_SYMBOL;
        else if (parser_is_dot(p, "weak"))
            is_visible = PTX_WEAK_SYMBOL;
        else if (parser_is_dot(p, "common"))
            is_visible = PTX_COMMON_SYMBOL;
        else
            break;
    }
    enum ptx_space space;
    if (parser_take_dot(p, "entry")) {
        function_read(p, 1, is_extern, is_visible);
    } else if (parser_take_dot(p, "func")) {
        function_read(p, 0, is_extern, is_visible);
    } else if (parser_is_dot(p, "param")) {
        parser_fail_at(p, p->tok, "'.param' belongs to a function");
    } else if (declaration_space(p, &space)) {
        if (space == PTX_LOCAL) parser_fail_at(p, t, "'.local' belongs to a function");
        declaration_var(p, space, is_extern, is_visible);
    } else if (p->tok.kind == TOKEN_DOT) {
        parser_fail_at(p, p->tok, "'.%.*s' is not supported", (int)(p->tok.length < 40 ? p->tok.length : 40),
                       p->tok.text);
    } else {
        parser_fail_at(p, p->tok, "expected a directive");
    }
}

static void module(struct parser *p)
{
    parser_next(p);
    version(p);
    target(p);
    address_size(p);
    while (p->tok.kind != TOKEN_END) {
        if (parser_take_dot(p, "file"))
            location_file(p);
        else if (parser_take_dot(p, "loc"))
            location_loc(p);
        else if (parser_take_dot(p, "section"))
            section(p);
        else if (parser_take_dot(p, "pragma"))
            skip_pragma(p);
        else if (!parser_take(p, ';'))
            declaration(p);
    }
    link_module(p);
    debug_read(p);
}

static void release(struct parser *p)
{
    struct buffer *all[] = {&p->atom,
                            &p->symbol,
                            &p->var,
                            &p->func,
                            &p->loc,
                            &p->loc_at,
                            &p->reloc,
                            &p->late,
                            &p->byte,
                            &p->inst,
                            &p->element,
                            &p->reg,
                            &p->table,
                            &p->label,
                            &p->pending,
                            &p->target,
                            &p->place,
                            &p->shape,
                            &p->param,
                            &p->result,
                            &p->file,
                            &p->debug.label,
                            &p->debug.byte,
                            &p->debug.reference,
                            &p->debug.abbreviation,
                            &p->debug.list,
                            &p->debug.list_reference,
                            &p->debug.found,
                            &p->debug.type,
                            &p->debug.variable,
                            &p->debug.place};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) free(all[i]->data);
    hash_map_free(&p->words);
    hash_map_free(&p->opcodes);
    hash_map_free(&p->modifiers);
    hash_map_free(&p->place_by_position);
    hash_map_free(&p->loc_by_value);
    hash_map_free(&p->debug.vars);
    hash_map_free(&p->debug.types);
    hash_map_free(&p->debug.registers);
}

// Reserves element 0 of the arrays in which index 0 means "none".
static void reserve_zero(struct parser *p)
{
    parser_push(p, &p->atom, sizeof(struct atom));
    parser_push(p, &p->symbol, sizeof(struct symbol));
    parser_push(p, &p->loc, sizeof(struct ptx_loc));
    parser_push(p, &p->loc_at, sizeof(struct place));
    parser_push(p, &p->place, sizeof(struct place));
}

// Reads the rest of a comment "// registers N KERNEL", from `text` to `end`. Returns N and stores the kernel, or
// returns 0 if the comment is malformed or there is no such kernel.
static uint32_t read_number(struct ptx_module *m, const char *text, const char *end, struct ptx_func **kernel)
{
    struct token count = {.text = text};
    const char *name = memchr(text, ' ', (size_t)(end - text));
    if (!name) return 0;
    count.length = (uint32_t)(name++ - text);
    for (uint32_t i = 0; i < m->nfuncs && all_digits(count); ++i) {
        *kernel = &m->func[i];
        if (strlen((*kernel)->name) == (size_t)(end - name) && !memcmp((*kernel)->name, name, (size_t)(end - name)))
            return (uint32_t)strtoul(text, NULL, 10);
    }
    return 0;
}

// Reads comments of the forms "// registers N KERNEL" and "// spills N KERNEL" at the start of the text, one on each
// line (compile/registers.c). Text from the student's source code cannot stand at the start of the PTX text.
static void read_registers(struct ptx_module *m, const char *text, size_t bytes)
{
    static const char registers[] = "// registers ", spills[] = "// spills ";
    const char *end = text + bytes, *line_end;
    for (; (line_end = memchr(text, '\n', (size_t)(end - text))); text = line_end + 1) {
        struct ptx_func *kernel;
        uint32_t number;
        size_t left = (size_t)(line_end - text);
        if (left > sizeof registers && !memcmp(text, registers, sizeof registers - 1)) {
            if ((number = read_number(m, text + sizeof registers - 1, line_end, &kernel))) kernel->registers = number;
        } else if (left > sizeof spills && !memcmp(text, spills, sizeof spills - 1)) {
            if ((number = read_number(m, text + sizeof spills - 1, line_end, &kernel))) kernel->spilled = number;
        } else {
            return;
        }
    }
}

struct ptx_module *ptx_load(const char *text, size_t bytes, struct ptx_error *error)
{
    *error = (struct ptx_error){.line = 1, .column = 1, .message = "the module is too large"};
    if (bytes > LARGEST_TEXT) return NULL;
    struct parser *p = alloc_zeroed(1, sizeof *p);
    struct ptx_module *module_made = alloc_zeroed(1, sizeof *module_made);
    p->module = module_made;
    p->module->arena.limit = p->limit = FIXED_BYTES + BYTES_PER_BYTE * bytes;
    p->error = error;
    p->module_text = text;
    p->source = (struct token_source){.at = text, .end = text + bytes, .line_start = text, .line = 1};
    struct ptx_module *loaded = NULL;
    p->frame = __builtin_frame_address(0);
    if (!setjmp(p->failed)) {
        instruction_tables(p);
        reserve_zero(p);
        module(p);
        read_registers(p->module, text, bytes);
        *error = (struct ptx_error){0};
        loaded = p->module;
    } else {
        ptx_free(p->module);
    }
    release(p);
    free(p);
    return loaded;
}

void ptx_free(struct ptx_module *m)
{
    if (!m) return;
    arena_free(&m->arena);
    free(m);
}

int ptx_find_var(const struct ptx_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->nvars; ++i)
        if (!strcmp(m->var[i].name, name)) return (int)i;
    return -1;
}
