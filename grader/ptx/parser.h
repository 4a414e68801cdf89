// Declares the state and the functions that all stages of ptx_load() share. Only files in grader/ptx include parser.h.
#ifndef PTX_PARSER_H
#define PTX_PARSER_H

#include <setjmp.h>

#include "base/hash.h"
#include "ptx/isa.h"
#include "ptx/opcode.h"
#include "ptx/token.h"

// Describes an array on the heap that grows when an element is added. ptx_load() frees the arrays of all struct
// buffers.
struct buffer {
    void *data;
    size_t count, capacity;
};

// Describes an atom, which is an identifier of the PTX text. If an identifier is declared in nested scopes, the inner
// declaration hides the outer declaration. The value 0 in any field of struct atom means "none".
struct atom {
    const char *text;
    uint32_t length;
    uint32_t symbol; // index of the innermost declaration in the open scopes
    uint32_t range;  // index of the innermost `.reg name<n>` with this name in the open scopes
    uint32_t shared; // index + 1 of the function's .shared variable with this name; 0: no function declares one
    uint32_t func;   // func_serial of the last function in which a register, label or variable has this name
    uint32_t suffix; // number of the last suffix tried to make the name unique in its function
    uint32_t label;  // index + 1 in parser.debug.label of the latest label with this name
};

enum symbol_kind { SYMBOL_NONE, SYMBOL_VAR, SYMBOL_FUNC, SYMBOL_REG, SYMBOL_LABEL, SYMBOL_TABLE, SYMBOL_RANGE };
struct symbol {
    uint8_t kind;       // enum symbol_kind
    uint8_t type;       // enum ptx_type of a REG or RANGE
    uint32_t atom;      // index of the atom with the symbol's name
    uint32_t index;     // index of a VAR, FUNC, REG (PTX_NO_REG until used) or TABLE; LABEL: index into parser.label
    uint32_t count;     // number of registers of a RANGE
    uint32_t scope;     // depth of the scope; 0: the module
    uint32_t shadowed;  // index of the declaration in an outer scope that this declaration hides
    uint32_t next_here; // index of the next symbol in the same scope
};

struct label {
    uint32_t atom, inst, used;
};

// Describes a use of a label or table whose name the parser has not resolved yet. The parser finds the label or table
// of a struct pending at the end of the scope that declares this label or table.
struct pending {
    uint32_t atom;
    uint32_t line, column;
    uint32_t inst, operand; // the operand that refers to the label; if inst is PTX_NO_REG, `operand` is an index into
                            // parser.target
};

// Describes the source position of a .loc directive in the function that is being read. Element 0 of parser.place means
// "no position".
struct place {
    uint32_t file, line, column;
    uint32_t inlined_at; // number of the place of the inlined call; 0: not inlined
    uint32_t depth;      // number of inlined calls around this place
    uint32_t loc;        // index into module.loc; 0 until an instruction uses the place
    uint32_t text_line, text_column;
};

struct scope {
    uint32_t first_symbol; // index of the scope's first symbol; the others follow by next_here
    size_t first_pending;
};

// Describes a use of a name in a variable's initialiser. The parser resolves names in initialisers after it has read
// the whole module.
struct late_reloc {
    uint32_t var, reloc;
    uint32_t atom;
    uint32_t line, column;
};

// Points to the text between the braces of a .section directive.
struct parser_section {
    const char *at, *end; // NULL: the module has no such section
};
// A label of the code, to which debug data may refer. They are kept in unoptimised modules only.
struct debug_label {
    uint32_t func, inst;
};
// The state of debug.c, which reads the sections .debug_info, .debug_abbrev and .debug_loc.
struct parser_debug {
    struct parser_section info, abbrev, loc;
    struct buffer label, byte, reference, abbreviation, list, list_reference, found;
    struct buffer type, variable, place; // of the source
    struct hash_map vars, types, registers;
    uint32_t registers_of; // function whose registers are in `registers`
};

