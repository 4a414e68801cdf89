// Writes the pages and the parts of pages on which a reader walks through a recorded block.
//
// A script (recording.js tells of which files it is made) builds what a reader sees from the recording, which is in the
// page as JSON. It is the only script of our pages. The page's content security policy names the script's hash, so the
// browser runs this script and no other, whatever text of a submission the page contains. Without scripts, a reader
// sees the walk as text.
#include "report/page/page_step.h"

#include <stdlib.h>
#include <string.h>

#include "base/embed.h"
#include "base/message.h"
#include "base/text.h"
#include "report/escape.h"
#include "report/json_value.h"
#include "report/page/page.h"
#include "report/page/script.h"
#include "report/step.h"

// The files of the script, in the order of page_step_script(). tools/script hashes what these lines name.
EMBED(recording_js, "grader/report/page/recording.js");
EMBED(teller_js, "grader/report/page/teller.js");
EMBED(grid_js, "grader/report/page/grid.js");
EMBED(panels_js, "grader/report/page/panels.js");
EMBED(step_js, "grader/report/page/step.js");
EMBED(step_css, "grader/report/page/step.css");

static const struct {
    const char *id, *text;
} word[] = {
#define WORD(id, text) {#id, text},
#include "report/page/step_word.def"
#undef WORD
};

// Returns the script's texts in the reader's language.
static json_t *words(void)
{
    json_t *o = alloc_checked(json_object());
    for (size_t i = 0; i < sizeof word / sizeof *word; ++i) put(o, word[i].id, json_string(_(word[i].text)));
    return o;
}

void page_step_policy(const struct page *p)
{
    page_puts(p, "; script-src '" SCRIPT_HASH "'");
}

void page_step_style(const struct page *p)
{
    page_puts(p, step_css);
}

void page_step_script(const struct page *p)
{
    const char *const part[] = {recording_js, teller_js, grid_js, panels_js, step_js};
    page_puts(p, "<script>");
    for (size_t i = 0; i < sizeof part / sizeof *part; ++i) page_puts(p, part[i]);
    page_puts(p, "</script>\n");
}

void page_step_walk(const struct page *p, const struct verdict_step *s)
{
    const struct report_options how = {.utf8 = 1};
    struct text data = {0}, walk = {0};
    report_step_json(s, words(), &data);
    report_step(s, &how, &walk);
    page_puts(p, "<div class=\"step\"><script type=\"application/json\">");
    for (const char *at = data.data; *at;) { // "<" stands in strings only, where it could end the element
        size_t n = strcspn(at, "<");
        text_add(p->out, at, n);
        at += n;
        if (*at) page_puts(p, "\\u003c"), ++at;
    }
    page_puts(p, "</script>\n<pre tabindex=\"0\">");
    escape_html(p->out, walk.data ? walk.data : "", walk.length);
    page_puts(p, "</pre></div>\n");
    text_free(&data);
    text_free(&walk);
}

void page_step(const struct verdict_step *s, struct text *out)
{
    const struct page p = {.out = out, .scripts = 1};
    struct text title = {0};
    text_say(&title, "%1$s, step by step: %2$s", s->job->lab->name, s->kernel);
    page_open(&p, &title, "walk", N_("To the walk"));
    text_free(&title);
    page_puts(&p, "<header>\n<p class=\"kicker\">");
    page_textf(&p, "%s · %s", s->job->lab->name, _(s->job->lab->title));
    page_puts(&p, "</p>\n<h1>");
    page_say(&p, "Step by step");
    page_puts(&p, "</h1>\n<p class=\"soft\">");
    page_text(&p, s->job->shown);
    page_puts(&p, "</p>\n</header>\n<main id=\"walk\">\n<h2>"); // the script's headings are h3, as in a report
    page_text(&p, s->kernel);
    page_puts(&p, "</h2>\n");
    page_step_walk(&p, s);
    page_puts(&p, "</main>\n");
    page_step_script(&p);
    page_puts(&p, "</body>\n</html>\n");
}
