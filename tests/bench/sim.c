// Measures the simulator on the tiled matrix product of tests/truth/kernels.cu (l2_tile16): warp instructions a second
// by vector units, host threads, checks and size. Prints a row each: "units threads checks side seconds instructions".
//
// sim                                 all configurations, each ROUNDS times, in turn, so that a busy machine falls on
//                                     all alike; the best time counts. Rows "beside": one thread, while each other
//                                     processor runs the same by itself: what the machine gives two that share nothing
// sim checks                          what all checks cost by kernel, one of each kind: "kernel unchecked checked", in
//                                     seconds
// sim record [KERNEL]                 what the recording of a block costs by kernel: "kernel unrecorded recorded", in
//                                     seconds for a launch of one block of the unoptimised image, with all checks
// sim UNITS THREADS CHECKS SIDE       one of them, for a profiler: sim v4 1 off 512
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"
#include "base/text.h"
#include "compile/compile.h"
#include "engine/engine.h"
#include "sim/sim.h"

enum { ROUNDS = 5, TILE = 16, BESIDE_MOST = 256 };
#define BESIDE "beside" // in the place of units

struct configuration {
    const char *units;
    uint32_t threads, checks, side;
    uint32_t record; // 1: without caches; 2: and one block is recorded
};

// A launch: buffers of so many elements, the last one the output, then values.
struct problem {
    const char *kernel;
    uint32_t grid[2], block[2], nvalues, value[3];
    uint64_t elements[3]; // 0: no such buffer
};
#define N 512
static const struct problem kinds[] = {
    {"l0_copy", {1024, 1}, {256, 1}, 1, {N * N}, {N * N, 0, N *N}},
    {"l1_reg_acc", {N / 32, N / 8}, {32, 8}, 3, {N, N, 64}, {N * N, N *N, N *N}},
    {"l2_tile16", {N / 16, N / 16}, {16, 16}, 3, {N, N, N}, {N * N, N *N, N *N}},
    {"l2_tile32", {N / 32, N / 32}, {32, 32}, 3, {N, N, N}, {N * N, N *N, N *N}},
    {"l3_sequential", {1024, 1}, {256, 1}, 1, {N * N}, {N * N, 0, 1024}},
    {"l3_scan_hs_db", {N, 1}, {N, 1}, 2, {N, N}, {N * N, 0, N *N}},
    {"l4_shared_stride", {64, 1}, {256, 1}, 1, {N * N}, {N * N, 0, 256}},
    {"l5_block_row", {N, 1}, {128, 1}, 2, {N, N}, {N * N, 0, N *N}},
    {"l5_warp_shfl", {N / 4, 1}, {128, 1}, 2, {N, N}, {N * N, 0, N *N}},
    {"l7_pad1_32x16", {N / 32, N / 32}, {32, 16}, 2, {N, N}, {N * N, 0, N *N}},
};

static struct text compiled(const char *path, enum compile_image image)
{
    struct text source = {0}, why = {0};
    struct compiler compiler;
    struct compile_result result;
    int error = text_read_file(&source, path, 1 << 20);
    if (error) die("cannot read '%s': %s", path, strerror(error));
    if (compile_find(COMPILE_AUTO, &compiler, &why)) die("%s", why.data);
    compile_source(&compiler, source.data, source.length, path, "grader/kit", 1u << image, &result);
    if (result.status != COMPILED) die("cannot compile '%s': %s", path, result.messages.data);
    fprintf(stderr, "compiled with %s\n", compiler.version);
    text_free(&source);
    return result.image[image];
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
static double once(const struct text *image, const struct configuration *c, const struct problem *p, uint64_t *inst)
{
    static struct observation observation;
    static struct engine_image found;
    char message[OBSERVATION_MESSAGE] = "";
    struct engine_options options = {.threads = c->threads, .units = c->units};
    struct engine *engine = sim_engine_ops.open(&options, message);
    if (!engine) return 0;
    check(sim_engine_ops.load(engine, image->data, image->length, &found, message), "load the kernels", message);
    struct engine_launch launch = {.grid = {p->grid[0], p->grid[1], 1},
                                   .block = {p->block[0], p->block[1], 1},
                                   .checks = c->checks,
                                   .cold = !c->record,
                                   .record = c->record > 1};
    snprintf(launch.kernel, sizeof launch.kernel, "%s", p->kernel);
    for (uint32_t b = 0; b < 3; b++) {
        if (!p->elements[b]) continue;
        uint64_t bytes = p->elements[b] * sizeof(uint32_t);
        uint32_t *data = malloc(bytes);
        if (!data) die("out of memory");
        for (uint64_t i = 0; i < p->elements[b]; i++) data[i] = (uint32_t)(i * 2654435761u >> 8 & 255); // also a float
        int buffer = sim_engine_ops.alloc(engine, bytes, sizeof data[0]);
        launch.arg[launch.nargs++] = (struct engine_arg){.kind = ARG_BUFFER, .buffer = buffer};
        if (b < 2 || p->elements[b] < N)
            check(sim_engine_ops.write(engine, buffer, 0, data, bytes, 0), "write", "out of range");
        free(data);
    }
    for (uint32_t v = 0; v < p->nvalues; v++)
        launch.arg[launch.nargs++] = (struct engine_arg){.kind = ARG_VALUE, .bytes = 4, .value = p->value[v]};
    double start = seconds();
    sim_engine_ops.launch(engine, &launch, &observation);
    double time = seconds() - start;
    check(observation.status != OBSERVED_OK || observation.nfindings > 0, "run the kernel", p->kernel);
    *inst = observation.counters.ptx_inst;
    sim_engine_ops.close(engine);
    return time;
}

// The same on the best units, while each other processor does that again and again.
static double once_beside(const struct text *image, const struct configuration *c, const struct problem *p,
                          uint64_t *inst)
{
    struct configuration best = {.threads = c->threads, .checks = c->checks};
    pid_t other[BESIDE_MOST];
    int n = 0, begun[2];
    char byte;
    if (pipe(begun)) die("cannot make a pipe: %s", strerror(errno));
    for (long cores = sysconf(_SC_NPROCESSORS_ONLN); n + 1 < cores && n < BESIDE_MOST; n++) {
        other[n] = fork();
        if (other[n] < 0) die("cannot start a process: %s", strerror(errno));
        while (!other[n]) {
            if (write(begun[1], "", 1) != 1) _exit(1);
            once(image, &best, p, inst);
        }
        if (read(begun[0], &byte, 1) != 1) die("a process ended early");
    }
    double time = once(image, &best, p, inst);
    while (n-- > 0) {
        kill(other[n], SIGKILL);
        waitpid(other[n], NULL, 0);
    }
    close(begun[0]);
    close(begun[1]);
    return time;
}

static void measure_checks(const struct text *image)
{
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        double best[2] = {0};
        uint64_t inst;
        for (int round = 0; round < 2 * ROUNDS; round++) {
            struct configuration c = {.threads = 1, .checks = round % 2 ? CHECK_ALL : 0};
            double time = once(image, &c, &kinds[k], &inst);
            if (round < 2 || time < best[round % 2]) best[round % 2] = time;
        }
        printf("%s %.5f %.5f\n", kinds[k].kernel, best[0], best[1]);
    }
}

