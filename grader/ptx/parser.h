// What the stages of ptx_load share while a module is being built. Private to ptx/.
#ifndef PTX_PARSER_H
#define PTX_PARSER_H

#include <setjmp.h>

#include "base/hash.h"
#include "ptx/isa.h"
#include "ptx/token.h"

// Growing array on the heap; all are freed together when ptx_load returns.
struct buffer {
    void *data;
    size_t count, capacity;
};

// An identifier of the text, met once or often. Its declarations shadow each other; 0 means "none" in all fields.
struct atom {
    const char *text;
    uint32_t length;
    uint32_t symbol; // innermost live declaration
    uint32_t range;  // innermost live `.reg name<n>`, for which this is the name
    uint32_t func;   // serial of the function in which a register, label or variable took this name
    uint32_t suffix; // last number tried when that name was taken
};

enum symbol_kind { SYMBOL_NONE, SYMBOL_VAR, SYMBOL_FUNC, SYMBOL_REG, SYMBOL_LABEL, SYMBOL_TABLE, SYMBOL_RANGE };
struct symbol {
    uint8_t kind;       // enum symbol_kind
    uint8_t type;       // REG, RANGE: enum ptx_type
    uint32_t atom;      // whose declaration it is
    uint32_t index;     // VAR, FUNC, REG (PTX_NO_REG until used), TABLE; LABEL: index into parser.label
    uint32_t count;     // RANGE: number of registers
    uint32_t scope;     // depth; 0: the module
    uint32_t shadowed;  // the declaration that this one hides
    uint32_t next_here; // next symbol of the same scope
};

struct label {
    uint32_t atom, inst, used;
};

// A label or table that is named before the scope that declares it ends.
struct pending {
    uint32_t atom;
    uint32_t line, column;
    uint32_t inst, operand; // whose index it becomes; inst PTX_NO_REG: element `operand` of parser.target
};

// A .loc line of the function being read; 0 is none.
struct place {
    uint32_t file, line, column;
    uint32_t inlined_at; // another place
    uint32_t depth;      // of inlining
    uint32_t loc;        // index into module.loc once an instruction stands there
    uint32_t text_line, text_column;
};

struct scope {
    uint32_t first_symbol; // head of the list through next_here
    size_t first_pending;
};

// A name in an initialiser, found when the whole module is read.
struct late_reloc {
    uint32_t var, reloc;
    uint32_t atom;
    uint32_t line, column;
};

// The text of a .section between its braces; and what debug.c makes of the two that it reads.
struct parser_section {
    const char *at, *end; // NULL: there is none
};
struct parser_debug {
    struct parser_section info, abbrev;
    struct buffer byte, abbreviation, reference, found;
    struct hash_map locals;
};

enum { PARSER_SCOPES = 64, PARSER_MODIFIERS = 24, PARSER_MOD_ROWS = 192 };

struct parser {
    struct ptx_module *module;
    struct ptx_error *error;
    jmp_buf failed;
    const char *frame;       // of the function that set it
    const char *module_text; // where it starts
    struct token_source source;
    struct token tok;  // the next token
    size_t limit;      // most bytes that buffers may take
    size_t heap_bytes; // that they take
    char *pool, *pool_end;

    struct hash_map words;     // atoms by text
    struct hash_map opcodes;   // rows of isa.def by first word
    struct hash_map modifiers; // rows of mod.def by text
    uint16_t next_opcode[PTX_OPS];
    uint16_t next_modifier[PARSER_MOD_ROWS];

    struct buffer atom, symbol;              // [0] unused
    struct buffer var, func, loc, loc_at;    // of the module; loc_at: the struct place of each loc
    struct buffer reloc, late, byte;         // of the initialiser being read; late: of the module
    struct buffer inst, element, reg, table; // of the function being read
    struct buffer label, pending, target;    // of the function being read
    struct buffer place;                     // of the function being read
    struct buffer shape;                     // of the prototype being read
    struct buffer param, result;             // of the function's head being read
    struct buffer file;                      // const char *

    struct scope scope[PARSER_SCOPES];
    uint32_t depth;         // of the scope being read; 0: the module
    uint32_t func_index;    // being read
    int nounroll;           // 1: the next instruction is the first of a loop that is not to be unrolled
    uint32_t func_serial;   // 1 for the first function body
    uint32_t nested_ranges; // live .reg ranges below a function's outermost scope
    uint32_t current_place; // of the last .loc
    struct hash_map place_by_position, loc_by_value;
    struct parser_debug debug;

    // Of the instruction being read.
    uint32_t operand_line[PTX_OPERANDS];
};

