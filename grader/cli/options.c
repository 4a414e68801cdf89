// Parses options with getopt_long(). Options may appear at any position of the command line, and long options may be
// abbreviated. No option is ignored: a command takes the options that its help lists, and any other option is an error.
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/text.h"
#include "cli/cli.h"

enum kind { TEXT, NUMBER, FLAG, WORD, PERHAPS };
enum { WORDS = 4 };

static const struct row {
    const char *name;
    enum kind kind;
    size_t field, bytes;     // offset and size of the field in struct cli_options, in bytes
    int64_t limit;           // NUMBER: largest value; WORD, PERHAPS: value of the first word
    const char *word[WORDS]; // words that the option accepts; NULL-terminated
} row[] = {
#define ROW(name, kind, field, ...)                                                                                    \
    {name, kind, offsetof(struct cli_options, field), sizeof((struct cli_options *)0)->field, __VA_ARGS__},
#define TEXT(name, field) ROW(name, TEXT, field, 0, {NULL})
#define NUMBER(name, field, most) ROW(name, NUMBER, field, most, {NULL})
#define FLAG(name, field) ROW(name, FLAG, field, 0, {NULL})
#define WORD(name, field, first, ...) ROW(name, WORD, field, first, {__VA_ARGS__})
#define PERHAPS(name, field, first, ...) ROW(name, PERHAPS, field, first, {__VA_ARGS__})
#include "cli/option.def"
#undef ROW
#undef TEXT
#undef NUMBER
#undef FLAG
#undef WORD
#undef PERHAPS
};
// FIRST is the value that getopt_long() returns for the first option in the array `row`. For the options -o and -h,
// getopt_long() returns characters, which are below FIRST.
enum { ROWS = sizeof row / sizeof *row, FIRST = 256 };

// The array `given` holds the options on the command line. Options that set the same field of struct cli_options share
// one element of `given`, whose index is that of the first such option in `row`.
static struct {
    int there;
    const char *value; // NULL: an option without a value
} given[ROWS];

static const struct row *row_of(const char *name)
{
    for (const struct row *r = row; r < row + ROWS; ++r)
        if (!strcmp(r->name, name)) return r;
    BUG("there is no option '%s'", name);
}

static uint64_t parse_number(const struct row *r, const char *text)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    if (errno || end == text || *end || strchr(text, '-') || value > (uint64_t)r->limit)
        die("--%s takes a number up to %llu, not '%s'", r->name, (unsigned long long)r->limit, text);
    return value;
}

static int parse_word(const struct row *r, const char *text)
{
    struct text all = {0};
    int n = 0;
    for (; r->word[n]; ++n)
        if (text && !strcmp(r->word[n], text)) return (int)r->limit + n;
    if (!text) return (int)r->limit + n - 1;
    for (n = 0; r->word[n]; ++n) text_printf(&all, "%s%s", n ? "|" : "", r->word[n]);
    die("--%s takes %s, not '%s'", r->name, all.data, text);
}

const char *cli_options_word(const char *name, int value)
{
    const struct row *r = row_of(name);
    return r->word[value - r->limit];
}

static int first_of(const struct row *r)
{
    int first = 0;
    while (row[first].field != r->field) ++first;
    return first;
}

static void take(struct cli_options *o, const struct row *r, const char *value)
{
    void *field = (char *)o + r->field;
    given[first_of(r)].there = 1;
    given[first_of(r)].value = value;
    switch (r->kind) {
    case TEXT:
        *(const char **)field = value;
        break;
    case NUMBER:
        if (r->bytes == sizeof(uint64_t))
            *(uint64_t *)field = parse_number(r, value);
        else
            *(uint32_t *)field = (uint32_t)parse_number(r, value);
        break;
    case FLAG:
        *(int *)field = 1;
        break;
    case WORD:
    case PERHAPS:
        *(int *)field = parse_word(r, value);
        break;
    }
}

// Returns the number of words on the command line that an option of grade takes: 1, or 2 if its value is a separate
// word. Returns 0 if `word` is not a long option of the program grade.
static int words_of(const char *word)
{
    if (strncmp(word, "--", 2) != 0 || !word[2]) return 0;
    size_t length = strcspn(word + 2, "=");
    for (const struct row *r = row; r < row + ROWS; ++r)
        if (strlen(r->name) == length && !strncmp(r->name, word + 2, length))
            return r->kind != FLAG && r->kind != PERHAPS && !word[2 + length] ? 2 : 1;
    return 0;
}

