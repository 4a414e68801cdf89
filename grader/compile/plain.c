// Makes warnings of the errors that nvcc reports without its option --expt-relaxed-constexpr.
//
// The kit compiles device code that calls constexpr functions of the host's library, such as std::max(), because clang
// accepts such calls without an option. nvcc refuses them unless it has the experimental option. A student who compiles
// the same file elsewhere should know that, so the unoptimised image is first compiled without the option (compile.c).
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "compile/invocation.h"

enum { WARNINGS_MOST = 8 }; // the student needs the places, not all of them

static const char refusal[] = ": error: calling a constexpr __host__ function(\"";

int compile_plain_refuses(const struct text *output)
{
    const char *error = output->data ? strstr(output->data, ": error: ") : NULL;
    for (; error; error = strstr(error + 1, ": error: "))
        if (strncmp(error, refusal, sizeof refusal - 1) != 0) return 0;
    return output->data && strstr(output->data, refusal);
}

void compile_plain_warn(struct text *to, const struct text *messages)
{
    int count = 0;
    for (const char *at = messages->data, *line; at && (at = strstr(at, refusal)) != NULL && count < WARNINGS_MOST;) {
        for (line = at; line > messages->data && line[-1] != '\n';) --line;
        const char *name = at + sizeof refusal - 1;
        size_t length = strcspn(name, "\"<\n");
        text_say(to,
                 "%.*s: warning: nvcc alone refuses '%.*s' in device code, because it is a function of the host's "
                 "library: take CUDA's own, or compile with --expt-relaxed-constexpr\n",
                 (int)(at - line), line, (int)length, name);
        ++count;
        at = name;
    }
}
