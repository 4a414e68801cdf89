// Options, with getopt_long: they may stand anywhere, and a unique beginning of a long one will do.
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "cli/cli.h"

enum {
    JSON = 256,
    HTML,
    JUNIT,
    SEED,
    ENGINE,
    DEVICE,
    CARD,
    COMPILER,
    THREADS,
    COLOUR,
    NO_SANDBOX,
    ALL,
    LINES,
    UNOPTIMISED,
    VERSION,
    ADDRESSES,
    STRIDE,
    OFFSET,
    BYTES,
    CACHED,
    BLOCK,
    REGISTERS,
    SHARED,
    DEVICES,
    CHECK,
    SVG,
    FIGURE,
    PROFILE,
    ATTACHED,
    COURSE,
    ROSTER,
    BOOK,
    RUBRIC,
    LABS,
    BY,
    REASON,
    JOBS,
    DIFF,
    EARLIER,
    LMS,
    SLURM,
    PARTITION,
    ACCOUNT,
    QOS,
    CONSTRAINT,
    GRES,
    TASKS,
};

static const struct option known[] = {
    {"json", required_argument, NULL, JSON},
    {"html", required_argument, NULL, HTML},
    {"junit", required_argument, NULL, JUNIT},
    {"seed", required_argument, NULL, SEED},
    {"engine", required_argument, NULL, ENGINE},
    {"device", required_argument, NULL, DEVICE},
    {"compiler", required_argument, NULL, COMPILER},
    {"threads", required_argument, NULL, THREADS},
    {"coverage", required_argument, NULL, LINES},
    {"output", required_argument, NULL, 'o'},
    {"card", required_argument, NULL, CARD},
    {"addresses", required_argument, NULL, ADDRESSES},
    {"stride", required_argument, NULL, STRIDE},
    {"offset", required_argument, NULL, OFFSET},
    {"bytes", required_argument, NULL, BYTES},
    {"cached", no_argument, NULL, CACHED},
    {"block", required_argument, NULL, BLOCK},
    {"registers", required_argument, NULL, REGISTERS},
    {"shared", required_argument, NULL, SHARED},
    {"color", optional_argument, NULL, COLOUR},
    {"colour", optional_argument, NULL, COLOUR},
    {"no-sandbox", no_argument, NULL, NO_SANDBOX},
    {"all", no_argument, NULL, ALL},
    {"unoptimised", no_argument, NULL, UNOPTIMISED},
    {"unoptimized", no_argument, NULL, UNOPTIMISED},
    {"devices", required_argument, NULL, DEVICES},
    {"check", no_argument, NULL, CHECK},
    {"svg", required_argument, NULL, SVG},
    {"figure", required_argument, NULL, FIGURE},
    {"profile", no_argument, NULL, PROFILE},
    {"attached", required_argument, NULL, ATTACHED},
    {"course", required_argument, NULL, COURSE},
    {"roster", required_argument, NULL, ROSTER},
    {"book", required_argument, NULL, BOOK},
    {"rubric", required_argument, NULL, RUBRIC},
    {"lab", required_argument, NULL, LABS},
    {"by", required_argument, NULL, BY},
    {"reason", required_argument, NULL, REASON},
    {"jobs", required_argument, NULL, JOBS},
    {"out", required_argument, NULL, 'o'},
    {"diff", no_argument, NULL, DIFF},
    {"earlier", required_argument, NULL, EARLIER},
    {"lms", required_argument, NULL, LMS},
    {"slurm", no_argument, NULL, SLURM},
    {"partition", required_argument, NULL, PARTITION},
    {"account", required_argument, NULL, ACCOUNT},
    {"qos", required_argument, NULL, QOS},
    {"constraint", required_argument, NULL, CONSTRAINT},
    {"gres", required_argument, NULL, GRES},
    {"tasks", required_argument, NULL, TASKS},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, VERSION},
    {0},
};

static uint64_t parse_number(const char *option, const char *text, uint64_t most)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    if (errno || end == text || *end || strchr(text, '-') || value > most)
        die("--%s takes a number up to %llu, not '%s'", option, (unsigned long long)most, text);
    return value;
}

static int parse_colour(const char *when)
{
    if (!when || !strcmp(when, "always")) return 1;
    if (!strcmp(when, "never")) return -1;
    if (strcmp(when, "auto") != 0) die("--color takes auto, always or never, not '%s'", when);
    return 0;
}

static enum compile_kind parse_compiler(const char *name)
{
    if (!strcmp(name, "nvcc")) return COMPILE_NVCC;
    if (!strcmp(name, "clang")) return COMPILE_CLANG;
    if (strcmp(name, "auto") != 0) die("--compiler takes auto, nvcc or clang, not '%s'", name);
    return COMPILE_AUTO;
}

static enum cli_engine parse_engine(const char *name)
{
    if (!strcmp(name, "gpu")) return CLI_ENGINE_GPU;
    if (!strcmp(name, "sim")) return CLI_ENGINE_SIM;
    if (strcmp(name, "auto") != 0) die("--engine takes auto, sim or gpu, not '%s'", name);
    return CLI_ENGINE_AUTO;
}

