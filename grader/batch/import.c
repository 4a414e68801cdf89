// Finds the author, the lab and the time of each source file that is imported.
//
// Theory of operation: a student chooses all names, times and lists inside the folder or archive that the student
// handed in. The import therefore takes a file's author only from the outermost part of the file's path. The outermost
// part is the first part of the path below the folder or archive on the command line. A course system or the instructor
// wrote the name of the outermost part. Before the outermost part of a path, the import skips folders that are named
// after a lab. The import also skips folders that hold a part of the class (section.h). A folder that contains all
// other files is skipped, too, unless it has the name of a student on the roster. Names below the outermost part, and
// the data in a git clone, never name the author. If the command line names one student's folder or archive, all files
// in it belong to this student. A folder or archive on the command line is one student's if a course system made its
// name, or if its name is on the roster. If a path consists of a single file name without an author, the author is the
// name of the archive or folder on the command line. Gradescope's list of students counts only if it lies in the same
// folder as the outermost parts of the paths.
//
// The submission time is that of Gradescope's list or of a course system's name, or else the modification time of the
// file or archive that the student handed in. The times of files inside a student's archive never count as the
// submission time. If a file inside an archive is newer than the archive, the import adds a note.
//
// Each hand-in with a time of its own from the course system is an attempt. A hand-in may have several sources for one
// lab. The import takes the source with the strongest evidence that it
// belongs to the lab, and among equals the newest. From strongest to weakest, the evidence is as follows. The file's
// name is the lab's whole name. The file's name contains the lab's name as a word, such as "alice_lab3.cu". The file
// lies in a folder with the lab's name. The file defines the lab's kernels. If a file defines none of the kernels of
// the lab in its name, but all kernels of another lab, it belongs to the other lab, and the import adds a note. The
// summary of an import lists the sources that were not taken and the authors who handed in files but no CUDA source.
//
// The import joins a source and the headers that it includes into one text (base/bundle.h), if the headers lie in its
// folder and are the same author's. In a git clone, all files are the author's.
#define _GNU_SOURCE
#include "batch/import.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bundle.h"
#include "base/hash.h"
#include "base/message.h"
#include "batch/assignment.h"
#include "batch/download.h"
#include "batch/evidence.h"
#include "batch/gradescope.h"
#include "batch/handin.h"
#include "batch/names.h"
#include "batch/part.h"
#include "batch/person.h"
#include "batch/section.h"
#include "batch/tree.h"

// A zip archive stores times without a time zone, so the time of a file in the archive may differ from the true time by
// ZONES_S seconds.
enum { PATH = 4096, ZONES_S = 14 * 3600 };

// Holds a source file and the facts that follow from its path, such as its author and lab.
struct candidate {
    const struct tree_file *file;
    const struct lab *lab;
    int rank; // certainty that the source belongs to `lab`, one of NAMES_…
    char
        group[PART_BYTES + 96]; // equal for all sources of one hand-in: an author's, of one time if the system tells it
    const char *origin;
    const char *naming; // path of the file from the part on that names the author
    struct roster_identity who;
    // Gradescope's entry with submitters and time; NULL: the source is not from Gradescope
    const struct gradescope_submission *listed;
    int late;
    int64_t when; // time in the name that a course system made; 0: it has none
    enum mark_clock clock;
    int nameless;  // 1: neither a folder nor a course system names the author
    int whole;     // 1: the author is the name on the command line, so everything read belongs to this author
    int elsewhere; // 1: the path does not match the pattern of --students
    int pretends;  // 1: a part below the outermost one looks like a name that a course system made
};

// Names the group of a source for which a course system made the file's whole name. Sources with different times are
// different attempts, as they are if the system puts each attempt in a folder.
static void name_group(struct candidate *c)
{
    snprintf(c->group, sizeof c->group, "%s %s %" PRId64, c->who.name, c->who.id, c->when);
}

struct reading {
    struct import *in;
    const char *given;       // path on the command line
    const char *path, *base; // the same path, decoded; last part of this path
    struct tree tree;
    struct gradescope gradescope;
    const struct tree_file *broken; // Gradescope's list, if it could not be read
    size_t prefix;    // length of the name of an archive on the command line, with '/', with which all paths begin
    const char *wrap; // common prefix of all paths that does not name an author, with the final '/'; "": no such prefix
    struct section section;
    uint32_t loose; // number of sources that are in no folder
    int single;     // 1: the name on the command line is one student's, so no part below it names an author
    struct candidate *candidate, *lost; // sources for a lab that was asked for, and for none
    uint32_t count, losts;
    struct hash_map authors; // groups (see struct candidate) that have a source
};

