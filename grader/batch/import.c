// Finds the author, the lab and the time of each source file that is imported. The import reads the parts of a source
// file's path (folders and file name) from left to right. If a part of the path is a name that Canvas, Moodle or
// Gradescope made, this part determines the author. In a path without a course system's name, the author is the first
// folder that is not named after a lab. If the source file lies in no folder, its file name contains the author. If
// neither a folder nor the file name of a source gives an author, the author is the name of the archive or folder on
// the command line.
//
// An author may have several sources for one lab. Of several sources for one lab, the import takes the source with the
// strongest evidence that it belongs to the lab. The strongest evidence that a source belongs to a lab is a file name
// that is the lab's whole name. The second strongest evidence that a source belongs to a lab is a file name that
// contains the lab's name as a word, such as "alice_lab3.cu". The third strongest evidence that a source belongs to a
// lab is that the source lies in a folder with the lab's name. The weakest evidence that a source belongs to a lab is
// that its text defines the lab's kernels. Among sources with equal evidence for a lab, the import takes the newest.
// The summary of an import lists the sources that were not taken and the authors who handed in files but no CUDA
// source.
#define _GNU_SOURCE
#include "batch/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/message.h"
#include "base/utf8.h"
#include "batch/gradescope.h"
#include "batch/names.h"
#include "batch/tree.h"

enum { PATH = 4096, PART = 256 };

// Holds a source file and the facts that follow from its path, such as its author and lab.
struct candidate {
    const struct tree_file *file;
    const struct lab *lab;
    int rank;              // certainty that the source belongs to `lab`, one of NAMES_…
    char group[PART + 66]; // name of the author's group; equal for all sources of one author in this tree
    const char *origin;
    struct roster_identity who;
    // Gradescope's entry with submitters and time; NULL: the source is not from Gradescope
    const struct gradescope_submission *listed;
    int late;
    enum mark_clock clock;
    int nameless; // 1: neither a folder nor a course system names the author
};
struct reading {
    struct import *in;
    const char *path, *base; // path on the command line; last part of this path
    struct tree tree;
    struct gradescope gradescope;
    const char *wrap; // common prefix of all paths that does not name an author, with the final '/'; "": no such prefix
    uint32_t loose;   // number of sources that are in no folder
    struct candidate *candidate;
    uint32_t count;
    struct hash_map authors; // groups (see struct candidate) that have a source
};

// ------------------------------------------------------------------------------------------------------------ authors
static void clean(char *field, size_t size)
{
    struct text t = {0};
    utf8_clean_line(&t, field, strlen(field));
    snprintf(field, size, "%s", t.data ? t.data : "");
    text_free(&t);
}

static void hand_in(struct import *in, struct import_submission *h)
{
    struct roster_identity *who = &h->who;
    char key[sizeof who->name + sizeof who->id + 4];
    clean(who->name, sizeof who->name);
    clean(who->id, sizeof who->id);
    clean(who->email, sizeof who->email);
    clean(who->sis, sizeof who->sis);
    const char *called = *who->sis ? who->sis : *who->name ? who->name : *who->email ? who->email : who->id;
    h->student = in->roster ? roster_find(in->roster, who) : NULL;
    // The student's number in the course system distinguishes students who have the same name.
    int number = *who->id && called == who->name;
    snprintf(key, sizeof key, "%s%s%s%s", in->roster ? "?" : "", called, number ? "-" : "", number ? who->id : "");
    h->key = h->student ? h->student->key : key;
    h->name = h->student && *h->student->name ? h->student->name : *who->name ? who->name : called;
    if (in->roster && !h->student) {
        ++in->unmatched;
        text_say(&in->notes, "not on the roster: '%s' (%s)\n", called, h->file);
    }
    ++in->submissions;
    in->take(in->data, h);
}

static int is_known(const struct import *in, const char *name)
{
    struct roster_identity who = {0};
    snprintf(who.name, sizeof who.name, "%s", name);
    return in->roster && roster_find(in->roster, &who);
}

