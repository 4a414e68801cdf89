// For each of the outermost folders of a download, section.c counts the entries in the folder and how many of them have
// a student's name.
//
// The outermost part of a path names the author (import.c), so that no student can hand in for another student. A
// folder that holds several students' work must therefore be told from one student's own folder by the roster, which
// students do not write. The roster contains the name of a student's own folder. A student's folder may have a name
// that is not on the roster, for example a misspelt name. One student's name inside the folder does not make it a
// folder of several students. The ledger lists the whole misnamed folder as nobody's.
#include "batch/section.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "batch/download.h"
#include "batch/person.h"

enum { DEPTH = 3, PART = 256 }; // a class in a folder, and in archives and folders within

static int is_student(const struct roster *roster, const char *part)
{
    struct download_name d;
    struct roster_identity who;
    if (download_parse(part, &d)) return 1;
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
        size_t length = strlen(child) < PART ? strcspn(child, "/") : 0, whole = (size_t)(child - path) + length;
        if (!length || (!end && !source)) return;
        if (hash_map_get(&s->seen, path, whole) < 0) {
            char part[PART];
            snprintf(part, sizeof part, "%.*s", (int)length, child);
            struct section_folder *f = folder_at(s, path, (size_t)(slash - path));
            ++f->children;
            f->students += (uint32_t)is_student(roster, part);
            hash_map_put(&s->seen, arena_strndup(&s->arena, path, whole), whole, 1);
        }
        slash = end;
    }
}

int section_is(const struct section *s, const struct roster *roster, const char *path, size_t length)
{
    int known = hash_map_get(&s->index, path, length);
    if (!roster || known < 0) return 0;
    const struct section_folder *f = &s->folder[known];
    const char *slash = strrchr(f->path, '/');
    return f->students > 1 && 2 * f->students >= f->children && !is_student(roster, slash ? slash + 1 : f->path);
}

void section_free(struct section *s)
{
    hash_map_free(&s->index);
    hash_map_free(&s->seen);
    free(s->folder);
    arena_free(&s->arena);
}
