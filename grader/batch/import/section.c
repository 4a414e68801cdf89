// For each of the outermost folders of a download, section.c counts the entries in the folder and how many of them have
// a student's name.
//
// The outermost part of a path names the author (import.c), so that no student can hand in for another student. A
// folder that holds several students' work must therefore be told from one student's own folder by the roster, which
// students do not write. A folder whose own name is a student's is this student's. Any other folder is a part of the
// class if at least two of its entries, and at least half of them, have a student's name. One such name does not
// suffice: a student's folder may have a misspelt name, and another student's name inside.
//
// Without these signs a folder that has no source itself, and two folders with a source for the same lab, is one
// student's with two versions, or a part of the class. If no outermost folder has a student's name, but some entries
// have, it is a part of the class. Otherwise it is unclear, and nothing in it is taken.
#include "batch/import/section.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "batch/import/assignment.h"
#include "batch/import/part.h"
#include "batch/import/person.h"

enum { DEPTH = 3 }; // a class in a folder, and in archives and folders within

static int is_student(const struct roster *roster, const char *part)
{
    struct download_name d;
    struct identity who;
    if (person_in_download(roster, part, &d)) return 1;
    person_in_part(roster, part, &who);
    return person_is_known(roster, who.name);
}

static struct section_folder *folder_at(struct section *s, const char *path, size_t length)
{
    int known = hash_map_get(&s->index, path, length);
    if (known >= 0) return &s->folder[known];
    ALLOC_GROW(s->folder, s->room, s->count + 1);
    s->folder[s->count] = (struct section_folder){.path = arena_strndup(&s->arena, path, length)};
    hash_map_put(&s->index, s->folder[s->count].path, length, (int)s->count);
    return &s->folder[s->count++];
}

void section_add(struct section *s, const struct roster *roster, const char *path, int source)
{
    const char *slash = strchr(path, '/');
    for (int depth = 0; roster && slash && slash[1] && depth < DEPTH; ++depth) {
        const char *child = slash + 1, *end = strchr(child, '/');
        size_t length = strlen(child) < PART_BYTES ? strcspn(child, "/") : 0, whole = (size_t)(child - path) + length;
        if (!length || (!end && !source)) return;
        if (hash_map_get(&s->seen, path, whole) < 0) {
            char part[PART_BYTES];
            snprintf(part, sizeof part, "%.*s", (int)length, child);
            struct section_folder *f = folder_at(s, path, (size_t)(slash - path));
            ++f->children;
            f->students += (uint32_t)is_student(roster, part);
            hash_map_put(&s->seen, arena_strndup(&s->arena, path, whole), whole, 1);
        }
        slash = end;
    }
}

// Adds labs, as bits, to those of a folder's child, whose path is the first `length` bytes of `path`.
static void add_labs(struct section *s, struct section_folder *f, const char *path, size_t length, const char *child,
                     uint32_t labs)
{
    int known = hash_map_get(&s->labs, path, length);
    if (known < 0 && !f->example[1]) f->example[f->example[0] != NULL] = arena_strndup(&s->arena, child, strlen(child));
    uint32_t before = known < 0 ? 0 : (uint32_t)known, fresh = labs & ~before;
    f->two |= f->one & fresh;
    f->one |= fresh;
    hash_map_put(&s->labs, arena_strndup(&s->arena, path, length), length, (int)(before | labs));
}

// Counts the persons whom names in a folder name that a course system made, up to two.
static void add_system(struct section_folder *f, const struct identity *who)
{
    char label[ROSTER_LABEL];
    roster_label(who, label);
    if (!f->systems) snprintf(f->label, sizeof f->label, "%s", label);
    f->systems += !f->systems || strcmp(f->label, label) != 0;
}

static uint32_t bits_of(const struct lab *lab)
{
    for (int i = 0; lab && lab_all[i]; ++i)
        if (lab_all[i] == lab) return UINT32_C(1) << i % 31;
    return INT32_MAX;
}

void section_add_source(struct section *s, const struct roster *roster, const char *path, const struct lab *lab)
{
    char part[PART_BYTES];
    struct section_folder *f = NULL;
    struct download_name d;
    for (const char *at = path, *next; at; at = next) {
        next = part_next(at, part);
        if (next && *next && assignment_of_part(part, &(const struct lab *){NULL})) continue;
        if (!f && (!next || !*next)) { // a file or clone that lies in no folder
            s->owned += (uint32_t)is_student(roster, part);
            return;
        }
        size_t length = (size_t)(at - path) + strcspn(at, "/");
        if (!f) {
            f = folder_at(s, path, length);
            if (!f->own) f->own = is_student(roster, part) ? 1 : -1, s->owned += f->own == 1;
            continue;
        }
        int system = person_in_download(roster, part, &d);
        if (system) add_system(f, &d.who);
        if (next) add_labs(s, f, path, length, part, bits_of(lab));
        if (!next && !system) f->loose = 1;
        return;
    }
}

void section_decide(struct section *s, const struct roster *roster)
{
    uint32_t parts = 0;
    for (int pass = 0; pass < 2; ++pass)
        for (uint32_t i = 0; i < s->count; ++i) {
            struct section_folder *f = &s->folder[i];
            const char *slash = strrchr(f->path, '/');
            int several = (f->two && !f->loose) || f->systems > 1, begun = f->students || (pass && parts);
            if (f->kind || f->own == 1 || (roster && is_student(roster, slash ? slash + 1 : f->path))) continue;
            if (roster && f->students > 1 && 2 * f->students >= f->children)
                f->kind = SECTION_PART;
            else if (several && roster && begun)
                f->kind = s->owned ? SECTION_UNCLEAR : SECTION_PART;
            else if (several && !roster)
                f->kind = SECTION_UNCLEAR;
            parts += f->kind == SECTION_PART;
        }
}

enum section_kind section_of(const struct section *s, const char *path, size_t length)
{
    int known = hash_map_get(&s->index, path, length);
    return known < 0 ? SECTION_NONE : s->folder[known].kind;
}

void section_free(struct section *s)
{
    hash_map_free(&s->index);
    hash_map_free(&s->seen);
    hash_map_free(&s->labs);
    free(s->folder);
    arena_free(&s->arena);
}
