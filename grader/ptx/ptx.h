// Loads PTX texts as modules. A module is the data structure ptx_module, which the simulator executes. ptx_load()
// splits the PTX text into tokens, parses them, checks the instructions, and links the symbols.
//
//   text → token (words with line and column) → parse (this structure) → check (types, operands) → link (symbols)
//
// Each PTX instruction is a row of isa.def, and each modifier is a row of mod.def. The specification is NVIDIA's
// "Parallel Thread Execution ISA", version 9.0; isa.def names the section of each instruction.
#ifndef PTX_PTX_H
#define PTX_PTX_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "ptx/modifier.h"
#include "ptx/type.h"

enum ptx_operand_kind {
    PTX_OPERAND_NONE,
    PTX_OPERAND_REG,    // register: `index` into func.reg
    PTX_OPERAND_IMM,    // constant: `bits`, cut to the width of the operand's type; sign-extended if the type is signed
    PTX_OPERAND_SREG,   // special register: `index` is an enum ptx_sreg, `component` is 0..3
    PTX_OPERAND_SYMBOL, // address of a variable: `index` into module.var, plus the offset `bits`
    PTX_OPERAND_FUNC,   // function: `index` into module.func
    PTX_OPERAND_LABEL,  // label: `index` of the instruction after the label
    PTX_OPERAND_ADDRESS, // [base + offset]: `base_kind` is REG, SYMBOL or IMM; `index` is the base, `bits` the offset
    PTX_OPERAND_VECTOR,  // {a, b, ...}: `count` operands from func.element[index] on
    PTX_OPERAND_SINK,    // the operand `_`
    PTX_OPERAND_TABLE,   // .branchtargets and other tables: `index` into func.table
};
// Describes an operand of a PTX instruction. Operands are in the order of the instruction's operand letters in isa.def,
// destinations first. A missing optional operand between other operands (`|q` of setp, `|p` of shfl) has the kind NONE.
// Missing operands at the end are not counted in `noperands`. For example, `setp.lt.s32 p, a, b` has four operands: p,
// an operand of the kind NONE in place of the missing q, a and b. The results and arguments of a call are .param
// variables (operands of the kind SYMBOL), registers (REG) or constants (IMM). If the target of a call is a register,
// the fourth operand is an operand of the kind TABLE that names the call's prototype. The operands of call, bar, mov
// and atom have an order or form that the column `operands` of isa.def does not show.
//   call      results (VECTOR, perhaps of 0), target (FUNC or REG), arguments (VECTOR) {, TABLE}
//   bar       sync a {, b} · arrive a, b · red d, a {, b or NONE}, c. With red, bar always has four operands.
//   mov       d, a, of which at most one is a VECTOR
//   atom      cas: d, m, compare, new
struct ptx_operand {
    uint8_t kind;      // enum ptx_operand_kind
    uint8_t base_kind; // kind of the base; ADDRESS only
    uint8_t negate;    // 1: the operand is negated, as !p or -a
    uint8_t component; // SREG: .x .y .z .w, or the number; IMM: 0 integer, 1 bits of a float, 2 bits of a double
    uint32_t count;    // VECTOR: number of elements
    uint32_t index;
    uint32_t column; // column in the PTX text, from 1
    uint64_t bits;
};

enum { PTX_OPERANDS = 7, PTX_NO_REG = 0xffffffffu };
struct ptx_inst {
    uint16_t op;     // enum ptx_op
    uint8_t type[3]; // the type suffixes in the order of the text
    uint8_t round, cmp, boolop, space, sem, scope, cache, atom, part, mode;
    uint8_t vec;       // number of vector elements: 1, 2 or 4 (8 for the 256-bit forms)
    uint8_t noperands; // number of valid elements of `operand`
    uint8_t guard_negated;
    uint32_t flags;                           // enum ptx_flag
    uint32_t guard;                           // index of the guard register, or PTX_NO_REG
    struct ptx_operand operand[PTX_OPERANDS]; // `d|p` are two operands; the lists of a call are VECTORs
    uint32_t line, column;                    // position in the PTX text, from 1
    uint32_t loc;                             // index of the instruction's place in module.loc
    uint8_t nounroll;                         // 1: .pragma "nounroll" precedes the instruction
    uint8_t folded;   // in an unrolled function, 1: real hardware does not execute this instruction
    uint32_t copy_of; // in an unrolled function: 1 + index of the instruction that this one copies; 0: not a copy
};

