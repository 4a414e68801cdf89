// Adds an explanation to certain messages of a compiler or linker. The function compile_explain() explains messages
// about a missing header or library, about a part of CUDA that is not simulated, and about the order of the fields of
// the macro LAUNCH.
#include <string.h>

#include "compile/invocation.h"

void compile_explain(struct text *messages, const char *compiler)
{
    static const struct {
        const char *words, *sentence;
    } row[] = {
#define EXPLAIN(words, sentence) {words, sentence},
#include "compile/explain.def"
#undef EXPLAIN
    };
    for (unsigned i = 0; i < sizeof row / sizeof *row && messages->length; ++i) {
        if (!strstr(messages->data, row[i].words)) continue;
        text_printf(messages, "note: %s: %s\n", compiler, row[i].sentence);
        return;
    }
}
