// Reads the file submission_metadata.yml of a Gradescope export. The file submission_metadata.yml is YAML whose keys
// are Ruby symbols, such as ":name:".
//
//   submission_1234:
//     :submitters:
//     - :name: Jane Doe
//       :sid: '42'
//       :email: jane@example.org
//     :created_at: 2026-10-01 12:34:56.789 Z
//
// A time in submission_metadata.yml may also be a Rails object whose field "utc" contains the text of the time. The
// library libyaml parses the document. Only the fields submitters, name, sid, email and created_at are read.
#include "batch/unpack/gradescope.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <yaml.h>

#include "base/message.h"
#include "base/text.h"
#include "batch/unpack/timestamp.h"
#include "batch/unpack/unpack.h"

enum { MEMBERS = 256, LIST_MOST = 64 << 20 }; // most members of a group; most bytes of records

static const char *scalar(const yaml_node_t *n)
{
    return n && n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : "";
}

// Returns the value of `key` in a YAML map, or NULL if the map has no such key. In submission_metadata.yml, a key may
// begin with the colon of a Ruby symbol.
static yaml_node_t *get(yaml_document_t *d, const yaml_node_t *map, const char *key)
{
    if (!map || map->type != YAML_MAPPING_NODE) return NULL;
    for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; ++p) {
        const char *name = scalar(yaml_document_get_node(d, p->key));
        if (!strcmp(name + (*name == ':'), key)) return yaml_document_get_node(d, p->value);
    }
    return NULL;
}

static void take_submitters(struct gradescope *g, yaml_document_t *d, const yaml_node_t *list,
                            struct gradescope_submission *s)
{
    if (!list || list->type != YAML_SEQUENCE_NODE) return;
    size_t count = (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
    s->submitter = ARENA_ARRAY(&g->arena, count + 1, struct identity);
    for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; ++i) {
        yaml_node_t *one = yaml_document_get_node(d, *i);
        struct identity *who = &s->submitter[s->submitters++];
        snprintf(who->name, sizeof who->name, "%s", scalar(get(d, one, "name")));
        snprintf(who->sis, sizeof who->sis, "%s", scalar(get(d, one, "sid")));
        snprintf(who->email, sizeof who->email, "%s", scalar(get(d, one, "email")));
    }
}

static void take_all(struct gradescope *g, yaml_document_t *d, const yaml_node_t *root)
{
    size_t count = (size_t)(root->data.mapping.pairs.top - root->data.mapping.pairs.start);
    g->submission = ARENA_ARRAY(&g->arena, count + 1, struct gradescope_submission);
    for (yaml_node_pair_t *p = root->data.mapping.pairs.start; p < root->data.mapping.pairs.top; ++p) {
        const char *folder = scalar(yaml_document_get_node(d, p->key));
        yaml_node_t *of = yaml_document_get_node(d, p->value);
        struct gradescope_submission *s = &g->submission[g->count++];
        s->folder = arena_strndup(&g->arena, folder, strlen(folder));
        take_submitters(g, d, get(d, of, "submitters"), s);
        const yaml_node_t *created = get(d, of, "created_at"), *utc = get(d, created, "utc");
        if (timestamp_parse(scalar(utc ? utc : created), &s->created)) s->created = 0;
    }
}

// Says where a text is no YAML, and what to do. The library's own words about an anchor that is defined twice name only
// the second place.
static void explain(const yaml_parser_t *parser, struct text *why)
{
    size_t line = parser->problem_mark.line + 1, first = parser->context_mark.line + 1;
    const char *problem = parser->problem ? parser->problem : "?";
    if (parser->error == YAML_COMPOSER_ERROR && parser->context && strstr(parser->context, "anchor"))
        text_say(why,
                 "lines %zu and %zu define the same anchor ('&' and a name): give one of them another name, or export "
                 "the submissions again",
                 first, line);
    else
        text_say(why, "line %zu: %s", line, problem);
}

int gradescope_parse(struct gradescope *g, const char *data, size_t bytes, struct text *why)
{
    yaml_parser_t parser;
    yaml_document_t document;
    *g = (struct gradescope){0};
    if (!yaml_parser_initialize(&parser)) return -1;
    yaml_parser_set_input_string(&parser, (const unsigned char *)data, bytes);
    int loaded = yaml_parser_load(&parser, &document);
    if (!loaded) explain(&parser, why);
    const yaml_node_t *root = loaded ? yaml_document_get_root_node(&document) : NULL;
    int fits = root && root->type == YAML_MAPPING_NODE;
    if (fits)
        take_all(g, &document, root);
    else if (loaded)
        text_puts(why, _("it is no list of submissions"));
    if (loaded) yaml_document_delete(&document);
    yaml_parser_delete(&parser);
    return fits ? 0 : -1;
}

