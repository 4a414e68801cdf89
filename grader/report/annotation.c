// Writes what a verdict says of lines of the source for build servers, which show it beside these lines: workflow
// commands for the log of GitHub Actions, and a Code Quality report for GitLab's merge requests. Both have the
// compiler's errors and warnings, the findings, and for a submission that did not pass, what to do next.
//
// GitHub: docs.github.com, "Workflow commands for GitHub Actions"; a command is a line, in which "%", line ends, and in
// properties ":" and ",", are written as "%XX". GitLab: docs.gitlab.com, "Code Quality", section "Code Quality report
// format".
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/hash.h"
#include "base/message.h"
#include "base/text.h"
#include "base/utf8.h"
#include "report/json_value.h"
#include "report/report.h"

enum { MESSAGES = 10 }; // most messages of the compiler; GitHub shows ten errors and ten warnings of a step

struct annotation {
    const char *check;     // for programs: kind of the finding, "compiler" or "next"
    struct text path;      // the file that was handed in, or one of its headers
    uint32_t line, column; // 0: unknown
    int warns;             // 1: costs no points
    struct text title, said;
};

// Holds a writer and where it writes. `write` must not keep the annotation.
struct annotator {
    const struct verdict *v;
    void (*write)(struct annotator *, const struct annotation *);
    struct text *out; // GitHub
    json_t *array;    // GitLab
};

// Passes the annotation to the writer, with the lab's name before its title, and frees it. A finding in a header that
// was not handed in stands at the submitted file.
static void pass(struct annotator *a, struct annotation *x)
{
    struct text title = {0};
    text_printf(&title, "%s: %s", a->v->job->lab->name, x->title.data ? x->title.data : "");
    text_free(&x->title);
    x->title = title;
    if (!x->path.length) text_puts(&x->path, a->v->job->shown);
    a->write(a, x);
    text_free(&x->path);
    text_free(&x->title);
    text_free(&x->said);
}

// ------------------------------------------------------------------------------------------------- compiler's messages
// Returns the length of the path at `line` if the path of a file that was handed in stands there, with a colon after
// it.
static size_t submitted(const struct bundle *source, const char *line, size_t length)
{
    struct bundle_file f = {.index = 0};
    while (bundle_next(&f, source->text ? source->text : "", source->bytes)) {
        struct text path = {0};
        bundle_place(source, f.before + 1, &path);
        size_t n = path.length;
        int same = n && n < length && !memcmp(line, path.data, n) && line[n] == ':';
        text_free(&path);
        if (same) return n;
    }
    return 0;
}

// Reads the number after the colon at *at, moves *at behind it, and returns it. Returns 0 if there is no number.
static uint32_t number_after(const char **at, const char *end)
{
    uint32_t n = 0;
    const char *p = *at;
    if (p == end || *p != ':' || p + 1 == end || !isdigit((unsigned char)p[1])) return 0;
    for (++p; p < end && isdigit((unsigned char)*p); ++p) n = n * 10 + (uint32_t)(*p - '0');
    *at = p;
    return n;
}

// Reads a line of the compiler's messages, such as "x.cu:12:5: error: text" or "x.cu:12: warning #177-D: text". Returns
// 1 if it is an error or a warning in a file that was handed in.
static int read_message(const struct bundle *source, const char *line, size_t length, struct annotation *x)
{
    const char *end = line + length;
    size_t path = submitted(source, line, length);
    const char *at = line + path;
    if (!path || !(x->line = number_after(&at, end))) return 0;
    x->column = number_after(&at, end);
    if (end - at < 2 || at[0] != ':' || at[1] != ' ') return 0;
    at += 2;
    x->warns = !strncmp(at, "warning", 7);
    if (!x->warns && strncmp(at, "error", 5) != 0 && strncmp(at, "fatal error", 11) != 0) return 0;
    text_add(&x->path, line, path);
    text_add(&x->said, at, (size_t)(end - at));
    return 1;
}

static void pass_messages(struct annotator *a)
{
    struct bundle source = judge_job_bundle(a->v->job);
    int passed = 0;
    const char *at = a->v->messages.length ? a->v->messages.data : "";
    for (size_t length; *at && passed < MESSAGES; at += length + (at[length] == '\n')) {
        struct annotation x = {.check = "compiler"};
        length = strcspn(at, "\n");
        if (!read_message(&source, at, length, &x)) continue;
        text_puts(&x.title, a->v->compiler);
        pass(a, &x);
        ++passed;
    }
}

