// Finds a source file's lab by its name, its folder and its kernels.
//
// Students choose file names freely, so a file's kernels count more than its name. If a file defines none of the
// kernels of the lab in its name, but all kernels of another lab, the file is for the other lab. If the kernels of a
// file show no lab, the file is for the lab in its name, because a source that does not build may be a solution, too.
#include "batch/import/assignment.h"

#include "batch/unpack/names.h"

int assignment_of_part(const char *part, const struct lab **lab)
{
    for (int i = 0; lab_all[i]; ++i) {
        if (!names_is_lab(part, lab_all[i])) continue;
        *lab = lab_all[i];
        return 1;
    }
    return 0;
}

int assignment_of_title(const char *title, const struct lab **lab)
{
    const struct lab *found = NULL;
    for (int i = 0; lab_all[i]; ++i) {
        if (!names_file_lab(title, lab_all[i])) continue;
        if (found) return 0;
        found = lab_all[i];
    }
    if (found) *lab = found;
    return found != NULL;
}

int assignment_is_wanted(const struct import *in, const struct lab *lab)
{
    for (int i = 0; in->labs[i]; ++i)
        if (in->labs[i] == lab) return 1;
    return 0;
}

// Returns a lab of which the file defines all kernels, or NULL if there is no such lab. If there are several such labs,
// lab_by_kernels() prefers a lab that the user asked for, and then the lab with the most kernels. For example, lab 1's
// only kernel is also a kernel of lab 2.
static const struct lab *lab_by_kernels(const struct import *in, const struct tree_file *f)
{
    const struct lab *best = NULL;
    int most = 0;
    for (int i = 0; lab_all[i]; ++i) {
        int all = names_kernels_of(lab_all[i]), worth = all + (assignment_is_wanted(in, lab_all[i]) ? LAB_KERNELS : 0);
        if (names_kernels(f->data, f->bytes, lab_all[i]) == all && worth > most) most = worth, best = lab_all[i];
    }
    return best;
}

const struct lab *assignment_find(const struct import *in, const struct tree_file *f, const char *name,
                                  const struct lab *folder, int *rank, const struct lab **misnamed)
{
    const struct lab *best = folder, *shown = lab_by_kernels(in, f);
    *rank = folder ? NAMES_FOLDER : 0;
    *misnamed = NULL;
    for (int i = 0; lab_all[i]; ++i) {
        int sure = names_file_lab(name, lab_all[i]);
        if (sure > *rank) *rank = sure, best = lab_all[i];
    }
    if (best && shown && best != shown && !best->host && !names_kernels(f->data, f->bytes, best)) {
        *misnamed = best;
        best = NULL;
    }
    if (!best && shown) *rank = NAMES_CONTENT, best = shown;
    if (!best && in->only && in->labs[0] && !in->labs[1]) best = in->labs[0];
    return best;
}