static void measure_record(const struct text *image, const char *kernel)
{
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (kernel && strcmp(kernel, kinds[k].kernel) != 0) continue;
        struct problem one = kinds[k];
        double best[2] = {0};
        uint64_t inst;
        one.grid[0] = one.grid[1] = 1;
        for (uint32_t round = 0; round < 2 * ROUNDS; round++) {
            struct configuration c = {.threads = 1, .checks = CHECK_ALL, .record = 1 + round % 2};
            double time = once(image, &c, &one, &inst);
            if (round < 2 || time < best[round % 2]) best[round % 2] = time;
        }
        printf("%s %.5f %.5f %.2f\n", one.kernel, best[0], best[1], best[1] / best[0]);
    }
}

static void measure(const struct text *image, const struct configuration *all, uint32_t count)
{
    double best[16] = {0};
    uint64_t inst[16] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t k = 0; k < count; k++) {
            uint32_t side = all[k].side;
            uint64_t all_elements = (uint64_t)side * side;
            struct problem product = {.kernel = "l2_tile16",
                                      .grid = {side / TILE, side / TILE},
                                      .block = {TILE, TILE},
                                      .nvalues = 3,
                                      .value = {side, side, side},
                                      .elements = {all_elements, all_elements, all_elements}};
            int beside = all[k].units && !strcmp(all[k].units, BESIDE);
            double time = (beside ? once_beside : once)(image, &all[k], &product, &inst[k]);
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
    int records = (argc == 2 || argc == 3) && !strcmp(argv[1], "record");
    struct text image = compiled("tests/truth/kernels.cu", records ? IMAGE_UNOPTIMISED : IMAGE_OPTIMISED);
    uint32_t cores = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    const struct configuration all[] = {
        {"v4", 1, 0, 512, 0},     {"v4", 1, CHECK_ALL, 512, 0},
        {"v3", 1, 0, 512, 0},     {"v3", 1, CHECK_ALL, 512, 0},
        {"base", 1, 0, 512, 0},   {"base", 1, CHECK_ALL, 512, 0},
        {NULL, 1, 0, 512, 0},     {NULL, 1, CHECK_ALL, 512, 0},
        {NULL, cores, 0, 512, 0}, {NULL, cores, CHECK_ALL, 512, 0},
        {NULL, 1, 0, 256, 0},     {NULL, 1, CHECK_ALL, 256, 0},
        {NULL, 1, 0, 1024, 0},    {NULL, 1, CHECK_ALL, 1024, 0},
        {BESIDE, 1, 0, 512, 0},   {BESIDE, 1, CHECK_ALL, 512, 0},
    };
    if (records) {
        measure_record(&image, argv[2]);
    } else if (argc == 2) {
        measure_checks(&image);
    } else if (argc == 5) {
        struct configuration one = {argv[1], (uint32_t)atoi(argv[2]), strcmp(argv[3], "on") ? 0 : CHECK_ALL,
                                    (uint32_t)atoi(argv[4]), 0};
        measure(&image, &one, 1);
    } else {
        measure(&image, all, sizeof all / sizeof all[0]);
    }
    text_free(&image);
    return 0;
}
