// Splits paths; part.h states the contracts.
#include "batch/import/part.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "batch/import/assignment.h"

const char *part_next(const char *at, char part[PART_BYTES])
{
    size_t n = strcspn(at, "/");
    snprintf(part, PART_BYTES, "%.*s", (int)(n < PART_BYTES ? n : PART_BYTES - 1), at);
    return at[n] ? at + n + 1 : NULL;
}

const char *part_last(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *part_by_pattern(const char *pattern, const char *path, const struct lab **folder)
{
    char want[PART_BYTES], part[PART_BYTES];
    for (;;) {
        const char *more = part_next(pattern, want), *next = part_next(path, part);
        if (!*part || fnmatch(want, part, FNM_PERIOD)) return NULL;
        if (!more) return path;
        if (!next) return NULL;
        assignment_of_part(part, folder);
        pattern = more;
        path = next;
    }
}