// Returns the names of a source's author, or of the first member of a Gradescope group.
static const struct roster_identity *author_of(const struct candidate *c)
{
    return c->listed && c->listed->submitters ? c->listed->submitter : &c->who;
}

// ---------------------------------------------------------------------------------------------------- reading a path
// Parses `part`, one part of a path, as a name that a course system made. Returns 1 if a course system made the name
// `part`, or 0. If `part` contains the student's own file name, sets *name to it. If `part` contains an assignment's
// title with the name of a lab, sets *folder to this lab.
static int take_system(struct reading *r, const char *part, struct candidate *c, const char **name,
                       const struct lab **folder)
{
    struct download_name d;
    if (download_parse(part, &d)) {
        c->who = d.who;
        c->origin = d.origin;
        c->clock = d.clock;
        c->late = d.late;
        c->when = d.when;
        if (*d.title) assignment_of_part(d.title, folder);
        if (*d.file) *name = d.file;
    } else if ((c->listed = gradescope_find(&r->gradescope, part)) != NULL) {
        c->origin = "Gradescope";
        c->clock = CLOCK_SYSTEM;
    } else {
        return 0;
    }
    return 1;
}

// Identifies the author of a file that no folder and no course system names. The file's own name names the author if
// this author is on the roster, if several files lie in no folder, or if the command line names a single file. If the
// file's own name does not name the author, or if the name on the command line is one student's, the author is the name
// on the command line.
static void take_nameless(struct reading *r, struct candidate *c, const char *name, const struct lab **folder)
{
    char own[PART_BYTES];
    const char *file = "";
    names_author(name, own, sizeof own);
    int mine =
        !r->single && *own &&
        (r->in->students || r->loose > 1 || tree_wants(part_last(r->path)) || person_is_known(r->in->roster, own));
    c->nameless = 1;
    c->whole = !mine;
    if (!c->whole || !take_system(r, r->base, c, &file, folder))
        person_in_part(r->in->roster, mine ? name : r->base, &c->who);
    snprintf(c->group, sizeof c->group, "%s", c->who.name);
}

