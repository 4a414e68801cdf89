// Replaces paths in compilers' messages and images. The compiler reads a copy of the student's source in a temporary
// directory with a random name. The functions of paths.c remove the temporary directory's random name, so that the
// compilers' messages and images are equal in every run and on every machine.
//
// rewrite_bytes() makes one pass over a message or image. From file names, the function rewrite_bytes() removes the
// paths of the temporary directory and of grader/kit, the folder of the autograder's headers. The function
// rewrite_bytes() replaces the name of the source's copy (COMPILE_SOURCE) by the student's path. In messages of nvcc,
// rewrite_bytes() also converts "file(12):" to the usual form "file:12:5:", with the column of the caret that nvcc
// draws below the source line. For a line of a header that was handed in with the lab's file (base/bundle.h),
// rewrite_bytes() writes the header's path and the line's number in the header.
//
// Clang cannot write the PTX directive .maxnreg, so __maxnreg__(32) of kit/clang/prelude.h becomes the directive
// .maxntid with a number of threads that no launch can have. In images, rewrite_limit() replaces this .maxntid by
// ".maxnreg 32".
#define _GNU_SOURCE // declares memmem()
#include "base/text.h"
#include "compile/invocation.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const unsigned long MAXNREG = 0x1000000; // kit/clang/prelude.h

struct rewrite {
    struct text *out;
    const char *directory, *kit;
    const struct bundle *shown; // NULL: keep the name of the copy
};

static int at_word(const char *start, const char *at)
{
    return at == start || !(isalnum((unsigned char)at[-1]) || strchr("_-.", at[-1]));
}

// Returns the length of `folder` plus a slash if the text at `at` starts with `folder` and a slash, else 0.
static size_t folder_length(const char *at, const char *folder)
{
    size_t length = strlen(folder);
    return length && !strncmp(at, folder, length) && at[length] == '/' ? length + 1 : 0;
}

// Returns the length of the "./" before the name COMPILE_SOURCE at `at`, or 0 if no such name begins at `at`. In a file
// name, clang writes one "./" for each nested #include.
static size_t dot_length(const char *at)
{
    size_t length = 0;
    while (at[length] == '.' && at[length + 1] == '/') length += 2;
    return !strncmp(at + length, COMPILE_SOURCE, strlen(COMPILE_SOURCE)) ? length : 0;
}

// Returns the column of the caret that nvcc draws below the message at `at`, or 1 if it draws none. The further lines
// of a message begin with blanks. nvcc indents the source line, and so the caret, by INDENT columns.
static size_t caret_column(const char *at)
{
    enum { INDENT = 2 };
    for (size_t blanks; (at = strchr(at, '\n')) && (blanks = strspn(++at, " ")) >= INDENT;)
        if (at[blanks] == '^' && at[blanks + 1] == '\n') return blanks - INDENT + 1;
    return 1;
}

// Writes the original path of the file whose copy's name ends at `at`. If "(12)" or ":12" follows the name, also writes
// the line number as ":12". Returns the number of bytes read.
static size_t rewrite_place(const struct rewrite *r, const char *at)
{
    const struct bundle *s = r->shown;
    int begins = !r->out->length;
    size_t digits = *at == '(' || *at == ':' ? strspn(at + 1, "0123456789") : 0, closed = *at == '(';
    if (!digits || digits > 9 || (closed && at[digits + 1] != ')')) {
        text_puts(r->out, s->shown);
        return 0;
    }
    uint32_t line = bundle_place(s, (uint32_t)strtoul(at + 1, NULL, 10), r->out);
    text_printf(r->out, ":%u", line);
    if (closed && begins) text_printf(r->out, ":%zu", caret_column(at));
    return 1 + digits + closed;
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
            if (r->shown && !strncmp(at, COMPILE_SOURCE, strlen(COMPILE_SOURCE))) start = at; // the path starts a word
            continue;
        }
        size_t name = strlen(COMPILE_SOURCE);
        if (r->shown && !strncmp(at, COMPILE_SOURCE, name) && at_word(start, at) && !isalnum((unsigned char)at[name])) {
            at += name;
            at += rewrite_place(r, at);
            continue;
        }
        unsigned char c = (unsigned char)*at++;
        if (c >= 32 ? c != 127 : c == '\n' || c == '\t') text_add(r->out, (const char *)&c, 1);
    }
}

// Returns 1 if `line` begins a compiler message that does not help a student. For example, nvcc explains how to silence
// warnings by number, and clang complains that the output file could not be removed.
static int is_noise(const char *line)
{
    static const char remark[] = "Remark: The warnings can be suppressed", removal[] = "clang: error: unable to remove";
    return !strncmp(line, remark, sizeof remark - 1) || !strncmp(line, removal, sizeof removal - 1);
}

// Returns 1 if a line of a compiler's messages equals the previous line in the rewritten messages `out`. Without
// repeats(), the compiler's messages about a source that includes itself would fill pages.
static int repeats(const struct text *out, size_t previous, const char *line, size_t length)
{
    size_t said = out->length - previous;
    return said == length && length && !memcmp(out->data + previous, line, length);
}

void compile_paths_rewrite_messages(struct text *out, const struct text *in, const char *directory, const char *kit,
                                    const struct bundle *shown)
{
    static const char target[] = " when compiling for sm_80.";
    struct text one = {0}; // one line, rewritten
    struct rewrite rewrite = {&one, directory, kit, shown};
    size_t previous = 0; // position in `out` of the last line that was kept
    for (const char *line = in->data; line && *line;) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        const char *tail = strstr(line, target);
        one.length = 0;
        if (is_noise(line)) {
            length += line[length] == '\n'; // skips the empty line after the message, too
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

// Returns 1 if the line begins a section that only debuggers read. The sections for debuggers take a third of the
// image. The section of strings, .debug_str, is kept, because "inlined_at" refers to strings. The sections
// .debug_info, .debug_abbrev and .debug_loc are kept, because they tell where variables are (ptx/debug.c).
static int is_dropped_section(const char *line)
{
    static const char *const kept[] = {"debug_str", "debug_info", "debug_abbrev", "debug_loc"};
    line += strspn(line, " \t");
    if (strncmp(line, ".section", 8) != 0) return 0;
    line += 8 + strspn(line + 8, " \t");
    if (strncmp(line, ".debug_", 7) != 0) return 0;
    size_t length = strcspn(++line, " \t\n");
    for (size_t i = 0; i < sizeof kept / sizeof *kept; ++i)
        if (strlen(kept[i]) == length && !strncmp(line, kept[i], length)) return 0;
    return 1;
}

// Replaces the temporary directory in a line of bytes, ".b8 47,116,…", by dots, so that the image does not depend on
// the directory. The rewritten line has the same number of .b8 values as the old line, because debug sections contain
// offsets into themselves.
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

// Replaces the directive ".maxntid MAXNREG + N, 1, 1" by ".maxnreg N". Returns 1, or 0 if the line does not contain
// such a .maxntid directive.
static int rewrite_limit(struct text *out, const char *line)
{
    static const char threads[] = ".maxntid ";
    if (strncmp(line, threads, sizeof threads - 1) != 0) return 0;
    unsigned long number = strtoul(line + sizeof threads - 1, NULL, 10);
    if (number <= MAXNREG) return 0;
    text_printf(out, ".maxnreg %lu\n", number - MAXNREG);
    return 1;
}

void compile_paths_rewrite_image(struct text *out, const struct text *in, const char *directory, const char *kit)
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
        else if (!rewrite_limit(out, word))
            text_add(out, line, length);
        line += length;
    }
}
