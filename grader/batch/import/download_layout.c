// Finds out how a download is laid out, before its sources are looked at.
#define _GNU_SOURCE
#include "batch/import/download_layout.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "batch/import/assignment.h"
#include "batch/import/person.h"
#include "batch/unpack/names.h"

// Returns the length of the folder name at offset `from`, with its '/', if all paths have this folder in common. Only
// the paths of sources, of git clones, and of other files that lie in folders are compared. Returns 0 if the paths have
// no folder at offset `from` in common.
size_t download_layout_common(const struct reading *r, size_t from)
{
    const struct tree *t = &r->tree;
    const char *first = t->count ? t->file[0].path : t->clones ? t->clone[0].path : "";
    const char *slash = strlen(first) > from ? strchr(first + from, '/') : NULL;
    if (!slash) return 0;
    size_t n = (size_t)(slash + 1 - first);
    for (uint32_t i = 0; i < t->count; ++i)
        if (strncmp(t->file[i].path, first, n) != 0) return 0;
    for (uint32_t i = 0; i < t->others; ++i)
        if (strlen(t->other[i]) > from && strchr(t->other[i] + from, '/') && strncmp(t->other[i], first, n) != 0)
            return 0;
    for (uint32_t i = 0; i < t->clones; ++i) // a clone itself is an author's
        if (strncmp(t->clone[i].path, first, n) != 0 || !t->clone[i].path[n]) return 0;
    return n - from;
}

// Finds the folder, if there is one, that all paths have in common at offset `from` and that does not name an author.
// Returns the length of the folder's name with its '/', or 0 if there is no folder that all paths share or if the
// folder names an author. A folder that contains all files of an archive usually exists because of the way the archive
// was packed. A folder that contains all files names a student only if nothing else in the paths names a student. If a
// folder directly contains at least two sources, and each source's file name contains an author, the folder's name is
// not taken as a student's name. `within` is 1 if the folder is inside another folder that names no author. If `within`
// is 1, the folder is taken as a student's name unless it directly contains at least two sources whose file names all
// contain authors. The name of an archive inside a folder is taken as a student's name, because the archive is what one
// student handed in. In an archive on the command line, a common folder that contains only one folder is taken as a
// student's folder, because the student packed the archive.
static size_t wrap_length(struct reading *r, size_t from, int within)
{
    const struct tree *t = &r->tree;
    char first[PART_BYTES], part[PART_BYTES], own[PART_BYTES], below[PART_BYTES] = "";
    struct candidate c = {.file = NULL};
    const struct lab *lab;
    const char *name = NULL;
    size_t n = download_layout_common(r, from);
    int several = !t->time;
    if (!n || r->single || r->in->students) return 0;
    part_next((t->count ? t->file[0].path : t->clone[0].path) + from, first);
    uint32_t named = 0, nameless = 0, deeper = !within;
    for (uint32_t i = 0; i < t->count; ++i) {
        const char *rest = t->file[i].path + from + n;
        int folder = part_next(rest, part) != NULL;
        if (folder && !*below) memcpy(below, part, sizeof below);
        several |= reading_system(r, part, &c, &name, &lab) || !strcmp(part, GRADESCOPE_LIST) ||
                   (folder && strcmp(below, part));
        if (folder || reading_system(r, part, &c, &name, &lab) || !strcmp(part, GRADESCOPE_LIST)) continue;
        names_author(part, own, sizeof own);
        if (strncmp(part, "main", 4) != 0) ++*(*own || person_is_known(r->in->roster, part) ? &named : &nameless);
        deeper = 0;
    }
    names_author(r->base, own, sizeof own);
    if (tree_is_archive(first) || reading_system(r, first, &c, &name, &lab) || person_is_known(r->in->roster, first))
        return 0;
    int packing = !within && (!strcmp(first, own) || assignment_of_part(first, &lab));
    return (deeper && several) || packing || (named > 1 && !nameless) ? n : 0;
}

static void find_wrap(struct reading *r)
{
    size_t n = r->prefix, outer = wrap_length(r, n, 0);
    n += outer;
    if (outer && !r->prefix) n += wrap_length(r, n, 1);
    r->wrap = "";
    if (n && r->tree.count + r->tree.clones)
        r->wrap =
            arena_printf(&r->tree.arena, "%.*s", (int)n, r->tree.count ? r->tree.file[0].path : r->tree.clone[0].path);
    else if (n)
        r->wrap = arena_printf(&r->tree.arena, "%s/", part_last(r->path));
}

