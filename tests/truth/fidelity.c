// How near the simulator comes to a card: fidelity [WORD] [CSV]
//
// Runs the launches of two tables (those with the word in their kernel's name, or in the table's), with inputs drawn as
// they were for the card, long ones sampled by whole blocks as in grading, and compares counters and time with what the
// card said: of the labs' ladders, which the model was held against while it was written, and of kernels in other
// styles, which only helped to choose mechanisms (styles.txt). Launches that are not too long are executed whole as
// well: the difference is what sampling costs.
#define _GNU_SOURCE
#include "fidelity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/text.h"
#include "compile/compile.h"
#include "engine/engine.h"
#include "sim/sim.h"

// Warp instructions: of a sampled launch, as grader/judge has it; up to which a launch is executed whole besides.
static const uint64_t SAMPLE = 4 << 20, WHOLE = 24 << 20, BUDGET = (uint64_t)8 << 30;

// What was launched on the card, by which kernels, and what it said.
static const struct table {
    const char *title, *kernels, *launches, *card, *alone; // alone: of single blocks, or NULL
} tables[] = {
    {"the labs' ladders", "tests/truth/kernels.cu", "tests/truth/launches.txt", "tests/truth/h200.csv",
     "tests/truth/h200_alone.txt"},
    {"other styles", "tests/truth/styles.cu", "tests/truth/styles.txt", "tests/truth/h200_styles.csv", NULL},
};

static struct truth_row rows[TRUTH_ROWS];
static int nrows; // of all tables so far

// ---------------------------------------------------------------- tables

static FILE *opened(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) die("cannot read '%s'", path);
    return file;
}

// A launch in a line of text; how many of its characters that takes. 0: it is none.
static int read_launch(const char *line, struct truth_row *r)
{
    int end = 0;
    *r = (struct truth_row){0};
    if (line[0] != '#')
        sscanf(line, "%63s %7s %u %u %u %u %u %ld %ld %ld %c%n", r->kernel, r->kind, &r->grid[0], &r->grid[1],
               &r->block[0], &r->block[1], &r->shared, &r->dim[0], &r->dim[1], &r->dim[2], &r->values, &end);
    return end;
}

static void read_launches(const char *path)
{
    FILE *file = opened(path);
    char line[256];
    while (nrows < TRUTH_ROWS && fgets(line, sizeof line, file)) nrows += read_launch(line, &rows[nrows]) != 0;
    fclose(file);
}

static void card_cell(struct truth_row *r, const char *column, const char *cell)
{
    if (strcmp(column, "cold_us") == 0) r->card_us = strtod(cell, NULL);
    if (strcmp(column, "regs") == 0) r->card_registers = (uint32_t)strtoul(cell, NULL, 10);
#define X(counter, name)                                                                                               \
    if (strcmp(column, name) == 0) r->card.counter = *cell ? strtoull(cell, NULL, 10) : TRUTH_ABSENT;
    TRUTH_COUNTERS(X)
#undef X
}

// What the card said of rows[first …].
static void read_card(const char *path, int first)
{
    FILE *file = opened(path);
    char header[4096], line[4096];
    if (!fgets(header, sizeof header, file)) die("'%s' is empty", path);
    int row = first;
    for (; row < nrows && fgets(line, sizeof line, file); row++) {
        char *names = header, *cells = line, *name, *cell, copy[4096];
        names = strcpy(copy, header);
        if (strncmp(line, rows[row].kernel, strlen(rows[row].kernel)) != 0)
            die("row %d of '%s' is not '%s'", row - first + 1, path, rows[row].kernel);
        while ((name = strsep(&names, ",\r\n")) && (cell = strsep(&cells, ",\r\n"))) card_cell(&rows[row], name, cell);
    }
    if (row < nrows) die("'%s' has too few rows", path);
    fclose(file);
}

// ---------------------------------------------------------------- inputs

static const uint64_t SEED = 88172645463325252u; // as in the program that ran a table's launches on the card
static uint64_t state;

static uint32_t drawn(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 11);
}

static float drawn_float(void)
{
    return (float)(drawn() & 0xffffff) / 0x1000000 * 2.0f - 1.0f;
}

