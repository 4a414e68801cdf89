// Describes the variables of the source code: their types, and where the compiled code keeps their values. The
// descriptions come from the debug data (DWARF) of unoptimised images; other images have none. Names are text of the
// student's, as the compiler wrote them.
#ifndef PTX_SOURCE_H
#define PTX_SOURCE_H

#include <stdint.h>

enum ptx_source_kind {
    SOURCE_OTHER, // a type that this program does not know, shown as bytes
    SOURCE_SIGNED,
    SOURCE_UNSIGNED,
    SOURCE_FLOAT, // 2, 4 or 8 bytes
    SOURCE_BOOL,
    SOURCE_CHAR,
    SOURCE_POINTER, // or a reference
    SOURCE_ARRAY,
    SOURCE_STRUCT, // or a class or union
};

struct ptx_source_type {
    const char *name;                 // as in the source, such as "float" or "float *"; of an array: its element's
    uint64_t bytes;                   // 0: unknown
    uint64_t count;                   // SOURCE_ARRAY: number of elements; 0: not in the type, as in `extern float a[]`
    const struct ptx_source_type *of; // SOURCE_ARRAY: type of an element, which may be an array; SOURCE_POINTER: type
                                      // of what it points to, or NULL
    struct ptx_source_member {
        const char *name; // may be ""
        uint64_t offset;  // in bytes
        const struct ptx_source_type *type;
    } * member; // SOURCE_STRUCT: [nmembers]
    uint32_t nmembers;
    uint8_t kind; // enum ptx_source_kind
};

// Says where a value is while a thread is at certain instructions.
enum ptx_source_storage { SOURCE_REGISTER, SOURCE_VARIABLE };
struct ptx_source_place {
    uint32_t from, to; // indices of instructions of the function: the value is there at `from` up to before `to`
    uint32_t index;    // SOURCE_REGISTER: index in func->reg; SOURCE_VARIABLE: index in module->var
    uint8_t storage;   // enum ptx_source_storage
    uint64_t offset;   // SOURCE_VARIABLE: offset of the value's first byte
};
struct ptx_source_variable {
    const char *name; // may be ""
    const struct ptx_source_type *type;
    uint32_t func;     // index in module->func; PTX_NO_REG: a variable outside of functions
    uint32_t file;     // index in module->file; 0: unknown
    uint32_t line;     // line of its declaration; 0: unknown
    uint32_t from, to; // instructions of its scope
    uint8_t parameter; // 1: a parameter of the function
    struct ptx_source_place *place;
    uint32_t nplaces;
};

#endif
