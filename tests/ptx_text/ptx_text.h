// Modules as text, for tests: what ptx_load made of a text is printed, loaded again and compared.
#ifndef PTX_TEXT_H
#define PTX_TEXT_H

#include "ptx/ptx.h"

struct text;

// Appends the module as PTX. ptx_load() makes of it a module for which ptx_equal() returns 1.
void ptx_print(const struct ptx_module *, struct text *out);
// Appends one instruction of the function as ptx_print() does, without a newline.
void ptx_print_inst(const struct ptx_module *, const struct ptx_func *, const struct ptx_inst *, struct text *out);
// Returns 1 if both modules describe the same program; places in the PTX text do not count.
int ptx_equal(const struct ptx_module *, const struct ptx_module *);

#endif
