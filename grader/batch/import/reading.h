// Holds the state of one call of import_path(), and reads from a path whose a file is. import.c has the theory.
#ifndef BATCH_IMPORT_READING_H
#define BATCH_IMPORT_READING_H

#include "base/hash.h"
#include "batch/import/import.h"
#include "batch/import/part.h"
#include "batch/import/section.h"
#include "batch/unpack/gradescope.h"
#include "batch/unpack/tree.h"

enum { READING_PATH = 4096 };

// Holds a source file and the facts that follow from its path, such as its author and lab.
struct candidate {
    const struct tree_file *file;
    const struct lab *lab;
    int rank; // certainty that the source belongs to `lab`, one of NAMES_…; 0: another ending than .cu
    char group[PART_BYTES + 192]; // equal for all sources of one author, of one time if the system tells it
    int64_t version;              // number of the hand-in by which the system orders those of a group; 0: it has none
    const char *origin;
    const char *naming; // path of the file from the part on that names the author
    struct identity who;
    // Gradescope's entry with submitters and time; NULL: the source is not from Gradescope
    const struct gradescope_submission *listed;
    int late;
    int64_t when; // time in the name that a course system made; 0: it has none
    enum mark_clock clock;
    int nameless;  // 1: neither a folder nor a course system names the author
    int whole;     // 1: the author is the name on the command line, so everything read belongs to this author
    int elsewhere; // 1: the path does not match the pattern of --students
    int feedback;  // 1: an instructor gave the file back
    int unclear;   // 1: the file lies in a folder that may be one student's or several students'
    int pretends;  // 1: a part below the outermost one looks like a name that a course system made
};

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
    int single;     // 1: what the command line names is one student's, so no part below it names an author
    int unclear;    // 1: what the command line names may be one student's or a class
    int nbgrader;   // 1: the folder is a course's of nbgrader, with the folders "submitted" and, say, "feedback"
    struct candidate *candidate, *lost; // sources for a lab that was asked for, and for none
    uint32_t count, losts, superseded;
    struct hash_map authors; // groups (see struct candidate) that have a source
};

// Parses `part`, one part of a path, as a name that a course system made. Returns 1 if a course system made the name
// `part`, or 0. If `part` contains the student's own file name, sets *name to it. If `part` contains an assignment's
// title with the name of a lab, sets *folder to this lab.
int reading_system(const struct reading *, const char *part, struct candidate *, const char **name,
                   const struct lab **folder);
// Identifies the author of the file at `path`, a path of the tree without r->wrap, by the outermost part of `path`.
// Sets *name to the name that the student gave the file; it is valid until the next call. Sets *folder to the lab after
// which a folder in `path` is named, or to NULL.
void reading_author(const struct reading *, const char *path, struct candidate *, const char **name,
                    const struct lab **folder);
// Returns a path of the tree without the leading folders that all paths have in common and that name no author.
const char *reading_unwrapped(const struct reading *, const char *path);
// Writes the path of an imported file for display to `shown`. The displayed path begins with the path that the user
// gave on the command line. If the user gave an archive or a folder, the displayed path continues with the path inside
// the archive or folder.
void reading_shown(const struct reading *, const char *path, char shown[READING_PATH]);

#endif