// ------------------------------------------------------------------------------------------------------------ sections
// Returns the lab that a source is for, by its own name and contents, or NULL.
static const struct lab *lab_of(const struct reading *r, const struct tree_file *f)
{
    const struct lab *misnamed;
    int rank;
    return assignment_find(r->in, f, part_last(f->path), NULL, &rank, &misnamed);
}

enum { PATTERN = 2 * TREE_DEPTH + 2 };

// Writes the pattern of --students that makes the part behind `levels` folders a student's.
static void put_pattern(char pattern[PATTERN], int levels)
{
    int n = 0;
    for (int i = 0; i < levels && i < TREE_DEPTH; ++i) n += snprintf(pattern + n, (size_t)(PATTERN - n), "*/");
    snprintf(pattern + n, (size_t)(PATTERN - n), "*");
}

static int levels_of(const char *path)
{
    int levels = 0;
    for (; *path; ++path) levels += *path == '/';
    return levels;
}

// Adds a note about a folder that is one student's or a part of the class, with the option that decides.
static void note_unclear(struct reading *r, const struct section_folder *f)
{
    char shown[READING_PATH], own[PATTERN], inner[PATTERN];
    int levels = levels_of(r->wrap + r->prefix) + levels_of(f->path);
    struct text path = {0};
    text_printf(&path, "%s%s", r->wrap, f->path);
    reading_shown(r, path.data, shown);
    put_pattern(own, levels);
    put_pattern(inner, levels + 1);
    const char *first = f->example[0] ? f->example[0] : f->label, *second = f->example[1] ? f->example[1] : "…";
    text_say(&r->in->notes,
             "'%s' is one student's folder, or it holds several students' ('%s', '%s'), so nothing in it is taken: say "
             "--students '%s' or --students '%s'\n",
             shown, first, second, own, inner);
    text_free(&path);
}

static void find_sections(struct reading *r)
{
    const struct tree *t = &r->tree;
    const struct roster *roster = r->in->roster;
    struct section *s = &r->section;
    if (r->single || r->in->students) return;
    for (uint32_t i = 0; i < t->count; ++i) {
        const char *path = reading_unwrapped(r, t->file[i].path);
        if (!strcmp(part_last(path), GRADESCOPE_LIST)) continue;
        section_add(s, roster, path, 1);
        section_add_source(s, roster, path, lab_of(r, &t->file[i]));
        r->nbgrader |= !strncmp(path, "submitted/", 10);
    }
    for (uint32_t i = 0; i < t->others; ++i) section_add(s, roster, reading_unwrapped(r, t->other[i]), 0);
    for (uint32_t i = 0; i < t->clones; ++i) {
        section_add(s, roster, reading_unwrapped(r, t->clone[i].path), 0);
        section_add_source(s, roster, reading_unwrapped(r, t->clone[i].path), NULL);
    }
    section_decide(s, roster);
    for (uint32_t i = 0; i < s->count && !r->unclear; ++i)
        if (s->folder[i].kind == SECTION_UNCLEAR) note_unclear(r, &s->folder[i]);
}

// --------------------------------------------------------------------------------------------- the name that was typed
// Writes the student whose name `typed` is, a file or folder that the command line names, to `who`. Returns 1, or 0 if
// `typed` is no student's name: no course system made it, and the roster does not contain it. If the user typed "." for
// the current folder, the folder's own name does not count as a student's.
static int is_owner(const struct reading *r, const char *typed, struct identity *who)
{
    char own[PART_BYTES];
    const char *file = "";
    struct candidate c = {.file = NULL};
    const struct lab *lab;
    names_author(typed, own, sizeof own);
    if (reading_system(r, typed, &c, &file, &lab)) {
        *who = c.who;
        return 1;
    }
    *who = (struct identity){0};
    snprintf(who->name, sizeof who->name, "%s", person_is_known(r->in->roster, typed) ? typed : own);
    return *own && person_is_known(r->in->roster, who->name);
}

