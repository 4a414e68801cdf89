// Finds the author, the lab and the time of each source file that is imported.
//
// Theory of operation: a student chooses all names, times and lists inside the folder or archive that the student
// handed in. The import therefore takes a file's author only from the outermost part of the file's path. The outermost
// part is the first part of the path below the folder or archive on the command line. A course system or the instructor
// wrote the name of the outermost part. Before the outermost part of a path, the import skips folders that are named
// after a lab. The import also skips folders that hold a part of the class (section.h). A folder that contains all
// other files is skipped, too, unless it has the name of a student on the roster. Names below the outermost part, and
// the data in a git clone, never name the author. If the command line names one student's folder or archive, all files
// in it belong to this student. A folder or archive on the command line is one student's if the option --student says
// so, or if a course system made its name or the roster has it, and nothing in it may be another student's. If a folder
// may be one student's or several students', nothing in it is taken, and a note names the options that decide
// (download_layout.c). If a path consists of a single file name without an author, the author is the
// name of the archive or folder on the command line. Gradescope's list of students counts only if it lies in the same
// folder as the outermost parts of the paths.
//
// The submission time is that of Gradescope's list, of Moodle's grading worksheet or of a course system's name, or else
// the modification time of the file or archive that the student handed in. Some course systems give all files in a
// download the time of the download (download.c). Then the submission time is unknown, and nobody is late. The times of
// files inside a student's archive never count as the submission time. If a file inside an archive is newer than the
// archive, the import adds a note.
//
// Each hand-in with a time or number of its own from the course system is an attempt. Attempts are given to the
// gradebook in the order of their numbers, and none of them is older than the one before it. A hand-in may have several
// sources for one lab. The import takes the source with the strongest evidence that it belongs to the lab, and among
// equals the newest. From strongest to weakest, the evidence is as follows. The file's name is the lab's whole name.
// The file's name contains the lab's name as a word, such as "alice_lab3.cu". The file lies in a folder with the lab's
// name. The file defines the lab's kernels. If a file defines none of the kernels of the lab in its name, but all
// kernels of another lab, it belongs to the other lab, and the import adds a note. The summary of an import lists the
// sources that were not taken and the authors who handed in files but no CUDA source. If the user asks for one lab, a
// text that defines the lab's kernels is a source whatever its name ends with. Files that an instructor gave back to a
// student are nobody's work.
//
// The import joins a source and the headers that it includes into one text (base/bundle.h), if the headers lie in its
// folder and are the same author's. In a git clone, all files are the author's.
#define _GNU_SOURCE
#include "batch/import/import.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bundle.h"
#include "base/message.h"
#include "base/text.h"
#include "batch/import/assignment.h"
#include "batch/import/download_layout.h"
#include "batch/import/evidence.h"
#include "batch/import/handin.h"
#include "batch/import/person.h"
#include "batch/import/repository.h"
#include "batch/unpack/names.h"

// A zip archive stores times without a time zone, so the time of a file in the archive may differ from the true time by
// ZONES_S seconds.
enum { ZONES_S = 14 * 3600 };

// Returns the names of a source's author, or of the first member of a Gradescope group.
static const struct identity *author_of(const struct candidate *c)
{
    return c->listed && c->listed->submitters ? c->listed->submitter : &c->who;
}

static void know_author(struct reading *r, const struct candidate *c)
{
    size_t n = strlen(c->group);
    hash_map_put(&r->authors, arena_strndup(&r->tree.arena, c->group, n), n, 1);
}

// --------------------------------------------------------------------------------------------------------- single
// files Tells the ledger of a file that is nobody's work because of its place. Returns 1, or 0 if the file is an
// author's.
static int is_set_aside(struct reading *r, const struct candidate *c, const char *shown)
{
    if (c->elsewhere || c->unclear) {
        handin_tell(r->in, shown, NULL, NULL, c->elsewhere ? LEDGER_ELSEWHERE : LEDGER_UNCLEAR, NULL);
        return 1;
    }
    if (c->feedback) handin_tell(r->in, shown, c->nameless ? NULL : author_of(c), NULL, LEDGER_FEEDBACK, NULL);
    return c->feedback;
}

