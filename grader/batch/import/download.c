// Parses names in downloads. The file and folder names of course systems have these forms, shown with the source of
// each form:
//
//   Canvas       doejane_LATE_1234_5678_lab3.cu                     canvas-lms, lib/content_zipper.rb (names.c)
//   Moodle       Jane Doe_1234_assignsubmission_file_lab3.cu        moodle, mod/assign/locallib.php (names.c)
//   Autolab      jdoe@example.org_3_lab3.cu                         Autolab, app/models/submission.rb
//   PrairieLearn jdoe@example.org_1_lab3_1_2_4567_lab3.cu           PrairieLearn, instructorAssessmentDownloads.sql
//                jdoe@example.org_s123_lab3_4567_lab3.cu            the same, files for manual grading
//   Blackboard   Lab 3_jdoe_attempt_2026-10-01-23-59-00_lab3.cu     nbgrader's zip_collect, which reads this form, too
//   nbgrader     jdoe+lab3+2026-10-01 14:58:23.948203 UTC+Zm9v      nbgrader, server_extensions/…/exchange/submit.py
//   Brightspace  12345-67890 - Jane Doe - Oct 1, 2026 1159 PM       a folder, or with " - lab3.cu" a file
//   Sakai        Doe, Jane(jdoe)/Submission attachment(s)/lab3.cu   sakai, BaseAssignmentService
//   Moodle       Jane Doe_1234_assignfeedback_file_                 what an instructor gave back
//
// The name of a question in PrairieLearn may contain '/'. The name of its file then stands in two parts of a path.
//
// In a name from Brightspace, the time has the form of the server's language, and a login may stand before the
// student's name. In a download from Sakai without folders, '_' joins the parts of the name. Sakai writes a name of one
// word without a comma: "박지성(jspark)".
//
// The times of the files in a download are those of the download itself in Canvas (content_zipper.rb), Moodle
// (lib/filestorage/zip_archive.php and ZipStream), Sakai (java.util.zip, without a time) and PrairieLearn (archiver,
// without a date), so that they tell nothing of when a file was handed in. Autolab packs its own files with their
// times.
//
// A time in the name of a file or folder is in the course's time zone (timestamp.h), unless the name contains another
// zone.
#define _GNU_SOURCE
#include "batch/import/download.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "batch/course/moment.h"
#include "batch/unpack/names.h"
#include "batch/unpack/timestamp.h"

static void put(char *to, size_t size, const char *from, size_t length)
{
    snprintf(to, size, "%.*s", (int)length, from);
}

static int canvas(const char *part, struct download_name *d)
{
    int late;
    if (!names_canvas(part, &d->who, &late, &d->file)) return 0;
    d->clock = CLOCK_NONE; // the file times in a Canvas download are the time of the download
    d->late = late ? 1 : 2;
    // A file that was handed in again is "lab3-1.cu".
    const char *dot = strrchr(d->file, '.'), *number = dot ? dot : d->file;
    while (number > d->file && isdigit((unsigned char)number[-1])) --number;
    if (dot && number < dot && number > d->file + 1 && number[-1] == '-') d->version = strtoll(number, NULL, 10);
    return 1;
}

static int moodle(const char *part, struct download_name *d)
{
    static const char given_back[] = "_assignfeedback_";
    const char *mark = strstr(part, given_back), *id = mark;
    d->clock = CLOCK_NONE;
    if (names_moodle(part, &d->who, &d->file)) return 1;
    while (id && id > part && isdigit((unsigned char)id[-1])) --id;
    if (!mark || id == mark || id <= part + 1 || id[-1] != '_') return 0;
    put(d->who.name, sizeof d->who.name, part, (size_t)(id - 1 - part));
    put(d->who.id, sizeof d->who.id, id, (size_t)(mark - id));
    d->feedback = 1;
    return 1;
}

// Returns the length of the address at the begin of `part`, if a '_' follows it, or 0.
static size_t address(const char *part)
{
    const char *at = strchr(part, '@'), *end = at ? strchr(at, '_') : NULL;
    return at == part || !end || end == at + 1 ? 0 : (size_t)(end - part);
}

static void put_address(struct download_name *d, const char *part, size_t length)
{
    put(d->who.email, sizeof d->who.email, part, length);
    put(d->who.name, sizeof d->who.name, part, length);
}

