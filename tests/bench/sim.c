// Measures the simulator on the tiled matrix product of tests/truth/kernels.cu (l2_tile16): warp instructions a second
// by vector units, host threads, checks and size. Prints a row each: "units threads checks side seconds instructions".
//
// sim                                 all configurations, each ROUNDS times, in turn, so that a busy machine falls on
//                                     all alike; the best time counts
// sim UNITS THREADS CHECKS SIDE       one of them, for a profiler: sim v4 1 off 512
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

enum { ROUNDS = 5, TILE = 16 };

struct configuration {
    const char *units;
    uint32_t threads, checks, side;
};

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

// One launch from scratch: the seconds it took, and its warp instructions in *inst. 0: this machine has no such units.
static double once(const struct text *image, const struct configuration *c, uint64_t *inst)
{
    static struct observation observation;
    static struct engine_image found;
    char message[OBSERVATION_MESSAGE] = "";
    struct engine_options options = {.threads = c->threads, .units = c->units};
    struct engine *engine = sim_engine_ops.open(&options, message);
    if (!engine) return 0;
    check(sim_engine_ops.load(engine, image->data, image->length, &found, message), "load the kernels", message);
    struct engine_launch launch = {.kernel = "l2_tile16",
                                   .grid = {c->side / TILE, c->side / TILE, 1},
                                   .block = {TILE, TILE, 1},
                                   .nargs = 6,
                                   .checks = c->checks,
                                   .cold = 1};
    uint64_t elements = (uint64_t)c->side * c->side, bytes = elements * sizeof(float);
    float *data = malloc(bytes);
    if (!data) die("out of memory");
    for (uint64_t i = 0; i < elements; i++) data[i] = (float)(i % 17) - 8;
    for (uint32_t i = 0; i < 6; i++) {
        if (i >= 3) {
            launch.arg[i] = (struct engine_arg){.kind = ARG_VALUE, .bytes = 4, .value = c->side};
            continue;
        }
        int buffer = sim_engine_ops.alloc(engine, bytes, sizeof data[0]);
        launch.arg[i] = (struct engine_arg){.kind = ARG_BUFFER, .buffer = buffer};
        if (i < 2) check(sim_engine_ops.write(engine, buffer, 0, data, bytes, 0), "write", "out of range");
    }
    double start = seconds();
    sim_engine_ops.launch(engine, &launch, &observation);
    double time = seconds() - start;
    check(observation.status != OBSERVED_OK || observation.nfindings > 0, "run the kernel", observation.message);
    *inst = observation.counters.ptx_inst;
    sim_engine_ops.close(engine);
    free(data);
    return time;
}

static void measure(const struct text *image, const struct configuration *all, uint32_t count)
{
    double best[16] = {0};
    uint64_t inst[16] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t k = 0; k < count; k++) {
            double time = once(image, &all[k], &inst[k]);
            if (round == 0 || time < best[k]) best[k] = time;
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        const struct configuration *c = &all[k];
        if (best[k] == 0) continue;
        printf("%s %u %s %u %.4f %llu\n", c->units ? c->units : "best", c->threads, c->checks ? "on" : "off", c->side,
               best[k], (unsigned long long)inst[k]);
    }
}

int main(int argc, char **argv)
{
    struct text image = compiled("tests/truth/kernels.cu");
    uint32_t cores = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    const struct configuration all[] = {
        {"v4", 1, 0, 512},     {"v4", 1, CHECK_ALL, 512},     {"v3", 1, 0, 512}, {"v3", 1, CHECK_ALL, 512},
        {"base", 1, 0, 512},   {"base", 1, CHECK_ALL, 512},   {NULL, 1, 0, 512}, {NULL, 1, CHECK_ALL, 512},
        {NULL, cores, 0, 512}, {NULL, cores, CHECK_ALL, 512}, {NULL, 1, 0, 256}, {NULL, 1, CHECK_ALL, 256},
        {NULL, 1, 0, 1024},    {NULL, 1, CHECK_ALL, 1024},
    };
    if (argc == 5) {
        struct configuration one = {argv[1], (uint32_t)atoi(argv[2]), strcmp(argv[3], "on") ? 0 : CHECK_ALL,
                                    (uint32_t)atoi(argv[4])};
        measure(&image, &one, 1);
    } else {
        measure(&image, all, sizeof all / sizeof all[0]);
    }
    text_free(&image);
    return 0;
}
