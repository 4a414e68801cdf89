// The list's form, line by line: '#' begins a comment, "because …" gives the reason of the lines below it, and any
// other line is a mutant: PATH OPERATOR LABEL.
#include "equivalent.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/text.h"

enum { LIST_MOST = 1 << 20 };

// Cuts the word at the front off; what follows it.
static char *cut(char *at)
{
    at += strcspn(at, " ");
    if (!*at) return at;
    *at = '\0';
    return at + 1 + strspn(at + 1, " ");
}

void equivalent_read(struct equivalents *list, const char *path)
{
    *list = (struct equivalents){.path = path};
    int error = text_read_file(&list->text, path, LIST_MOST);
    if (error) die("cannot read '%s': %s", path, strerror(error));
    text_add(&list->text, "", 1);
    list->item = calloc(list->text.length, sizeof *list->item);
    if (!list->item) die("out of memory");
    const char *reason = NULL;
    char *at = list->text.data;
    for (uint32_t line = 1; *at; ++line) {
        size_t length = strcspn(at, "\n");
        char *next = at + length + (at[length] == '\n');
        at[length] = '\0';
        if (!strncmp(at, "because ", 8)) {
            reason = at;
        } else if (*at && *at != '#') {
            struct equivalent *e = &list->item[list->count++];
            char *by = cut(at), *label = cut(by);
            if (!*by || !*label || !reason) die("%s:%u: this is not a reason and not a mutant", path, line);
            *e = (struct equivalent){.path = at, .by = by, .label = label, .reason = reason, .line = line};
        }
        at = next;
    }
}

struct equivalent *equivalent_find(const struct equivalents *list, const char *path, const char *by, const char *label)
{
    for (uint32_t i = 0; i < list->count; ++i) {
        struct equivalent *e = &list->item[i];
        if (!strcmp(e->path, path) && !strcmp(e->by, by) && !strcmp(e->label, label)) return e;
    }
    return NULL;
}

void equivalent_free(struct equivalents *list)
{
    text_free(&list->text);
    free(list->item);
}