static int is_other(const struct roster *roster, const struct identity *a, const struct identity *b)
{
    const struct roster_student *of_a[ROSTER_MEMBERS], *of_b[ROSTER_MEMBERS];
    char one[ROSTER_LABEL], other[ROSTER_LABEL];
    roster_label(a, one);
    roster_label(b, other);
    if (!strcmp(one, other)) return 0;
    return !roster || !roster_members(roster, a, of_a) || !roster_members(roster, b, of_b) || of_a[0] != of_b[0];
}

// Returns 1 if a part of a path below the command line's is the name of another student than `owner`. Writes the path
// up to this part to `other`. Of a file that lies in a folder, only the folders count.
static int names_other(const struct reading *r, const char *path, const struct identity *owner,
                       char other[READING_PATH])
{
    char part[PART_BYTES];
    int depth = 0;
    for (const char *at = path, *next; at && depth < 3; at = next) {
        struct identity who;
        struct download_name d;
        next = part_next(at, part);
        if (next && assignment_of_part(part, &(const struct lab *){NULL})) continue;
        if (!next && depth) return 0;
        ++depth;
        int system = person_in_download(r->in->roster, part, &d);
        if (system)
            who = d.who;
        else
            person_in_part(r->in->roster, part, &who);
        if (!system && !person_is_known(r->in->roster, who.name)) continue;
        if (!is_other(r->in->roster, &who, owner)) continue;
        snprintf(other, READING_PATH, "%.*s", (int)(at - path + (ptrdiff_t)strcspn(at, "/")), path);
        return 1;
    }
    return 0;
}

// Returns 1 if the sources below a folder or archive that has a student's name may be other students'. Writes the path
// of such a part to `other`.
static int may_be_class(const struct reading *r, const struct identity *owner, char other[READING_PATH])
{
    const struct tree *t = &r->tree;
    struct section all = {0};
    int found = 0;
    for (uint32_t i = 0; i < t->count && !found; ++i) {
        const char *path = t->file[i].path + r->prefix;
        found = !strcmp(path, GRADESCOPE_LIST) || names_other(r, path, owner, other);
        if (!strcmp(path, GRADESCOPE_LIST)) snprintf(other, READING_PATH, "%s", GRADESCOPE_LIST);
        const char *below = arena_printf(&all.arena, "./%s", path);
        section_add_source(&all, r->in->roster, below, lab_of(r, &t->file[i]));
    }
    for (uint32_t i = 0; i < t->clones && !found; ++i) found = names_other(r, t->clone[i].path, owner, other);
    if (!found && all.count && all.folder[0].two && !all.folder[0].loose) {
        found = 1;
        snprintf(other, READING_PATH, "%s", all.folder[0].example[1] ? all.folder[0].example[1] : "");
    }
    section_free(&all);
    return found;
}

// Decides whether the folder or archive that the command line names is one student's. It is one student's if the user
// says so, or if it has a student's name and nothing in it may be another student's. If it has a student's name, and
// something in it may be another's, it is unclear.
static void decide_single(struct reading *r, const char *typed)
{
    struct identity owner;
    char other[READING_PATH] = "", pattern[PATTERN];
    if (tree_wants(typed) || r->in->students) return;
    r->single = r->in->student || is_owner(r, typed, &owner);
    if (!r->single || r->in->student || !may_be_class(r, &owner, other)) return;
    r->single = 0;
    r->unclear = 1;
    put_pattern(pattern, levels_of(other));
    text_say(
        &r->in->notes,
        "'%s' is the name of a student, but '%s' in it may be another's, so nothing is taken: say --student if all "
        "of it is one student's, or --students '%s' if it is a class\n",
        r->path, other, pattern);
}

void download_layout_find(struct reading *r, const char *typed)
{
    size_t prefix = r->tree.time ? strlen(part_last(r->path)) + 1 : 0;
    if (r->tree.count) r->prefix = prefix;
    r->wrap = "";
    decide_single(r, typed);
    // With a roster, an archive that is no student's is a class's, even if no source in it can be read.
    if (r->in->roster && !r->single) r->prefix = prefix;
}

void download_layout_find_folders(struct reading *r)
{
    find_wrap(r);
    find_sections(r);
    size_t wrapped = strlen(r->wrap);
    for (uint32_t i = 0; i < r->tree.count; ++i) r->loose += !strchr(r->tree.file[i].path + wrapped, '/');
}
