// Keeps the course's rules in the gradebook; rules.h states the contracts.
#define _GNU_SOURCE
#include "batch/book/rules.h"

#include <jansson.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "batch/book/sql.h"
#include "batch/unpack/timestamp.h"

enum { FILE_MOST = 16 << 20 };

static void take(struct rules *r, const char *text, size_t bytes)
{
    text_add(&r->text, text, bytes);
    SHA256Data((const uint8_t *)text, bytes, r->hash);
}

int rules_read(struct rules *r, const char *path)
{
    char *real = realpath(path, NULL);
    struct text text = {0};
    *r = (struct rules){.at = 0};
    snprintf(r->path, sizeof r->path, "%s", real ? real : path);
    free(real);
    int error = text_read_file(&text, path, FILE_MOST);
    if (!error) take(r, text.data ? text.data : "", text.length);
    text_free(&text);
    return error;
}

int rules_get(struct gradebook *b, struct rules *r)
{
    *r = (struct rules){.at = 0};
    sqlite3_stmt *s = sql_ask(b, "", "SELECT path, text, at FROM rules ORDER BY id DESC LIMIT 1");
    while (sql_row(b, s)) {
        snprintf(r->path, sizeof r->path, "%s", sql_text(s, 0));
        take(r, sql_text(s, 1), strlen(sql_text(s, 1)));
        r->at = sql_int(s, 2);
    }
    return r->at || gradebook_get(b, "course", r->path, sizeof r->path);
}

void rules_put(struct gradebook *b, const struct rules *r)
{
    sql_do(b, "ttti", "INSERT OR REPLACE INTO rules (id, path, hash, text, at) VALUES (1, ?, ?, ?, ?)", r->path,
           r->hash, r->text.data ? r->text.data : "", timestamp_now());
    gradebook_set(b, "course", r->path);
}

int rules_forget(struct gradebook *b, const char *const *names)
{
    struct rules old, fresh = {.at = 0};
    int found = 0;
    rules_get(b, &old);
    json_t *root = json_loadb(old.text.data ? old.text.data : "", old.text.length, 0, NULL), *value;
    json_t *all = json_object_get(root, "extensions");
    const char *key;
    void *next;
    json_object_foreach_safe(all, next, key, value)
    {
        int theirs = 0;
        for (int i = 0; names[i]; ++i) theirs |= *names[i] && !strcasecmp(names[i], key);
        if (theirs) json_object_del(all, key);
        found |= theirs;
    }
    if (found) {
        char *text = json_dumps(root, JSON_INDENT(2));
        snprintf(fresh.path, sizeof fresh.path, "%s", old.path);
        take(&fresh, text, strlen(text));
        rules_put(b, &fresh);
        free(text);
    }
    json_decref(root);
    rules_free(&old);
    rules_free(&fresh);
    return found;
}

void rules_free(struct rules *r)
{
    text_free(&r->text);
}
