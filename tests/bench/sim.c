// Measures the simulator: million warp instructions a second on the tiled matrix product of tests/truth/kernels.cu
// (l2_tile16, 512 x 512 x 512), with and without checks, on one host thread and on all. Prints a row each:
// "threads checks median-seconds warp-instructions". Takes the median of RUNS launches, each on a fresh engine state.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"
#include "base/text.h"
#include "compile/compile.h"
#include "engine/engine.h"
#include "sim/sim.h"

enum { RUNS = 5, SIDE = 512, TILE = 16 };

static struct text compiled(const char *path)
{
    struct text source = {0}, why = {0};
    struct compiler compiler;
    struct compile_result result;
    int error = text_read_file(&source, path, 1 << 20);
    if (error) die("cannot read '%s': %s", path, strerror(error));
    if (compile_find(COMPILE_AUTO, &compiler, &why)) die("%s", why.data);
    compile_source(&compiler, source.data, source.length, path, "grader/compile/kit", 1u << IMAGE_OPTIMISED, &result);
    if (result.status != COMPILED) die("cannot compile '%s': %s", path, result.messages.data);
    fprintf(stderr, "compiled with %s\n", compiler.version);
    text_free(&source);
    return result.image[IMAGE_OPTIMISED];
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void check(int failed, const char *what, const char *message)
{
    if (failed) die("cannot %s: %s", what, message);
}

// One launch from scratch: the seconds it took, and its warp instructions in *inst.
static double once(const struct text *image, uint32_t threads, uint32_t checks, uint64_t *inst)
{
    static struct observation observation;
    static struct engine_image found;
    static float data[SIDE * SIDE];
    char message[OBSERVATION_MESSAGE] = "";
    struct engine_options options = {.threads = threads};
    struct engine *engine = sim_engine_ops.open(&options, message);
    check(!engine, "open the simulator", message);
    check(sim_engine_ops.load(engine, image->data, image->length, &found, message), "load the kernels", message);
    struct engine_launch launch = {.kernel = "l2_tile16",
                                   .grid = {SIDE / TILE, SIDE / TILE, 1},
                                   .block = {TILE, TILE, 1},
                                   .nargs = 6,
                                   .checks = checks,
                                   .cold = 1};
    for (int i = 0; i < SIDE * SIDE; i++) data[i] = (float)(i % 17) - 8;
    for (uint32_t i = 0; i < 6; i++) {
        if (i >= 3) {
            launch.arg[i] = (struct engine_arg){.kind = ARG_VALUE, .bytes = 4, .value = SIDE};
            continue;
        }
        int buffer = sim_engine_ops.alloc(engine, sizeof data, sizeof data[0]);
        launch.arg[i] = (struct engine_arg){.kind = ARG_BUFFER, .buffer = buffer};
        if (i < 2) check(sim_engine_ops.write(engine, buffer, 0, data, sizeof data, 0), "write", "out of range");
    }
    double start = seconds();
    sim_engine_ops.launch(engine, &launch, &observation);
    double time = seconds() - start;
    check(observation.status != OBSERVED_OK || observation.nfindings > 0, "run the kernel", observation.message);
    *inst = observation.counters.warp_inst;
    sim_engine_ops.close(engine);
    return time;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    struct text image = compiled("tests/truth/kernels.cu");
    const uint32_t threads[] = {1, 0}, checks[] = {CHECK_ALL, 0};
    for (int t = 0; t < 2; t++)
        for (int c = 0; c < 2; c++) {
            double time[RUNS];
            uint64_t inst = 0;
            for (int i = 0; i < RUNS; i++) time[i] = once(&image, threads[t], checks[c], &inst);
            qsort(time, RUNS, sizeof time[0], by_value);
            long count = threads[t] ? (long)threads[t] : sysconf(_SC_NPROCESSORS_ONLN);
            printf("%ld %s %.3f %llu\n", count, checks[c] ? "on" : "off", time[RUNS / 2], (unsigned long long)inst);
        }
    text_free(&image);
    return 0;
}
