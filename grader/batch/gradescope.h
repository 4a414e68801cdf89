// submission_metadata.yml of a Gradescope export: who handed in what, and when.
#ifndef BATCH_GRADESCOPE_H
#define BATCH_GRADESCOPE_H

#include <stdint.h>

#include "base/arena.h"
#include "batch/roster.h"

struct gradescope {
    struct arena arena;
    struct gradescope_submission {
        const char *folder; // "submission_1234"
        int64_t created;    // seconds since 1970; 0: not said
        struct roster_identity *submitter;
        uint32_t submitters;
    } * submission;
    uint32_t count;
};
// 0; or -1 with a sentence in why: it is not such a list. Free with gradescope_free in both cases.
int gradescope_parse(struct gradescope *, const char *data, size_t bytes, struct text *why);
const struct gradescope_submission *gradescope_find(const struct gradescope *, const char *folder);
void gradescope_free(struct gradescope *);

#endif
