// Reads submission_metadata.yml of a Gradescope export. The file submission_metadata.yml lists the students and the
// time of each submission's folder.
#ifndef BATCH_UNPACK_GRADESCOPE_H
#define BATCH_UNPACK_GRADESCOPE_H

#include <stdint.h>

#include "base/arena.h"
#include "batch/unpack/identity.h"

struct text;

#define GRADESCOPE_LIST "submission_metadata.yml" // name of the list in an export

// Holds the parsed submission_metadata.yml. The field `arena` owns all strings and arrays of the parsed file.
struct gradescope {
    struct arena arena;
    struct gradescope_submission {
        const char *folder; // name of the submission's folder, such as "submission_1234"
        int64_t created;    // seconds since 1970; 0: unknown
        struct identity *submitter;
        uint32_t submitters;
    } * submission;
    uint32_t count;
};
// Parses the text of submission_metadata.yml in a sandbox (unpack.h). Returns 0, or -1 with an error message in `why`
// if the text is not a list of submissions, or if parsing takes too much time or memory. The caller frees the result
// with gradescope_free().
int gradescope_read(struct gradescope *, const char *data, size_t bytes, struct text *why);
// Parses the text of submission_metadata.yml in this process. Returns 0, or -1 with an error message in `why` if the
// text is not a list of submissions. The caller frees the result with gradescope_free() after success and after
// failure.
int gradescope_parse(struct gradescope *, const char *data, size_t bytes, struct text *why);
// Returns the submission in the folder named `folder`, or NULL if submission_metadata.yml lists no such folder.
const struct gradescope_submission *gradescope_find(const struct gradescope *, const char *folder);
void gradescope_free(struct gradescope *);

#endif
