// Adds an explanation to certain messages of a compiler or linker. The function compile_explain() explains messages
// about a missing header or library, about a part of CUDA that is not simulated, and about the order of the fields of
// the macro LAUNCH. If a submission lacks a header of its own, compile_explain() says that the header must be in the
// folder of the lab's file (base/bundle.h).
#include <string.h>

#include "base/text.h"
#include "compile/invocation.h"

static int lacks_header(const struct text *messages)
{
    return strstr(messages->data, "file not found") || strstr(messages->data, "No such file or directory");
}

void compile_explain(struct text *messages, const char *compiler, int submission)
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
    if (submission && messages->length && lacks_header(messages))
        text_say(
            messages,
            "note: %s finds no such header: a header of your own must lie beside the lab's file, in the same folder\n",
            compiler);
}
