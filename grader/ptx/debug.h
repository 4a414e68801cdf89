// Declares what the files debug*.c share, which read the debug data of a PTX text. The debug data are DWARF, written in
// blocks of .b8 to .b64 after the code. Only files in grader/ptx include debug.h.
//
// The formats are specified in the DWARF Debugging Information Format, version 4, section 7.5, and in PTX ISA 11.5
// (debugging directives). The text may be hostile: all lengths in the debug data are checked, and references from a
// type to another type, and dimensions of arrays, are followed a bounded number of times. If the debug data are
// invalid, reading stops without an error, and what was not read stays unknown.
#ifndef PTX_DEBUG_H
#define PTX_DEBUG_H

#include "ptx/parser.h"
#include "ptx/source.h"

enum { DEBUG_TYPES_OF_TYPES = 32, DEBUG_DIMENSIONS = 16 };
enum debug_tag {
    TAG_ARRAY = 0x01,
    TAG_CLASS = 0x02,
    TAG_ENUM = 0x04,
    TAG_PARAMETER = 0x05,
    TAG_LEXICAL_BLOCK = 0x0b,
    TAG_MEMBER = 0x0d,
    TAG_POINTER = 0x0f,
    TAG_REFERENCE = 0x10,
    TAG_STRUCT = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_INLINED = 0x1d,
    TAG_SUBRANGE = 0x21,
    TAG_BASE = 0x24,
    TAG_CONST = 0x26,
    TAG_SUBPROGRAM = 0x2e,
    TAG_VARIABLE = 0x34,
    TAG_VOLATILE = 0x35,
    TAG_RESTRICT = 0x37,
    TAG_RVALUE_REFERENCE = 0x42,
};

// Holds a symbol name that a debug section contains in place of a number, and the offset of that number in the section.
struct debug_reference {
    size_t at;
    struct token name;
};
// A section of the debug data as bytes.
struct debug_section {
    const uint8_t *byte;
    size_t bytes;
    const struct buffer *reference; // struct debug_reference, in ascending order; NULL: names were not kept
};

struct debug {
    struct parser *p;
    struct debug_section info, loc;
    const uint8_t *abbrev;
    size_t abbrevs;
    size_t unit;   // start of the compilation unit; references are relative to this offset
    size_t *shape; // [shapes]; shape[i]: where the attributes of abbreviation i + 1 are listed, an offset in `abbrev`
    size_t shapes, all; // number of valid elements of `shape`, and capacity of `shape`
    int bad;
};

struct debug_entry { // a debugging information entry, with only the attributes that this program uses
    uint32_t tag;
    int children;        // 1: the entries up to the next entry with tag 0 are its children
    size_t next;         // offset of the next entry in .debug_info
    size_t type, origin; // offsets of the type and of the abstract origin; 0: none
    uint64_t size, count, encoding, member_offset, file, line;
    int has_count;
    const char *name;
    size_t name_length;
    size_t low, high;                // offsets in .debug_info of the addresses of the code's start and end; 0: none
    size_t location, location_bytes; // a location expression in .debug_info; 0: none
    int has_list;                    // 1: the location is a list in .debug_loc, at `list`
    uint64_t list;
};

// The following functions of debug_entry.c read numbers and entries. They set debug.bad if the data are invalid.
//
// Reads an unsigned number of `width` bytes, or a LEB128 number, at *at, and moves *at behind it.
uint64_t debug_number(struct debug *, const struct debug_section *, size_t *at, uint32_t width);
uint64_t debug_leb(struct debug *, const struct debug_section *, size_t *at);
// Reads the abbreviations of a compilation unit, at an offset in .debug_abbrev.
void debug_read_shapes(struct debug *, size_t at);
// Reads the entry at offset `at` of .debug_info. An entry with tag 0 ends a list of children.
struct debug_entry debug_read_entry(struct debug *, size_t at);
// Returns the name that stands in a section in place of the number at offset `at`, or NULL.
const struct token *debug_name_at(const struct debug_section *, size_t at);

// Returns the type at offset `at` of .debug_info. The module's arena owns it. (debug_type.c)
const struct ptx_source_type *debug_type(struct debug *, size_t at);

// The following functions of debug_variable.c collect the variables of the source.
//
// The instructions of a scope: a function, a block in it, or a function that was inlined.
struct debug_scope {
    uint32_t func, from, to; // func PTX_NO_REG: outside of functions
};
// Returns the scope of an entry's children; `outer` is the scope of the entry itself.
struct debug_scope debug_scope_of(struct debug *, const struct debug_entry *, struct debug_scope outer);
// Adds the variable that the entry describes to parser.debug.variable, if its place is known.
void debug_add_variable(struct debug *, const struct debug_entry *, struct debug_scope);
// Stores the variables in the module.
void debug_keep_variables(struct parser *);

#endif