// Moves grade's own options to the front of argv for the command "run FILE… ARGS". All other
// words of the command line keep their order. Options that grade does not know, and all words after "--", belong to the
// compiler or to the user's program.
static void divide(int argc, char **argv)
{
    for (int at = 1, front = 1; at < argc;) {
        char *dashes = argv[at];
        if (!strcmp(dashes, "--")) { // moves "--" to the end of grade's options
            memmove(argv + front + 1, argv + front, (size_t)(at - front) * sizeof *argv);
            argv[front] = dashes;
            return;
        }
        int words = words_of(argv[at]);
        for (int i = 0; i < words && at + i < argc; ++i) {
            char *word = argv[at + i];
            memmove(argv + front + 1, argv + front, (size_t)(at + i - front) * sizeof *argv);
            argv[front++] = word;
        }
        at += words ? words : 1;
    }
}

int cli_options_parse(struct cli_options *o, int argc, char **argv)
{
    *o = (struct cli_options){.seed = 1, .words = argv};
    int run = argc > 1 && !strcmp(argv[1], "run");
    struct option known[ROWS + 1] = {0};
    for (int i = 0; i < ROWS; ++i) {
        int value = row[i].kind == FLAG ? no_argument : row[i].kind == PERHAPS ? optional_argument : required_argument;
        // Finds the first name of this field. All names of a field share one value of getopt_long(), so an abbreviation
        // that fits several of these names is not ambiguous.
        known[i] = (struct option){row[i].name, value, NULL, FIRST + first_of(&row[i])};
    }
    opterr = 0;
    if (run) divide(argc, argv);
    for (;;) {
        int at = optind, option = getopt_long(argc, argv, run ? "+:o:h" : ":o:h", known, NULL);
        if (option == -1) break;
        if (option == ':') die("'%s' needs a value, see './grade --help'", argv[optind - 1]);
        if (option == '?') die("there is no option '%s', see './grade --help'", argv[optind > at ? optind - 1 : at]);
        take(o, option == 'o' ? row_of("output") : option == 'h' ? row_of("help") : &row[option - FIRST], optarg);
    }
    // every later start of a sandbox, such as the compiler's, reads this variable
    if (o->no_sandbox) setenv("WARPWISE_SANDBOX", "none", 1);
    return argc - optind;
}

// ------------------------------------------------------------------------------------------ which command takes which
// Returns 1 if the help text `help` contains the option's name `option` as a separate word.
static int lists(const char *help, const char *option)
{
    size_t n = strlen(option);
    for (const char *at = help; (at = strstr(at, option)) != NULL; at += n)
        if ((at == help || strchr(" \n(", at[-1])) && !strchr("abcdefghijklmnopqrstuvwxyz-", at[n] ? at[n] : ' '))
            return 1;
    return 0;
}

// Returns 1 if the command `c` reads the field of struct cli_options that the option row[first] sets, that is, if the
// command's help lists an option for this field. Every command takes the options about the terminal and the sandbox,
// such as --color and --no-sandbox.
static int takes(const struct cli_command *c, int first)
{
    static const char always[] = "--help --version --color --no-sandbox --attached ";
    char name[32];
    for (int i = first; i < ROWS; ++i) {
        if (row[i].field != row[first].field) continue;
        snprintf(name, sizeof name, "--%s", row[i].name);
        if (lists(always, name) || lists(c->options, name)) return 1;
    }
    return row[first].field == offsetof(struct cli_options, output) && lists(c->options, "-o");
}

int cli_options_given(const char *name)
{
    return given[first_of(row_of(name))].there;
}

void cli_options_check(const struct cli_command *c)
{
    static const struct {
        const char *option, *other;
        int needed; // 1: the option needs the other one; 0: the two exclude each other
    } pair[] = {{"partition", "slurm", 1},  {"account", "slurm", 1},   {"qos", "slurm", 1},
                {"constraint", "slurm", 1}, {"gres", "slurm", 1},      {"tasks", "slurm", 1},
                {"slurm", "dry-run", 0},    {"student", "students", 0}};
    for (int i = 0; i < ROWS; ++i)
        if (given[i].there && !takes(c, i))
            die("--%s means nothing to './grade %s', see './grade help %s'", row[i].name, c->name, c->name);
    for (size_t i = 0; i < sizeof pair / sizeof *pair; ++i) {
        if (!cli_options_given(pair[i].option) || cli_options_given(pair[i].other) == pair[i].needed) continue;
        if (pair[i].needed) die("--%s means nothing without --%s", pair[i].option, pair[i].other);
        die("--%s means nothing with --%s", pair[i].option, pair[i].other);
    }
}

int cli_options_words(const struct cli_command *c, char **word, int most)
{
    int n = 0;
    for (int i = 0; i < ROWS && n < most; ++i) {
        struct text t = {0};
        if (!given[i].there || !takes(c, i)) continue;
        text_printf(&t, "--%s%s%s", row[i].name, given[i].value ? "=" : "", given[i].value ? given[i].value : "");
        word[n++] = t.data;
    }
    return n;
}
