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
};

static const struct option known[] = {
    {"json", required_argument, NULL, JSON},
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
    case JSON:
        o->json = optarg;
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

int cli_options_parse(struct cli_options *o, int argc, char **argv)
{
    *o = (struct cli_options){.seed = 1};
    opterr = 0;
    for (;;) {
        int at = optind, option = getopt_long(argc, argv, ":o:h", known, NULL);
        if (option == -1) break;
        if (option == ':') die("'%s' needs a value, see './grade --help'", argv[optind - 1]);
        if (option == '?') die("there is no option '%s', see './grade --help'", argv[optind > at ? optind - 1 : at]);
        take(o, option);
    }
    return argc - optind;
}
