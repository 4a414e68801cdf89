// Writes a verdict as JUnit XML, with a JUnit test case for the build, the launch, each test case, each finding, each
// technique and the speed. The class name of a JUnit test case is the lab's name and the rubric's row. JUnit XML has no
// official schema. The JUnit file uses only XML elements that Jenkins, GitLab and GitHub's actions read: testsuites,
// testsuite, properties, testcase, failure, skipped. Control characters, which XML 1.0 forbids, are replaced by "?".
#include <inttypes.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "report/escape.h"
#include "report/report.h"

struct cases {
    const struct verdict *v;
    struct text body;
    unsigned count, failures, skipped;
};

static void puts_escaped(struct text *out, const char *text)
{
    escape_html(out, text, strlen(text));
}

enum outcome { PASSED, FAILED, SKIPPED };

// Adds a JUnit test case. `said` tells why the test failed or was skipped. The first line of `said` becomes the
// attribute "message" of the XML element.
static void add(struct cases *c, const char *group, const char *name, enum outcome outcome, const char *said)
{
    struct text line = {0};
    text_puts(&c->body, "    <testcase classname=\"");
    puts_escaped(&c->body, c->v->job->lab->name);
    text_printf(&c->body, ".%s\" name=\"", group);
    puts_escaped(&c->body, name);
    ++c->count;
    if (outcome == PASSED) {
        text_puts(&c->body, "\"/>\n");
        return;
    }
    text_add(&line, said, strcspn(said, "\n"));
    text_printf(&c->body, "\">\n      <%s message=\"", outcome == FAILED ? "failure" : "skipped");
    puts_escaped(&c->body, line.data ? line.data : "");
    if (outcome == FAILED) {
        text_printf(&c->body, "\" type=\"%s\">", group);
        puts_escaped(&c->body, said);
        text_puts(&c->body, "</failure>\n    </testcase>\n");
        ++c->failures;
    } else {
        text_puts(&c->body, "\"/>\n    </testcase>\n");
        ++c->skipped;
    }
    text_free(&line);
}

static void add_case(struct cases *c, uint32_t index)
{
    static const char *const said[CASE_RESULTS] = {"", N_("wrong output"), N_("stopped"), N_("the launch was refused")};
    const struct verdict_case *item = &c->v->item[index];
    struct text why = {0};
    text_puts(&why, item->which->flags & CASE_HIDDEN ? _("not all right") : _(said[item->result]));
    if (item->message[0]) text_printf(&why, ": %s", item->message);
    add(c, "correct", _(item->which->name), item->result == CASE_RIGHT ? PASSED : FAILED, why.data);
    text_free(&why);
}

static void add_finding(struct cases *c, const struct verdict_finding *f)
{
    const struct finding_info *info = verdict_info(f);
    struct finding_place at = verdict_place(f);
    struct text name = {0}, why = {0};
    struct bundle source = judge_job_bundle(c->v->job);
    report_place(&at, &source, &name);
    text_printf(&name, ": %s", _(info->word));
    report_finding(f, &why);
    text_puts(&why, "\n");
    verdict_hint(f, &why);
    add(c, "safe", name.data, info->severity == FINDING_DEFECT ? FAILED : SKIPPED, why.data);
    text_free(&name);
    text_free(&why);
}

static void add_speed(struct cases *c)
{
    const struct verdict_speed *s = &c->v->speed;
    struct text why = {0}, asked = {0};
    for (uint32_t i = 0; i < s->technique.count; ++i)
        add(c, "technique", s->technique.item[i].text, s->technique.item[i].holds ? PASSED : FAILED,
            s->technique.item[i].text);
    if (!s->measured) {
        add(c, "speed", _("minimum speedup"), SKIPPED, s->problem[0] ? s->problem : _("not measured"));
        return;
    }
    report_threshold(&s->threshold, &asked);
    text_say(&why, "%.2f × the baseline; %s", s->speedup, asked.data);
    text_free(&asked);
    add(c, "speed", _("minimum speedup"), s->speedup >= s->threshold.minimum ? PASSED : FAILED, why.data);
    text_free(&why);
}

void report_junit(const struct verdict *v, struct text *out)
{
    struct cases c = {.v = v};
    add(&c, "builds", _("compiles"), v->stage == STAGE_BUILD ? FAILED : PASSED,
        v->messages.length ? v->messages.data : _("it does not build"));
    if (v->stage != STAGE_BUILD)
        add(&c, "builds", _("can be launched"), v->stage == STAGE_LAUNCH ? FAILED : PASSED, v->sentence);
    for (uint32_t i = 0; i < v->ncases; ++i) add_case(&c, i);
    for (uint32_t i = 0; i < v->findings.count; ++i) add_finding(&c, &v->findings.item[i]);
    if (v->stage == STAGE_RUN && !v->findings.count) add(&c, "safe", _("nothing found"), PASSED, "");
    if (v->stage == STAGE_RUN) add_speed(&c);
    text_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"");
    puts_escaped(out, v->job->lab->name);
    text_printf(out, "\" tests=\"%u\" failures=\"%u\" skipped=\"%u\" errors=\"0\">\n    <properties>\n", c.count,
                c.failures, c.skipped);
    text_printf(out, "      <property name=\"points\" value=\"%d\"/>\n      <property name=\"passed\" value=\"%s\"/>\n",
                v->total, v->passed ? "true" : "false");
    text_puts(out, "    </properties>\n");
    text_add(out, c.body.data, c.body.length);
    text_puts(out, "  </testsuite>\n</testsuites>\n");
    text_free(&c.body);
}