enum { PARSER_SCOPES = 64, PARSER_MODIFIERS = 24, PARSER_MOD_ROWS = 192 };

struct parser {
    struct ptx_module *module;
    struct ptx_error *error;
    jmp_buf failed;
    const char *frame;       // stack frame of the function that called setjmp()
    const char *module_text; // start of the module's text
    struct token_source source;
    struct token tok;      // the next token, not yet consumed
    size_t limit;          // largest allowed sum of the sizes of all buffers, in bytes
    size_t heap_bytes;     // sum of the sizes of all buffers so far, in bytes
    char *pool, *pool_end; // unused bytes of a block for names

    struct hash_map words;     // index of an atom by its text
    struct hash_map opcodes;   // index of the first row of isa.def by the first word of the mnemonic
    struct hash_map modifiers; // index of the first row of mod.def by its text
    uint16_t next_opcode[PTX_OPS];
    uint16_t next_modifier[PARSER_MOD_ROWS];

    struct buffer atom, symbol;              // element [0] is not used
    struct buffer var, func, loc, loc_at;    // of the module; loc_at: the struct place of each element of loc
    struct buffer reloc, late, byte;         // reloc, byte: of the initialiser being read; late: of the module
    struct buffer inst, element, reg, table; // of the function being read
    struct buffer label, pending, target;    // of the function being read
    struct buffer place;                     // of the function being read
    struct buffer shape;                     // of the prototype being read
    struct buffer param, result;             // of the function's head being read
    struct buffer file;                      // elements are const char *

    struct scope scope[PARSER_SCOPES];
    uint32_t depth;         // depth of the scope being read; 0: the module
    uint32_t func_index;    // index of the function being read
    int nounroll;           // 1: the next instruction starts a loop with .pragma "nounroll"
    uint32_t func_serial;   // number of the function body being read, from 1
    uint32_t nested_ranges; // number of open .reg ranges inside inner scopes of the function
    uint32_t current_place; // number of the place of the last .loc
    struct hash_map place_by_position, loc_by_value;
    struct parser_debug debug;

    uint32_t operand_line[PTX_OPERANDS]; // lines of the operands of the instruction being read
};

