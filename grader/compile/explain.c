// Adds a sentence to the messages of a compiler or linker that are about something that the kit knows more of: a header
// or library that is missing, a part of CUDA that is not simulated, or the order of the fields of LAUNCH.
#include <string.h>

#include "base/message.h"
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
        text_printf(messages, "note: %s: %s\n", compiler, _(row[i].sentence));
        return;
    }
}
