// Measures a kernel on the card as grading does, again and again: measure LAB FILE [TIMES [MINIMUM]]
//
// A line a measurement: how it ended, what the sign test said, the median ratio to the lab's baseline, seconds, and
// after a bar each block's ratio; or the sentence that it ended with. MINIMUM is the speedup that is asked for: a
// number, "lab" (or nothing) for the lab's own, or "self" for what a first measurement found, so that the kernel stands
// exactly at its threshold in the TIMES that follow. Nothing is judged but speed and output, and nothing on the
// simulator: what hardware does with a defective kernel can be seen here.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/die.h"
#include "judge/measure.h"

static const char *const end_name[] = {[MEASURE_NONE] = "none",
                                       [MEASURE_DONE] = "done",
                                       [MEASURE_UNRELIABLE] = "unreliable",
                                       [MEASURE_REFUSED] = "refused",
                                       [MEASURE_WRONG] = "wrong"};
static const char *const answer_name[] = {
    [SIGN_MORE] = "more", [SIGN_BELOW] = "below", [SIGN_ABOVE] = "above", [SIGN_UNDECIDED] = "undecided"};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void print(const struct measurement *m, double seconds)
{
    printf("%s %s %.4f %.2f |", end_name[m->end], answer_name[m->answer], m->ratio, seconds);
    if (m->end == MEASURE_DONE)
        for (uint32_t i = 0; i < m->blocks; ++i) printf(" %.4f", m->ratio_of[i]);
    else
        printf(" %s", m->message);
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static struct measurement m;
    const char *build = getenv("BUILD");
    char name[512], runner[4096], baseline[512], why[OBSERVATION_MESSAGE] = "";
    struct text source = {0}, student = {0}, base = {0}, none = {0};
    struct compiler compiler;
    if (argc < 3) die("usage: measure LAB FILE [TIMES [MINIMUM]]");
    const struct lab *lab = lab_find(argv[1]);
    if (!lab) die("there is no lab '%s'", argv[1]);
    const char *asked = argc > 4 ? argv[4] : "lab";
    int times = argc > 3 ? atoi(argv[3]) : 1, self = !strcmp(asked, "self");
    if (text_read_file(&source, argv[2], COMPILE_MOST)) die("cannot read '%s'", argv[2]);
    if (compile_find(COMPILE_AUTO, &compiler, &none)) die("%s", none.data);
    snprintf(name, sizeof name, "%s/runner-gpu", build ? build : "build/release");
    if (!realpath(name, runner)) die("there is no '%s'", name);
    snprintf(baseline, sizeof baseline, "labs/%s/baseline.cu", lab->slug);
    const char *const card_runner[] = {runner, NULL};
    struct judge_job job = {.lab = lab,
                            .source = source.data,
                            .bytes = source.length,
                            .shown = argv[2],
                            .compiler = &compiler,
                            .kit = "grader/compile/kit",
                            .card_runner = card_runner,
                            .card_minimum = self || !strcmp(asked, "lab") ? lab->minimum : strtod(asked, NULL),
                            .card_full = lab->full,
                            .baseline = baseline,
                            .seed = 1};
    if (judge_card_images(&job, &student, &base, why)) die("%s", why);
    if (!student.length) die("'%s' does not compile", argv[2]);
    for (int i = 0; i < times + self; ++i) {
        double start = now_s();
        judge_measure(&job, &student, &base, &m);
        print(&m, now_s() - start);
        if (self && i == 0) job.card_minimum = m.ratio;
        ++job.seed;
    }
    text_free(&source);
    text_free(&student);
    text_free(&base);
    return 0;
}