// parser.c: reading tokens, failing, memory
_Noreturn void parser_fail(struct parser *, uint32_t line, uint32_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
_Noreturn void parser_fail_at(struct parser *, struct token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void parser_next(struct parser *);
int parser_take(struct parser *, int kind); // 1 and steps over it if the next token is of that kind
void parser_expect(struct parser *, int kind, const char *where);
int parser_is_dot(const struct parser *, const char *word); // the next token is ".word"
int parser_take_dot(struct parser *, const char *word);
struct token parser_word(struct parser *, const char *what); // an identifier, or fails naming what was expected
uint64_t parser_unsigned(struct parser *, uint64_t most, const char *what); // a plain integer
void *parser_push(struct parser *, struct buffer *, size_t size);           // a zeroed element at its end
void *parser_alloc(struct parser *, size_t count, size_t size);             // in the module's arena; NULL for 0
void *parser_keep(struct parser *, const struct buffer *, size_t size);     // a copy of it there
const char *parser_name(struct parser *, const char *text, size_t length);  // a NUL-terminated copy there

#define AT(buffer, type, i) (&((type *)(buffer).data)[i])

// symbol.c: names
uint32_t symbol_atom(struct parser *, const char *text, size_t length);
// Declares in the current scope; fails where the scope has the name already. Index into parser.symbol.
uint32_t symbol_declare(struct parser *, struct token name, enum symbol_kind, uint32_t index);
void symbol_declare_range(struct parser *, struct token prefix, enum ptx_type, uint32_t count);
// The live declaration, or NULL. A register of a range comes into being here.
struct symbol *symbol_find(struct parser *, const char *text, size_t length);
// The register's index in the function being read.
uint32_t symbol_reg(struct parser *, struct symbol *);
// The name under which the function being read keeps it: the atom's own, or with a suffix if that is taken.
const char *symbol_unique_name(struct parser *, uint32_t atom);
void symbol_open_scope(struct parser *, struct token);
void symbol_close_scope(struct parser *);

// constant.c: literals and constant expressions
enum constant_kind { CONSTANT_INT, CONSTANT_F32, CONSTANT_F64 };
struct constant {
    uint64_t bits; // an integer, or the bits of a float or double
    uint8_t kind;  // enum constant_kind
    uint8_t is_unsigned;
};
struct constant constant_read(struct parser *);
// Converts to a type; fails where a float stands for an integer or the other way round.
uint64_t constant_convert(struct parser *, const struct constant *, enum ptx_type, uint32_t line, uint32_t column);
int constant_starts(const struct parser *); // the next token begins one

// declaration.c: variables and registers
struct declared { // one name and what stands before and behind it
    struct token name;
    uint8_t type;
    uint32_t align;
    uint64_t bytes;
    uint32_t ndims;
    uint64_t stride[8]; // bytes of the whole, of an element of the first dimension, …
    uint8_t open;       // [] without a size
};
void declaration_type(struct parser *, struct declared *); // .align, .ptr, the type
void declaration_name(struct parser *, struct declared *); // the name and its dimensions
uint32_t declaration_add(struct parser *, const struct declared *, enum ptx_space, int is_extern, int is_visible);
// Everything behind .global, .shared, …, up to its ';'.
void declaration_var(struct parser *, enum ptx_space, int is_extern, int is_visible);
void declaration_reg(struct parser *);
int operand_is_special(const char *text, size_t length);  // names that a declaration must not take
int declaration_space(struct parser *, enum ptx_space *); // steps over .global, .shared, …; 0: the next is none
void declaration_attributes(struct parser *);             // .attribute(…)
// initializer.c: what follows the '=' behind a variable
void initializer_read(struct parser *, uint32_t var, const struct declared *);

// function.c: everything behind .entry or .func
void function_read(struct parser *, int is_entry, int is_extern, int is_visible);
// instruction.c: everything behind the first word, the ';' included
void instruction_read(struct parser *, struct token word, uint32_t guard, int guard_negated);
void instruction_tables(struct parser *); // makes the look-up tables of words
// operand.c
void operand_read(struct parser *, struct ptx_operand *);
void operand_list(struct parser *, struct ptx_operand *, int close);   // behind the opening one
void operand_target(struct parser *, uint32_t inst, uint32_t operand); // a label or table, resolved later
void operand_resolve(struct parser *);                                 // at the end of a scope
// call.c
void call_read(struct parser *, struct ptx_inst *);
void call_table(struct parser *, struct token name); // .branchtargets, .calltargets, .callprototype
// check.c
void check_instruction(struct parser *, struct ptx_inst *);
// One register, constant (which is converted) or `_` as the destination or source of a type.
enum check_width { CHECK_EXACT, CHECK_MAY_BE_WIDER };
void check_destination(struct parser *, struct ptx_inst *, unsigned operand, enum ptx_type, enum check_width);
void check_source(struct parser *, struct ptx_inst *, unsigned operand, enum ptx_type, enum check_width);
void check_convert(struct parser *, unsigned operand, struct ptx_operand *, enum ptx_type); // a constant, in place
void check_predicate(struct parser *, struct ptx_inst *, unsigned operand);
// 1 if a register of the second type may stand where the instruction says the first.
int check_agrees(enum ptx_type instruction, enum ptx_type reg, enum check_width);
void check_vector(struct parser *, struct ptx_inst *, unsigned operand, uint32_t count, enum ptx_type, enum check_width,
                  int is_destination);
_Noreturn void check_fail(struct parser *, const struct ptx_inst *, unsigned operand, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void check_suffixes(struct parser *, const struct ptx_inst *); // check_suffix.c: which modifiers go with which types
void check_form(struct parser *, struct ptx_inst *);           // check_form.c: the operands that no letter describes
// location.c
void location_loc(struct parser *);
void location_file(struct parser *);
void location_start(struct parser *);    // of a function
uint32_t location_here(struct parser *); // index into module.loc
uint32_t location_line(struct parser *); // of the source, where nothing is inlined; 0: not known
// link.c
void link_module(struct parser *);
// debug.c: after link_module
void debug_read(struct parser *);

#endif