// ----------------------------------------------------------------------------------------------------------- in a box
void unpack_list(const char *data, size_t bytes)
{
    struct gradescope g;
    struct text why = {0};
    if (gradescope_parse(&g, data, bytes, &why))
        unpack_put(&(struct unpack_record){.kind = UNPACK_REFUSED, .data = why.data, .bytes = why.length});
    for (uint32_t i = 0; i < g.count; ++i) {
        const struct gradescope_submission *s = &g.submission[i];
        unpack_put(&(struct unpack_record){.kind = UNPACK_SUBMISSION,
                                           .path = (char *)(uintptr_t)s->folder,
                                           .time = s->created,
                                           .number = s->submitters});
        for (uint32_t k = 0; k < s->submitters; ++k) {
            const struct identity *who = &s->submitter[k];
            struct text t = {0};
            text_add(&t, who->name, strlen(who->name) + 1);
            text_add(&t, who->sis, strlen(who->sis) + 1);
            text_add(&t, who->email, strlen(who->email) + 1);
            unpack_put(&(struct unpack_record){.kind = UNPACK_SUBMITTER, .data = t.data, .bytes = t.length});
            text_free(&t);
        }
    }
    unpack_put(&(struct unpack_record){.kind = UNPACK_END});
}

struct reading {
    struct gradescope *list;
    uint32_t room, members;
    struct text *why;
    int failed;
};

static void take_member(struct gradescope_submission *s, const struct unpack_record *r)
{
    struct identity *who = &s->submitter[s->submitters++];
    const char *field[3] = {"", "", ""}, *at = r->data, *end = r->data + r->bytes;
    for (int i = 0; i < 3 && at < end && memchr(at, 0, (size_t)(end - at)); ++i, at += strlen(at) + 1) field[i] = at;
    snprintf(who->name, sizeof who->name, "%s", field[0]);
    snprintf(who->sis, sizeof who->sis, "%s", field[1]);
    snprintf(who->email, sizeof who->email, "%s", field[2]);
}

static void take_record(void *data, const struct unpack_record *r)
{
    struct reading *x = data;
    struct gradescope *g = x->list;
    if (r->kind == UNPACK_REFUSED && !x->failed++) text_add(x->why, r->data, r->bytes);
    if (r->kind == UNPACK_SUBMITTER && g->count && g->submission[g->count - 1].submitters < x->members)
        take_member(&g->submission[g->count - 1], r);
    if (r->kind != UNPACK_SUBMISSION) return;
    if (g->count == x->room) {
        struct gradescope_submission *grown =
            ARENA_ARRAY(&g->arena, x->room ? 2 * x->room : 64, struct gradescope_submission);
        if (g->count) memcpy(grown, g->submission, g->count * sizeof *grown);
        x->room = x->room ? 2 * x->room : 64;
        g->submission = grown;
    }
    x->members = r->number < MEMBERS ? (uint32_t)r->number : MEMBERS;
    g->submission[g->count++] =
        (struct gradescope_submission){.folder = arena_strndup(&g->arena, r->path, strlen(r->path)),
                                       .created = r->time,
                                       .submitter = ARENA_ARRAY(&g->arena, x->members + 1, struct identity)};
}

int gradescope_read(struct gradescope *g, const char *data, size_t bytes, struct text *why)
{
    struct reading x = {.list = g, .why = why};
    *g = (struct gradescope){0};
    struct unpack_request r = {
        .kind = "list", .input = unpack_input(data, bytes), .input_bytes = bytes, .output = LIST_MOST};
    int answer = unpack_run(&r, take_record, &x, why);
    close(r.input);
    return answer || x.failed ? -1 : 0;
}

const struct gradescope_submission *gradescope_find(const struct gradescope *g, const char *folder)
{
    for (uint32_t i = 0; i < g->count; ++i)
        if (!strcmp(g->submission[i].folder, folder)) return &g->submission[i];
    return NULL;
}

void gradescope_free(struct gradescope *g)
{
    arena_free(&g->arena);
    *g = (struct gradescope){0};
}
