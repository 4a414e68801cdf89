// The speed case of kernels of a lab, once each on one engine, in this process: counters sim|gpu LAB FILE…
//
// On sim it prints "FILE KERNEL METRIC VALUE" for each counter that Nsight Compute has a metric for, every block
// executed. On gpu it prints nothing: Nsight Compute, which started it, does. "counters metrics" lists the metrics, by
// commas.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/text.h"
#include "compile/compile.h"
#include "gpu/gpu.h"
#include "judge/card/lock.h"
#include "lab/lab.h"
#include "sim/sim.h"

enum { WORD = 4 };
static const uint64_t BUDGET = (uint64_t)8 << 30; // warp instructions

static void list_metrics(void)
{
    const char *comma = "";
    for (int i = 0; i < counter_count; ++i) {
        if (counter_info[i].metric[0] == '-') continue;
        printf("%s%s", comma, counter_info[i].metric);
        comma = ",";
    }
    printf("\n");
}

static void compile(const char *path, int card, struct text *image)
{
    struct text source = {0}, why = {0};
    struct compiler compiler;
    struct compile_result result;
    struct gpu_card found;
    enum compile_image which = card ? IMAGE_CARD : IMAGE_OPTIMISED;
    if (text_read_file(&source, path, COMPILE_MOST)) die("cannot read '%s'", path);
    if (compile_find(COMPILE_AUTO, &compiler, &why)) die("%s", why.data);
    if (card && gpu_card_find("", &found)) die("there is no card");
    if (card) compiler.capability = found.capability;
    compile_source(&compiler, source.data, source.length, path, "grader/kit", 1u << which, &result);
    if (result.status != COMPILED) die("%s", result.messages.data);
    text_add(image, result.image[which].data, result.image[which].length);
    compile_result_free(&result);
    text_free(&source);
}

static void make_plan(const struct engine_ops *ops, struct engine *e, const struct lab *lab, struct lab_plan *p,
                      struct arena *arena)
{
    char name[2 * ENGINE_NAME];
    *p = (struct lab_plan){.lab = lab, .which = lab_speed_case(lab), .sms = 132, .arena = arena};
    p->dim = p->which->dim;
    for (int i = 0; i < LAB_KERNELS && lab->kernel[i]; ++i) {
        snprintf(name, sizeof name, "%s_launch", lab->kernel[i]);
        if (ops->symbol(e, name, &p->shape[i], sizeof p->shape[i]) < 0) die("'%s' is missing", name);
    }
    lab->plan(p);
    if (p->rejected[0]) die("%s", p->rejected);
    struct prng random = prng_stream(1, p->which->name);
    lab->fill(p, &random);
}

static void run(const struct engine_ops *ops, struct engine *e, const struct lab_plan *p, const char *path)
{
    static struct observation o;
    int engine[LAB_BUFFERS] = {0};
    for (uint32_t i = 0; i < p->nbuffers; ++i) {
        const struct lab_buffer *b = &p->buffer[i];
        engine[i] = ops->alloc(e, b->count * WORD, WORD);
        if (engine[i] < 0 || (b->data && ops->write(e, engine[i], 0, b->data, b->count * WORD, 0))) die("no room");
    }
    for (uint32_t s = 0; s < p->nsteps; ++s) {
        struct engine_launch l = p->step[s].launch;
        l.cold = 1;
        l.budget = BUDGET;
        for (uint32_t i = 0; i < l.nargs; ++i)
            if (l.arg[i].kind == ARG_BUFFER && l.arg[i].buffer >= 0) l.arg[i].buffer = engine[l.arg[i].buffer];
        ops->launch(e, &l, &o);
        if (o.status != OBSERVED_OK) die("'%s' did not run to its end: %s", l.kernel, o.message);
        for (int i = 0; i < counter_count && ops == &sim_engine_ops; ++i) {
            uint64_t value;
            memcpy(&value, (const char *)&o.counters + counter_info[i].offset, sizeof value);
            if (counter_info[i].metric[0] != '-')
                printf("%s %s %s %" PRIu64 "\n", path, l.kernel, counter_info[i].metric, value);
        }
    }
}

static void count(const struct engine_ops *ops, const struct lab *lab, const char *path, const struct text *image)
{
    static struct engine_image facts;
    char message[OBSERVATION_MESSAGE] = "";
    struct lab_plan plan;
    struct arena arena = {0};
    struct engine *e = ops->open(&(struct engine_options){0}, message);
    if (!e || ops->load(e, image->data, image->length, &facts, message)) die("%s", message);
    make_plan(ops, e, lab, &plan, &arena);
    run(ops, e, &plan, path);
    ops->close(e);
    arena_free(&arena);
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "metrics")) return list_metrics(), 0;
    const struct lab *lab = argc > 3 ? lab_find(argv[2]) : NULL;
    if (!lab) die("usage: counters sim|gpu LAB FILE…");
    int card = !strcmp(argv[1], "gpu");
    struct text *image = calloc((size_t)argc, sizeof *image);
    if (!image) die("out of memory");
    for (int i = 3; i < argc; ++i) compile(argv[i], card, &image[i]);
    int turn = card ? card_lock_take("") : -1;
    for (int i = 3; i < argc; ++i) count(card ? &gpu_engine_ops : &sim_engine_ops, lab, argv[i], &image[i]);
    card_lock_release(turn);
    for (int i = 3; i < argc; ++i) text_free(&image[i]);
    free(image);
    return 0;
}
