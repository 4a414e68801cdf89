// Finds the author, the lab and the time of each source file that is imported.
//
// Theory of operation: a student chooses all names, times and lists inside the folder or archive that the student
// handed in. The import therefore takes a file's author only from the outermost part of the file's path. The outermost
// part is the first part of the path below the folder or archive on the command line. A course system or the instructor
// wrote the name of the outermost part. Before the outermost part of a path, the import skips folders that are named
// after a lab. The import also skips a folder that contains all other files, unless the folder has the name of a
// student on the roster. Names below the outermost part, and the data in a git clone, never name the author. If the
// command line names one student's folder or archive, all files in it belong to this student. A name on the command
// line is one student's if a course system made the name or if the roster contains it. If a path consists of a single
// file name without an author, the author is the name of the archive or folder on the command line. Gradescope's list
// of students counts only if it lies beside the outermost parts.
//
// The submission time is Gradescope's time, or else the modification time of the file or archive that the student
// handed in. The times of files inside a student's archive never count as the submission time. If a file inside an
// archive is newer than the archive, the import adds a note.
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

// A zip archive stores times without a time zone, so the time of a file in the archive may differ from the true time by
// ZONES_S seconds.
enum { PATH = 4096, PART = 256, ZONES_S = 14 * 3600 };

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
    int whole;    // 1: the author is the name on the command line, so everything read belongs to this author
    int pretends; // 1: a part below the outermost one looks like a name that a course system made
};
struct reading {
    struct import *in;
    const char *path, *base; // path on the command line; last part of this path
    struct tree tree;
    struct gradescope gradescope;
    const struct tree_file *broken; // Gradescope's list, if it could not be read
    size_t prefix;    // length of the name of an archive on the command line, with '/', with which all paths begin
    const char *wrap; // common prefix of all paths that does not name an author, with the final '/'; "": no such prefix
    uint32_t loose;   // number of sources that are in no folder
    int single;       // 1: the name on the command line is one student's, so no part below it names an author
    struct candidate *candidate, *lost; // sources with and without a known lab
    uint32_t count, losts;
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

// Tells the import's callback saw() what became of a path. `student` and `lab` are NULL if they are unknown.
static void tell(const struct import *in, const char *path, const char *student, const struct lab *lab,
                 enum ledger_fate fate, const char *why)
{
    if (in->saw)
        in->saw(in->data,
                &(struct ledger_entry){path, student ? student : "", lab ? lab->name : "", why ? why : "", fate});
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
        const struct roster_student *both[2];
        if (roster_contradiction(in->roster, who, both))
            text_say(&in->notes, "the number is that of '%s' and the name that of '%s', so neither gets it: '%s'\n",
                     both[0]->key, both[1]->key, h->file);
        else
            text_say(&in->notes, "not on the roster: '%s' (%s)\n", called, h->file);
    }
    ++in->submissions;
    in->take(in->data, h);
    tell(in, h->file, h->key, h->lab, in->roster && !h->student ? LEDGER_UNMATCHED : LEDGER_TAKEN, NULL);
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

// Identifies the author of a file that no folder and no course system names. The file's own name names the author if
// this author is on the roster, if several files lie in no folder, or if the command line names a single file. If the
// file's own name does not name the author, or if the name on the command line is one student's, the author is the name
// on the command line.
static void take_nameless(struct reading *r, struct candidate *c, const char *name)
{
    char own[PART];
    const char *file = "";
    names_author(name, own, sizeof own);
    int mine = !r->single && *own && (is_known(r->in, own) || r->loose > 1 || tree_wants(last_part(r->path)));
    c->nameless = 1;
    c->whole = !mine;
    if (!c->whole || !take_system(r, r->base, c, &file)) name_author(r->in, mine ? name : r->base, &c->who);
    snprintf(c->group, sizeof c->group, "%s", c->who.name);
}

// Identifies the author of the file at `path` by the outermost part of `path`. Sets *name to the name that the student
// gave the file. Sets *folder to the lab after which a folder in `path` is named, or to NULL.
static void read_path(struct reading *r, const char *path, struct candidate *c, const char **name,
                      const struct lab **folder)
{
    char part[PART];
    static char kept[PART]; // *name may point into this array
    int found = r->single;
    *c = (struct candidate){.origin = "folder", .clock = CLOCK_FILE};
    *name = last_part(path);
    *folder = NULL;
    for (const char *at = path, *next; at; at = next) {
        struct candidate inner = {.file = NULL};
        const char *own = NULL;
        next = next_part(at, part);
        if (next && is_lab_part(part, folder)) continue;
        if (found) {
            c->pretends |= take_system(r, part, &inner, &own);
            continue;
        }
        snprintf(kept, sizeof kept, "%s", part);
        found = take_system(r, kept, c, &own);
        if (found) {
            if (!next && own) *name = own;
            snprintf(c->group, sizeof c->group, "%s", part);
            if (!next && !c->listed) snprintf(c->group, sizeof c->group, "%s %s", c->who.name, c->who.id);
        } else if (next) {
            found = 1;
            name_author(r->in, part, &c->who);
            snprintf(c->group, sizeof c->group, "%s", part);
        }
    }
    if (r->single || !found) take_nameless(r, c, *name);
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
    const char *name;
    size_t wrapped = strlen(r->wrap);
    shown_path(r, f, shown);
    if (!strcmp(last_part(f->path), GRADESCOPE_LIST)) {
        tell(r->in, shown, NULL, NULL, f == r->broken ? LEDGER_UNREAD : LEDGER_NO_SOURCE, NULL);
        return;
    }
    read_path(r, f->path + wrapped, c, &name, &folder);
    c->file = f;
    c->lab = find_lab(r->in, f, name, folder, &c->rank);
    if (!strncmp(name, "main", 4) && c->rank < NAMES_WHOLE) { // the file is the host program from the lab's template
        tree_add_other(&r->tree, f->path);
        return;
    }
    know_author(r, c);
    if (!c->lab) {
        text_say(&r->in->notes, "for no lab that is known: '%s'\n", shown);
        tell(r->in, shown, c->who.name, NULL, LEDGER_NO_LAB, NULL);
        r->lost[r->losts++] = *c;
    } else if (is_wanted(r->in, c->lab)) {
        if (c->pretends) note_pretence(r, c, f);
        ++r->count;
    } else {
        tell(r->in, shown, c->who.name, c->lab, LEDGER_OTHER_LAB, NULL);
    }
}

// Counts the sources that belong to no known lab and whose author has no other source. A source whose author has
// another source is not counted, because it may be any file.
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
        char shown[PATH];
        shown_path(r, &(struct tree_file){.path = left->path}, shown);
        tell(r->in, shown, NULL, NULL, left->why ? LEDGER_UNREAD : LEDGER_SKIPPED, left->why);
        r->in->unread += left->why != NULL;
    }
}

