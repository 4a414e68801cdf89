// The state and the functions that the stages of ptx_load share while they build a module. Used only inside ptx.
#ifndef PTX_PARSER_H
#define PTX_PARSER_H

#include <setjmp.h>

#include "base/hash.h"
#include "ptx/isa.h"
#include "ptx/opcode.h"
#include "ptx/token.h"

// A growing array on the heap. ptx_load frees all of them.
struct buffer {
    void *data;
    size_t count, capacity;
};

// An identifier of the text. Its declarations hide each other. In all fields 0 means "none".
struct atom {
    const char *text;
    uint32_t length;
    uint32_t symbol; // innermost declaration in the open scopes
    uint32_t range;  // innermost `.reg name<n>` with this name in the open scopes
    uint32_t func;   // serial of the last function in which a register, label or variable has this name
    uint32_t suffix; // last suffix tried to make the name unique there
};

enum symbol_kind { SYMBOL_NONE, SYMBOL_VAR, SYMBOL_FUNC, SYMBOL_REG, SYMBOL_LABEL, SYMBOL_TABLE, SYMBOL_RANGE };
struct symbol {
    uint8_t kind;       // enum symbol_kind
    uint8_t type;       // REG, RANGE: enum ptx_type
    uint32_t atom;      // name
    uint32_t index;     // of VAR, FUNC, REG (PTX_NO_REG until used) or TABLE; LABEL: index into parser.label
    uint32_t count;     // RANGE: number of registers
    uint32_t scope;     // depth; 0: the module
    uint32_t shadowed;  // declaration that this one hides
    uint32_t next_here; // next symbol of the same scope
};

struct label {
    uint32_t atom, inst, used;
};

// A use of a label or table, which is resolved at the end of the scope that declares it.
struct pending {
    uint32_t atom;
    uint32_t line, column;
    uint32_t inst, operand; // the operand that gets the index; inst PTX_NO_REG: element `operand` of parser.target
};

// A .loc line of the function being read. Place 0 means "none".
struct place {
    uint32_t file, line, column;
    uint32_t inlined_at; // number of another place
    uint32_t depth;      // levels of inlining
    uint32_t loc;        // index into module.loc, after an instruction used the place
    uint32_t text_line, text_column;
};

struct scope {
    uint32_t first_symbol; // head of the list through next_here
    size_t first_pending;
};

// A name in an initialiser, which is resolved when the whole module is read.
struct late_reloc {
    uint32_t var, reloc;
    uint32_t atom;
    uint32_t line, column;
};

// The text of a .section between its braces, and the state of debug.c, which reads two sections.
struct parser_section {
    const char *at, *end; // NULL: no such section
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
    const char *frame;       // stack frame of the function that called setjmp()
    const char *module_text; // start of the text
    struct token_source source;
    struct token tok;      // the next token
    size_t limit;          // most bytes of all buffers together
    size_t heap_bytes;     // bytes of all buffers so far
    char *pool, *pool_end; // free bytes of a block for names

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
    uint32_t func_index;    // index of the function being read
    int nounroll;           // 1: the next instruction starts a loop with .pragma "nounroll"
    uint32_t func_serial;   // number of the function body, from 1
    uint32_t nested_ranges; // open .reg ranges inside inner scopes of the function
    uint32_t current_place; // number of the last .loc
    struct hash_map place_by_position, loc_by_value;
    struct parser_debug debug;

    uint32_t operand_line[PTX_OPERANDS]; // lines of the operands of the instruction being read
};