static void take(struct cli_options *o, int option)
{
    switch (option) {
    case JUNIT:
        o->junit = optarg;
        break;
    case HTML:
        o->html = optarg;
        break;
    case JSON:
        o->json = optarg;
        break;
    case SVG:
        o->svg = optarg;
        break;
    case FIGURE:
        o->figure = optarg;
        break;
    case SEED:
        o->seed = parse_number("seed", optarg, INT64_MAX);
        break;
    case ENGINE:
        o->engine = parse_engine(optarg);
        break;
    case DEVICE:
        o->device = optarg;
        break;
    case CARD:
        o->card = optarg;
        break;
    case COMPILER:
        o->compiler = parse_compiler(optarg);
        break;
    case THREADS:
        o->threads = (uint32_t)parse_number("threads", optarg, 1024);
        break;
    case COLOUR:
        o->colour = parse_colour(optarg);
        break;
    case NO_SANDBOX:
        o->no_sandbox = 1;
        setenv("WARPWISE_SANDBOX", "none", 1); // for the compiler's box too, wherever it is started
        break;
    case LINES:
        o->coverage = optarg;
        break;
    case ALL:
        o->all = 1;
        break;
    case UNOPTIMISED:
        o->unoptimised = 1;
        break;
    case ADDRESSES:
        o->addresses = optarg;
        break;
    case STRIDE:
        o->stride = parse_number("stride", optarg, UINT32_MAX);
        break;
    case OFFSET:
        o->offset = parse_number("offset", optarg, UINT32_MAX);
        break;
    case BYTES:
        o->bytes = parse_number("bytes", optarg, 16);
        break;
    case CACHED:
        o->cached = 1;
        break;
    case BLOCK:
        o->block = (uint32_t)parse_number("block", optarg, 1 << 20);
        break;
    case REGISTERS:
        o->registers = (uint32_t)parse_number("registers", optarg, 1 << 20);
        break;
    case SHARED:
        o->shared = (uint32_t)parse_number("shared", optarg, 1 << 30);
        break;
    case DEVICES:
        o->devices = (uint32_t)parse_number("devices", optarg, 16);
        break;
    case CHECK:
        o->check = 1;
        break;
    case PROFILE:
        o->profile = 1;
        break;
    case ATTACHED:
        o->attached = optarg;
        break;
    case COURSE:
        o->course = optarg;
        break;
    case ROSTER:
        o->roster = optarg;
        break;
    case BOOK:
        o->book = optarg;
        break;
    case RUBRIC:
        o->rubric = optarg;
        break;
    case LABS:
        o->labs = optarg;
        break;
    case BY:
        o->by = optarg;
        break;
    case REASON:
        o->reason = optarg;
        break;
    case JOBS:
        o->jobs = (uint32_t)parse_number("jobs", optarg, 256);
        break;
    case EARLIER:
        o->earlier = optarg;
        break;
    case LMS:
        o->lms = optarg;
        break;
    case DIFF:
        o->diff = 1;
        break;
    case SLURM:
        o->slurm = 1;
        break;
    case PARTITION:
        o->partition = optarg;
        break;
    case ACCOUNT:
        o->account = optarg;
        break;
    case QOS:
        o->qos = optarg;
        break;
    case CONSTRAINT:
        o->constraint = optarg;
        break;
    case GRES:
        o->gres = optarg;
        break;
    case TASKS:
        o->tasks = (uint32_t)parse_number("tasks", optarg, 1000);
        break;
    case 'o':
        o->output = optarg;
        break;
    case 'h':
        o->help = 1;
        break;
    case VERSION:
        o->version = 1;
        break;
    default:
        BUG("option %d", option);
    }
}

// Words that `word` takes of the command line as one of grade's long options: 0 none, 2 with its value behind it.
static int words_of(const char *word)
{
    if (strncmp(word, "--", 2) != 0 || !word[2]) return 0;
    size_t length = strcspn(word + 2, "=");
    for (const struct option *o = known; o->name; ++o)
        if (strlen(o->name) == length && !strncmp(o->name, word + 2, length))
            return o->has_arg == required_argument && !word[2 + length] ? 2 : 1;
    return 0;
}

// "run FILE… ARGS": what is no option of grade's belongs to the program, and behind "--" everything. Brings grade's
// options to the front, the others keep their order.
static void divide(int argc, char **argv)
{
    for (int at = 1, front = 1; at < argc;) {
        char *dashes = argv[at];
        if (!strcmp(dashes, "--")) { // the word itself goes to the end of grade's options
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
    opterr = 0;
    if (run) divide(argc, argv);
    for (;;) {
        int at = optind, option = getopt_long(argc, argv, run ? "+:o:h" : ":o:h", known, NULL);
        if (option == -1) break;
        if (option == ':') die("'%s' needs a value, see './grade --help'", argv[optind - 1]);
        if (option == '?') die("there is no option '%s', see './grade --help'", argv[optind > at ? optind - 1 : at]);
        take(o, option);
    }
    o->front = optind - 1;
    return argc - optind;
}