static uint32_t drawn_bin(char values)
{
    uint32_t r = drawn();
    if (values == 'c') return 7;
    if (values == 's') return r & 3 ? 7 + (r >> 4 & 1) : r >> 8 & 255;
    return r & 255;
}

static int is(const struct truth_row *r, const char *kind)
{
    return strcmp(r->kind, kind) == 0;
}

static int is_rows(const struct truth_row *r)
{
    return is(r, "sm") || is(r, "sum") || is(r, "tr") || is(r, "scan");
}

struct problem {
    uint64_t in, b, out; // elements of 4 bytes
    float *data;         // in, then b
};

static struct problem problem_of(const struct truth_row *r)
{
    uint64_t d0 = (uint64_t)r->dim[0], d1 = (uint64_t)r->dim[1], d2 = (uint64_t)r->dim[2];
    struct problem p = {.in = d0, .out = d0};
    if (is(r, "mm")) p = (struct problem){.in = d0 * d2, .b = d2 * d1, .out = d0 * d1};
    if (is(r, "red")) p.out = r->grid[0];
    if (is(r, "hist") || is(r, "bytes")) p.out = 256;
    if (is(r, "cnt")) p.in = p.out = 1;
    if (is_rows(r)) p.in = d0 * d1, p.out = is(r, "sum") ? d0 : d0 * d1;
    return p;
}

static void draw(const struct truth_row *r, struct problem *p)
{
    p->data = malloc((p->in + p->b) * sizeof *p->data);
    if (!p->data) die("out of memory");
    uint32_t *word = (uint32_t *)(void *)p->data;
    for (uint64_t i = 0; i < p->in + p->b; i++) {
        if (is(r, "hist"))
            word[i] = drawn_bin(r->values);
        else if (is(r, "bytes"))
            word[i] = drawn();
        else if (is(r, "work"))
            word[i] = drawn() % 10;
        else
            p->data[i] = drawn_float();
    }
}

// ---------------------------------------------------------------- running

static void add_value(struct engine_launch *l, uint64_t value)
{
    l->arg[l->nargs++] = (struct engine_arg){.kind = ARG_VALUE, .bytes = 4, .buffer = -1, .value = (uint32_t)value};
}

static void add_buffer(struct engine *e, struct engine_launch *l, const void *data, uint64_t elements)
{
    int buffer = sim_engine_ops.alloc(e, elements * 4, 4);
    if (buffer < 0) die("no room for a buffer");
    if (data && sim_engine_ops.write(e, buffer, 0, data, elements * 4, 0)) die("cannot write a buffer");
    l->arg[l->nargs++] = (struct engine_arg){.kind = ARG_BUFFER, .bytes = 8, .buffer = buffer};
}

static void add_output(struct engine *e, struct engine_launch *l, const struct truth_row *r, uint64_t elements)
{
    void *zeros = is(r, "hist") || is(r, "bytes") || is(r, "cnt") ? calloc(elements, 4) : NULL;
    add_buffer(e, l, zeros, elements);
    free(zeros);
}

static void add_arguments(struct engine *e, struct engine_launch *l, const struct truth_row *r, const struct problem *p)
{
    uint64_t vector = r->dim[2] == 4 && (is(r, "red") || is(r, "v1")) ? 4 : 1;
    if (!is(r, "cnt")) add_buffer(e, l, p->data, p->in);
    if (p->b) add_buffer(e, l, p->data + p->in, p->b);
    add_output(e, l, r, p->out);
    if (is(r, "cnt")) return;
    add_value(l, (uint64_t)r->dim[0] / vector);
    if (is(r, "mm") || is_rows(r)) add_value(l, (uint64_t)r->dim[1]);
    if (is(r, "mm")) add_value(l, (uint64_t)r->dim[2]);
}

static void run(const struct truth_row *r, const struct problem *p, const struct text *image, uint64_t sample,
                struct observation *o)
{
    static struct engine_image found;
    char message[OBSERVATION_MESSAGE] = "";
    struct engine_options options = {.device = "h200"};
    struct engine *e = sim_engine_ops.open(&options, message);
    if (!e || sim_engine_ops.load(e, image->data, image->length, &found, message)) die("cannot load: %s", message);
    struct engine_launch l = {.grid = {r->grid[0], r->grid[1], 1},
                              .block = {r->block[0], r->block[1], 1},
                              .shared = r->shared,
                              .cold = 1,
                              .sample_inst = sample,
                              .budget = BUDGET};
    snprintf(l.kernel, sizeof l.kernel, "%s", r->kernel);
    add_arguments(e, &l, r, p);
    sim_engine_ops.launch(e, &l, o);
    if (o->status != OBSERVED_OK) die("'%s' did not run to its end: %s", r->kernel, o->message);
    sim_engine_ops.close(e);
}

