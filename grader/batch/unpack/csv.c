// Parses CSV in one pass over the text. A quoted cell may contain separators, line ends and doubled quotes. A class
// list comes from a course system, and students chose the names in it, so csv_read() parses it in a sandbox.
#include "batch/unpack/csv.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/encoding.h"
#include "base/message.h"
#include "base/text.h"
#include "batch/unpack/unpack.h"

enum { TABLE_MOST = 64 << 20 }; // most bytes of records

struct parser {
    struct csv *csv;
    const char *at, *end;
    char separator;
    uint32_t rows; // number of allocated rows
    const char **cell;
    uint32_t cells, room;
};

static char find_separator(const char *data, size_t bytes)
{
    static const char sign[] = ",;\t|";
    uint32_t count[sizeof sign] = {0}, best = 0;
    for (size_t i = 0; i < bytes && data[i] != '\n'; ++i) {
        const char *found = data[i] ? strchr(sign, data[i]) : NULL;
        if (found) ++count[found - sign];
    }
    for (uint32_t i = 1; sign[i]; ++i)
        if (count[i] > count[best]) best = i;
    return sign[best];
}

// Returns the length of a first line "sep=;", by which Excel learns the separator, or 0 if there is no such line.
static size_t separator_line(const char *data, size_t bytes)
{
    const char *end = memchr(data, '\n', bytes);
    size_t length = end ? (size_t)(end - data) : 0;
    if (length && data[length - 1] == '\r') --length;
    return length == 5 && !strncasecmp(data, "sep=", 4) ? (size_t)(end - data) + 1 : 0;
}

static void add_cell(struct parser *p, const struct text *t)
{
    if (p->cells == CSV_CELLS) return;
    if (p->cells == p->room) {
        const char **grown = ARENA_ARRAY(&p->csv->arena, p->room ? p->room * 2 : 16, const char *);
        if (p->cells) memcpy(grown, p->cell, p->cells * sizeof *grown);
        p->room = p->room ? p->room * 2 : 16;
        p->cell = grown;
    }
    p->cell[p->cells++] = arena_strndup(&p->csv->arena, t->data ? t->data : "", t->length);
}

static void add_row(struct parser *p)
{
    struct csv *c = p->csv;
    int empty = p->cells == 1 && !p->cell[0][0];
    if (!empty && c->count == p->rows) {
        struct csv_row *grown = ARENA_ARRAY(&c->arena, p->rows ? p->rows * 2 : 64, struct csv_row);
        if (c->count) memcpy(grown, c->row, c->count * sizeof *grown);
        p->rows = p->rows ? p->rows * 2 : 64;
        c->row = grown;
    }
    if (!empty) c->row[c->count++] = (struct csv_row){p->cell, p->cells};
    p->cell = NULL;
    p->cells = p->room = 0;
}

static void read_cell(struct parser *p, struct text *t)
{
    t->length = 0;
    int quoted = p->at < p->end && *p->at == '"';
    if (quoted) ++p->at;
    for (; p->at < p->end; ++p->at) {
        if (quoted && *p->at == '"') {
            quoted = p->at + 1 < p->end && p->at[1] == '"';
            if (!quoted) continue;
            ++p->at;
        } else if (!quoted && (*p->at == p->separator || *p->at == '\n')) {
            return;
        }
        if (quoted || *p->at != '\r') text_add(t, p->at, 1);
    }
}

void csv_parse(struct csv *c, const char *data, size_t bytes)
{
    if (bytes >= 3 && !memcmp(data, "\xef\xbb\xbf", 3)) data += 3, bytes -= 3;
    size_t named = separator_line(data, bytes);
    struct parser p = {c, data + named, data + bytes, named ? data[4] : find_separator(data, bytes), 0, NULL, 0, 0};
    struct text t = {0};
    *c = (struct csv){0};
    while (p.at < p.end) {
        read_cell(&p, &t);
        add_cell(&p, &t);
        char stop = p.at < p.end ? *p.at++ : '\n';
        if (stop == '\n') add_row(&p);
        if (stop != '\n' && p.at == p.end) { // the text ends with a separator, so an empty cell follows
            t.length = 0;
            add_cell(&p, &t);
            add_row(&p);
        }
    }
    text_free(&t);
}

// Returns the byte order mark that belongs before a text in UTF-16 without a mark, or NULL if the text is no UTF-16. A
// table has separators and line ends in ASCII. One byte of such a character is NUL, always
// the same one. A syllable such as U+C900 has a NUL in its other byte, but there are fewer of these.
static const char *missing_mark(const struct text *t)
{
    size_t zeros[2] = {0};
    for (size_t i = 0; i < t->length; ++i) zeros[i % 2] += !t->data[i];
    if (t->length % 2 || zeros[0] == zeros[1]) return NULL;
    return zeros[1] > zeros[0] ? "\xff\xfe" : "\xfe\xff";
}

int csv_to_utf8(struct text *t, struct text *why)
{
    static const char zip[] = "PK\3\4", old[] = "\xd0\xcf\x11\xe0"; // .xlsx and .ods; .xls
    if (t->length > 4 && (!memcmp(t->data, zip, 4) || !memcmp(t->data, old, 4))) {
        text_puts(why, _("this is an Excel workbook: save it as CSV, and name that file"));
        return -1;
    }
    const char *mark = t->length ? missing_mark(t) : NULL;
    if (mark) {
        struct text marked = {0};
        text_add(&marked, mark, 2);
        text_add(&marked, t->data, t->length);
        text_free(t);
        *t = marked;
    }
    encoding_to_utf8(t);
    return 0;
}

// ----------------------------------------------------------------------------------------------------------- in a box
void unpack_table(const char *data, size_t bytes)
{
    struct text text = {0}, row = {0};
    struct csv csv;
    text_add(&text, data, bytes);
    encoding_to_utf8(&text);
    csv_parse(&csv, text.data ? text.data : "", text.length);
    for (uint32_t i = 0; i < csv.count; ++i) {
        row.length = 0;
        for (uint32_t k = 0; k < csv.row[i].count; ++k)
            text_add(&row, csv.row[i].cell[k], strlen(csv.row[i].cell[k]) + 1);
        unpack_put(&(struct unpack_record){.kind = UNPACK_ROW, .data = row.data, .bytes = row.length});
    }
    unpack_put(&(struct unpack_record){.kind = UNPACK_END});
}

struct reading {
    struct parser parser;
    int failed;
};

static void take_row(void *data, const struct unpack_record *r)
{
    struct reading *x = data;
    if (r->kind != UNPACK_ROW) return;
    x->failed |= x->parser.csv->count == CSV_ROWS;
    if (x->failed) return;
    for (const char *at = r->data, *end = at + r->bytes, *next;; at = next + 1) {
        next = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
        if (!next) break;
        add_cell(&x->parser, &(struct text){.data = (char *)(uintptr_t)at, .length = (size_t)(next - at)});
    }
    if (x->parser.cells) add_row(&x->parser);
}

int csv_read(struct csv *c, const char *data, size_t bytes, struct text *why)
{
    struct reading x = {.parser = {.csv = c}};
    *c = (struct csv){0};
    struct unpack_request r = {
        .kind = "table", .input = unpack_input(data, bytes), .input_bytes = bytes, .output = TABLE_MOST};
    int answer = unpack_run(&r, take_row, &x, why);
    close(r.input);
    if (x.failed) text_say(why, "it has more than %d lines", CSV_ROWS);
    return answer || x.failed ? -1 : 0;
}
