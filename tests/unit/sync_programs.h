// The programs of tests/sync/*.cu and their twins, for tests that compile and launch them. Several programs are
// compiled together: kernel `k` of the i-th file is called `k<i>`, and lines are numbered as in its own file.
#ifndef TESTS_UNIT_SYNC_PROGRAMS_H
#define TESTS_UNIT_SYNC_PROGRAMS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sim/sim.h"

// SEEDS orders of threads: 0 is ascending, and from PLAIN on, lanes of a warp are reordered, too.
enum { PROGRAMS = 256, WORDS = 512, POISON = 0x7fc0dead, LINES = 4, SEEDS = 5, PLAIN = 3 };

struct program {
    const char *path;
    uint32_t grid, block, shared;
    char verdict[32];
    uint32_t line[LINES], nlines;
    int both;  // images name the twin
    int some;  // one seed that names it is enough
    int moves; // its shared arrays may lie in global memory
};

static glob_t files;
static struct program programs[PROGRAMS];
static int nprograms;

// Returns 1 if the program's shared arrays can be moved to global memory: all are declared in a kernel, no
// instruction wants shared memory, and one block runs like several.
static inline int may_move(const struct program *p, const char *source)
{
    static const char *const tied[] = {
        "extern __shared__", "__cvta_generic_to_shared", "mbarrier", "cp.async", "pipeline", "gridDim"};
    for (size_t i = 0; i < sizeof tied / sizeof *tied; ++i)
        if (strstr(source, tied[i])) return 0;
    return strstr(source, "__shared__") && !strcmp(p->verdict, "race");
}

static inline void parse_header(struct program *p, const char *source)
{
    const char *launch = strstr(source, "// launch grid ");
    const char *twin = strstr(source, "twin"), *says = twin ? strstr(twin, ": ") : NULL;
    if (!launch || !says) fail_msg("%s: line 2 must state launch and twin", p->path);
    assert_true(sscanf(launch, "// launch grid %u block %u shared %u", &p->grid, &p->block, &p->shared) >= 2);
    int length = 0;
    assert_int_equal(sscanf(says, ": %31s at line %n", p->verdict, &length), 1);
    p->both = !strncmp(twin, "twin in both images", 19);
    p->some = !strncmp(twin, "twin under some seed", 20);
    p->moves = may_move(p, source);
    for (const char *s = says + length; p->nlines < LINES; s += strlen(" or ")) {
        char *end;
        p->line[p->nlines++] = (uint32_t)strtoul(s, &end, 10);
        s = end;
        if (strncmp(s, " or ", 4) != 0) break;
    }
}

// Appends the text of a program, with its ORDER. `moved`: with its shared arrays in global memory, if it may be moved.
static inline void add_program(struct text *all, struct program *p, int order, int moved)
{
    struct text source = {0};
    assert_int_equal(text_read_file(&source, p->path, 1 << 16), 0);
    if (!p->verdict[0]) parse_header(p, source.data);
    for (char *line = strtok(source.data, "\n"); line; line = strtok(NULL, "\n")) {
        const char *shared = moved && p->moves ? strstr(line, "__shared__") : NULL;
        text_printf(all, "%.*s%s%s\n", shared ? (int)(shared - line) : 0, line, shared ? "static" : "",
                    strncmp(line, "#define ORDER", 13) ? (shared ? shared + strlen("__shared__") : line)
                    : order                            ? "#define ORDER 1"
                                                       : "#define ORDER 0");
    }
    text_free(&source);
}

// Appends one program to the joined source.
static inline void join(struct text *all, struct program *p, int index, int order, int moved)
{
    text_printf(all, "#undef ORDER\n#define k k%d\n#line 1\n", index);
    add_program(all, p, order, moved);
    text_puts(all, "#undef k\n");
}

static inline int find_programs(void **state)
{
    (void)state;
    assert_int_equal(glob("tests/sync/*.cu", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc && nprograms < PROGRAMS; ++i) programs[nprograms++].path = files.gl_pathv[i];
    return 0;
}

static inline int forget_programs(void **state)
{
    (void)state;
    globfree(&files);
    return 0;
}

// Returns 1 if the finding is the one that the twin must have.
static inline int matches(const struct program *p, const struct finding *f)
{
    const char *id = finding_info[f->kind].id;
    int same = !strcmp(p->verdict, "race") ? !strncmp(id, "race", 4) && f->kind != FINDING_race_same_value
                                           : !strcmp(id, p->verdict);
    for (uint32_t i = 0; same && i < p->nlines; ++i)
        if (f->at.line == p->line[i]) return 1;
    return 0;
}

// The launch of program number `index`. `moved`: with its shared arrays in global memory.
static inline struct engine_launch launch_of(const struct program *p, int index, int moved, uint64_t seed)
{
    struct engine_launch l = {.grid = {moved ? 1 : p->grid, 1, 1},
                              .block = {p->block, 1, 1},
                              .shared = p->shared,
                              .nargs = 2,
                              .checks = CHECK_ALL,
                              .schedule_seed = seed,
                              .jitter = seed >= PLAIN,
                              .budget = 1 << 20};
    snprintf(l.kernel, sizeof l.kernel, "k%d", index);
    return l;
}

// Launches the kernel with its two buffers: `out`, which it has not written, and zeros. Copies `out` afterwards.
static inline void launch(struct engine *e, struct engine_launch *l, struct observation *o, uint32_t *out)
{
    static const uint32_t zeros[WORDS];
    sim_engine_ops.reset(e);
    for (int i = 0; i < WORDS; ++i) out[i] = POISON;
    for (int b = 0; b < 2; ++b) {
        int buffer = sim_engine_ops.alloc(e, WORDS * 4, 4);
        assert_int_equal(sim_engine_ops.write(e, buffer, 0, b ? zeros : out, WORDS * 4, 0), 0);
        l->arg[b] = (struct engine_arg){.kind = ARG_BUFFER, .bytes = 8, .buffer = buffer};
    }
    sim_engine_ops.launch(e, l, o);
    assert_int_equal(sim_engine_ops.read(e, l->arg[0].buffer, 0, out, WORDS * 4), 0);
}

#endif
