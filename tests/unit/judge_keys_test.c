// The record of each lab's baseline holds for every class's key and every seed: with four others, the time and the
// counters differ by at most 1 %. With the practice key and nvcc, they are equal to the digit
// (tests/cli/baseline.bats). Takes minutes, so it belongs to the second tier (tests/run). LABS="lab3 lab4" tests these
// labs alone, KEYS=10 with more keys; V=1 prints how much the figures differ.
#define _GNU_SOURCE
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/text.h"
#include "judge/host/host_baseline.h"
#include "judge/job/judge_baseline.h"
#include "judge/kernel/kernel_baseline.h"

enum { PATH = 4096 };
static const double MOST = 0.01; // largest difference, as a fraction
// A counter of rare events may differ by RARE of the warp instructions besides.
static const double RARE = 0.0001;

static struct compiler compiler;
static char runner[PATH], cudart[PATH], cache[64] = "/tmp/warpwise-keys-XXXXXX";

static int begin(void **state)
{
    (void)state;
    const char *build = getenv("BUILD");
    char here[PATH / 2];
    struct text why = {0};
    assert_non_null(getcwd(here, sizeof here));
    snprintf(runner, sizeof runner, "%s/%s/runner-sim", here, build ? build : "build/release");
    snprintf(cudart, sizeof cudart, "%s/%s/cudart", here, build ? build : "build/release");
    assert_non_null(mkdtemp(cache));
    if (compile_find(COMPILE_NVCC, &compiler, &why)) print_message("# no nvcc: %s\n", why.data);
    text_free(&why);
    return 0;
}

static int end(void **state)
{
    (void)state;
    char command[PATH];
    snprintf(command, sizeof command, "rm -rf %s", cache);
    return system(command);
}

static void simulate(const struct judge_job *job, struct judge_record *record)
{
    struct text image = {0};
    if (job->lab->host) {
        judge_baseline_kernel(job, &image);
        host_baseline_run(job, &image, record);
        text_free(&image);
    } else {
        kernel_baseline_run(job, record);
    }
}

static double differ(uint64_t a, uint64_t b, double slack)
{
    double by = fmax(fabs((double)a - (double)b) - slack, 0);
    return by ? by / fmax((double)a, (double)b) : 0;
}

struct worst {
    double time, kernel_time, counter;
    const char *name;
};

static void compare(const struct judge_record *a, const struct judge_record *b, struct worst *w)
{
    w->time = fmax(w->time, differ(a->time_ps, b->time_ps, 0));
    for (int k = 0; k < LAB_KERNELS; ++k) {
        const struct judge_record_kernel *p = &a->kernel[k], *q = &b->kernel[k];
        w->kernel_time = fmax(w->kernel_time, differ(p->time_ps, q->time_ps, 0));
        for (int i = 0; i < counter_count; ++i) {
            uint64_t x, y;
            if (counter_info[i].offset == offsetof(struct counters, warp_cycles)) continue; // a time, not a count
            memcpy(&x, (const char *)&p->counters + counter_info[i].offset, sizeof x);
            memcpy(&y, (const char *)&q->counters + counter_info[i].offset, sizeof y);
            double by = differ(x, y, RARE * (double)p->counters.warp_inst);
            if (getenv("V") && by > MOST)
                print_message("# kernel %d, %s: %llu and %llu\n", k, counter_info[i].name, (unsigned long long)x,
                              (unsigned long long)y);
            if (by <= w->counter) continue;
            w->counter = by;
            w->name = counter_info[i].name;
        }
    }
}

static int check_lab(const struct lab *lab)
{
    char baseline[PATH], main_file[PATH];
    const char *const command[] = {runner, NULL};
    struct judge_record recorded, other;
    struct worst w = {.name = "none"};
    snprintf(baseline, sizeof baseline, "labs/%s/baseline.cu", lab->slug);
    snprintf(main_file, sizeof main_file, "labs/%s/main.h", lab->slug);
    struct judge_job job = {.lab = lab,
                            .source = "",
                            .shown = baseline,
                            .compiler = &compiler,
                            .kit = "grader/kit",
                            .runner = command,
                            .baseline = baseline,
                            .main = main_file,
                            .cudart = cudart,
                            .cache = cache,
                            .seed = 1,
                            .open = 1};
    if (judge_record_find(&job, &recorded) != RECORD_MATCHES) simulate(&job, &recorded);
    uint64_t keys = getenv("KEYS") ? strtoull(getenv("KEYS"), NULL, 10) : 4;
    for (uint64_t key = 1; key <= keys; ++key) {
        memset(&job.secret, (int)key, sizeof job.secret);
        job.seed = key;
        simulate(&job, &other);
        compare(&recorded, &other, &w);
    }
    int failed = w.time > MOST || w.counter > MOST;
    if (failed || getenv("V"))
        print_message(
            "# %s: with other keys, the time differs by up to %.2f %%, a kernel's time by %.2f %%, counter %s "
            "by %.2f %%\n",
            lab->name, 100 * w.time, 100 * w.kernel_time, w.name, 100 * w.counter);
    return failed;
}

static void records_hold_for_every_key(void **state)
{
    (void)state;
    int failures = 0;
    if (!compiler.path[0]) skip();
    for (int i = 0; lab_all[i]; ++i)
        if (!getenv("LABS") || strstr(getenv("LABS"), lab_all[i]->name)) failures += check_lab(lab_all[i]);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(records_hold_for_every_key)};
    return cmocka_run_group_tests(tests, begin, end);
}
