// Measures a kernel, or a host lab's program, on the card as grading does, again and again: measure LAB FILE [TIMES
// [MINIMUM [SITTINGS]]]
//
// A line a measurement: how it ended, what the sign test said, the median ratio to the lab's baseline, seconds, and
// after a bar each block's ratio; or the sentence that it ended with. MINIMUM is the speedup that is asked for: a
// number, "lab" (or nothing) for the lab's own, or "self" for what a first measurement found, so that the kernel stands
// exactly at its threshold in the TIMES that follow. These are spread over so many SITTINGS: each begins as a grading
// does, with runners of its own, and the measurements after its first are those of the decision alone
// (judge/card/kernels.h). Without the number each has its own sitting. Nothing is judged but speed and output, and
// nothing on the simulator: what hardware does with a defective kernel can be seen here.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/die.h"
#include "base/text.h"
#include "judge/card/card.h"
#include "judge/card/kernels.h"
#include "judge/host/host_grade.h"

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
        for (uint32_t i = 0; i < m->trials; ++i) printf(" %.4f", m->ratio_of[i]);
    else
        printf(" %s", m->message);
    printf("\n");
    fflush(stdout);
}

// A sitting; the ratio that its first measurement found.
static double sit(struct judge_job *job, const struct text *student, const struct text *baseline, uint32_t times)
{
    struct measurement *m = calloc(times, sizeof *m);
    struct text why = {0};
    double start = now_s();
    if (!m) die("out of memory");
    if (!job->lab->host)
        kernels_measure(job, student, baseline, m, times);
    else if (host_measure(job, m, times, &why))
        die("%s", why.data);
    double seconds = (now_s() - start) / times, ratio = m->ratio;
    for (uint32_t i = 0; i < times && m[i].end != MEASURE_NONE; ++i) print(&m[i], seconds);
    ++job->seed;
    free(m);
    return ratio;
}

int main(int argc, char **argv)
{
    const char *build = getenv("BUILD");
    char name[512], runner[4096], simulator[4096], cudart[4096], baseline[512], main_file[512];
    char why[OBSERVATION_MESSAGE] = "";
    struct text source = {0}, student = {0}, base = {0}, none = {0};
    struct compiler compiler;
    if (argc < 3) die("usage: measure LAB FILE [TIMES [MINIMUM [SITTINGS]]]");
    const struct lab *lab = lab_find(argv[1]);
    if (!lab) die("there is no lab '%s'", argv[1]);
    const char *asked = argc > 4 ? argv[4] : "lab";
    int times = argc > 3 ? atoi(argv[3]) : 1, sittings = argc > 5 ? atoi(argv[5]) : times;
    if (times < 1 || sittings < 1 || sittings > times) die("so many measurements cannot be spread so");
    if (text_read_file(&source, argv[2], COMPILE_MOST)) die("cannot read '%s'", argv[2]);
    if (compile_find(COMPILE_AUTO, &compiler, &none)) die("%s", none.data);
    snprintf(name, sizeof name, "%s/runner-gpu", build ? build : "build/release");
    if (!realpath(name, runner)) die("there is no '%s'", name);
    snprintf(baseline, sizeof baseline, "labs/%s/baseline.cu", lab->slug);
    snprintf(name, sizeof name, "%s/runner-sim", build ? build : "build/release");
    if (!realpath(name, simulator)) die("there is no '%s'", name);
    snprintf(name, sizeof name, "%s/cudart", build ? build : "build/release");
    if (!realpath(name, cudart)) die("there is no '%s'", name);
    snprintf(main_file, sizeof main_file, "labs/%s/main.h", lab->slug);
    const char *const card_runner[] = {runner, NULL}, *const sim_runner[] = {simulator, NULL};
    struct judge_job job = {.lab = lab,
                            .source = source.data,
                            .bytes = source.length,
                            .shown = argv[2],
                            .compiler = &compiler,
                            .kit = "grader/kit",
                            .runner = sim_runner,
                            .card_runner = card_runner,
                            .main = main_file,
                            .cudart = cudart,
                            .card_threshold = lab_threshold_of(lab->lesson, lab->furthest),
                            .baseline = baseline,
                            .seed = 1};
    if (atof(asked) > 0) job.card_threshold.minimum = atof(asked);
    if (!lab->host && card_images(&job, &student, &base, why)) die("%s", why);
    if (!lab->host && !student.length) die("'%s' does not compile", argv[2]);
    if (!strcmp(asked, "self")) job.card_threshold.minimum = sit(&job, &student, &base, 1);
    for (int i = 0; i < sittings; ++i)
        sit(&job, &student, &base, (uint32_t)(times * (i + 1) / sittings - times * i / sittings));
    text_free(&source);
    text_free(&student);
    text_free(&base);
    return 0;
}