// Adds notes about what a source's names and kernels say of its author, time and lab, where they are not what they
// seem.
static void note_source(struct reading *r, const struct candidate *c, const struct lab *misnamed, const char *shown)
{
    struct text *notes = &r->in->notes;
    if (misnamed)
        text_say(notes, "for %s, whose kernels it defines, and not for %s, after which it is named: '%s'\n",
                 c->lab->name, misnamed->name, shown);
    if (!c->lab) {
        text_say(notes, "for no lab that is known: '%s'\n", shown);
        return;
    }
    if (!assignment_is_wanted(r->in, c->lab)) return;
    // If an instructor put a course system's download one folder too deep, this note explains why the names in the
    // download do not count.
    if (c->pretends)
        text_say(
            notes,
            "counts for '%s', not for the name inside; for a course system's download, name its own folder: '%s'\n",
            c->who.name, shown);
    if (!strcmp(c->origin, "Brightspace") && !c->when)
        text_say(notes, "the file's time counts, because Brightspace's has a form that is not known: '%s'\n", shown);
}

static void look_at_file(struct reading *r, const struct tree_file *f)
{
    char shown[READING_PATH];
    struct candidate *c = &r->candidate[r->count];
    const struct lab *folder, *misnamed;
    const char *name;
    reading_shown(r, f->path, shown);
    if (!strcmp(part_last(f->path), GRADESCOPE_LIST)) {
        handin_tell(r->in, shown, NULL, NULL, f == r->broken ? LEDGER_UNREAD : LEDGER_NO_SOURCE, NULL);
        return;
    }
    reading_author(r, reading_unwrapped(r, f->path), c, &name, &folder);
    if (is_set_aside(r, c, shown)) {
        r->in->unplaced += !c->feedback;
        return;
    }
    c->file = f;
    c->lab = assignment_find(r->in, f, name, folder, &c->rank, &misnamed);
    if (!strncmp(name, "main", 4) && c->rank < NAMES_WHOLE) { // the file is the host program from the lab's template
        tree_add_other(&r->tree, f->path);
        return;
    }
    if (!tree_wants(f->path)) c->rank = 0; // any source whose name ends with ".cu" is better evidence
    know_author(r, c);
    note_source(r, c, misnamed, shown);
    if (!c->lab) {
        handin_tell(r->in, shown, author_of(c), NULL, LEDGER_NO_LAB, NULL);
        r->lost[r->losts++] = *c;
    } else if (assignment_is_wanted(r->in, c->lab)) {
        ++r->count;
    } else {
        const char *lab = c->lab->name;
        int before = hash_map_get(&r->in->other_labs, lab, strlen(lab));
        hash_map_put(&r->in->other_labs, lab, strlen(lab), before < 0 ? 1 : before + 1);
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
        char shown[READING_PATH];
        reading_shown(r, left->path, shown);
        reading_author(r, reading_unwrapped(r, left->path), &c, &name, &folder);
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
    char shown[READING_PATH];
    reading_author(r, reading_unwrapped(r, path), &c, &name, &folder);
    reading_shown(r, path, shown);
    if (is_set_aside(r, &c, shown)) return;
    handin_tell(r->in, shown, c.nameless ? NULL : author_of(&c), NULL, fate, NULL);
    if (c.nameless || hash_map_get(&r->authors, c.group, strlen(c.group)) >= 0) return;
    ++r->in->sourceless;
    text_say(&r->in->notes, "no CUDA source (.cu) from '%s': '%s'\n",
             *author_of(&c)->name ? author_of(&c)->name : c.group, shown);
    know_author(r, &c);
}

// ------------------------------------------------------------------------------------------------------ the whole tree
// Reads Gradescope's list of students. Gradescope puts the list beside the submissions: at the top of the folder or
// archive on the command line, or in the one folder that contains all files. A file with the list's name in any other
// folder comes from a student and is not read as Gradescope's list.
static void read_list(struct reading *r)
{
    struct text why = {0};
    size_t top = r->prefix, below = top + download_layout_common(r, top);
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

// Returns 1 if a file whose name does not end with ".cu" is a source for the one lab that was asked for: it defines the
// lab's kernels, or has the lab's name and ".cu" in its own. Blackboard's text about a hand-in is none.
static int is_source_for(const struct lab *lab, const struct tree_file *f)
{
    const char *name = part_last(f->path);
    struct download_name d;
    if (!f->data || (download_parse(name, &d) && !strcmp(d.origin, "Blackboard") && !*d.file)) return 0;
    int kernels = lab->host ? 0 : names_kernels_of(lab);
    if (kernels && names_kernels(f->data, f->bytes, lab) == kernels) return 1;
    return names_file_lab(name, lab) && strcasestr(name, ".cu");
}

// Adds texts that are sources to the tree's sources, and removes them from its other files.
static void take_texts(struct reading *r)
{
    struct tree *t = &r->tree;
    struct hash_map taken = {0};
    const struct lab *lab = r->in->only ? r->in->labs[0] : NULL;
    if (!lab || r->in->labs[1] || !t->texts) return;
    struct tree_file *all = ARENA_ARRAY(&t->arena, t->count + t->texts, struct tree_file);
    if (t->count) memcpy(all, t->file, t->count * sizeof *all);
    for (uint32_t i = 0; i < t->texts; ++i) {
        if (!is_source_for(lab, &t->text[i])) continue;
        hash_map_put(&taken, t->text[i].path, strlen(t->text[i].path), 1);
        all[t->count++] = t->text[i];
    }
    t->file = all;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->others; ++i)
        if (hash_map_get(&taken, t->other[i], strlen(t->other[i])) < 0) t->other[kept++] = t->other[i];
    t->others = kept;
    hash_map_free(&taken);
}

// Returns the time in a source's name, if a course system wrote one there. Otherwise, returns the modification time of
// the source file itself, even if the file lies in an archive. Among an author's sources for one lab, own_time()
// decides which source is the newest.
static int64_t own_time(const struct candidate *c)
{
    if (c->when) return c->when;
    return c->file->inside ? c->file->inside : c->file->time;
}

static int by_number(int64_t x, int64_t y)
{
    return (x > y) - (x < y);
}

static int folders_of(const char *path)
{
    int folders = 0;
    for (; *path; ++path) folders += *path == '/';
    return folders;
}

// Orders source files by author, lab and hand-in (oldest first), and those of a hand-in by evidence for the lab
// (strongest first), time (newest first) and folders around them (fewest first).
static int by_author(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    int order = strcmp(x->who.name, y->who.name);
    if (!order) order = strcmp(x->who.id, y->who.id);
    if (!order) order = strcmp(x->who.login, y->who.login);
    if (!order) order = strcmp(x->lab->name, y->lab->name);
    if (!order) order = by_number(x->when, y->when);
    if (!order) order = by_number(x->version, y->version);
    if (!order) order = strcmp(x->group, y->group);
    if (!order) order = y->rank - x->rank;
    if (!order) order = by_number(own_time(y), own_time(x));
    if (!order) order = by_number(folders_of(x->file->path), folders_of(y->file->path));
    if (!order) order = -strverscmp(x->file->path, y->file->path);    // strverscmp() puts "lab3-2.cu" after "lab3-1.cu"
    return order ? order : (x->file < y->file) - (x->file > y->file); // of two with one name, an archive's last counts
}

struct author { // the argument of own_name()
    struct reading *r;
    const struct candidate *c;
};
// Returns the name that the author of a source gave a header, or NULL if the header is another author's, or of another
// hand-in. Canvas numbers files, not hand-ins. In a path that a course system made, the student's own name of the
// header may follow other text.
static const char *own_name(void *data, const struct tree_file *header)
{
    const struct author *a = data;
    struct candidate other;
    const struct lab *folder;
    const char *name;
    reading_author(a->r, reading_unwrapped(a->r, header->path), &other, &name, &folder);
    if (a->c->whole) return name;
    if (strcmp(other.group, a->c->group) != 0) return NULL;
    return other.version == a->c->version || !strcmp(other.origin, "Canvas") ? name : NULL;
}

// Returns the time of hand-in by the worksheet of the Moodle assignment from which a source was downloaded, or 0.
static int64_t worksheet_time(const struct import *in, const struct candidate *c)
{
    int64_t when = 0;
    for (uint32_t i = 0; i < in->times && !strcmp(c->origin, "Moodle"); ++i)
        if (!strcmp(in->time[i].number, c->who.id)) when = in->time[i].when;
    return when;
}

// Sets the time of a hand-in. `time` is the time of its file, or that of an earlier hand-in of the author if it is
// later.
static void set_time(const struct import *in, const struct candidate *c, int64_t time, struct import_submission *h)
{
    int64_t worksheet = worksheet_time(in, c);
    h->clock = worksheet ? CLOCK_SYSTEM : c->clock;
    h->submitted = c->listed                ? c->listed->created
                   : c->when                ? c->when
                   : worksheet              ? worksheet
                   : c->clock == CLOCK_NONE ? 0
                                            : time;
    if (!h->submitted) h->clock = CLOCK_NONE;
}

// Imports the source of a hand-in. `earlier` is the time of the hand-in before it, or 0. Returns its time.
static int64_t take_candidate(struct reading *r, const struct candidate *c, int64_t earlier)
{
    char file[READING_PATH], evidence[READING_PATH];
    struct text bundle = {0};
    reading_shown(r, c->file->path, file);
    evidence_name(c->origin, c->whole ? r->base : NULL, c->naming, evidence, sizeof evidence);
    tree_bundle(&r->tree, c->file, own_name, &(struct author){r, c}, &bundle);
    // A single student's archive has the time that the course system or the instructor's copy gave the archive.
    int64_t time = c->whole && r->tree.time ? r->tree.time : c->file->time;
    int64_t inside = c->whole && r->tree.time ? c->file->time : c->file->inside;
    if (c->clock == CLOCK_FILE && inside > time + ZONES_S)
        text_say(&r->in->notes, "a file is newer than its archive, whose time counts: '%s'\n", file);
    if (time < earlier) time = earlier;
    struct import_submission h = {.who = c->who,
                                  .lab = c->lab,
                                  .origin = c->origin,
                                  .file = file,
                                  .evidence = evidence,
                                  .node = evidence_node(r->path, file),
                                  .data = bundle.data ? bundle.data : c->file->data,
                                  .bytes = bundle.data ? bundle.length : c->file->bytes,
                                  .late = c->late};
    set_time(r->in, c, time, &h);
    uint32_t submitters = c->listed ? c->listed->submitters : 0;
    for (uint32_t i = 0; i < submitters; ++i) { // each member of a Gradescope group gets the submission
        h.who = c->listed->submitter[i];
        handin_give(r->in, &h);
    }
    if (c->listed && !submitters) snprintf(h.who.name, sizeof h.who.name, "%s", c->listed->folder);
    if (!submitters) handin_give(r->in, &h);
    text_free(&bundle);
    return c->clock == CLOCK_FILE ? h.submitted : 0;
}

static void supersede(struct reading *r, const struct candidate *c, const struct candidate *taken)
{
    char shown[READING_PATH], other[READING_PATH];
    struct text why = {0};
    reading_shown(r, c->file->path, shown);
    reading_shown(r, taken->file->path, other);
    text_say(&r->in->notes, "'%s' is not taken for %s: '%s' is\n", shown, c->lab->name, other);
    text_printf(&why, "'%s'", other);
    handin_tell(r->in, shown, author_of(c), c->lab, LEDGER_SUPERSEDED, why.data);
    text_free(&why);
    ++r->superseded;
}

static void announce(struct import *in, const struct candidate *c)
{
    uint32_t submitters = c->listed ? c->listed->submitters : 0;
    for (uint32_t i = 0; i < submitters; ++i) handin_announce(in, &c->listed->submitter[i], c->lab);
    if (!c->listed) handin_announce(in, &c->who, c->lab);
}

static void take_best(struct reading *r)
{
    enum { MANY = 3 };
    const struct candidate *taken = NULL;
    int64_t earlier = 0;
    if (r->count) qsort(r->candidate, r->count, sizeof *r->candidate, by_author);
    for (uint32_t i = 0; i < r->count; ++i) {
        const struct candidate *c = &r->candidate[i];
        int same = taken && taken->lab == c->lab && !strcmp(taken->group, c->group);
        if (same && taken->version == c->version) {
            supersede(r, c, taken);
            continue;
        }
        earlier = take_candidate(r, c, same ? earlier : 0);
        taken = c;
    }
    if (r->superseded >= MANY && 2 * r->superseded > r->count)
        text_say(&r->in->notes,
                 "%u of %u sources in '%s' are not taken, because their authors have others: if folders in it are not "
                 "students', say --students\n",
                 r->superseded, r->count, r->path);
}

// Imports all git clones of the tree. The outermost part of a clone's path names the clone's author.
static void take_clones(struct reading *r)
{
    for (uint32_t i = 0; i < r->tree.clones; ++i) {
        char path[READING_PATH], raw[READING_PATH];
        struct candidate c;
        const struct lab *folder;
        const char *name;
        reading_author(r, reading_unwrapped(r, r->tree.clone[i].path), &c, &name, &folder);
        snprintf(path, sizeof path, "%s/%s", r->path, r->tree.clone[i].path);
        path[strlen(path) - 1] = '\0'; // removes the '/' at the end of "folder/"
        snprintf(raw, sizeof raw, "%s/%s", r->given, r->tree.clone[i].name);
        if (is_set_aside(r, &c, path))
            r->in->unplaced += !c.feedback;
        else
            repository_take(r->in, path, raw, c.whole ? r->base : c.naming, &c.who);
    }
}

static void take_tree(struct reading *r, const char *typed)
{
    take_texts(r);
    r->candidate = alloc_zeroed(r->tree.count + 1, sizeof *r->candidate);
    r->lost = alloc_zeroed(r->tree.count + 1, sizeof *r->lost);
    download_layout_find(r, typed);
    read_list(r);
    download_layout_find_folders(r);
    for (uint32_t i = 0; i < r->tree.count; ++i) look_at_file(r, &r->tree.file[i]);
    for (uint32_t i = 0; i < r->count; ++i) announce(r->in, &r->candidate[i]);
    for (uint32_t i = 0; i < r->tree.others; ++i)
        if (!bundle_is_header(r->tree.other[i])) look_at_other(r, r->tree.other[i], LEDGER_NO_SOURCE);
    take_best(r);
    for (uint32_t i = 0; i < r->tree.headers; ++i)
        look_at_other(r, r->tree.header[i].path, r->tree.header[i].taken ? LEDGER_HEADER : LEDGER_NO_SOURCE);
    count_lost(r);
    take_clones(r);
    note_left(r);
    handin_end(r->in);
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
    char path[READING_PATH];
    snprintf(path, sizeof path, "%s", given);
    for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; --n) path[n - 1] = '\0';
    struct reading r = {.in = in, .given = path, .tree.names.encoding = in->names};
    char real[READING_PATH], *whole = realpath(path, real); // realpath() gives the folder "." a name
    // If the path is a single source, the folder's name may name the author.
    int source = tree_wants(part_last(path)), answer = 0;
    if (whole && source) *(char *)strrchr(whole, '/') = '\0';
    r.path = decoded(&r, path);
    r.base = decoded(&r, part_last(whole ? whole : path));
    handin_begin(in);
    if (tree_is_clone(path)) {
        struct identity who;
        person_in_part(in->roster, r.base, &who);
        repository_take(in, r.path, path, r.base, &who);
    } else {
        answer = tree_read(&r.tree, path, why);
        if (!answer) take_tree(&r, part_last(r.path));
    }
    gradescope_free(&r.gradescope);
    tree_free(&r.tree);
    return answer;
}

void import_free(struct import *in)
{
    text_free(&in->notes);
    hash_map_free(&in->used);
    hash_map_free(&in->other_labs);
    arena_free(&in->arena);
    hash_map_free(&in->told);
    arena_free(&in->told_keys);
}