// Identifies the author of the file at `path` by the outermost part of `path`. Sets *name to the name that the student
// gave the file. Sets *folder to the lab after which a folder in `path` is named, or to NULL.
static void read_path(struct reading *r, const char *path, struct candidate *c, const char **name,
                      const struct lab **folder)
{
    char part[PART_BYTES];
    static char kept[PART_BYTES]; // *name may point into this array
    int found = r->single;
    *c = (struct candidate){.origin = "folder", .clock = CLOCK_FILE, .naming = path};
    *name = part_last(path);
    *folder = NULL;
    const char *at = r->in->students ? part_by_pattern(r->in->students, path, folder) : path;
    c->elsewhere = !at;
    for (const char *next; at; at = next) {
        struct candidate inner = {.file = NULL};
        const char *own = NULL;
        next = part_next(at, part);
        if (next && assignment_of_part(part, folder)) continue;
        if (next && !found && section_is(&r->section, r->in->roster, path, (size_t)(next - 1 - path))) continue;
        if (found) {
            c->pretends |= take_system(r, part, &inner, &own, &(const struct lab *){NULL});
            continue;
        }
        snprintf(kept, sizeof kept, "%s", part);
        c->naming = at;
        found = take_system(r, kept, c, &own, folder);
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

// Writes the path of an imported file for display to `path`. The displayed path begins with the path that the user gave
// on the command line. If the user gave an archive or a folder, the displayed path continues with the path inside the
// archive or folder.
static void shown_path(const struct reading *r, const struct tree_file *f, char path[PATH])
{
    size_t n = strlen(r->base);
    const char *rest = !strncmp(f->path, r->base, n) && strchr("/", f->path[n]) ? f->path + n : NULL;
    if (tree_wants(part_last(r->path))) rest = ""; // the command line names a single source
    snprintf(path, PATH, "%s%s%s", r->path, rest ? "" : "/", rest ? rest : f->path);
}

// Returns a path of the tree without the leading folders that all paths have in common and that name no author.
static const char *unwrapped(const struct reading *r, const char *path)
{
    size_t n = strlen(r->wrap);
    return strncmp(path, r->wrap, n) ? path : path + n;
}

static void know_author(struct reading *r, const struct candidate *c)
{
    size_t n = strlen(c->group);
    hash_map_put(&r->authors, arena_strndup(&r->tree.arena, c->group, n), n, 1);
}

// Adds a note that a name inside a student's folder or archive looks like a name that a course system made. If an
// instructor put a course system's download one folder too deep, the note explains why the names in the download do not
// count.
static void note_pretence(struct reading *r, const struct candidate *c, const struct tree_file *f)
{
    char shown[PATH];
    shown_path(r, f, shown);
    text_say(&r->in->notes,
             "counts for '%s', not for the name inside; for a course system's download, name its own folder: '%s'\n",
             c->who.name, shown);
}

static void look_at_file(struct reading *r, const struct tree_file *f)
{
    char shown[PATH];
    struct candidate *c = &r->candidate[r->count];
    const struct lab *folder;
    const struct lab *misnamed;
    const char *name;
    size_t wrapped = strlen(r->wrap);
    shown_path(r, f, shown);
    if (!strcmp(part_last(f->path), GRADESCOPE_LIST)) {
        handin_tell(r->in, shown, NULL, NULL, f == r->broken ? LEDGER_UNREAD : LEDGER_NO_SOURCE, NULL);
        return;
    }
    read_path(r, f->path + wrapped, c, &name, &folder);
    if (c->elsewhere) {
        handin_tell(r->in, shown, NULL, NULL, LEDGER_ELSEWHERE, NULL);
        ++r->in->unplaced;
        return;
    }
    c->file = f;
    c->lab = assignment_find(r->in, f, name, folder, &c->rank, &misnamed);
    if (!strncmp(name, "main", 4) && c->rank < NAMES_WHOLE) { // the file is the host program from the lab's template
        tree_add_other(&r->tree, f->path);
        return;
    }
    know_author(r, c);
    if (misnamed)
        text_say(&r->in->notes, "for %s, whose kernels it defines, and not for %s, after which it is named: '%s'\n",
                 c->lab->name, misnamed->name, shown);
    if (!c->lab) {
        text_say(&r->in->notes, "for no lab that is known: '%s'\n", shown);
        handin_tell(r->in, shown, author_of(c), NULL, LEDGER_NO_LAB, NULL);
        r->lost[r->losts++] = *c;
    } else if (assignment_is_wanted(r->in, c->lab)) {
        if (c->pretends) note_pretence(r, c, f);
        ++r->count;
    } else {
        handin_tell(r->in, shown, author_of(c), c->lab, LEDGER_OTHER_LAB, NULL);
        if (misnamed && assignment_is_wanted(r->in, misnamed)) r->lost[r->losts++] = *c;
    }
}

// Counts the sources of no known lab, and the sources with the kernels of a lab that the user did not ask for, if their
// author has no other source. A source whose author has another source is not counted, because it may be any file.
static void count_lost(struct reading *r)
{
    for (uint32_t i = 0; i < r->losts; ++i) {
        uint32_t k = 0;
        while (k < r->count && strcmp(r->candidate[k].group, r->lost[i].group)) ++k;
        r->in->unplaced += k == r->count;
    }
}

// Tells the import's callback saw() which paths were not read, and counts the paths that could not be read.
static void note_left(struct reading *r)
{
    for (uint32_t i = 0; i < r->tree.lefts; ++i) {
        const struct tree_left *left = &r->tree.left[i];
        struct candidate c;
        const struct lab *folder;
        const char *name;
        char shown[PATH];
        shown_path(r, &(struct tree_file){.path = left->path}, shown);
        read_path(r, unwrapped(r, left->path), &c, &name, &folder);
        handin_tell(r->in, shown, c.nameless || !left->why ? NULL : author_of(&c), NULL,
                    left->why ? LEDGER_UNREAD : LEDGER_SKIPPED, left->why);
        r->in->unread += left->why != NULL;
    }
}

// Adds a line to the import's notes if the author of `path`, a file that is not a CUDA source, has handed in no CUDA
// source. A student who handed in no CUDA source may believe that the submission was complete.
static void look_at_other(struct reading *r, const char *path, enum ledger_fate fate)
{
    struct candidate c;
    const struct lab *folder;
    const char *name;
    read_path(r, unwrapped(r, path), &c, &name, &folder);
    char shown[PATH];
    shown_path(r, &(struct tree_file){.path = path}, shown);
    handin_tell(r->in, shown, c.nameless ? NULL : author_of(&c), NULL, fate, NULL);
    if (c.nameless || c.elsewhere || hash_map_get(&r->authors, c.group, strlen(c.group)) >= 0) return;
    ++r->in->sourceless;
    text_say(&r->in->notes, "no CUDA source (.cu) from '%s': '%s'\n",
             *author_of(&c)->name ? author_of(&c)->name : c.group, shown);
    know_author(r, &c);
}

// ------------------------------------------------------------------------------------------------------ the whole tree
// Returns the length of the folder name at offset `from`, with its '/', if all paths have this folder in common. Only
// the paths of sources, of git clones, and of other files that lie in folders are compared. Returns 0 if the paths have
// no folder at offset `from` in common.
static size_t common_length(const struct reading *r, size_t from)
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
    size_t n = common_length(r, from);
    int several = !t->time;
    if (!n || r->single || r->in->students) return 0;
    part_next((t->count ? t->file[0].path : t->clone[0].path) + from, first);
    uint32_t named = 0, nameless = 0, deeper = !within;
    for (uint32_t i = 0; i < t->count; ++i) {
        const char *rest = t->file[i].path + from + n;
        int folder = part_next(rest, part) != NULL;
        if (folder && !*below) memcpy(below, part, sizeof below);
        several |=
            take_system(r, part, &c, &name, &lab) || !strcmp(part, GRADESCOPE_LIST) || (folder && strcmp(below, part));
        if (folder || take_system(r, part, &c, &name, &lab) || !strcmp(part, GRADESCOPE_LIST)) continue;
        names_author(part, own, sizeof own);
        if (strncmp(part, "main", 4) != 0) ++*(*own || person_is_known(r->in->roster, part) ? &named : &nameless);
        deeper = 0;
    }
    names_author(r->base, own, sizeof own);
    if (tree_is_archive(first) || take_system(r, first, &c, &name, &lab) || person_is_known(r->in->roster, first))
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

static void find_sections(struct reading *r)
{
    const struct tree *t = &r->tree;
    const struct roster *roster = r->single || r->in->students ? NULL : r->in->roster;
    for (uint32_t i = 0; i < t->count; ++i) section_add(&r->section, roster, unwrapped(r, t->file[i].path), 1);
    for (uint32_t i = 0; i < t->others; ++i) section_add(&r->section, roster, unwrapped(r, t->other[i]), 0);
    for (uint32_t i = 0; i < t->clones; ++i) section_add(&r->section, roster, unwrapped(r, t->clone[i].path), 0);
}

// Reads Gradescope's list of students. Gradescope puts the list beside the submissions: at the top of the folder or
// archive on the command line, or in the one folder that contains all files. A file with the list's name in any other
// folder comes from a student and is not read as Gradescope's list.
static void read_list(struct reading *r)
{
    struct text why = {0};
    size_t top = r->prefix, below = top + common_length(r, top);
    for (uint32_t i = 0; i < r->tree.count && !r->single; ++i) {
        const struct tree_file *f = &r->tree.file[i];
        if (!f->data || (strcmp(f->path + top, GRADESCOPE_LIST) != 0 && strcmp(f->path + below, GRADESCOPE_LIST) != 0))
            continue;
        if (gradescope_read(&r->gradescope, f->data, f->bytes, &why)) {
            gradescope_free(&r->gradescope);
            r->broken = f;
            ++r->in->unread;
            text_say(&r->in->notes, "cannot read '%s/%s': %s\n", r->path, f->path, why.data ? why.data : "");
        }
        break;
    }
    text_free(&why);
}

// Returns the time in a source's name, if a course system wrote one there. Otherwise, returns the modification time of
// the source file itself, even if the file lies in an archive. Among an author's sources for one lab, own_time()
// decides which source is the newest.
static int64_t own_time(const struct candidate *c)
{
    if (c->when) return c->when;
    return c->file->inside ? c->file->inside : c->file->time;
}

// Orders source files by author, lab, evidence for the lab (strongest first) and time (newest first).
static int by_author(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    int order = strcmp(x->group, y->group);
    if (!order) order = strcmp(x->lab->name, y->lab->name);
    if (!order) order = y->rank - x->rank;
    if (!order) order = (own_time(x) < own_time(y)) - (own_time(x) > own_time(y));
    if (!order) order = -strverscmp(x->file->path, y->file->path);    // strverscmp() puts "lab3-2.cu" after "lab3-1.cu"
    return order ? order : (x->file < y->file) - (x->file > y->file); // of two with one name, an archive's last counts
}

struct author { // the argument of own_name()
    struct reading *r;
    const struct candidate *c;
};
// Returns the name that the author of a source gave a header, or NULL if the header is another author's. In a path that
// a course system made, the student's own name of the header may follow other text.
static const char *own_name(void *data, const struct tree_file *header)
{
    const struct author *a = data;
    struct candidate other;
    const struct lab *folder;
    const char *name;
    read_path(a->r, unwrapped(a->r, header->path), &other, &name, &folder);
    return a->c->whole || !strcmp(other.group, a->c->group) ? name : NULL;
}

static void take_candidate(struct reading *r, const struct candidate *c)
{
    char file[PATH], evidence[PATH];
    struct text bundle = {0};
    shown_path(r, c->file, file);
    evidence_name(c->origin, c->whole ? r->base : NULL, c->naming, evidence, sizeof evidence);
    tree_bundle(&r->tree, c->file, own_name, &(struct author){r, c}, &bundle);
    // A single student's archive has the time that the course system or the instructor's copy gave the archive.
    int64_t time = c->whole && r->tree.time ? r->tree.time : c->file->time;
    int64_t inside = c->whole && r->tree.time ? c->file->time : c->file->inside;
    if (c->clock == CLOCK_FILE && inside > time + ZONES_S)
        text_say(&r->in->notes, "a file is newer than its archive, whose time counts: '%s'\n", file);
    struct import_submission h = {.who = c->who,
                                  .lab = c->lab,
                                  .origin = c->origin,
                                  .file = file,
                                  .evidence = evidence,
                                  .node = evidence_node(r->path, file),
                                  .data = bundle.data ? bundle.data : c->file->data,
                                  .bytes = bundle.data ? bundle.length : c->file->bytes,
                                  .submitted = c->clock == CLOCK_NONE ? 0
                                               : c->listed            ? c->listed->created
                                               : c->when              ? c->when
                                                                      : time,
                                  .clock = c->clock,
                                  .late = c->late};
    if (!h.submitted) h.clock = CLOCK_NONE;
    uint32_t submitters = c->listed ? c->listed->submitters : 0;
    for (uint32_t i = 0; i < submitters; ++i) { // each member of a Gradescope group gets the submission
        h.who = c->listed->submitter[i];
        handin_give(r->in, &h);
    }
    if (c->listed && !submitters) snprintf(h.who.name, sizeof h.who.name, "%s", c->listed->folder);
    if (!submitters) handin_give(r->in, &h);
    text_free(&bundle);
}

static void take_best(struct reading *r)
{
    if (r->count) qsort(r->candidate, r->count, sizeof *r->candidate, by_author);
    for (uint32_t i = 0; i < r->count; ++i) {
        const struct candidate *c = &r->candidate[i], *before = i ? c - 1 : NULL;
        char shown[PATH];
        shown_path(r, c->file, shown);
        if (!before || strcmp(before->group, c->group) || before->lab != c->lab) {
            take_candidate(r, c);
            continue;
        }
        text_say(&r->in->notes, "another source is taken for %s: '%s'\n", c->lab->name, shown);
        handin_tell(r->in, shown, author_of(c), c->lab, LEDGER_SUPERSEDED, NULL);
    }
}

// ------------------------------------------------------------------------------------------------------------- clones
// Imports the source with the strongest evidence for a lab from a git clone. Returns 1 if a source was imported, or 0
// if the clone has no source for the lab.
static int take_from_clone(struct import *in, struct tree *t, const struct lab *lab, struct import_submission *h)
{
    const struct tree_file *best = NULL;
    int most = 0;
    for (uint32_t i = 0; i < t->count; ++i) {
        const struct lab *folder = NULL, *misnamed;
        char part[PART_BYTES];
        int rank;
        for (const char *at = t->file[i].path, *next; at; at = next) {
            next = part_next(at, part);
            if (next) assignment_of_part(part, &folder);
        }
        const char *name = part_last(t->file[i].path);
        if (assignment_find(in, &t->file[i], name, folder, &rank, &misnamed) != lab || !strncmp(name, "main", 4))
            continue;
        if (!best || rank > most) best = &t->file[i], most = rank;
    }
    if (!best) return 0;
    struct text bundle = {0};
    tree_bundle(t, best, NULL, NULL, &bundle);
    h->data = bundle.data ? bundle.data : best->data;
    h->bytes = bundle.data ? bundle.length : best->bytes;
    handin_give(in, h);
    text_free(&bundle);
    return 1;
}

// Imports, for each lab, the newest commit of a git clone before the student's due date. If all commits of the clone
// are after the due date, take_clone() imports the newest commit, which is late. `path` is the clone's path for
// display, `name` is the same path in the bytes of the file system, and `naming` is the name that decided the author.
static void take_clone(struct import *in, const char *path, const char *name, const char *naming,
                       const struct roster_identity *who)
{
    static struct tree_commit commit[TREE_COMMITS];
    int64_t before[TREE_COMMITS], extended;
    struct text why = {0};
    char evidence[PATH];
    evidence_name("git", NULL, naming, evidence, sizeof evidence);
    struct import_submission h = {.origin = "git",
                                  .file = path,
                                  .evidence = evidence,
                                  .node = evidence_node("", name),
                                  .clock = CLOCK_COMMIT,
                                  .who = *who};
    const struct roster_student *s = NULL, *member[ROSTER_MEMBERS]; // of a group, the first one's due date
    const char *names[ROSTER_STUDENT_NAMES] = {h.who.name, NULL};
    uint32_t count = 0;
    int taken = 0;
    if (in->roster && roster_members(in->roster, &h.who, member)) s = member[0];
    if (s) roster_student_names(s, names);
    for (; in->labs[count] && count < TREE_COMMITS; ++count) {
        before[count] = course_due(in->course, in->labs[count], names, &extended);
        if (before[count]) before[count] += course_lab(in->course, in->labs[count])->grace;
    }
    int failed = tree_read_clone(commit, name, before, count, &why), empty = 0;
    for (uint32_t i = 0; i < count; ++i) {
        in->links += commit[i].tree.links;
        h.lab = in->labs[i];
        h.submitted = commit[i].when;
        empty |= commit[i].missing;
        if (!failed && !commit[i].missing) taken += take_from_clone(in, &commit[i].tree, in->labs[i], &h);
        tree_free(&commit[i].tree);
    }
    if (failed || empty) {
        const char *words = failed ? why.data : _("a clone without a commit");
        if (failed)
            text_printf(&in->notes, "%s\n", words);
        else
            text_say(&in->notes, "a clone without a commit: '%s'\n", path);
        handin_tell(in, path, who, NULL, LEDGER_UNREAD, words);
        ++in->unread;
    } else if (!taken) {
        ++in->sourceless;
        text_say(&in->notes, "no source for these labs in the clone '%s'\n", path);
        handin_tell(in, path, who, NULL, LEDGER_NO_SOURCE, NULL);
    }
    text_free(&why);
}

// Imports all git clones of the tree. The outermost part of a clone's path names the clone's author.
static void take_clones(struct reading *r)
{
    size_t wrapped = strlen(r->wrap);
    for (uint32_t i = 0; i < r->tree.clones; ++i) {
        char path[PATH], raw[PATH];
        struct candidate c;
        const struct lab *folder;
        const char *name;
        read_path(r, r->tree.clone[i].path + wrapped, &c, &name, &folder);
        snprintf(path, sizeof path, "%s/%s", r->path, r->tree.clone[i].path);
        path[strlen(path) - 1] = '\0'; // removes the '/' at the end of "folder/"
        snprintf(raw, sizeof raw, "%s/%s", r->given, r->tree.clone[i].name);
        if (c.elsewhere) {
            handin_tell(r->in, path, NULL, NULL, LEDGER_ELSEWHERE, NULL);
            ++r->in->unplaced;
            continue;
        }
        take_clone(r->in, path, raw, c.whole ? r->base : c.naming, &c.who);
    }
}

// Returns 1 if `typed`, a file or folder that the command line names, belongs to one student: a course system made the
// name, or the roster contains it. If the user typed "." for the current folder, the folder's own name does not count
// as a student's.
static int is_single(struct reading *r, const char *typed)
{
    char own[PART_BYTES];
    const char *file = "";
    struct candidate c = {.file = NULL};
    const struct lab *lab;
    names_author(typed, own, sizeof own);
    return take_system(r, typed, &c, &file, &lab) || person_is_known(r->in->roster, typed) ||
           (*own && person_is_known(r->in->roster, own));
}

static void take_tree(struct reading *r)
{
    r->candidate = alloc_zeroed(r->tree.count + 1, sizeof *r->candidate);
    r->lost = alloc_zeroed(r->tree.count + 1, sizeof *r->lost);
    // With a roster, an archive that is no student's is a class's, even if no source in it can be read.
    if (r->tree.time && (r->tree.count || (r->in->roster && !r->single))) r->prefix = strlen(part_last(r->path)) + 1;
    read_list(r);
    find_wrap(r);
    find_sections(r);
    size_t wrapped = strlen(r->wrap);
    for (uint32_t i = 0; i < r->tree.count; ++i) r->loose += !strchr(r->tree.file[i].path + wrapped, '/');
    for (uint32_t i = 0; i < r->tree.count; ++i) look_at_file(r, &r->tree.file[i]);
    for (uint32_t i = 0; i < r->tree.others; ++i)
        if (!bundle_is_header(r->tree.other[i])) look_at_other(r, r->tree.other[i], LEDGER_NO_SOURCE);
    take_best(r);
    for (uint32_t i = 0; i < r->tree.headers; ++i)
        look_at_other(r, r->tree.header[i].path, r->tree.header[i].taken ? LEDGER_HEADER : LEDGER_NO_SOURCE);
    count_lost(r);
    take_clones(r);
    note_left(r);
    hash_map_free(&r->authors);
    section_free(&r->section);
    r->in->links += r->tree.links;
    r->in->strange += r->tree.strange;
    if (r->tree.refused.length) text_puts(&r->in->notes, r->tree.refused.data);
    if (r->tree.git.count)
        text_say(&r->in->notes,
                 "%zu clones are packed in archives: their commits are not looked at, and the times of their files are "
                 "those in the archive: '%s'\n",
                 r->tree.git.count, r->path);
    filename_say(&r->tree.names, r->path, &r->in->notes);
    free(r->candidate);
    free(r->lost);
}

// Decodes a path on the command line, and keeps it for the time of the import.
static const char *decoded(struct reading *r, const char *path)
{
    struct text shown = {0};
    filename_decode(&shown, &r->tree.names, path, strlen(path), 0);
    const char *kept = arena_strndup(&r->tree.arena, shown.data, shown.length);
    text_free(&shown);
    return kept;
}

int import_path(struct import *in, const char *given, struct text *why)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s", given);
    for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; --n) path[n - 1] = '\0';
    struct reading r = {.in = in, .given = path, .tree.names.encoding = in->names};
    char real[PATH], *whole = realpath(path, real); // realpath() gives the folder "." a name
    // If the path is a single source, the folder's name may name the author.
    int source = tree_wants(part_last(path)), answer = 0;
    if (whole && source) *(char *)strrchr(whole, '/') = '\0';
    r.path = decoded(&r, path);
    r.base = decoded(&r, part_last(whole ? whole : path));
    handin_begin(in);
    if (tree_is_clone(path)) {
        struct roster_identity who;
        person_in_part(in->roster, r.base, &who);
        take_clone(in, r.path, path, r.base, &who);
    } else {
        r.single = !source && !in->students && is_single(&r, part_last(r.path));
        answer = tree_read(&r.tree, path, why);
        if (!answer) take_tree(&r);
    }
    gradescope_free(&r.gradescope);
    tree_free(&r.tree);
    return answer;
}

void import_free(struct import *in)
{
    text_free(&in->notes);
    hash_map_free(&in->told);
    arena_free(&in->told_keys);
}
