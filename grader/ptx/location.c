// Reads positions in the source code from .file and .loc directives (PTX ISA 11.5). A .loc directive becomes an entry
// of module.loc only when an instruction follows it. Equal source positions share an entry of module.loc. The attribute
// `inlined_at` of a .loc directive names the file, line and column of the call that the compiler inlined. An inlined
// call may itself be in code that was inlined. For an inlined call at a position P, the parser therefore looks in the
// same PTX function for the last earlier .loc directive with the position P. If the .loc directive with the position of
// an inlined call also has an attribute `inlined_at`, this attribute names the call that encloses the inlined call.
#include "ptx/parser.h"

#include <string.h>

enum { MOST_FILES = 65536, LINE_MOST = 1 << 24, DEEPEST_INLINING = 256, KEY_WORDS = 4 };

static uint32_t small_number(struct parser *p, const char *what)
{
    return (uint32_t)parser_unsigned(p, UINT32_MAX, what);
}

// Returns the value that `map` has for `key`, an array of numbers that takes `bytes` bytes. If the key is new, stores
// `made` as the key's value and returns -1.
static int find_or_add(struct parser *p, struct hash_map *map, const uint32_t *key, size_t bytes, int made)
{
    int found = hash_map_get(map, (const char *)key, bytes);
    if (found >= 0) return found;
    char *kept = (char *)(uintptr_t)parser_name(p, (const char *)key, bytes);
    hash_map_put(map, kept, bytes, made);
    return -1;
}

static uint32_t place_add(struct parser *p, struct place place)
{
    uint32_t key[] = {place.file, place.line, place.column};
    int made = (int)p->place.count;
    int latest = find_or_add(p, &p->place_by_position, key, sizeof key, made);
    if (latest > 0) {
        struct place *same = AT(p->place, struct place, latest);
        if (same->inlined_at == place.inlined_at) return (uint32_t)latest;
        hash_map_put(&p->place_by_position, parser_name(p, (const char *)key, sizeof key), sizeof key, made);
    }
    *(struct place *)parser_push(p, &p->place, sizeof place) = place;
    return (uint32_t)made;
}

static uint32_t place_at(struct parser *p, const struct place *position)
{
    uint32_t key[] = {position->file, position->line, position->column};
    int latest = hash_map_get(&p->place_by_position, (const char *)key, sizeof key);
    return latest > 0 ? (uint32_t)latest : place_add(p, *position);
}

static int take_word(struct parser *p, const char *word)
{
    if (p->tok.kind != TOKEN_WORD || p->tok.length != strlen(word) || memcmp(p->tok.text, word, p->tok.length))
        return 0;
    parser_next(p);
    return 1;
}

static void position(struct parser *p, struct place *place)
{
    place->text_line = p->tok.line;
    place->text_column = p->tok.column;
    place->file = small_number(p, "a file's number");
    place->line = small_number(p, "a line");
    // #line directives can produce any line number; the wire protocol accepts at most LINE_MOST.
    if (place->line > LINE_MOST) place->line = 0;
    place->column = p->tok.kind == TOKEN_NUMBER ? small_number(p, "a column") : 0;
}

// Reads the rest of a .loc directive. The parser must be at the token after `.loc`.
void location_loc(struct parser *p)
{
    struct place here = {0}, caller = {0};
    position(p, &here);
    int inlined = 0;
    while (parser_take(p, ',')) {
        if (take_word(p, "function_name")) {
            parser_word(p, "a label");
            if (parser_take(p, '+')) small_number(p, "an offset");
        } else if (take_word(p, "inlined_at")) {
            inlined = 1;
            position(p, &caller);
        } else {
            parser_fail_at(p, p->tok, "expected 'function_name' or 'inlined_at'");
        }
    }
    if (inlined) {
        here.inlined_at = place_at(p, &caller);
        here.depth = AT(p->place, struct place, here.inlined_at)->depth + 1;
        if (here.depth > DEEPEST_INLINING)
            parser_fail(p, here.text_line, here.text_column, "more than %d calls inlined within each other",
                        DEEPEST_INLINING);
    }
    p->current_place = p->depth ? place_add(p, here) : 0;
}

// Reads what follows `.file` in a .file directive: number "path" {, time, size}. In some .file directives, the path is
// two strings: the name of the folder and the path inside the folder.
void location_file(struct parser *p)
{
    struct token t = p->tok;
    uint64_t number = parser_unsigned(p, MOST_FILES - 1, "a file's number");
    struct token name = p->tok;
    if (!parser_take(p, TOKEN_STRING)) parser_fail_at(p, p->tok, "expected a file's name in quotes");
    struct token second = p->tok;
    const char *path = parser_name(p, name.text, name.length);
    if (parser_take(p, TOKEN_STRING)) {
        char *joined = parser_alloc(p, (size_t)name.length + second.length + 2, 1);
        memcpy(joined, name.text, name.length);
        joined[name.length] = '/';
        memcpy(joined + name.length + 1, second.text, second.length);
        path = joined;
    }
    while (parser_take(p, ',')) parser_unsigned(p, UINT64_MAX, "a time or size");
    while (p->file.count <= number) parser_push(p, &p->file, sizeof path);
    const char **slot = AT(p->file, const char *, number);
    if (*slot && strcmp(*slot, path)) parser_fail_at(p, t, "file %u is declared twice", (unsigned)number);
    *slot = path;
}

void location_start(struct parser *p)
{
    hash_map_free(&p->place_by_position);
    p->place.count = 0;
    parser_push(p, &p->place, sizeof(struct place));
    p->current_place = 0;
}

uint32_t location_line(struct parser *p)
{
    uint32_t i = p->current_place;
    while (i && AT(p->place, struct place, i)->inlined_at) i = AT(p->place, struct place, i)->inlined_at;
    return i ? AT(p->place, struct place, i)->line : 0;
}

uint32_t location_here(struct parser *p)
{
    uint32_t chain[DEEPEST_INLINING + 1], n = 0;
    for (uint32_t i = p->current_place; i && !AT(p->place, struct place, i)->loc;
         i = AT(p->place, struct place, i)->inlined_at)
        chain[n++] = i;
    while (n--) {
        struct place *place = AT(p->place, struct place, chain[n]);
        uint32_t caller = place->inlined_at ? AT(p->place, struct place, place->inlined_at)->loc : 0;
        uint32_t key[KEY_WORDS] = {place->file, place->line, place->column, caller};
        int made = (int)p->loc.count;
        int known = find_or_add(p, &p->loc_by_value, key, sizeof key, made);
        if (known < 0) {
            *(struct ptx_loc *)parser_push(p, &p->loc, sizeof(struct ptx_loc)) =
                (struct ptx_loc){place->file, place->line, place->column, caller};
            *(struct place *)parser_push(p, &p->loc_at, sizeof *place) = *place;
        }
        place->loc = (uint32_t)(known < 0 ? made : known);
    }
    return p->current_place ? AT(p->place, struct place, p->current_place)->loc : 0;
}
