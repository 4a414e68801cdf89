// Implements ./grade answers, which shows the worked answers to the exercises of a lab's handout to a student who has
// passed the lab. The answers are pages in Markdown in the folders handouts/answers and handouts/ko/answers, which an
// instructor can leave out of the student's kit.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "report/markdown.h"
#include "report/utf8.h"

// Reads the answers in the reader's language, or else in English. Returns 1, or 0 if the kit has no answers.
static int read_answers(const struct cli_paths *paths, const struct lab *lab, struct text *page)
{
    enum { MOST = 1 << 20 };
    struct text own = {0};
    char path[2 * CLI_PATH];
    // Translators: the answers in your language are in a folder of handouts/ that has the name of the language.
    text_say(&own, "handouts/answers/%s.md", lab->slug);
    snprintf(path, sizeof path, "%s/%.255s", paths->root, own.data);
    text_free(&own);
    if (!text_read_file(page, path, MOST)) return 1;
    snprintf(path, sizeof path, "%s/handouts/answers/%s.md", paths->root, lab->slug);
    return !text_read_file(page, path, MOST);
}

// Replaces the page by the answer to the exercise `word`. Dies if there is no such exercise.
static void choose(struct text *page, const struct lab *lab, const char *word)
{
    struct text one = {0};
    char *end;
    unsigned long number = strtoul(word, &end, 10);
    if (*end || number > 99 || !markdown_item(page->data, (uint32_t)number, &one))
        die("%s has no exercise '%.40s': './grade answers %s' shows all answers", lab->name, word, lab->name);
    text_free(page);
    *page = one;
}

// Says that the answers open after a pass, and how to see them before.
static void say_closed(const struct lab *lab, const struct report_options *how)
{
    struct text said = {0}, wrapped = {0};
    text_say(&said,
             "the answers to the exercises of %1$s open when you have passed it: './grade %1$s' grades your file, and "
             "'./grade hint %1$s' helps on the way. './grade answers %1$s --now' shows them at once.",
             lab->name);
    utf8_wrap(&wrapped, said.data, 0, 0, (size_t)report_columns(how));
    puts(wrapped.data);
    text_free(&said);
    text_free(&wrapped);
}

int cli_answers(const struct cli_options *options, int argc, char **argv)
{
    struct cli_paths paths;
    struct text page = {0}, out = {0};
    if (!argc) die("which lab? './grade answers lab3'");
    const struct lab *lab = cli_lab(argv[0]);
    if (argc > 2) die("'%s' is one word too many: ./grade answers %s [EXERCISE]", argv[2], lab->name);
    struct report_options how = cli_output_options(options, STDOUT_FILENO);
    cli_paths_find(&paths);
    if (!read_answers(&paths, lab, &page))
        die("this kit has no answers to the exercises of %s: your instructor kept them out of it", lab->name);
    if (!options->now && !cli_record_get(&paths, lab).passed) {
        say_closed(lab, &how);
        text_free(&page);
        return 1;
    }
    if (argc == 2) choose(&page, lab, argv[1]);
    markdown_render(page.data ? page.data : "", &how, &out);
    cli_output_write(&out, "-");
    text_free(&out);
    text_free(&page);
    return 0;
}
