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
// A time in submission_metadata.yml may also be a Rails object whose field "utc" contains the text of the time. libyaml
// parses the document. Only the fields submitters, name, sid, email and created_at are read.
#include "batch/gradescope.h"

#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "base/message.h"
#include "batch/timestamp.h"

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
    s->submitter = ARENA_ARRAY(&g->arena, count + 1, struct roster_identity);
    for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; ++i) {
        yaml_node_t *one = yaml_document_get_node(d, *i);
        struct roster_identity *who = &s->submitter[s->submitters++];
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

int gradescope_parse(struct gradescope *g, const char *data, size_t bytes, struct text *why)
{
    yaml_parser_t parser;
    yaml_document_t document;
    *g = (struct gradescope){0};
    if (!yaml_parser_initialize(&parser)) return -1;
    yaml_parser_set_input_string(&parser, (const unsigned char *)data, bytes);
    int loaded = yaml_parser_load(&parser, &document);
    if (!loaded) text_say(why, "line %zu: %s", parser.problem_mark.line + 1, parser.problem ? parser.problem : "?");
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
