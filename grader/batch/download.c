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
//
// The name of a question in PrairieLearn may contain '/'. The name of its file then stands in two parts of a path.
//
// In a name from Brightspace, the day may stand before the month, and a login before the student's name. In a download
// from Sakai without folders, '_' joins the parts of the name.
//
// A time in the name of a file or folder is in the course's time zone (timestamp.h), unless the name contains another
// zone.
#define _GNU_SOURCE
#include "batch/download.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "batch/names.h"
#include "batch/timestamp.h"

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
    return 1;
}

static int moodle(const char *part, struct download_name *d)
{
    return names_moodle(part, &d->who, &d->file);
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
    d->file = end + 1;
    return 1;
}

// Reads ADDRESS_NUMBER_QUESTION_VARIANT_SUBMISSION_ID_FILE and ADDRESS_UIN_QUESTION_ID_FILE. The question is a lab, so
// that it shows where the student's own file name begins.
static int prairielearn(const char *part, struct download_name *d)
{
    size_t length = address(part);
    const char *question = length ? strchr(part + length + 1, '_') : NULL, *end = question;
    while (end && (end = strchr(end + 1, '_')) != NULL) {
        char title[sizeof d->title];
        put(title, sizeof title, question + 1, (size_t)(end - question - 1));
        const char *file = end + 1;
        int lab = 0, numbers = 0;
        for (int i = 0; lab_all[i]; ++i) lab |= names_is_lab(title, lab_all[i]);
        for (size_t n; (n = strspn(file, "0123456789")) > 0 && file[n] == '_' && numbers < 3; ++numbers) file += n + 1;
        if (!lab || (numbers != 3 && numbers != 1) || !*file) continue;
        put_address(d, part, length);
        put(d->title, sizeof d->title, title, strlen(title));
        d->file = file;
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

static int month_of(const char *word)
{
    static const char names[] = "janfebmaraprmayjunjulaugsepoctnovdec";
    for (int i = 0; i < 12 && strlen(word) >= 3; ++i)
        if (!strncasecmp(word, names + 3 * i, 3)) return i + 1;
    return 0;
}

// Reads "Oct 1, 2026 1159 PM" or "01 October 2026 1159 PM".
static int brightspace_time(const char *text, int64_t *when)
{
    char month[16], half[3], iso[72];
    int day, year, clock, used = 0;
    if ((sscanf(text, "%15[A-Za-z] %2d, %4d %4d %2[APMapm]%n", month, &day, &year, &clock, half, &used) != 5 ||
         !used) &&
        (sscanf(text, "%2d %15[A-Za-z] %4d %4d %2[APMapm]%n", &day, month, &year, &clock, half, &used) != 5 || !used))
        return -1;
    int hour = clock / 100, minute = clock % 100, afternoon = tolower((unsigned char)*half) == 'p';
    if (text[used] || hour < 1 || hour > 12 || day < 0 || year < 0) return -1;
    snprintf(iso, sizeof iso, "%04d-%02d-%02d %02d:%02d", year, month_of(month), day, hour % 12 + 12 * afternoon,
             minute);
    return timestamp_parse(iso, when);
}

static int brightspace(const char *part, struct download_name *d)
{
    static const char apart[] = " - ";
    size_t first = strspn(part, "0123456789"),
           second = first && part[first] == '-' ? strspn(part + first + 1, "0123456789") : 0;
    const char *name = part + first + 1 + second;
    char text[48];
    if (!second || strncmp(name, apart, 3)) return 0;
    name += 3;
    for (const char *end = name; (end = strstr(end, apart)) != NULL; ++end) { // a name may have " - ", too
        const char *rest = strstr(end + 3, apart);
        size_t length = rest ? (size_t)(rest - end - 3) : strlen(end + 3);
        if (length >= sizeof text) continue;
        put(text, sizeof text, end + 3, length);
        if (end == name || brightspace_time(text, &d->when)) continue;
        put(d->who.name, sizeof d->who.name, name, (size_t)(end - name));
        d->file = rest ? rest + 3 : "";
        d->clock = CLOCK_SYSTEM;
        return 1;
    }
    return 0;
}

static int sakai(const char *part, struct download_name *d)
{
    static const char attached[] = "_Submission attachment(s)_";
    const char *joined = strstr(part, attached), *end = joined ? joined : part + strlen(part), *open = end;
    while (open > part && *open != '(') --open;
    const char *comma = strstr(part, ", ");
    if (open == part || open[-1] == ' ' || end[-1] != ')' || end - open < 3 || !comma || comma == part || comma > open)
        return 0;
    put(d->who.name, sizeof d->who.name, part, (size_t)(open - part));
    put(d->who.login, sizeof d->who.login, open + 1, (size_t)(end - open - 2));
    d->file = joined ? joined + sizeof attached - 1 : "";
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