// Finds the author in the name of a folder or file. The author is the whole name of the folder or file if a student on
// the roster has this name. If no student on the roster has the name of the folder or file, the author is what remains
// of the name when lab names are removed.
static void name_author(const struct import *in, const char *part, struct roster_identity *who)
{
    *who = (struct roster_identity){0};
    if (is_known(in, part))
        snprintf(who->name, sizeof who->name, "%s", part);
    else
        names_author(part, who->name, sizeof who->name);
    if (!*who->name) snprintf(who->name, sizeof who->name, "%s", part);
}

// --------------------------------------------------------------------------------------------------------------- labs
static int is_lab_part(const char *part, const struct lab **lab)
{
    for (int i = 0; lab_all[i]; ++i) {
        if (!names_is_lab(part, lab_all[i])) continue;
        *lab = lab_all[i];
        return 1;
    }
    return 0;
}

// Returns the lab that a source file solves, or NULL if the lab is unknown. Sets *rank to the strength of the evidence
// for the lab: one of the constants NAMES_…, or 0. `folder` is the lab after which a parent folder of the file is
// named, or NULL.
static const struct lab *find_lab(const struct import *in, const struct tree_file *f, const char *name,
                                  const struct lab *folder, int *rank)
{
    const struct lab *best = NULL;
    *rank = 0;
    for (int i = 0; lab_all[i]; ++i) {
        int sure = names_file_lab(name, lab_all[i]);
        if (!sure && lab_all[i] == folder) sure = NAMES_FOLDER;
        if (!sure) sure = names_content_lab(f->data, f->bytes, lab_all[i]);
        if (sure > *rank) *rank = sure, best = lab_all[i];
    }
    if (!best && in->only && in->labs[0] && !in->labs[1]) best = in->labs[0];
    return best;
}

static int is_wanted(const struct import *in, const struct lab *lab)
{
    for (int i = 0; in->labs[i]; ++i)
        if (in->labs[i] == lab) return 1;
    return 0;
}