// Identifies a special register (PTX ISA 10).
enum ptx_sreg {
#define SREG(id, text, type, meaning) PTX_SREG_##id,
#include "ptx/sreg.def"
#undef SREG
    PTX_SREGS
};

// Describes a position in the source code, from a .loc directive. Element 0 of module.loc means an unknown position. A
// position in an inlined function refers to the position of the inlined call.
struct ptx_loc {
    uint32_t file; // index into module.file; line and column count from 1
    uint32_t line, column;
    uint32_t inlined_at; // index of the call's place in module.loc; 0: not inlined
};

struct ptx_reg {
    const char *name;
    uint8_t type; // enum ptx_type
};

// Lists the linkages of names (PTX ISA 5.6). The linkage 0 means that the name is local to its module.
enum ptx_linkage { PTX_VISIBLE_SYMBOL = 1, PTX_WEAK_SYMBOL, PTX_COMMON_SYMBOL };

// Describes the position of one source variable in the stack frame of a function; one .local variable contains the
// whole frame. The positions of source variables in a stack frame are known only for unoptimised PTX with debug data.
struct ptx_frame_part {
    const char *name;
    uint64_t from, to; // offsets in bytes; `to` is the first byte after the part
};

// Describes a variable of the module or of a function, in the state space .global, .const, .shared, .local or .param.
struct ptx_var {
    const char *name;
    uint8_t space;                 // enum ptx_space
    uint8_t type;                  // enum ptx_type of an element
    uint8_t is_extern, is_visible; // is_visible: enum ptx_linkage, or 0 for a local name
    uint32_t align;
    uint64_t bytes; // size; 0 for `extern .shared x[]`
    uint32_t func;  // index of the function that owns the variable; PTX_NO_REG for a variable of the module
    uint8_t *init;  // initial value; NULL: zeros (global, const) or undefined (shared, local)
    uint64_t init_bytes;
    struct ptx_reloc *reloc; // the addresses inside `init`
    uint32_t nrelocs;
    struct ptx_frame_part *part; // parts of a frame; ascending and disjoint
    uint32_t nparts;
    uint32_t line, column;
};
struct ptx_reloc {
    uint64_t offset;     // offset of the address in `init`, in bytes
    uint32_t is_func;    // 1: `symbol` is the index of a function
    uint32_t is_generic; // 1: the text writes generic(x)
    uint32_t symbol;     // index of the variable or function in module.var or module.func
    int64_t addend;
};

enum ptx_table_kind { PTX_BRANCH_TARGETS, PTX_CALL_TARGETS, PTX_PROTOTYPE };

// Describes a function or kernel. Functions come before kernels in module.func. The registers of a function are listed
// in the order of their first use; unused registers are not listed. Names of registers, labels and variables are unique
// in a function. If a block { } inside a function's body declares a name again, the name declared in the inner block
// gets a suffix. If control can reach the end of a function's body, ptx_load() appends a `ret`.
struct ptx_func {
    const char *name;
    uint8_t is_entry, is_extern, is_visible, has_body, is_noreturn;
    uint32_t *param, nparams;   // indices into module.var
    uint32_t *result, nresults; // only for .func
    struct ptx_reg *reg;
    uint32_t nregs;
    struct ptx_inst *inst;
    uint32_t ninsts;
    struct ptx_operand *element; // elements of all VECTOR operands
    uint32_t nelements;
    struct ptx_table {
        const char *name;
        uint8_t kind; // kind of the table, enum ptx_table_kind
        uint32_t *target,
            ntargets; // instruction indices; CALL_TARGETS: indices into module.func; PROTOTYPE: no targets
        struct ptx_shape {
            uint8_t type;
            uint32_t align;
            uint64_t bytes;
        } * shape; // PROTOTYPE: results, then parameters
        uint32_t nresults, nparams;
    } * table;
    uint32_t ntables;
    uint32_t maxntid[3], reqntid[3]; // 0: the directive is not given
    uint32_t maxnreg, minnctapersm;  // 0: the directive is not given
    uint32_t registers; // registers per thread in the machine code, from a comment "// registers N KERNEL"; 0: unknown
    uint32_t spilled;   // bytes of spilled registers that its instructions move, from "// spills N KERNEL"
    uint32_t *label_inst; // indices of the instructions after used labels, ascending; one label per instruction
    const char **label_name;
    uint32_t nlabels;
    uint32_t line, column;
};

