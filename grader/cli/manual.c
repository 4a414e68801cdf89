// Implements ./grade manual and ./grade completion. The command "manual" prints the manual page grade(1). The command
// "completion" prints a script with which bash completes commands, labs and options. The manual page and the completion
// use the same table of commands as --help, so all three agree.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/message.h"
#include "cli/cli.h"

// ------------------------------------------------------------------------------------------------------------ grade(1)
// Prints a text with the special characters of roff escaped. In the roff text, a backslash becomes \e and a hyphen
// becomes \-. At the beginning of a line, a dot or an apostrophe is preceded by \&, so that roff does not read a
// request.
static void puts_roff(const char *text, size_t length)
{
    for (size_t i = 0; i < length; ++i) {
        if ((text[i] == '.' || text[i] == '\'') && (!i || text[i - 1] == '\n')) fputs("\\&", stdout);
        if (text[i] == '\\')
            fputs("\\e", stdout);
        else if (text[i] == '-')
            fputs("\\-", stdout);
        else
            putchar(text[i]);
    }
}

static void put_option(const char *line, size_t length)
{
    size_t name = 2;
    while (name + 1 < length && !(line[name] == ' ' && line[name + 1] == ' ')) ++name;
    size_t text = name + strspn(line + name, " ");
    puts(".TP");
    fputs(".B ", stdout);
    puts_roff(line + 2, name - 2);
    putchar('\n');
    if (text < length) puts_roff(line + text, length - text);
    putchar('\n');
}

// Prints a command's help about its options as roff. Each line of the help is an option such as "  --name VALUE    what
// it does", a continuation line, or a sentence.
static void put_options(const char *options)
{
    static const char further[] = "                    "; // beginning of a continuation line
    for (const char *at = options; *at;) {
        size_t length = strcspn(at, "\n");
        if (!strncmp(at, "  -", 3)) {
            put_option(at, length);
        } else if (!strncmp(at, further, sizeof further - 1)) {
            puts_roff(at + sizeof further - 1, length - (sizeof further - 1));
            putchar('\n');
        } else {
            puts(".P");
            puts_roff(at, length);
            putchar('\n');
        }
        at += length + (at[length] == '\n');
    }
}

static void put_text(const char *text)
{
    puts_roff(text, strlen(text));
}

static void put_section(const char *name)
{
    fputs(".SH ", stdout);
    put_text(_(name));
    putchar('\n');
}

static void put_item(const char *name, const char *text)
{
    fputs(".TP\n.B ", stdout);
    put_text(name);
    putchar('\n');
    put_text(_(text));
    putchar('\n');
}

static void put_command(const struct cli_command *c)
{
    fputs(".SS \"grade ", stdout);
    if (strcmp(c->name, "grade") != 0) put_text(c->name);
    if (*c->arguments && strcmp(c->name, "grade") != 0) putchar(' ');
    put_text(c->arguments);
    puts("\"");
    put_text(_(c->summary));
    puts(".");
    if (*c->options) put_options(_(c->options));
}

