// Reads submission_metadata.yml of a Gradescope export: who handed in which folder, and when.
#ifndef BATCH_GRADESCOPE_H
#define BATCH_GRADESCOPE_H

#include <stdint.h>

#include "base/arena.h"
#include "batch/roster.h"

// The parsed file.
struct gradescope {
    struct arena arena;
    struct gradescope_submission {
        const char *folder; // name of the submission's folder, such as "submission_1234"
        int64_t created;    // seconds since 1970; 0: unknown
        struct roster_identity *submitter;
        uint32_t submitters;
    } * submission;
    uint32_t count;
};
// Parses the file's text. Returns 0, or -1 with a sentence in `why` if the text is no such list. Free with
// gradescope_free() in both cases.
int gradescope_parse(struct gradescope *, const char *data, size_t bytes, struct text *why);
// Returns the submission in that folder, or NULL.
const struct gradescope_submission *gradescope_find(const struct gradescope *, const char *folder);
void gradescope_free(struct gradescope *);

#endif