// ---------------------------------------------------------------------------------------------------- reading a path
// Copies the part of a path up to the next '/' to `part`. Returns the path after the first '/', or NULL if the path has
// no '/'.
static const char *next_part(const char *at, char part[PART])
{
    size_t n = strcspn(at, "/");
    snprintf(part, PART, "%.*s", (int)(n < PART ? n : PART - 1), at);
    return at[n] ? at + n + 1 : NULL;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Parses `part`, one part of a path, as a name that Canvas, Moodle or Gradescope made. Returns 1 if a course system
// made the name `part`, or 0. Sets *name to the student's own file name if `part` contains this file name.
static int take_system(struct reading *r, const char *part, struct candidate *c, const char **name)
{
    int late = 0;
    const char *file = "";
    if (names_moodle(part, &c->who, &file)) {
        c->origin = "Moodle";
        c->clock = CLOCK_FILE;
    } else if (names_canvas(part, &c->who, &late, &file)) {
        c->origin = "Canvas"; // the file times in a Canvas download are the time of the download
        c->clock = CLOCK_NONE;
        c->late = late ? 1 : 2;
    } else if ((c->listed = gradescope_find(&r->gradescope, part)) != NULL) {
        c->origin = "Gradescope";
        c->clock = CLOCK_SYSTEM;
    } else {
        return 0;
    }
    if (*file) *name = file;
    return 1;
}

static void read_path(struct reading *r, const char *path, struct candidate *c, const char **name,
                      const struct lab **folder)
{
    char part[PART], author[PART] = "";
    static char kept[PART]; // *name may point into this array
    *c = (struct candidate){.origin = "folder", .clock = CLOCK_FILE};
    *name = last_part(path);
    *folder = NULL;
    for (const char *at = path, *next; at; at = next) {
        next = next_part(at, part);
        snprintf(kept, sizeof kept, "%s", part);
        const char *own = next ? NULL : *name;
        if (take_system(r, kept, c, &own)) {
            if (!next && own) *name = own;
            snprintf(c->group, sizeof c->group, "%s", part);
            if (!next && !c->listed) snprintf(c->group, sizeof c->group, "%s %s", c->who.name, c->who.id);
            return;
        }
        if (next && !is_lab_part(part, folder) && !*author) snprintf(author, sizeof author, "%s", part);
    }
    c->nameless = !*author;
    if (*author) {
        name_author(r->in, author, &c->who);
    } else {
        char own[PART];
        names_author(*name, own, sizeof own);
        int mine = *own && (is_known(r->in, own) || r->loose > 1 || tree_wants(last_part(r->path)));
        name_author(r->in, mine ? *name : r->base, &c->who);
    }
    snprintf(c->group, sizeof c->group, "%s", *author ? author : c->who.name);
}

// Writes the path of an imported file for display to `path`. The displayed path begins with the path that the user gave
// on the command line. If the user gave an archive or a folder, the displayed path continues with the path inside the
// archive or folder.
static void shown_path(const struct reading *r, const struct tree_file *f, char path[PATH])
{
    size_t n = strlen(r->base);
    const char *rest = !strncmp(f->path, r->base, n) && strchr("/", f->path[n]) ? f->path + n : NULL;
    if (tree_wants(last_part(r->path))) rest = ""; // the command line names a single source
    snprintf(path, PATH, "%s%s%s", r->path, rest ? "" : "/", rest ? rest : f->path);
}

static void know_author(struct reading *r, const struct candidate *c)
{
    size_t n = strlen(c->group);
    hash_map_put(&r->authors, arena_strndup(&r->tree.arena, c->group, n), n, 1);
}

static void look_at_file(struct reading *r, const struct tree_file *f)
{
    char shown[PATH];
    struct candidate *c = &r->candidate[r->count];
    const struct lab *folder;
    const char *name;
    size_t wrapped = strlen(r->wrap);
    if (!strcmp(last_part(f->path), "submission_metadata.yml")) return;
    read_path(r, f->path + wrapped, c, &name, &folder);
    c->file = f;
    c->lab = find_lab(r->in, f, name, folder, &c->rank);
    if (!strncmp(name, "main", 4) && c->rank < NAMES_WHOLE) { // the file is the host program from the lab's template
        tree_add_other(&r->tree, f->path);
        return;
    }
    know_author(r, c);
    if (!c->lab) {
        ++r->in->unplaced;
        shown_path(r, f, shown);
        text_say(&r->in->notes, "for no lab that is known: '%s'\n", shown);
    } else if (is_wanted(r->in, c->lab)) {
        ++r->count;
    }
}

// Adds a line to the notes of the import if the author of a file that is not a CUDA source has no source. A student who
// handed in no CUDA source may believe that the submission was complete.
static void look_at_other(struct reading *r, const char *path)
{
    struct candidate c;
    const struct lab *folder;
    const char *name;
    size_t wrapped = strlen(r->wrap);
    read_path(r, strncmp(path, r->wrap, wrapped) ? path : path + wrapped, &c, &name, &folder);
    if (c.nameless || hash_map_get(&r->authors, c.group, strlen(c.group)) >= 0) return;
    char shown[PATH];
    shown_path(r, &(struct tree_file){.path = path}, shown);
    ++r->in->sourceless;
    text_say(&r->in->notes, "no CUDA source (.cu) from '%s': '%s'\n", *c.who.name ? c.who.name : c.group, shown);
    know_author(r, &c);
}

// ------------------------------------------------------------------------------------------------------ the whole tree
// Finds the folder, if there is one, that all paths have in common at offset `from` and that does not name an author.
// Returns the length of the folder's name with its '/', or 0 if there is no folder that all paths share or if the
// folder names an author. A folder that contains all files of an archive usually exists because of the way the archive
// was packed. A folder that contains all files names a student only if nothing else in the paths names a student. If a
// folder directly contains at least two sources, and each source's file name contains an author, the folder's name is
// not taken as a student's name. `within` is 1 if the folder is inside another folder that names no author. If `within`
// is 1, the folder is taken as a student's name unless it directly contains at least two sources whose file names all
// contain authors.
static size_t wrap_length(struct reading *r, size_t from, int within)
{
    const struct tree *t = &r->tree;
    char first[PART], part[PART], own[PART];
    struct candidate c = {.file = NULL};
    const struct lab *lab;
    const char *name = NULL;
    if (!t->count || !next_part(t->file[0].path + from, first)) return 0;
    size_t n = strlen(first);
    uint32_t named = 0, nameless = 0, deeper = !within;
    for (uint32_t i = 0; i < t->count; ++i) {
        const char *path = t->file[i].path + from, *rest = path + n + 1;
        if (strncmp(path, first, n) || path[n] != '/') return 0;
        if (next_part(rest, part) || take_system(r, part, &c, &name) || !strcmp(part, "submission_metadata.yml"))
            continue;
        names_author(part, own, sizeof own);
        if (strncmp(part, "main", 4) != 0) ++*(*own || is_known(r->in, part) ? &named : &nameless);
        deeper = 0;
    }
    names_author(r->base, own, sizeof own);
    if (take_system(r, first, &c, &name) || is_known(r->in, first)) return 0;
    int packing = !within && (!strcmp(first, own) || is_lab_part(first, &lab));
    return deeper || packing || (named > 1 && !nameless) ? n + 1 : 0;
}

static void find_wrap(struct reading *r)
{
    size_t n = wrap_length(r, 0, 0);
    if (n) n += wrap_length(r, n, 1);
    r->wrap = n ? arena_printf(&r->tree.arena, "%.*s", (int)n, r->tree.file[0].path) : "";
}

static void read_list(struct reading *r)
{
    struct text why = {0};
    for (uint32_t i = 0; i < r->tree.count; ++i) {
        const struct tree_file *f = &r->tree.file[i];
        if (strcmp(last_part(f->path), "submission_metadata.yml") || !f->data || r->gradescope.count) continue;
        if (!gradescope_parse(&r->gradescope, f->data, f->bytes, &why)) continue;
        gradescope_free(&r->gradescope);
        text_say(&r->in->notes, "cannot read '%s/%s': %s\n", r->path, f->path, why.data ? why.data : "");
    }
    text_free(&why);
}

// Orders source files by author, lab, evidence for the lab (strongest first) and time (newest first).
static int by_author(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    int order = strcmp(x->group, y->group);
    if (!order) order = strcmp(x->lab->name, y->lab->name);
    if (!order) order = y->rank - x->rank;
    if (!order) order = (x->file->time < y->file->time) - (x->file->time > y->file->time);
    return order ? order : -strverscmp(x->file->path, y->file->path); // strverscmp() puts "lab3-2.cu" after "lab3-1.cu"
}

static void take_candidate(struct reading *r, const struct candidate *c)
{
    char file[PATH];
    shown_path(r, c->file, file);
    struct import_submission h = {.who = c->who,
                                  .lab = c->lab,
                                  .origin = c->origin,
                                  .file = file,
                                  .data = c->file->data,
                                  .bytes = c->file->bytes,
                                  .submitted = c->clock == CLOCK_NONE ? 0
                                               : c->listed            ? c->listed->created
                                                                      : c->file->time,
                                  .clock = c->clock,
                                  .late = c->late};
    if (!h.submitted) h.clock = CLOCK_NONE;
    if (!c->listed) {
        hand_in(r->in, &h);
        return;
    }
    for (uint32_t i = 0; i < c->listed->submitters; ++i) { // each member of a Gradescope group gets the submission
        h.who = c->listed->submitter[i];
        hand_in(r->in, &h);
    }
    if (!c->listed->submitters) snprintf(h.who.name, sizeof h.who.name, "%s", c->listed->folder);
    if (!c->listed->submitters) hand_in(r->in, &h);
}

static void take_best(struct reading *r)
{
    if (r->count) qsort(r->candidate, r->count, sizeof *r->candidate, by_author);
    for (uint32_t i = 0; i < r->count; ++i) {
        const struct candidate *c = &r->candidate[i], *before = i ? c - 1 : NULL;
        char shown[PATH];
        shown_path(r, c->file, shown);
        if (before && !strcmp(before->group, c->group) && before->lab == c->lab)
            text_say(&r->in->notes, "another source is taken for %s: '%s'\n", c->lab->name, shown);
        else
            take_candidate(r, c);
    }
}

// ------------------------------------------------------------------------------------------------------------- clones
// Imports the source with the strongest evidence for a lab from a git clone. Returns 1 if a source was imported, or 0
// if the clone has no source for the lab.
static int take_from_clone(struct import *in, const struct tree *t, const struct lab *lab, struct import_submission *h)
{
    const struct tree_file *best = NULL;
    int most = 0;
    for (uint32_t i = 0; i < t->count; ++i) {
        const struct lab *folder = NULL;
        char part[PART];
        int rank;
        for (const char *at = t->file[i].path, *next; at; at = next) {
            next = next_part(at, part);
            if (next) is_lab_part(part, &folder);
        }
        const char *name = last_part(t->file[i].path);
        if (find_lab(in, &t->file[i], name, folder, &rank) != lab || !strncmp(name, "main", 4)) continue;
        if (!best || rank > most) best = &t->file[i], most = rank;
    }
    if (!best) return 0;
    h->data = best->data;
    h->bytes = best->bytes;
    hand_in(in, h);
    return 1;
}

// Imports, for each lab, the newest commit of a git clone before the student's due date. If all commits of the clone
// are after the due date, take_clone() imports the newest commit, which is late.
static void take_clone(struct import *in, const char *path, const char *base)
{
    struct text why = {0};
    struct import_submission h = {.origin = "git", .file = path, .clock = CLOCK_COMMIT};
    name_author(in, base, &h.who);
    const struct roster_student *s = in->roster ? roster_find(in->roster, &h.who) : NULL;
    const char *names[ROSTER_STUDENT_NAMES] = {h.who.name, NULL};
    int taken = 0, answer = 0;
    if (s) roster_student_names(s, names);
    for (int i = 0; in->labs[i]; ++i) {
        struct tree tree;
        int64_t extended, due = course_due(in->course, in->labs[i], names, &extended);
        if (due) due += course_lab(in->course, in->labs[i])->grace;
        answer = tree_read_clone(&tree, path, due, &h.submitted, &why);
        if (answer == 1 && due) {
            tree_free(&tree);
            answer = tree_read_clone(&tree, path, 0, &h.submitted, &why);
        }
        in->links += tree.links;
        h.lab = in->labs[i];
        if (!answer) taken += take_from_clone(in, &tree, in->labs[i], &h);
        tree_free(&tree);
        if (!answer) continue;
        text_printf(&in->notes, "%s\n", answer > 0 ? _("a clone without a commit") : why.data);
        break;
    }
    if (!answer && !taken) {
        ++in->sourceless;
        text_say(&in->notes, "no source for these labs in the clone '%s'\n", path);
    }
    text_free(&why);
}

static void take_clones(struct reading *r)
{
    for (uint32_t i = 0; i < r->tree.clones; ++i) {
        char path[PATH], base[PATH];
        snprintf(path, sizeof path, "%s/%s", r->path, r->tree.clone[i]);
        path[strlen(path) - 1] = '\0'; // removes the '/' at the end of "folder/"
        snprintf(base, sizeof base, "%s", last_part(path));
        take_clone(r->in, path, base);
    }
}

int import_path(struct import *in, const char *given, struct text *why)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s", given);
    for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; --n) path[n - 1] = '\0';
    struct reading r = {.in = in, .path = path};
    char real[PATH], *whole = realpath(path, real); // realpath() gives the folder "." a name
    // If the path is a single source, the folder's name may name the author.
    if (whole && tree_wants(last_part(path))) *(char *)strrchr(whole, '/') = '\0';
    r.base = last_part(whole ? whole : path);
    if (tree_is_clone(path)) {
        take_clone(in, path, r.base);
        return 0;
    }
    int answer = tree_read(&r.tree, path, why);
    if (!answer) {
        r.candidate = alloc_zeroed(r.tree.count + 1, sizeof *r.candidate);
        read_list(&r);
        find_wrap(&r);
        size_t wrapped = strlen(r.wrap);
        for (uint32_t i = 0; i < r.tree.count; ++i) r.loose += !strchr(r.tree.file[i].path + wrapped, '/');
        for (uint32_t i = 0; i < r.tree.count; ++i) look_at_file(&r, &r.tree.file[i]);
        for (uint32_t i = 0; i < r.tree.others; ++i) look_at_other(&r, r.tree.other[i]);
        take_best(&r);
        take_clones(&r);
        hash_map_free(&r.authors);
        in->links += r.tree.links;
        in->strange += r.tree.strange;
        if (r.tree.refused.length) text_puts(&in->notes, r.tree.refused.data);
        free(r.candidate);
    }
    gradescope_free(&r.gradescope);
    tree_free(&r.tree);
    return answer;
}

void import_free(struct import *in)
{
    text_free(&in->notes);
}