static void put_page(void)
{
    puts("'\\\" -*- coding: UTF-8 -*-");
    puts(".TH GRADE 1 \"\" \"" CLI_VERSION "\" \"Warpwise\"");
    put_section(N_("NAME"));
    fputs("grade \\- ", stdout);
    put_text(_("grades CUDA labs, with or without a GPU"));
    putchar('\n');
    put_section(N_("SYNOPSIS"));
    puts(".B grade\n.I LAB\n.RI [ FILE ]\n.br\n.B grade\n.I COMMAND\n.RI [ ARGUMENTS ]");
    put_section(N_("DESCRIPTION"));
    put_text(
        _("A student's kernel is compiled and run on a simulated GPU that sees every access with its source line; the "
          "output is compared, races and bad accesses are found, and the speed is compared with a baseline's. The "
          "labs are:"));
    putchar('\n');
    for (int i = 0; lab_all[i]; ++i) put_item(lab_all[i]->name, lab_all[i]->title);
    put_section(N_("COMMANDS"));
    for (const struct cli_command *c = cli_command; c->name; ++c)
        if (*c->summary) put_command(c);
    put_section(N_("EXIT STATUS"));
    put_text(
        _("0 passed; 1 graded, not passed; 2 not graded: a wrong command, or the machine's or our fault, never a zero "
          "mark. With --lms, 0 means graded, whatever the mark. For a class, 2 means that something was not graded, or "
          "that the gradebook cannot be trusted. Where a command gives a code another meaning, its help says so."));
    putchar('\n');
    put_section(N_("ENVIRONMENT"));
    put_item("SUBMISSION", N_("the student's folder, instead of student/ in the kit"));
    put_item("WARPWISE_COMPILER", N_("clang or nvcc"));
    put_item("WARPWISE_PATIENCE", N_("1 to 1000: limits of time are so many times as long, for an emulated processor"));
    put_item("NO_COLOR", N_("when it is set and not empty, no colour"));
    put_item("LC_ALL, LC_MESSAGES, LANG", N_("the language of messages: English, or Korean with ko_KR.UTF-8"));
    put_item("CUDA_HOME", N_("where nvcc is looked for"));
    put_section(N_("FILES"));
    put_item("student/.progress.json", N_("what you reached, hints that you took, your attempts"));
    put_item("grades/book.db", N_("a class's gradebook; files in grades/ are readable by their owner alone (0600)"));
    put_item("grades/book.db.key",
             N_("the class's key: hidden sizes follow from it, and it seals the gradebook's rows"));
    put_item("build/cache", N_("images of baselines and times of rungs; it may be removed"));
}

int cli_manual(const struct cli_options *options, int argc, char **argv)
{
    (void)options;
    if (argc) die("'%s' is one word too many: ./grade manual", argv[0]);
    put_page();
    return 0;
}

// ---------------------------------------------------------------------------------------------------------- completion
static void put_commands(void)
{
    for (const struct cli_command *c = cli_command; c->name; ++c)
        if (*c->summary) puts(c->name);
}

static void put_labs(void)
{
    for (int i = 0; lab_all[i]; ++i) puts(lab_all[i]->name);
}

// Prints the long options that a command's help text contains, one on each line.
static void put_names(const char *help)
{
    for (const char *at = strstr(help, "--"); at; at = strstr(at + 2, "--")) {
        size_t length = 2 + strspn(at + 2, "abcdefghijklmnopqrstuvwxyz-");
        if (length > 2 && (at == help || at[-1] == ' ')) printf("%.*s\n", (int)length, at);
    }
}

// Prints the words with which the shell may continue a command line, one word on each line. The shell completes file
// names without this program.
static void put_candidates(int argc, char **argv)
{
    const struct cli_command *c = argc ? cli_command_find(argv[0]) : NULL;
    if (!argc) {
        put_commands();
        put_labs();
        put_names("--help --version");
        return;
    }
    if (!c) c = lab_find(argv[0]) ? cli_command_find("grade") : NULL;
    if (!c) return;
    put_names(c->options);
    put_names("--help");
    if (strstr(c->arguments, "LAB") && argc == 1 && !lab_find(argv[0])) put_labs();
    if (strstr(c->arguments, "COMMAND")) put_commands();
}

int cli_completion(const struct cli_options *options, int argc, char **argv)
{
    (void)options;
    if (argc && !strcmp(argv[0], "words")) {
        put_candidates(argc - 1, argv + 1);
        return 0;
    }
    if (argc) die("'%s' is one word too many: source <(./grade completion)", argv[0]);
    puts("_grade() {\n"
         "    local words=() word\n"
         "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do [[ $word == -* ]] || words+=(\"$word\"); done\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$(\"$1\" completion words \"${words[@]}\" 2>/dev/null)\" -- "
         "\"$2\")\n"
         "}\n"
         "complete -o default -F _grade grade ./grade");
    return 0;
}
