// Reads the times of hand-in from Moodle's grading worksheet. The column "Identifier" has the number by which the
// assignment knows a student, "Participant 1234". The same number stands in the name of the student's folder in
// Moodle's download. The worksheet follows gradingtable.php of mod/assign, which writes "-" if nothing was handed in.
#include <ctype.h>
#include <string.h>

#include "batch/course/moment.h"
#include "batch/course/roster.h"
#include "batch/unpack/timestamp.h"

const char *roster_times(struct roster *r, struct roster_time **time, uint32_t *count)
{
    const char *unknown = NULL;
    *time = ARENA_ARRAY(&r->arena, r->count + 1, struct roster_time);
    *count = 0;
    for (uint32_t i = 0; i < r->count; ++i) {
        const char *number = r->student[i].participant, *text = r->student[i].submitted;
        int64_t when;
        number += strcspn(number, "0123456789");
        while (*text == ' ') ++text;
        if (!*number || !isalnum((unsigned char)*text)) continue; // "-", or an empty cell
        if (timestamp_parse(text, &when) && moment_parse(text, &when)) {
            if (!unknown) unknown = text;
            continue;
        }
        (*time)[(*count)++] = (struct roster_time){number, when};
    }
    return unknown;
}
