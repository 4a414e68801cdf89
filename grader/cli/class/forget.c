// Implements ./grade forget, which removes a person from the gradebook and from the files beside it.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/message.h"
#include "batch/export/export.h"
#include "cli/class/batch.h"

// The page that ./grade report writes contains names, so remove_page() deletes the page. The next ./grade report writes
// a new page without the removed person.
static void remove_page(const struct cli_gradebook *b)
{
    char path[sizeof b->out + 16];
    snprintf(path, sizeof path, "%s/report.html", b->out);
    if (unlink(path) && errno != ENOENT) die("cannot remove '%s': %s", path, strerror(errno));
}

int cli_forget(const struct cli_options *options, int argc, char **argv)
{
    struct cli_gradebook b;
    struct roster all;
    if (argc != 1) die("whom? ./grade forget STUDENT, by the student's key in gradebook.json");
    cli_gradebook_open(&b, options, CLI_GRADEBOOK_CHANGE);
    gradebook_roster(b.gradebook, &all);
    const struct roster_student *s = cli_gradebook_student(&b, &all, argv[0]);
    if (strcmp(s->key, argv[0])) die("'%s' is no student's key; this student's key is '%s'", argv[0], s->key);
    const char *names[ROSTER_STUDENT_NAMES];
    roster_student_names(s, names);
    int extended = rules_forget(b.gradebook, names);
    uint32_t sources = gradebook_forget(b.gradebook, s->key);
    export_forget(s->key, b.out);
    remove_page(&b);
    cli_gradebook_write(&b, NULL);
    printf(_("'%s' is forgotten: attempts, marks, feedback and %" PRIu32 " sources\n"), s->key, sources);
    if (!s->left && all.enrolled && s < all.student + all.enrolled)
        puts(_("strike this person from the roster's file, too: the next --roster brings the row back"));
    if (extended) printf(_("strike the extension of this person from '%s', too\n"), b.course_file);
    roster_free(&all);
    cli_gradebook_close(&b);
    return 0;
}