// ------------------------------------------------------------------------------------------------------------ findings
static void pass_finding(struct annotator *a, const struct verdict_finding *f)
{
    const struct finding_info *info = verdict_info(f);
    struct finding_place at = verdict_place(f);
    const struct finding_place *other = &f->finding.other;
    struct bundle source = judge_job_bundle(a->v->job);
    const char *hint = _("    hint: ");
    struct annotation x = {.check = info->id, .column = at.column, .warns = info->severity != FINDING_DEFECT};
    text_puts(&x.title, _(info->word));
    if (at.file == FILE_STUDENT) {
        x.line = bundle_place(&source, at.line, &x.path);
    } else {
        report_place(&at, &source, &x.said);
        text_puts(&x.said, ": ");
    }
    report_finding(f, &x.said);
    if (f->finding.second && other->line && other->line != at.line) {
        text_puts(&x.said, "\n");
        report_place(other, &source, &x.said);
        text_puts(&x.said, ": ");
        report_finding_other(f, &x.said);
    }
    text_puts(&x.said, "\n");
    text_puts(&x.said, hint + strspn(hint, " "));
    verdict_hint(f, &x.said);
    pass(a, &x);
}

static void pass_all(struct annotator *a)
{
    const struct verdict *v = a->v;
    if (!v->passed) {
        struct annotation x = {.check = "next"};
        text_say(&x.title, "%d of 100, not passed", v->total);
        text_puts(&x.said, v->next);
        pass(a, &x);
    }
    pass_messages(a);
    for (uint32_t i = 0; i < v->findings.count; ++i)
        if (!v->findings.item[i].follows) pass_finding(a, &v->findings.item[i]);
}

// ------------------------------------------------------------------------------------------------------------- writers
// Appends text as a command's property if `property` is 1, or else as its message. Every control character is replaced.
static void put_escaped(struct text *out, const char *text, int property)
{
    struct text clean = {0};
    utf8_clean(&clean, text, strlen(text));
    for (size_t i = 0; i < clean.length; ++i) {
        unsigned char c = (unsigned char)clean.data[i];
        if (c == '%' || c < ' ' || (property && (c == ':' || c == ',')))
            text_printf(out, "%%%02X", c);
        else
            text_add(out, clean.data + i, 1);
    }
    text_free(&clean);
}

static void write_github(struct annotator *a, const struct annotation *x)
{
    text_printf(a->out, "::%s file=", x->warns ? "warning" : "error");
    put_escaped(a->out, x->path.data, 1);
    if (x->line) text_printf(a->out, ",line=%" PRIu32, x->line);
    if (x->line && x->column) text_printf(a->out, ",col=%" PRIu32, x->column);
    text_puts(a->out, ",title=");
    put_escaped(a->out, x->title.data, 1);
    text_puts(a->out, "::");
    put_escaped(a->out, x->said.data ? x->said.data : "", 0);
    text_puts(a->out, "\n");
}

void report_github(const struct verdict *v, struct text *out)
{
    struct annotator a = {.v = v, .write = write_github, .out = out};
    pass_all(&a);
}

// Returns how many issues in the array have this description.
static size_t same_before(const json_t *array, const char *description)
{
    size_t i, same = 0;
    json_t *issue;
    json_array_foreach(array, i, issue)
    {
        const char *said = json_string_value(json_object_get(issue, "description"));
        same += said && !strcmp(said, description);
    }
    return same;
}

// The fingerprint tells GitLab which issues of two pipelines are the same one: it depends on what is said, not on the
// line, and on how often it was said before.
static void write_gitlab(struct annotator *a, const struct annotation *x)
{
    struct text whole = {0}, said = {0};
    char fingerprint[17];
    json_t *issue = json_object(), *location = json_object(), *lines = json_object();
    text_printf(&whole, "%s: %s", x->title.data, x->said.data ? x->said.data : "");
    utf8_clean(&said, whole.data, whole.length);
    uint64_t seed = hash_bytes(x->check, strlen(x->check), same_before(a->array, said.data));
    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, hash_bytes(said.data, said.length, seed));
    put(issue, "description", json_string(said.data));
    put(issue, "check_name", json_string(x->check));
    put(issue, "fingerprint", json_string(fingerprint));
    put(issue, "severity", json_string(x->warns ? "minor" : "major"));
    put(location, "path", string(x->path.data));
    put(lines, "begin", json_integer(x->line ? x->line : 1));
    put(location, "lines", lines);
    put(issue, "location", location);
    append(a->array, issue);
    text_free(&whole);
    text_free(&said);
}

void report_gitlab(const struct verdict *v, struct text *out)
{
    struct annotator a = {.v = v, .write = write_gitlab, .array = json_array()};
    pass_all(&a);
    write_json(a.array, JSON_INDENT(2), out);
}