// Adds a line to the import's notes if the author of `path`, a file that is not a CUDA source, has handed in no CUDA
// source. A student who handed in no CUDA source may believe that the submission was complete.
static void look_at_other(struct reading *r, const char *path)
{
    struct candidate c;
    const struct lab *folder;
    const char *name;
    size_t wrapped = strlen(r->wrap);
    read_path(r, strncmp(path, r->wrap, wrapped) ? path : path + wrapped, &c, &name, &folder);
    char shown[PATH];
    shown_path(r, &(struct tree_file){.path = path}, shown);
    tell(r->in, shown, c.nameless ? NULL : c.who.name, NULL, LEDGER_NO_SOURCE, NULL);
    if (c.nameless || hash_map_get(&r->authors, c.group, strlen(c.group)) >= 0) return;
    ++r->in->sourceless;
    text_say(&r->in->notes, "no CUDA source (.cu) from '%s': '%s'\n", *c.who.name ? c.who.name : c.group, shown);
    know_author(r, &c);
}

// ------------------------------------------------------------------------------------------------------ the whole tree
// Returns the length of the folder name at offset `from`, with its '/', if all paths have this folder in common. Only
// the paths of sources, of git clones, and of other files that lie in folders are compared. Returns 0 if the paths have
// no folder at offset `from` in common.
static size_t common_length(const struct reading *r, size_t from)
{
    const struct tree *t = &r->tree;
    const char *first = t->count ? t->file[0].path : t->clones ? t->clone[0] : "";
    const char *slash = strlen(first) > from ? strchr(first + from, '/') : NULL;
    if (!slash) return 0;
    size_t n = (size_t)(slash + 1 - first);
    for (uint32_t i = 0; i < t->count; ++i)
        if (strncmp(t->file[i].path, first, n) != 0) return 0;
    for (uint32_t i = 0; i < t->others; ++i)
        if (strlen(t->other[i]) > from && strchr(t->other[i] + from, '/') && strncmp(t->other[i], first, n) != 0)
            return 0;
    for (uint32_t i = 0; i < t->clones; ++i) // a clone itself is an author's
        if (strncmp(t->clone[i], first, n) != 0 || !t->clone[i][n]) return 0;
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
    char first[PART], part[PART], own[PART], below[PART] = "";
    struct candidate c = {.file = NULL};
    const struct lab *lab;
    const char *name = NULL;
    size_t n = common_length(r, from);
    int several = !t->time;
    if (!n || r->single) return 0;
    next_part((t->count ? t->file[0].path : t->clone[0]) + from, first);
    uint32_t named = 0, nameless = 0, deeper = !within;
    for (uint32_t i = 0; i < t->count; ++i) {
        const char *rest = t->file[i].path + from + n;
        int folder = next_part(rest, part) != NULL;
        if (folder && !*below) memcpy(below, part, sizeof below);
        several |= take_system(r, part, &c, &name) || !strcmp(part, GRADESCOPE_LIST) || (folder && strcmp(below, part));
        if (folder || take_system(r, part, &c, &name) || !strcmp(part, GRADESCOPE_LIST)) continue;
        names_author(part, own, sizeof own);
        if (strncmp(part, "main", 4) != 0) ++*(*own || is_known(r->in, part) ? &named : &nameless);
        deeper = 0;
    }
    names_author(r->base, own, sizeof own);
    if (tree_is_archive(first) || take_system(r, first, &c, &name) || is_known(r->in, first)) return 0;
    int packing = !within && (!strcmp(first, own) || is_lab_part(first, &lab));
    return (deeper && several) || packing || (named > 1 && !nameless) ? n : 0;
}

