// Implements demangle.h with c++filt, which gets all names at once and prints a line for each name. Because the mangled
// names in a program may be hostile, c++filt runs in a sandbox and gets only names that consist of the characters of
// mangled names.
#define _GNU_SOURCE
#include "compile/demangle.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fatbin.h"
#include "base/text.h"
#include "box/box.h"
#include "compile/invocation.h"

enum { MOST = 256, ANSWER_MOST = 4 << 20, WALL_S = 20 };

static int is_mangled(const char *name)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";
    return !strncmp(name, "_Z", 2) && !name[strspn(name, letters)];
}

// Returns a copy of `name` without the suffix FATBIN_LOCAL, which names that are local to a source file have. The
// caller frees the returned string.
static char *own_name(const char *name)
{
    const char *mark = strstr(name, FATBIN_LOCAL);
    char *copy = alloc_strndup(name, mark ? (size_t)(mark - name) : strlen(name));
    return copy;
}

// Stores a line of c++filt's output without the return type: "step<float>" for "void step<float>".
static void take_line(char *line, char **shown)
{
    int depth = 0;
    char *start = line;
    for (char *c = line; *c; ++c) {
        depth += (*c == '<' || *c == '(') - (*c == '>' || *c == ')');
        if (*c == ' ' && !depth && strncmp(c + 1, "[clone", 6) != 0) start = c + 1;
    }
    char *copy = alloc_strdup(start);
    free(*shown);
    *shown = copy;
}

static void ask(const char *tool, const uint32_t index[], uint32_t count, int open, char *shown[])
{
    const char *argv[MOST + 3] = {tool, "-p"};
    for (uint32_t i = 0; i < count; ++i) argv[i + 2] = shown[index[i]];
    struct box_spec spec = {
        .argv = argv, .output = ANSWER_MOST, .wall_s = WALL_S, .cpu_s = WALL_S, .open = open, .single = 1};
    struct text why = {0};
    struct box box;
    if (box_run(&spec, &box, &why)) {
        text_free(&why);
        return;
    }
    char *rest = NULL, *line = box.end == BOX_EXITED && !box.code ? box.output.data : NULL;
    line = line ? strtok_r(line, "\n", &rest) : NULL;
    for (uint32_t i = 0; i < count && line; ++i, line = strtok_r(NULL, "\n", &rest)) take_line(line, &shown[index[i]]);
    box_free(&box);
}

void compile_demangle(const char *const name[], uint32_t count, int open, char *shown[])
{
    char tool[COMPILE_PATH];
    uint32_t index[MOST], asked = 0;
    int can = compile_find_tool("c++filt", tool);
    for (uint32_t i = 0; i < count; ++i) {
        shown[i] = own_name(name[i]);
        if (can && asked < MOST && is_mangled(shown[i])) index[asked++] = i;
    }
    if (asked) ask(tool, index, asked, open, shown);
}