static int autolab(const char *part, struct download_name *d)
{
    size_t length = address(part), digits = length ? strspn(part + length + 1, "0123456789") : 0;
    const char *end = part + length + 1 + digits;
    if (!digits || *end != '_' || !end[1]) return 0;
    put_address(d, part, length);
    d->version = strtoll(part + length + 1, NULL, 10);
    d->file = end + 1;
    return 1;
}

static int is_lab(const char *title)
{
    for (int i = 0; lab_all[i]; ++i)
        if (names_is_lab(title, lab_all[i])) return 1;
    return 0;
}

// Skips up to `most` numbers, each with a '_' behind it. Returns their number, and sets *last to the last one.
static int skip_numbers(const char **at, int most, int64_t *last)
{
    int numbers = 0;
    for (size_t n; numbers < most && (n = strspn(*at, "0123456789")) > 0 && (*at)[n] == '_'; ++numbers) {
        *last = strtoll(*at, NULL, 10);
        *at += n + 1;
    }
    return numbers;
}

int download_question(const char *part, int64_t *version, const char **file)
{
    for (const char *end = part; (end = strchr(end + 1, '_')) != NULL;) {
        char title[64];
        put(title, sizeof title, part, (size_t)(end - part));
        *file = end + 1;
        if (is_lab(title) && skip_numbers(file, 3, version) == 3 && **file) return 1;
    }
    return 0;
}

// Reads ADDRESS_NUMBER_QUESTION_VARIANT_SUBMISSION_ID_FILE and ADDRESS_UIN_QUESTION_ID_FILE. The question is a lab, so
// that it shows where the student's own file name begins. The ID of a later submission is larger.
static int prairielearn(const char *part, struct download_name *d)
{
    size_t length = address(part);
    const char *question = length ? strchr(part + length + 1, '_') : NULL, *end = question;
    while (end && (end = strchr(end + 1, '_')) != NULL) {
        char title[sizeof d->title];
        put(title, sizeof title, question + 1, (size_t)(end - question - 1));
        const char *file = end + 1;
        int numbers = skip_numbers(&file, 3, &d->version);
        if (!is_lab(title) || (numbers != 3 && numbers != 1) || !*file) continue;
        put_address(d, part, length);
        put(d->title, sizeof d->title, title, strlen(title));
        d->file = file;
        d->clock = CLOCK_NONE;
        return 1;
    }
    return 0;
}

// Reads "2026-10-01-23-59-00" at `at`. Returns the text behind the time, or NULL if `at` does not begin with such a
// time.
static const char *time_with_hyphens(const char *at, int64_t *when)
{
    static const char form[] = "dddd-dd-dd-dd-dd-dd";
    char text[sizeof form];
    for (size_t i = 0; form[i]; ++i)
        if (form[i] == 'd' ? !isdigit((unsigned char)at[i]) : at[i] != '-') return NULL;
    put(text, sizeof text, at, sizeof form - 1);
    text[10] = ' ';
    text[13] = text[16] = ':';
    return timestamp_parse(text, when) ? NULL : at + sizeof form - 1;
}

// In a name from Blackboard, '_' joins the assignment's title and the student's login, but the title and the login may
// contain '_', too. If the title is a lab's name, blackboard() knows where the title ends.
static int blackboard(const char *part, struct download_name *d)
{
    const char *mark = NULL, *rest = NULL, *login = NULL;
    for (const char *at = part; (at = strstr(at, "_attempt_")) != NULL; ++at)
        if ((rest = time_with_hyphens(at + 9, &d->when)) != NULL && (mark = at) != NULL) break;
    if (!mark || (*rest && *rest != '_' && *rest != '.')) return 0;
    for (const char *at = part; at < mark; ++at) {
        char title[sizeof d->title];
        if (*at != '_') continue;
        put(title, sizeof title, part, (size_t)(at - part));
        for (int i = 0; lab_all[i] && strlen(title) + 1 < sizeof title; ++i)
            if (names_is_lab(title, lab_all[i])) login = at + 1; // the longest title: "lab3_syncthreads", not "lab3"
    }
    for (const char *at = part; !login && at < mark; ++at)
        if (*at == '_' && !memchr(at + 1, '_', (size_t)(mark - at - 1))) login = at + 1;
    if (!login || login >= mark || login == part + 1) return 0;
    put(d->title, sizeof d->title, part, (size_t)(login - 1 - part));
    put(d->who.name, sizeof d->who.name, login, (size_t)(mark - login));
    d->file = *rest == '_' ? rest + 1 : "";
    d->clock = CLOCK_SYSTEM;
    return 1;
}

