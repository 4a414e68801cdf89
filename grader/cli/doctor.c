// Implements ./grade doctor, which prints one line for each part of this machine that grading can use, such as
// compilers and cards. If a part of the machine is missing, ./grade doctor explains the effect of its absence. The exit
// code of ./grade doctor is 0 even if a part of the machine is missing.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "box/box.h"
#include "cli/cli.h"
#include "judge/card/card.h"
#include "report/utf8.h"

enum { LABEL = 12 };

static void say(const char *what, const char *has, const char *cost)
{
    struct text label = {0};
    utf8_pad(&label, _(what), LABEL);
    printf("%s%s\n", label.data, _(has));
    text_free(&label);
    if (cost) printf("%*s%s\n", LABEL, "", _(cost));
}

static void compilers(void)
{
    static const struct {
        enum compile_kind kind;
        const char *name, *cost;
    } row[] = {
        {COMPILE_NVCC, "nvcc", N_("without it: clang compiles, and a card's driver compiles its PTX")},
        {COMPILE_CLANG, "clang", N_("without it: nvcc is needed")},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
        struct compiler compiler;
        struct text why = {0};
        char has[700];
        int none = compile_find(row[i].kind, &compiler, &why);
        snprintf(has, sizeof has, none ? _("no") : "%s, %s", compiler.version, compiler.path);
        say(row[i].name, has, none ? row[i].cost : NULL);
        text_free(&why);
    }
}

// Prints whether the driver allows Nsight Compute to read performance counters.
static void profiler(void)
{
    FILE *file = fopen("/proc/driver/nvidia/params", "r");
    char line[256];
    int admin = -1;
    while (file && fgets(line, sizeof line, file)) sscanf(line, "RmProfilingAdminOnly: %d", &admin);
    if (file) fclose(file);
    if (admin >= 0)
        say(N_("profiler"), admin ? _("counters for root alone") : _("counters for everybody"),
            admin ? N_("Nsight Compute needs root here (NVreg_RestrictProfilingToAdminUsers=0 opens it); grading does "
                       "not")
                  : NULL);
}

static void card(const struct cli_options *options, const struct cli_paths *paths)
{
    const char *const runner[] = {paths->card, NULL};
    struct judge_job job = {.card_runner = runner, .card = options->card, .open = options->no_sandbox};
    struct wire_device device;
    struct engine_health health;
    char text[OBSERVATION_MESSAGE + 64], why[OBSERVATION_MESSAGE];
    snprintf(why, sizeof why, "%s", _(CLI_CARDLESS));
    if (!paths->card[0] || card_find(&job, &device, &health, why)) {
        message_print(text, sizeof text, "no: %s", why);
        say(N_("card"), text, N_("speed is the simulator's, by the model of an H200 (or --device)"));
        return;
    }
    message_print(text, sizeof text, "%s, sm_%u, %u multiprocessors, driver for CUDA %u.%u", device.title,
                  device.capability, device.sms, device.driver / 1000, device.driver % 1000 / 10);
    say(N_("card"), text, NULL);
    if (health.clock_khz) {
        message_print(text, sizeof text, "%u of %u MHz%s", health.clock_khz / 1000, health.clock_most_khz / 1000,
                      health.throttled ? _(", held down by heat or power") : "");
        say(N_("clock"), text,
            health.throttled ? _("measurements wait for it, and fall back to the simulator's time") : NULL);
    } else {
        say(N_("clock"), N_("unknown: there is no NVML"), N_("a throttled or busy card is not noticed"));
    }
    if (health.processes > 1) {
        message_print(text, sizeof text, "%u other processes compute on the card", health.processes - 1);
        say(N_("busy"), text, N_("measurements fall back to the simulator's time"));
    }
    profiler();
}

static void thresholds(const struct cli_paths *paths)
{
    struct cli_thresholds t;
    char text[128];
    if (cli_thresholds_read(paths, lab_all[0], &t)) {
        message_print(text, sizeof text, "calibrated for %s", t.card);
        say(N_("thresholds"), text, NULL);
    } else {
        message_print(text, sizeof text, "the labs' own, version %d, chosen on an H200", LAB_THRESHOLD_VERSION);
        say(N_("thresholds"), text, N_("on another card: './grade calibrate'"));
    }
}

static void sandbox(enum box_level level)
{
    static const char *const cost[] = {
        [BOX_LIMITS] = N_("compilers and kernels can do what you can: grade only code that you trust"),
        [BOX_FILTERED] = N_("compilers can read your files; labs 6 and 8 are not graded"),
        [BOX_LANDLOCK] =
            N_("compilers and kernels see that other processes and users are there, but reach no file of theirs"),
    };
    char text[512];
    const char *why = box_level_why();
    snprintf(text, sizeof text, "%s%s%s", _(box_level_name(level)), why ? ": " : "", why ? why : "");
    say(N_("sandbox"), text, level == BOX_FULL ? NULL : _(cost[level]));
}

int cli_doctor(const struct cli_options *options, int argc, char **argv)
{
    struct cli_paths paths;
    if (argc) die("'%s' is one word too many, see './grade --help'", argv[0]);
    cli_paths_find(&paths);
    enum box_level level = options->no_sandbox ? BOX_LIMITS : box_level_here();
    compilers();
    sandbox(level);
    card(options, &paths);
    thresholds(&paths);
    return 0;
}
