// Reads the parts of a path from the outermost one inwards (import.c).
#define _GNU_SOURCE
#include "batch/import/reading.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "batch/import/assignment.h"
#include "batch/import/person.h"
#include "batch/unpack/names.h"

// Names the group of a source for which a course system made the file's whole name. Sources with different times are
// different attempts, as they are if the system puts each attempt in a folder.
static void name_group(struct candidate *c)
{
    snprintf(c->group, sizeof c->group, "%s %s %s %" PRId64, c->who.name, c->who.id, c->who.login, c->when);
}

int reading_system(const struct reading *r, const char *part, struct candidate *c, const char **name,
                   const struct lab **folder)
{
    struct download_name d;
    if (person_in_download(r->in->roster, part, &d)) {
        c->who = d.who;
        c->origin = d.origin;
        c->clock = d.clock;
        c->late = d.late;
        c->when = d.when;
        c->version = d.version;
        c->feedback |= d.feedback;
        if (*d.title) assignment_of_title(d.title, folder);
        if (*d.file) *name = d.file;
    } else if ((c->listed = gradescope_find(&r->gradescope, part)) != NULL) {
        c->origin = "Gradescope";
        c->clock = CLOCK_SYSTEM;
    } else {
        return 0;
    }
    return 1;
}

// Returns 1 if a file of the name `name`, whose author's name there is `own`, is this author's, and not the author's
// whom the command line names: if `own` is on the roster, if several files lie in no folder, or if the command line
// names a single file and neither this file nor its folder is a student's by the roster.
static int names_its_author(const struct reading *r, const char *own)
{
    const struct roster *roster = r->in->roster;
    if (r->single || !*own) return 0;
    if (r->in->students || r->loose > 1 || person_is_known(roster, own)) return 1;
    return tree_wants(part_last(r->path)) && !person_is_known(roster, r->base);
}

// Identifies the author of a file that no folder and no course system names. If the file's own name does not name the
// author, the author is the name on the command line.
static void take_nameless(const struct reading *r, struct candidate *c, const char *name, const struct lab **folder)
{
    char own[PART_BYTES];
    const char *file = "";
    names_author(name, own, sizeof own);
    int mine = names_its_author(r, own);
    c->nameless = 1;
    c->whole = !mine;
    if (!c->whole || !reading_system(r, r->base, c, &file, folder))
        person_in_part(r->in->roster, mine ? name : r->base, &c->who);
    snprintf(c->group, sizeof c->group, "%s", c->who.name);
}

// Returns 1 if an instructor gave back what lies in the folder or file `part`. `below` is the number of parts between
// the author's part and this one, or -1 before the author's part.
static int is_feedback(const struct reading *r, const struct candidate *c, const char *part, int folder, int below)
{
    static const char *const beside[] = {"comments.txt", "timestamp.txt", "feedbackText.html", NULL};
    static const char *const course[] = {"autograded", "release", "source", "solution", NULL};
    if (below > 0) return 0;
    if (folder && (!strcasecmp(part, "feedback") || !strcasecmp(part, "Feedback Attachment(s)"))) return 1;
    const char *const *name = below ? course : beside;
    if (below ? !r->nbgrader || !folder : strcmp(c->origin, "Sakai") || folder) return 0;
    while (*name && strcmp(*name, part)) ++name;
    return *name != NULL;
}

// Returns 1 if the outermost folder of `at`, whose name is `part`, names no author. Sets what such a folder tells of
// its files.
static int is_passed(const struct reading *r, const char *path, const char *at, const char *part, struct candidate *c)
{
    if (gradescope_find(&r->gradescope, part)) return 0;
    size_t length = (size_t)(at - path) + strlen(part);
    enum section_kind kind = section_of(&r->section, path, length);
    int feedback = is_feedback(r, c, part, 1, -1);
    c->feedback |= feedback;
    c->unclear |= kind == SECTION_UNCLEAR;
    return feedback || kind == SECTION_PART || (r->nbgrader && !strcmp(part, "submitted"));
}

// Parses the name of a file in a question's folder. PrairieLearn names the folder as Autolab names a file. Returns 1,
// or 0 if it is no such name.
static int take_question(struct candidate *c, const char **name, const struct lab **folder)
{
    const char *file;
    if (strcmp(c->origin, "Autolab") != 0 || !download_question(*name, &c->version, &file)) return 0;
    assignment_of_title(*name, folder);
    *name = file;
    c->clock = CLOCK_NONE; // as in PrairieLearn's other names
    return 1;
}

void reading_author(const struct reading *r, const char *path, struct candidate *c, const char **name,
                    const struct lab **folder)
{
    char part[PART_BYTES];
    static char kept[PART_BYTES]; // *name may point into this array
    int found = r->single, below = 0;
    *c = (struct candidate){.origin = "folder", .clock = CLOCK_FILE, .naming = path, .unclear = r->unclear};
    *name = part_last(path);
    *folder = NULL;
    const char *at = r->in->students ? part_by_pattern(r->in->students, path, folder) : path;
    c->elsewhere = !at;
    for (const char *next; at; at = next) {
        struct candidate inner = {.file = NULL};
        const char *own = NULL;
        next = part_next(at, part);
        if (next && assignment_of_part(part, folder)) continue;
        if (next && !found && is_passed(r, path, at, part, c)) continue;
        if (found) {
            c->feedback |= is_feedback(r, c, part, next != NULL, below++);
            if (!next && take_question(c, name, folder)) continue;
            c->pretends |= reading_system(r, part, &inner, &own, &(const struct lab *){NULL});
            continue;
        }
        snprintf(kept, sizeof kept, "%s", part);
        c->naming = at;
        found = reading_system(r, kept, c, &own, folder);
        if (found) {
            if (!next && own) *name = own;
            snprintf(c->group, sizeof c->group, "%s", part);
            if (!next && !c->listed) name_group(c);
        } else if (next) {
            found = 1;
            person_in_part(r->in->roster, part, &c->who);
            snprintf(c->group, sizeof c->group, "%s", part);
        }
    }
    if (r->single || !found) take_nameless(r, c, *name, folder);
}

const char *reading_unwrapped(const struct reading *r, const char *path)
{
    size_t n = strlen(r->wrap);
    return strncmp(path, r->wrap, n) ? path : path + n;
}

void reading_shown(const struct reading *r, const char *path, char shown[READING_PATH])
{
    size_t n = strlen(r->base);
    const char *rest = r->tree.time && !strncmp(path, r->base, n) && strchr("/", path[n]) ? path + n : NULL;
    if (tree_wants(part_last(r->path))) rest = ""; // the command line names a single source
    snprintf(shown, READING_PATH, "%s%s%s", r->path, rest ? "" : "/", rest ? rest : path);
}
