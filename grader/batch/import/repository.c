// Imports the commits of a git clone. Nothing in a repository names its author, and its dates are the commits'.
#define _GNU_SOURCE
#include "batch/import/repository.h"

#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "batch/import/assignment.h"
#include "batch/import/evidence.h"
#include "batch/import/handin.h"
#include "batch/import/part.h"
#include "batch/unpack/tree.h"

enum { EVIDENCE = 4096 };

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

void repository_take(struct import *in, const char *path, const char *name, const char *naming,
                     const struct identity *who)
{
    static struct tree_commit commit[TREE_COMMITS];
    int64_t before[TREE_COMMITS], extended;
    struct text why = {0};
    char evidence[EVIDENCE];
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