static void find_wrap(struct reading *r)
{
    size_t n = r->prefix, outer = wrap_length(r, n, 0);
    n += outer;
    if (outer && !r->prefix) n += wrap_length(r, n, 1);
    r->wrap = "";
    if (n)
        r->wrap = arena_printf(&r->tree.arena, "%.*s", (int)n, r->tree.count ? r->tree.file[0].path : r->tree.clone[0]);
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

// Returns the modification time of a source file itself, even if the file lies in an archive. Among an author's sources
// for one lab, own_time() decides which source is the newest.
static int64_t own_time(const struct candidate *c)
{
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
    return order ? order : -strverscmp(x->file->path, y->file->path); // strverscmp() puts "lab3-2.cu" after "lab3-1.cu"
}

static void take_candidate(struct reading *r, const struct candidate *c)
{
    char file[PATH];
    shown_path(r, c->file, file);
    // A single student's archive has the time that the course system or the instructor's copy gave the archive.
    int64_t time = c->whole && r->tree.time ? r->tree.time : c->file->time;
    int64_t inside = c->whole && r->tree.time ? c->file->time : c->file->inside;
    if (c->clock == CLOCK_FILE && inside > time + ZONES_S)
        text_say(&r->in->notes, "a file is newer than its archive, whose time counts: '%s'\n", file);
    struct import_submission h = {.who = c->who,
                                  .lab = c->lab,
                                  .origin = c->origin,
                                  .file = file,
                                  .data = c->file->data,
                                  .bytes = c->file->bytes,
                                  .submitted = c->clock == CLOCK_NONE ? 0
                                               : c->listed            ? c->listed->created
                                                                      : time,
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
        if (!before || strcmp(before->group, c->group) || before->lab != c->lab) {
            take_candidate(r, c);
            continue;
        }
        text_say(&r->in->notes, "another source is taken for %s: '%s'\n", c->lab->name, shown);
        tell(r->in, shown, c->who.name, c->lab, LEDGER_SUPERSEDED, NULL);
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
static void take_clone(struct import *in, const char *path, const struct roster_identity *who)
{
    static struct tree_commit commit[TREE_COMMITS];
    int64_t before[TREE_COMMITS], extended;
    struct text why = {0};
    struct import_submission h = {.origin = "git", .file = path, .clock = CLOCK_COMMIT, .who = *who};
    const struct roster_student *s = in->roster ? roster_find(in->roster, &h.who) : NULL;
    const char *names[ROSTER_STUDENT_NAMES] = {h.who.name, NULL};
    uint32_t count = 0;
    int taken = 0;
    if (s) roster_student_names(s, names);
    for (; in->labs[count] && count < TREE_COMMITS; ++count) {
        before[count] = course_due(in->course, in->labs[count], names, &extended);
        if (before[count]) before[count] += course_lab(in->course, in->labs[count])->grace;
    }
    int failed = tree_read_clone(commit, path, before, count, &why), empty = 0;
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
        text_printf(&in->notes, "%s\n", words);
        tell(in, path, who->name, NULL, LEDGER_UNREAD, words);
        ++in->unread;
    } else if (!taken) {
        ++in->sourceless;
        text_say(&in->notes, "no source for these labs in the clone '%s'\n", path);
        tell(in, path, who->name, NULL, LEDGER_NO_SOURCE, NULL);
    }
    text_free(&why);
}

// Imports all git clones of the tree. The outermost part of a clone's path names the clone's author.
static void take_clones(struct reading *r)
{
    size_t wrapped = strlen(r->wrap);
    for (uint32_t i = 0; i < r->tree.clones; ++i) {
        char path[PATH];
        struct candidate c;
        const struct lab *folder;
        const char *name;
        read_path(r, r->tree.clone[i] + wrapped, &c, &name, &folder);
        snprintf(path, sizeof path, "%s/%s", r->path, r->tree.clone[i]);
        path[strlen(path) - 1] = '\0'; // removes the '/' at the end of "folder/"
        take_clone(r->in, path, &c.who);
    }
}

// Returns 1 if `typed`, the name on the command line, is one student's: a course system made the name, or the roster
// contains it. If the user typed "." for the current folder, the folder's own name does not count as a student's.
static int is_single(struct reading *r, const char *typed)
{
    char own[PART];
    const char *file = "";
    struct candidate c = {.file = NULL};
    names_author(typed, own, sizeof own);
    return take_system(r, typed, &c, &file) || is_known(r->in, typed) || (*own && is_known(r->in, own));
}

static void take_tree(struct reading *r)
{
    r->candidate = alloc_zeroed(r->tree.count + 1, sizeof *r->candidate);
    r->lost = alloc_zeroed(r->tree.count + 1, sizeof *r->lost);
    if (r->tree.time && r->tree.count) r->prefix = strcspn(r->tree.file[0].path, "/") + 1;
    read_list(r);
    find_wrap(r);
    size_t wrapped = strlen(r->wrap);
    for (uint32_t i = 0; i < r->tree.count; ++i) r->loose += !strchr(r->tree.file[i].path + wrapped, '/');
    for (uint32_t i = 0; i < r->tree.count; ++i) look_at_file(r, &r->tree.file[i]);
    for (uint32_t i = 0; i < r->tree.others; ++i) look_at_other(r, r->tree.other[i]);
    take_best(r);
    count_lost(r);
    take_clones(r);
    note_left(r);
    hash_map_free(&r->authors);
    r->in->links += r->tree.links;
    r->in->strange += r->tree.strange;
    if (r->tree.refused.length) text_puts(&r->in->notes, r->tree.refused.data);
    free(r->candidate);
    free(r->lost);
}

int import_path(struct import *in, const char *given, struct text *why)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s", given);
    for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; --n) path[n - 1] = '\0';
    struct reading r = {.in = in, .path = path};
    char real[PATH], *whole = realpath(path, real); // realpath() gives the folder "." a name
    // If the path is a single source, the folder's name may name the author.
    int source = tree_wants(last_part(path));
    if (whole && source) *(char *)strrchr(whole, '/') = '\0';
    r.base = last_part(whole ? whole : path);
    if (tree_is_clone(path)) {
        struct roster_identity who;
        name_author(in, r.base, &who);
        take_clone(in, path, &who);
        return 0;
    }
    r.single = !source && is_single(&r, last_part(path));
    int answer = tree_read(&r.tree, path, why);
    if (!answer) take_tree(&r);
    gradescope_free(&r.gradescope);
    tree_free(&r.tree);
    return answer;
}

void import_free(struct import *in)
{
    text_free(&in->notes);
}
