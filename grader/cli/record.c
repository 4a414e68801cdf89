// Reads and writes the student's progress, a JSON file in the student's folder: {"schema": …, "labs": {"lab3": {"best":
// 85, "passed": false, "hints": 1, "attempts": [{"when": …, "points": 85, "passed": false, "speedup": 2.5}]}}}. The
// commands list, next, hint, explain and reference read the progress file. The result of grading does not depend on the
// progress file. A progress file that cannot be read counts as empty. It is not an error if the progress file cannot be
// written.
#define _GNU_SOURCE
#include <jansson.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"
#include "cli/cli.h"
#include "report/json_value.h"
#include "report/page/html.h"
#include "report/report.h"

#define SCHEMA "warpwise-progress/1"

static int file_path(const struct cli_paths *p, char path[CLI_PATH])
{
    return snprintf(path, CLI_PATH, "%s/.progress.json", p->student) < CLI_PATH ? 0 : -1;
}

static json_t *load(const struct cli_paths *p)
{
    char path[CLI_PATH];
    json_t *root = file_path(p, path) ? NULL : json_load_file(path, 0, NULL);
    if (!json_is_object(root) || !json_is_object(json_object_get(root, "labs"))) {
        json_decref(root);
        root = alloc_checked(json_pack("{s:s, s:{}}", "schema", SCHEMA, "labs"));
    }
    return root;
}

static int bounded(const json_t *value, int most)
{
    json_int_t n = json_integer_value(value);
    return n < 0 ? 0 : n > most ? most : (int)n;
}

struct cli_record cli_record_get(const struct cli_paths *p, const struct lab *lab)
{
    json_t *root = load(p), *entry = json_object_get(json_object_get(root, "labs"), lab->name);
    struct cli_record r = {.graded = json_object_get(entry, "best") != NULL,
                           .best = bounded(json_object_get(entry, "best"), 100),
                           .passed = json_is_true(json_object_get(entry, "passed")),
                           .hints = bounded(json_object_get(entry, "hints"), LAB_HINTS),
                           .rung = bounded(json_object_get(entry, "rung"), 99),
                           .rungs = bounded(json_object_get(entry, "rungs"), 99)};
    json_decref(root);
    return r;
}

// Returns the lab's JSON object in the progress file. Creates a missing object.
static json_t *entry_of(json_t *root, const struct lab *lab)
{
    json_t *labs = json_object_get(root, "labs");
    if (!json_is_object(json_object_get(labs, lab->name))) json_object_set_new(labs, lab->name, json_object());
    return json_object_get(labs, lab->name);
}

static void save(const struct cli_paths *p, json_t *root)
{
    char path[CLI_PATH];
    struct text file = {0};
    write_json(root, JSON_INDENT(2) | JSON_SORT_KEYS, &file);
    if (!file_path(p, path)) text_write_file(&file, path, 0666);
    text_free(&file);
}

void cli_record_put(const struct cli_paths *p, const struct lab *lab, const struct cli_record *r)
{
    json_t *root = load(p), *entry = entry_of(root, lab);
    if (r->graded) json_object_set_new(entry, "best", json_integer(r->best));
    if (r->graded) json_object_set_new(entry, "passed", json_boolean(r->passed));
    json_object_set_new(entry, "hints", json_integer(r->hints));
    if (r->rungs) json_object_set_new(entry, "rung", json_integer(r->rung));
    if (r->rungs) json_object_set_new(entry, "rungs", json_integer(r->rungs));
    save(p, root);
}

// ------------------------------------------------------------------------------------------------------------- history
void cli_record_attempt(const struct cli_paths *p, const struct lab *lab, const struct report_attempt *a)
{
    json_t *root = load(p), *entry = entry_of(root, lab), *all = json_object_get(entry, "attempts");
    if (!json_is_array(all)) {
        all = json_array();
        json_object_set_new(entry, "attempts", all);
    }
    json_array_append_new(all, json_pack("{s:s, s:i, s:b, s:f}", "when", a->when, "points", a->total, "passed",
                                         a->passed, "speedup", a->speedup));
    while (json_array_size(all) > CLI_ATTEMPTS) json_array_remove(all, 0);
    save(p, root);
}

uint32_t cli_record_attempts(const struct cli_paths *p, const struct lab *lab, struct report_attempt *a)
{
    json_t *root = load(p),
           *all = json_object_get(json_object_get(json_object_get(root, "labs"), lab->name), "attempts");
    json_t *one;
    size_t i;
    uint32_t n = 0;
    json_array_foreach(all, i, one)
    {
        const char *when = json_string_value(json_object_get(one, "when"));
        if (n == CLI_ATTEMPTS) break;
        a[n] = (struct report_attempt){.total = bounded(json_object_get(one, "points"), 100),
                                       .passed = json_is_true(json_object_get(one, "passed")),
                                       .speedup = json_number_value(json_object_get(one, "speedup"))};
        snprintf(a[n++].when, sizeof a->when, "%s", when ? when : "");
    }
    json_decref(root);
    return n;
}