// The following functions of parser.c read tokens, report errors and allocate memory.
//
// Stores a formatted error message for a position in the PTX text, or for a token, and makes ptx_load() return NULL.
_Noreturn void parser_fail(struct parser *, uint32_t line, uint32_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
_Noreturn void parser_fail_at(struct parser *, struct token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Consumes the next token.
void parser_next(struct parser *);
// Consumes the next token if the token is of kind `kind`. Returns 1 if the token was consumed, otherwise 0.
int parser_take(struct parser *, int kind);
// Consumes the next token, or calls parser_fail_at() if the token is not of kind `kind`. `where` completes the error
// message and is, for example, "after a table".
void parser_expect(struct parser *, int kind, const char *where);
// Returns 1 if the next token is `word` with a dot before it, otherwise 0. In contrast to parser_is_dot(),
// parser_take_dot() also consumes the token `.word` if it finds it.
int parser_is_dot(const struct parser *, const char *word);
int parser_take_dot(struct parser *, const char *word);
// parser_word() reads an identifier, and parser_unsigned() reads an integer constant of at most `most`. If the next
// token is anything else, parser_word() and parser_unsigned() call parser_fail_at() with the message that `what` was
// expected.
struct token parser_word(struct parser *, const char *what);
uint64_t parser_unsigned(struct parser *, uint64_t most, const char *what);
// Appends a zeroed element of `size` bytes to the buffer. Returns a pointer to the new element, which is valid until
// parser_push() appends to the same buffer again.
void *parser_push(struct parser *, struct buffer *, size_t size);
// parser_alloc() returns zeroed memory, parser_keep() a copy of the buffer, and parser_name() a copy of the text with a
// NUL. The module's arena owns the memory that parser_alloc(), parser_keep() and parser_name() return. For 0 bytes,
// parser_alloc() and parser_keep() return NULL.
void *parser_alloc(struct parser *, size_t count, size_t size);
void *parser_keep(struct parser *, const struct buffer *, size_t size);
const char *parser_name(struct parser *, const char *text, size_t length);

#define AT(buffer, type, i) (&((type *)(buffer).data)[i])

// The following functions of symbol.c manage names and scopes.
//
// Returns the index of the struct atom that stores the identifier `text`. If the parser has not met the identifier
// before, adds a struct atom.
uint32_t symbol_atom(struct parser *, const char *text, size_t length);
// Declares a name in the current scope. Returns the declaration's index in parser.symbol. Fails if the current scope
// already declares the name.
uint32_t symbol_declare(struct parser *, struct token name, enum symbol_kind, uint32_t index);
// Declares a range of registers in the current scope, such as `%r<1000>`.
void symbol_declare_range(struct parser *, struct token prefix, enum ptx_type, uint32_t count);
// Returns the innermost declaration of a name, or NULL if the name is not declared. If a name belongs to a declared
// range of registers such as `%r<1000>`, the first use of the name declares the register.
struct symbol *symbol_find(struct parser *, const char *text, size_t length);
// Returns the index of a register in the function that is being read.
uint32_t symbol_reg(struct parser *, struct symbol *);
// Returns a name for a register, label or variable that is unique in the function that is being read.
// symbol_unique_name() returns the text of the identifier `atom`, and appends a suffix such as "$1" if the function or
// the module already uses this text as a name.
const char *symbol_unique_name(struct parser *, uint32_t atom);
void symbol_open_scope(struct parser *, struct token);
void symbol_close_scope(struct parser *);

// The following functions of constant.c read literals and constant expressions.
enum constant_kind { CONSTANT_INT, CONSTANT_F32, CONSTANT_F64 };
struct constant {
    uint64_t bits; // the integer, or the bits of the float or double
    uint8_t kind;  // enum constant_kind
    uint8_t is_unsigned;
};
struct constant constant_read(struct parser *);
// Converts a struct constant to the given PTX type and returns the bits of the result. Calls parser_fail() if the
// constant is a float and the PTX type is an integer type, or the reverse.
uint64_t constant_convert(struct parser *, const struct constant *, enum ptx_type, uint32_t line, uint32_t column);
// Returns 1 if the next token starts a constant expression.
int constant_starts(const struct parser *);

// The following functions of declaration.c read variables and registers.
struct declared { // a declared name with its type, alignment and dimensions
    struct token name;
    uint8_t type;
    uint32_t align;
    uint64_t bytes;
    uint32_t ndims;
    uint64_t stride[8]; // stride[0]: bytes of the whole variable; stride[i]: bytes of one element of dimension i
    uint8_t open;       // 1: the first dimension is [] without a size
};
// declaration_type() reads .align, .ptr and the type. declaration_name() reads the name and its dimensions.
void declaration_type(struct parser *, struct declared *);
void declaration_name(struct parser *, struct declared *);
// Adds a declared variable to the module. Returns the index of the declared variable in the module.
uint32_t declaration_add(struct parser *, const struct declared *, enum ptx_space, int is_extern, int is_visible);
// Reads the rest of a variable declaration after .global, .shared or another space, including the ';'.
void declaration_var(struct parser *, enum ptx_space, int is_extern, int is_visible);
// Reads the rest of a register declaration after .reg, including the ';'.
void declaration_reg(struct parser *);
// Returns 1 if the text is a name that a declaration must not use: the name of a special register, `_` or `WARP_SZ`.
int operand_is_special(const char *text, size_t length);
// Consumes a state space such as .global or .shared and stores the state space. Returns 1, or 0 if the next token is
// not a state space.
int declaration_space(struct parser *, enum ptx_space *);
// Consumes an .attribute(...) directive.
void declaration_attributes(struct parser *);
// Reads the initial value of a variable after '=' (initializer.c).
void initializer_read(struct parser *, uint32_t var, const struct declared *);

// Reads a function after .entry or .func (function.c).
void function_read(struct parser *, int is_entry, int is_extern, int is_visible);
// Reads an instruction after its first word, including the ';' (instruction.c).
void instruction_read(struct parser *, struct token word, uint32_t guard, int guard_negated);
// Fills the look-up tables of mnemonics and modifiers.
void instruction_tables(struct parser *);
// operand_read() reads an operand, and operand_list() reads a list of operands up to the closing token `close`. The
// function operand_target() reads the name of a label or table, which operand_resolve() resolves later.
void operand_read(struct parser *, struct ptx_operand *);
void operand_list(struct parser *, struct ptx_operand *, int close);
void operand_target(struct parser *, uint32_t inst, uint32_t operand);
// Resolves the uses of labels and tables that the current scope declares. The parser must call operand_resolve() at the
// end of each scope.
void operand_resolve(struct parser *);
// call_read() reads the operands of a call. call_table() reads a .branchtargets, .calltargets or .callprototype table.
void call_read(struct parser *, struct ptx_inst *);
void call_table(struct parser *, struct token name);
// Checks an instruction. All functions whose names begin with check_, except check_agrees(), call parser_fail() on an
// error.
void check_instruction(struct parser *, struct ptx_inst *);
// The function check_destination() accepts as the instruction's operand number `operand` a register of a fitting PTX
// type or, where the instruction allows it, the operand `_`. The function check_source() accepts as operand number
// `operand` a register of a fitting PTX type or a constant. check_source() converts a constant to the PTX type that the
// caller gives. For any other operand, check_destination() and check_source() call parser_fail().
enum check_width { CHECK_EXACT, CHECK_MAY_BE_WIDER };
void check_destination(struct parser *, struct ptx_inst *, unsigned operand, enum ptx_type, enum check_width);
void check_source(struct parser *, struct ptx_inst *, unsigned operand, enum ptx_type, enum check_width);
// Converts a constant operand to the type of the operand.
void check_convert(struct parser *, unsigned operand, struct ptx_operand *, enum ptx_type);
void check_predicate(struct parser *, struct ptx_inst *, unsigned operand);
// Returns 1 if an operand of type `instruction` may be a register of type `reg`.
int check_agrees(enum ptx_type instruction, enum ptx_type reg, enum check_width);
void check_vector(struct parser *, struct ptx_inst *, unsigned operand, uint32_t count, enum ptx_type, enum check_width,
                  int is_destination);
_Noreturn void check_fail(struct parser *, const struct ptx_inst *, unsigned operand, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Checks whether the modifiers of an instruction fit its types and each other (check_suffix.c).
void check_suffixes(struct parser *, const struct ptx_inst *);
// Checks operands that no operand letter of isa.def describes (check_form.c).
void check_form(struct parser *, struct ptx_inst *);
// location_loc() reads a .loc directive, and location_file() a .file directive. location_start() prepares location.c
// for the .loc directives of a new function.
void location_loc(struct parser *);
void location_file(struct parser *);
void location_start(struct parser *);
// Returns the index in module.loc of the source position that the last .loc directive named.
uint32_t location_here(struct parser *);
// Returns the line of the source code that the last .loc directive named, or 0 if the line is unknown. If the last .loc
// directive describes inlined code, location_line() returns the line of the inlined call.
uint32_t location_line(struct parser *);
// Resolves the names in initialisers and sorts the module's variables and functions (link.c).
void link_module(struct parser *);
// Reads the debug data to find where source variables lie in the stack frames of functions (debug.c). The parser must
// call debug_read() after link_module().
void debug_read(struct parser *);

#endif
