// Finds out how a download is laid out: whether it is one student's, which folders are around everything, and which
// hold a part of the class.
#ifndef BATCH_IMPORT_DOWNLOAD_LAYOUT_H
#define BATCH_IMPORT_DOWNLOAD_LAYOUT_H

#include "batch/import/reading.h"

// Decides whether the path on the command line is one student's. `typed` is its last part as the user typed it. Sets
// r->prefix, r->single and r->unclear from the tree. If it is unclear, adds a note that names both readings and the
// options that decide.
void download_layout_find(struct reading *, const char *typed);
// Finds the folders that name no author. Sets r->wrap, r->section, r->nbgrader and r->loose. The caller calls
// download_layout_find() first, and reads Gradescope's list, which tells the names of folders. Adds a note about each
// folder that is one student's or a part of the class.
void download_layout_find_folders(struct reading *);
// Returns the length of the folder name at offset `from`, with its '/', if all paths have this folder in common, or 0.
size_t download_layout_common(const struct reading *, size_t from);

#endif
