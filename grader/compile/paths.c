// What leaves a compilation speaks of the student's file, not of our copy in a temporary directory: neither messages
// nor images carry a path of ours, and so both are the same on every run and every machine.
//
// One pass over the text that replaces what it meets: the directory's and the kit's folders vanish, the copy's name
// becomes the student's path, and nvcc's "file(12):" takes the usual form "file:12:".
#define _GNU_SOURCE // memmem
#include "compile/invocation.h"

#include <ctype.h>
#include <string.h>

struct rewrite {
    struct text *out;
    const char *directory, *kit, *shown; // shown NULL: the copy's name stays
};

static int at_word(const char *start, const char *at)
{
    return at == start || !(isalnum((unsigned char)at[-1]) || strchr("_-.", at[-1]));
}

// Length of `folder` with a slash behind it if `at` begins so, else 0.
static size_t folder_length(const char *at, const char *folder)
{
    size_t length = strlen(folder);
    return length && !strncmp(at, folder, length) && at[length] == '/' ? length + 1 : 0;
}

// Length of the "./" that clang writes before a name, once for each #include that led to it.
static size_t dot_length(const char *at)
{
    size_t length = 0;
    while (at[length] == '.' && at[length + 1] == '/') length += 2;
    return !strncmp(at + length, COMPILE_SOURCE, strlen(COMPILE_SOURCE)) ? length : 0;
}

// "(12)" behind a file name becomes ":12". Bytes taken.
static size_t rewrite_line_number(struct text *out, const char *at)
{
    size_t digits = at[0] == '(' ? strspn(at + 1, "0123456789") : 0;
    if (!digits || at[digits + 1] != ')') return 0;
    text_printf(out, ":%.*s", (int)digits, at + 1);
    return digits + 2;
}

static void rewrite_bytes(struct rewrite *r, const char *start, size_t bytes)
{
    const char *end = start + bytes;
    for (const char *at = start; at < end;) {
        size_t skipped = folder_length(at, r->directory);
        if (!skipped && at_word(start, at)) skipped = dot_length(at);
        if (!skipped) skipped = folder_length(at, r->kit);
        if (skipped) {
            at += skipped;
            if (!strncmp(at, "clang/", 6)) at += 6;
            if (r->shown && !strncmp(at, COMPILE_SOURCE, strlen(COMPILE_SOURCE))) start = at; // a word begins here
            continue;
        }
        size_t name = strlen(COMPILE_SOURCE);
        if (r->shown && !strncmp(at, COMPILE_SOURCE, name) && at_word(start, at) && !isalnum((unsigned char)at[name])) {
            text_puts(r->out, r->shown);
            at += name;
            at += rewrite_line_number(r->out, at);
            continue;
        }
        unsigned char c = (unsigned char)*at++;
        if (c >= 32 ? c != 127 : c == '\n' || c == '\t') text_add(r->out, (const char *)&c, 1);
    }
}

// Lines that tell a student nothing: how to silence nvcc's warnings by number, and that clang, having failed, cannot
// remove the file that it was to write.
static int is_noise(const char *line)
{
    static const char remark[] = "Remark: The warnings can be suppressed", removal[] = "clang: error: unable to remove";
    return !strncmp(line, remark, sizeof remark - 1) || !strncmp(line, removal, sizeof removal - 1);
}

// A line is said once: a file that includes itself would fill pages with the way to it.
static int repeats(const struct text *out, size_t previous, const char *line, size_t length)
{
    size_t said = out->length - previous;
    return said == length && length && !memcmp(out->data + previous, line, length);
}

void compile_rewrite_messages(struct text *out, const struct text *in, const char *directory, const char *kit,
                              const char *shown)
{
    static const char target[] = " when compiling for sm_80.";
    struct text one = {0}; // a line, rewritten
    struct rewrite rewrite = {&one, directory, kit, shown};
    size_t previous = 0; // where the last line that was kept begins in `out`
    for (const char *line = in->data; line && *line;) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        const char *tail = strstr(line, target);
        one.length = 0;
        if (is_noise(line)) {
            length += line[length] == '\n'; // and the empty line behind it
        } else if (tail && tail < line + length) {
            rewrite_bytes(&rewrite, line, (size_t)(tail - line));
            text_puts(&one, ".\n");
        } else {
            rewrite_bytes(&rewrite, line, length);
        }
        if (one.length && !repeats(out, previous, one.data, one.length)) {
            previous = out->length;
            text_add(out, one.data, one.length);
        }
        line += length;
    }
    text_free(&one);
    while (out->length && isspace((unsigned char)out->data[out->length - 1])) out->data[--out->length] = '\0';
    if (out->length) text_puts(out, "\n");
}

// Sections that only a debugger reads, and that would make a third of the image. Others stay: "inlined_at" refers to
// the strings, and what lies where in a frame is told by the other two (ptx/debug.c).
static int is_dropped_section(const char *line)
{
    static const char *const kept[] = {"debug_str", "debug_info", "debug_abbrev"};
    line += strspn(line, " \t");
    if (strncmp(line, ".section", 8) != 0) return 0;
    line += 8 + strspn(line + 8, " \t");
    if (strncmp(line, ".debug_", 7) != 0) return 0;
    size_t length = strcspn(++line, " \t\n");
    for (size_t i = 0; i < sizeof kept / sizeof *kept; ++i)
        if (strlen(kept[i]) == length && !strncmp(line, kept[i], length)) return 0;
    return 1;
}

// A line of bytes, ".b8 47,116,…", without our directory: an image does not depend on where it was made. Dots take its
// place, since sections refer to places within themselves.
static void rewrite_data(struct text *out, const char *line, size_t length, const char *directory)
{
    struct text coded = {0};
    for (const char *c = directory; *c; ++c) text_printf(&coded, "%s%u", c == directory ? "" : ",", (unsigned char)*c);
    const char *end = line + length, *at = coded.length ? memmem(line, length, coded.data, coded.length) : NULL;
    if (at) {
        text_add(out, line, (size_t)(at - line));
        for (const char *c = directory; *c; ++c) text_puts(out, c == directory ? "46" : ",46");
        line = at + coded.length;
    }
    text_add(out, line, (size_t)(end - line));
    text_free(&coded);
}

void compile_rewrite_image(struct text *out, const struct text *in, const char *directory, const char *kit)
{
    struct rewrite rewrite = {out, directory, kit, NULL};
    int dropping = 0;
    for (const char *line = in->data; line && *line;) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        const char *word = line + strspn(line, " \t");
        if (!dropping && is_dropped_section(line)) dropping = 1;
        if (dropping)
            dropping = !memchr(line, '}', length);
        else if (!strncmp(word, ".file", 5))
            rewrite_bytes(&rewrite, line, length);
        else if (!strncmp(word, ".b8", 3))
            rewrite_data(out, line, length, directory);
        else
            text_add(out, line, length);
        line += length;
    }
}