static void run_row(struct truth_row *r, const struct text *image)
{
    static struct observation whole;
    struct problem p = problem_of(r);
    draw(r, &p);
    r->sim = malloc(sizeof *r->sim);
    if (!r->sim) die("out of memory");
    run(r, &p, image, SAMPLE, r->sim);
    r->sim_us = (double)r->sim->time_ps * 1e-6;
    if (r->sim->blocks_run < r->sim->blocks && r->sim->counters.warp_inst < WHOLE) {
        run(r, &p, image, 0, &whole);
        r->full_us = (double)whole.time_ps * 1e-6;
    }
    free(p.data);
}

static struct text compiled(const char *path)
{
    struct text source = {0}, why = {0};
    struct compiler compiler;
    struct compile_result result;
    if (text_read_file(&source, path, 1 << 20)) die("cannot read '%s'", path);
    if (compile_find(COMPILE_AUTO, &compiler, &why)) die("%s", why.data);
    compile_source(&compiler, source.data, source.length, path, "grader/kit", 1u << IMAGE_OPTIMISED, &result);
    if (result.status != COMPILED) die("cannot compile '%s': %s", path, result.messages.data);
    text_free(&source);
    return result.image[IMAGE_OPTIMISED];
}

// The wavefronts of shared memory that one block of a kernel takes, alone on the card, tell its arbiter's doing from
// the kernel's: rows of the table whose kernel costs exactly what the model says there are noted.
static void compare_alone(const struct table *t, const struct text *image, int first)
{
    static struct observation o;
    struct truth_row r;
    FILE *file = opened(t->alone);
    char line[256];
    state = SEED;
    while (fgets(line, sizeof line, file)) {
        uint64_t loads, stores, atomics;
        int end = read_launch(line, &r);
        if (!end || sscanf(line + end, "%" SCNu64 "%" SCNu64 "%" SCNu64, &loads, &stores, &atomics) != 3) continue;
        struct problem p = problem_of(&r);
        draw(&r, &p);
        run(&r, &p, image, 0, &o);
        free(p.data);
        const struct counters *c = &o.counters;
        int exact = c->shared_ld_wavefronts == loads && c->shared_st_wavefronts == stores &&
                    c->shared_atom_wavefronts == atomics;
        for (int i = first; i < nrows; i++)
            if (strcmp(rows[i].kernel, r.kernel) == 0 && memcmp(rows[i].block, r.block, sizeof r.block) == 0 &&
                rows[i].values == r.values && rows[i].alone != ALONE_DIFFERS)
                rows[i].alone = exact ? ALONE_EXACT : ALONE_DIFFERS;
    }
    fclose(file);
}

// Reads a table, runs those of its launches that have the word, and prints how near they came.
static void compare(const struct table *t, const char *word)
{
    int first = nrows, n = nrows;
    read_launches(t->launches);
    read_card(t->card, first);
    struct text image = compiled(t->kernels);
    state = SEED;
    for (int i = first; i < nrows; i++) {
        if (strstr(rows[i].kernel, word) || strstr(t->title, word)) {
            rows[n] = rows[i];
            run_row(&rows[n++], &image);
        } else {
            struct problem p = problem_of(&rows[i]);
            for (uint64_t k = p.in + p.b; k; k--) drawn(); // the generator goes on from row to row
        }
    }
    nrows = n;
    if (n > first && t->alone) compare_alone(t, &image, first);
    text_free(&image);
    printf("\n%s%s\n\n", first ? "\n" : "", t->title);
    if (n > first) truth_print(rows, first, n);
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "", *csv = argc > 2 ? argv[2] : NULL;
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) compare(&tables[k], word);
    if (csv) truth_write(rows, nrows, csv);
    for (int i = 0; i < nrows; i++) free(rows[i].sim);
    return 0;
}
