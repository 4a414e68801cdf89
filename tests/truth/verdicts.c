// What each kernel of the labs' ladders would be told by its speed: on a card, and without one. verdicts [WORD]
//
// reference/measured/h200.json holds what a card measured (./grade calibrate). Each of its kernels (those of labs with
// the word in their name) runs the speed case of its lab here, in the simulator, as in grading; both speedups then meet
// the lab's thresholds, the simulator's with the slack that a model's time has. They should say the same.
#define _GNU_SOURCE
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "judge/judge.h"

#define MEASURED "reference/measured/h200.json"
#define KIT "grader/compile/kit"

enum says { SLOW, PASSES, FULL };
static const char *const word[] = {"too slow", "passes", "full marks"};

static enum says says(double speedup, double needed, double full)
{
    return speedup >= full ? FULL : speedup >= needed ? PASSES : SLOW;
}

// Absolute, as a sandbox wants it.
static void runner_path(char path[PATH_MAX])
{
    struct text name = {0};
    text_printf(&name, "%s/runner-sim", getenv("BUILD") ? getenv("BUILD") : "build/release");
    if (!realpath(name.data, path)) die("there is no '%s'", name.data);
    text_free(&name);
}

struct times {
    double us, baseline_us; // 0: not measured
};

static struct times simulated(const struct lab *whole, const struct compiler *compiler, const char *path)
{
    static struct verdict v;
    struct lab lab = *whole; // the speed case alone
    struct text source = {0}, baseline = {0};
    char program[PATH_MAX];
    lab.cases = lab_speed_case(whole);
    lab.ncases = 1;
    text_printf(&baseline, "labs/%s/baseline.cu", lab.slug);
    runner_path(program);
    if (text_read_file(&source, path, 1 << 20)) die("cannot read '%s'", path);
    const char *const runner[] = {program, NULL};
    struct judge_job job = {.lab = &lab,
                            .source = source.data,
                            .bytes = source.length,
                            .shown = path,
                            .compiler = compiler,
                            .kit = KIT,
                            .runner = runner,
                            .baseline = baseline.data,
                            .seed = 1};
    judge_grade(&job, &v);
    struct times t = {(double)v.speed.time_ps * 1e-6, (double)v.speed.baseline_ps * 1e-6};
    if (!v.speed.measured) printf("    '%s': %s\n", path, v.speed.problem);
    verdict_free(&v);
    text_free(&source);
    text_free(&baseline);
    return t;
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

int main(int argc, char **argv)
{
    struct text why = {0};
    struct compiler compiler;
    json_error_t error;
    if (compile_find(COMPILE_AUTO, &compiler, &why)) die("%s", why.data);
    json_t *root = json_load_file(MEASURED, 0, &error), *kernels = json_object_get(root, "kernels"), *k;
    if (!kernels) die("cannot read '%s': %s", MEASURED, error.text);
    int same = 0, all = 0;
    size_t i;
    printf("\nverdicts by speed, on the card of '%s' and by the model\n", MEASURED);
    json_array_foreach(kernels, i, k)
    {
        const char *name = json_string_value(json_object_get(k, "lab")),
                   *path = json_string_value(json_object_get(k, "kernel"));
        const struct lab *lab = lab_find(name);
        if (!lab || !lab->minimum || (argc > 1 && !strstr(name, argv[1]))) continue;
        struct times c = {number(k, "time_us"), number(k, "baseline_us")}, t = simulated(lab, &compiler, path);
        double card = number(k, "speedup"), sim = t.us > 0 ? t.baseline_us / t.us : 0;
        enum says a = says(card, lab->minimum, lab->full), b = says(sim, lab->minimum * JUDGE_MODEL_SLACK, lab->full);
        const char *file = strrchr(path, '/') + 1;
        printf(
            "    %s %-24s card %7.1f of %7.1f us, %7.2f x, %-10s  sim %7.1f of %7.1f us, %7.2f x, %-10s %+4.0f %%%s\n",
            name, file, c.us, c.baseline_us, card, word[a], t.us, t.baseline_us, sim, word[b], 100 * (sim / card - 1),
            a == b ? "" : " DIFFERENT");
        fflush(stdout);
        same += a == b;
        all++;
    }
    printf("  verdicts that are the same: %d of %d\n", same, all);
    json_decref(root);
    return 0;
}