static int nbgrader(const char *part, struct download_name *d)
{
    const char *title = strchr(part, '+'), *when = title ? strchr(title + 1, '+') : NULL;
    char text[64];
    if (!when || title == part) return 0;
    put(text, sizeof text, when + 1, strcspn(when + 1, "+"));
    if (timestamp_parse(text, &d->when)) return 0;
    put(d->who.name, sizeof d->who.name, part, (size_t)(title - part));
    put(d->title, sizeof d->title, title + 1, (size_t)(when - title - 1));
    d->clock = CLOCK_SYSTEM;
    return 1;
}

// Returns 1 if a text may be a time in a form that is not known: it has a year and two more numbers.
static int is_like_time(const char *text)
{
    int numbers = 0, year = 0;
    for (size_t n; *text; text += n ? n : 1) {
        n = strspn(text, "0123456789");
        numbers += n > 0;
        year |= n == 4 && !strncmp(text, "20", 2);
    }
    return year && numbers > 2;
}

// Returns the " - " before the time in "Jane Doe - Oct 1, 2026 1159 PM - lab3.cu", or NULL. A name may have " - ", too.
// If `strict` is 0, any text that is like a time is taken for it, and *when is set to 0.
static const char *find_time(const char *name, int strict, int64_t *when)
{
    char text[48];
    for (const char *at = name; (at = strstr(at, " - ")) != NULL; ++at) {
        const char *rest = strstr(at + 3, " - ");
        size_t length = rest ? (size_t)(rest - at - 3) : strlen(at + 3);
        *when = 0;
        if (at == name || length >= sizeof text) continue;
        put(text, sizeof text, at + 3, length);
        if (strict ? !moment_parse(text, when) : is_like_time(text)) return at;
    }
    return NULL;
}

// A name whose time has a form that is not known still names its author.
static int brightspace(const char *part, struct download_name *d)
{
    size_t first = strspn(part, "0123456789"),
           second = first && part[first] == '-' ? strspn(part + first + 1, "0123456789") : 0;
    const char *name = part + first + 1 + second;
    if (!second || strncmp(name, " - ", 3)) return 0;
    name += 3;
    const char *end = find_time(name, 1, &d->when);
    if (!end) end = find_time(name, 0, &d->when);
    if (!end) return 0;
    const char *rest = strstr(end + 3, " - ");
    put(d->who.name, sizeof d->who.name, name, (size_t)(end - name));
    put(d->who.id, sizeof d->who.id, part, first + 1 + second); // one number is the person's, one the assignment's
    d->file = rest ? rest + 3 : "";
    d->clock = d->when ? CLOCK_SYSTEM : CLOCK_FILE;
    return 1;
}

static int sakai(const char *part, struct download_name *d)
{
    static const char attached[] = "_Submission attachment(s)_", given_back[] = "_Feedback Attachment(s)_";
    const char *back = strstr(part, given_back), *joined = back ? back : strstr(part, attached);
    const char *end = joined ? joined : part + strlen(part), *open = end, *comma = strstr(part, ", ");
    while (open > part && *open != '(') --open;
    if (open == part || open[-1] == ' ' || end[-1] != ')' || end - open < 3 || comma == part) return 0;
    d->perhaps = !joined && (!comma || comma > open);
    put(d->who.name, sizeof d->who.name, part, (size_t)(open - part));
    put(d->who.login, sizeof d->who.login, open + 1, (size_t)(end - open - 2));
    d->file = back ? back + sizeof given_back - 1 : joined ? joined + sizeof attached - 1 : "";
    d->feedback = back != NULL;
    d->clock = CLOCK_NONE;
    return 1;
}

int download_parse(const char *part, struct download_name *d)
{
    static const struct {
        const char *origin;
        int (*parse)(const char *, struct download_name *);
    } form[] = {
        {"Moodle", moodle},           {"PrairieLearn", prairielearn}, {"Autolab", autolab}, {"Blackboard", blackboard},
        {"Brightspace", brightspace}, {"nbgrader", nbgrader},         {"Sakai", sakai},     {"Canvas", canvas}};
    for (size_t i = 0; i < sizeof form / sizeof *form; ++i) {
        *d = (struct download_name){.origin = form[i].origin, .file = "", .clock = CLOCK_FILE};
        if (form[i].parse(part, d)) return 1;
    }
    return 0;
}