// parser.c: reads tokens, fails, and allocates memory.
// Fail with a formatted message for a place, or for a token; ptx_load then returns NULL.
_Noreturn void parser_fail(struct parser *, uint32_t line, uint32_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
_Noreturn void parser_fail_at(struct parser *, struct token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Skips the next token.
void parser_next(struct parser *);
// Skips the next token if it has this kind. Returns 1 if it has.
int parser_take(struct parser *, int kind);
// Skips the next token, which must have this kind.
void parser_expect(struct parser *, int kind, const char *where);
// Returns 1 if the next token is the word with a dot before it. parser_take_dot() also skips it.
int parser_is_dot(const struct parser *, const char *word);
int parser_take_dot(struct parser *, const char *word);
// Reads an identifier, or a plain integer of at most `most`; fails with `what` as the expected item.
struct token parser_word(struct parser *, const char *what);
uint64_t parser_unsigned(struct parser *, uint64_t most, const char *what);
// Appends a zeroed element of `size` bytes to the buffer and returns it. It is valid until the next call.
void *parser_push(struct parser *, struct buffer *, size_t size);
// Return zeroed memory, a copy of the buffer, or a copy of the text with a NUL, in the module's arena. NULL for 0
// bytes.
void *parser_alloc(struct parser *, size_t count, size_t size);
void *parser_keep(struct parser *, const struct buffer *, size_t size);
const char *parser_name(struct parser *, const char *text, size_t length);

#define AT(buffer, type, i) (&((type *)(buffer).data)[i])

// symbol.c: names and scopes.
// Returns the atom of a text.
uint32_t symbol_atom(struct parser *, const char *text, size_t length);
// Declares a name in the current scope; fails if the scope has it already. Returns the index into parser.symbol.
uint32_t symbol_declare(struct parser *, struct token name, enum symbol_kind, uint32_t index);
// Declares a register range, such as `%r<1000>`.
void symbol_declare_range(struct parser *, struct token prefix, enum ptx_type, uint32_t count);
// Returns the innermost declaration of a name, or NULL. Declares a register of a range when it is first used.
struct symbol *symbol_find(struct parser *, const char *text, size_t length);
// Returns the index of a register in the function being read.
uint32_t symbol_reg(struct parser *, struct symbol *);
// Returns a unique name in the function being read: that of the atom, with a suffix if it is used already.
const char *symbol_unique_name(struct parser *, uint32_t atom);
void symbol_open_scope(struct parser *, struct token);
void symbol_close_scope(struct parser *);

// constant.c: literals and constant expressions.
enum constant_kind { CONSTANT_INT, CONSTANT_F32, CONSTANT_F64 };
struct constant {
    uint64_t bits; // an integer, or the bits of a float or double
    uint8_t kind;  // enum constant_kind
    uint8_t is_unsigned;
};
struct constant constant_read(struct parser *);
// Returns the bits of the constant in a type; fails for a float as an integer, or an integer as a float.
uint64_t constant_convert(struct parser *, const struct constant *, enum ptx_type, uint32_t line, uint32_t column);
// Returns 1 if the next token starts a constant expression.
int constant_starts(const struct parser *);

// declaration.c: variables and registers.
struct declared { // a declared name with its type, alignment and dimensions
    struct token name;
    uint8_t type;
    uint32_t align;
    uint64_t bytes;
    uint32_t ndims;
    uint64_t stride[8]; // bytes of the whole, of an element of the first dimension, …
    uint8_t open;       // 1: dimension [] without a size
};
// Read .align, .ptr and the type; read the name and its dimensions.
void declaration_type(struct parser *, struct declared *);
void declaration_name(struct parser *, struct declared *);
// Adds a variable to the module. Returns its index.
uint32_t declaration_add(struct parser *, const struct declared *, enum ptx_space, int is_extern, int is_visible);
// Reads the rest of a declaration after .global, .shared, …, with its ';'.
void declaration_var(struct parser *, enum ptx_space, int is_extern, int is_visible);
// Reads the rest of a declaration after .reg.
void declaration_reg(struct parser *);
// Returns 1 for a name of a special register, which must not be declared.
int operand_is_special(const char *text, size_t length);
// Skips .global, .shared, … and sets the space. Returns 0 if the next token is no space.
int declaration_space(struct parser *, enum ptx_space *);
// Skips .attribute(…).
void declaration_attributes(struct parser *);
// initializer.c: reads the initial value after '='.
void initializer_read(struct parser *, uint32_t var, const struct declared *);

// function.c: reads a function after .entry or .func.
void function_read(struct parser *, int is_entry, int is_extern, int is_visible);
// instruction.c: reads an instruction after its first word, with its ';'.
void instruction_read(struct parser *, struct token word, uint32_t guard, int guard_negated);
// Fills the look-up tables of mnemonics and modifiers.
void instruction_tables(struct parser *);
// operand.c: reads an operand; a list of operands up to `close`; a label or table, which is resolved later.
void operand_read(struct parser *, struct ptx_operand *);
void operand_list(struct parser *, struct ptx_operand *, int close);
void operand_target(struct parser *, uint32_t inst, uint32_t operand);
// Resolves labels and tables at the end of a scope.
void operand_resolve(struct parser *);
// call.c: reads the operands of a call; reads a table (.branchtargets, .calltargets, .callprototype).
void call_read(struct parser *, struct ptx_inst *);
void call_table(struct parser *, struct token name);
// check.c: checks an instruction. All check functions fail at an error.
void check_instruction(struct parser *, struct ptx_inst *);
// Check an operand as a destination or source of a type: a register, `_`, or a constant, which is converted.
enum check_width { CHECK_EXACT, CHECK_MAY_BE_WIDER };
void check_destination(struct parser *, struct ptx_inst *, unsigned operand, enum ptx_type, enum check_width);
void check_source(struct parser *, struct ptx_inst *, unsigned operand, enum ptx_type, enum check_width);
// Converts a constant operand to a type.
void check_convert(struct parser *, unsigned operand, struct ptx_operand *, enum ptx_type);
void check_predicate(struct parser *, struct ptx_inst *, unsigned operand);
// Returns 1 if an operand of type `instruction` may be a register of type `reg`.
int check_agrees(enum ptx_type instruction, enum ptx_type reg, enum check_width);
void check_vector(struct parser *, struct ptx_inst *, unsigned operand, uint32_t count, enum ptx_type, enum check_width,
                  int is_destination);
_Noreturn void check_fail(struct parser *, const struct ptx_inst *, unsigned operand, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// check_suffix.c: checks whether modifiers fit types and each other.
void check_suffixes(struct parser *, const struct ptx_inst *);
// check_form.c: checks operands that no letter of isa.def describes.
void check_form(struct parser *, struct ptx_inst *);
// location.c: reads .loc and .file; prepares for a new function.
void location_loc(struct parser *);
void location_file(struct parser *);
void location_start(struct parser *);
// Returns the index of the current place in module.loc.
uint32_t location_here(struct parser *);
// Returns the current line of the source, or of the call that was inlined; 0: unknown.
uint32_t location_line(struct parser *);
// link.c: completes the module.
void link_module(struct parser *);
// debug.c: reads the parts of frames; runs after link_module().
void debug_read(struct parser *);

#endif