struct ptx_module {
    struct arena arena; // owns the memory of all arrays below
    uint32_t version;   // PTX version; 90 for 9.0
    uint32_t sm;        // target; 75 for sm_75
    uint8_t is_debug;   // 1: the target has the option debug
    struct ptx_var *var;
    uint32_t nvars;
    struct ptx_func *func;
    uint32_t nfuncs;
    struct ptx_loc *loc; // loc[0] means "unknown"
    uint32_t nlocs;
    const char **file; // file[i]: path of .file i; NULL if file i is not declared
    uint32_t nfiles;
    struct ptx_source_variable *source; // variables of the source (source.h); unoptimised modules only
    uint32_t nsources;
};

// Describes the first error that ptx_load() found in a PTX text. The error message is a sentence in the language that
// the process uses for messages (base/message.h).
struct ptx_error {
    uint32_t unit; // index of the text with the error, if several texts are linked
    uint32_t line, column;
    uint32_t source_line; // line of the source; in inlined code, line of the inlined call; 0: unknown
    char message[256];
};

// Loads a PTX text of `bytes` bytes: parses, checks and links the text. Returns the module, or NULL with the error in
// *error. The caller frees the module with ptx_free(). The text may be hostile. ptx_load() terminates for any text,
// reads no bytes outside the text, and needs at most a fixed multiple of `bytes` as memory.
struct ptx_module *ptx_load(const char *text, size_t bytes, struct ptx_error *error);
// Loads several PTX texts and joins their modules into one module (relocatable device code). If a PTX text declares a
// variable .extern, another text must define the variable. An `extern .shared` array needs no definition, and a missing
// function is an error only if a kernel calls the function. A definition that is not .weak replaces all .weak
// definitions of the same name. Several .common definitions of the same name become one definition. Returns the module,
// or NULL with the error in *error. After an error, error->unit is the index of the text with the error. The caller
// frees the module with ptx_free().
struct ptx_module *ptx_link(const char *const text[], const size_t bytes[], uint32_t units, struct ptx_error *error);
// Frees the module. NULL is allowed.
void ptx_free(struct ptx_module *);

// Returns the index of the module's variable whose name is `name`, or -1 if the module has no such variable.
int ptx_find_var(const struct ptx_module *, const char *name);

// Holds a row of isa.def, with the columns that other folders and tests need.
struct ptx_isa {
    const char *id, *mnemonic, *operands, *section, *meaning;
    uint16_t effect; // effects of the instruction besides computing; a set of E_... bits
};
extern const struct ptx_isa ptx_isa[];
// Lists the effects of instructions that the column `effect` of isa.def may contain.
enum {
    E_LOAD = 1 << 0,     // reads memory
    E_STORE = 1 << 1,    // writes memory
    E_ATOMIC = 1 << 2,   // reads and writes memory atomically
    E_ORDER = 1 << 3,    // orders the thread's memory accesses, or waits for some accesses
    E_BARRIER = 1 << 4,  // waits for other warps of the block
    E_CONVERGE = 1 << 5, // needs other lanes of the warp at the same instruction
    E_EXCHANGE = 1 << 6, // as E_CONVERGE, but ptxas may move memory accesses across the instruction
    E_JUMP = 1 << 7,     // jumps to another instruction
    E_CALL = 1 << 8,     // calls a function
    E_END = 1 << 9,      // ends the function or the thread
};
// Returns the number of an instruction's destination operands. The destination operands are the first operands of the
// instruction.
uint32_t ptx_destinations(const struct ptx_inst *);
// Returns 1 if the instruction jumps to a label: to the instruction with the index operand[0].index.
int ptx_is_branch(const struct ptx_inst *);

#endif
