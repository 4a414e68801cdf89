// Keeps the text of course.json in the gradebook, so that marks follow from the gradebook alone. A file that is moved,
// edited or removed changes no mark.
#ifndef BATCH_BOOK_RULES_H
#define BATCH_BOOK_RULES_H

#include <stdint.h>

#include "base/text_struct.h"
#include "batch/book/gradebook.h"

// Holds a text of course.json. The caller frees it with rules_free().
struct rules {
    char path[4096]; // of the file; "": unknown
    char hash[BATCH_HASH];
    struct text text; // owned
    int64_t at;       // when the gradebook took it, in seconds since 1970; 0: not in the gradebook
};
// Reads a file with rules, without parsing it. Returns 0, or an error number of errno.h.
int rules_read(struct rules *, const char *path);
// Reads the gradebook's rules. Returns 1, or 0 if the gradebook has none. A gradebook of an older version may have a
// path alone: then sets r->path and leaves r->text empty.
int rules_get(struct gradebook *, struct rules *r);
// Makes these rules the gradebook's.
void rules_put(struct gradebook *, const struct rules *);
// Removes a person's extensions from the gradebook's rules. `names` is as in course_due(). Returns 1 if there were any.
int rules_forget(struct gradebook *, const char *const *names);
void rules_free(struct rules *);

#endif
