// Correct but difficult synchronisation: the programs of tests/sync/*.cu. A program must have no finding, and its
// outputs must be right. Its twin (ORDER 0) lacks one ordering and must have the finding, with the line, that line 2 of
// the file states. One of the two images suffices, because an optimiser may delete the defect; "twin in both images"
// requires both. Every seed must find it; "twin under some seed" requires one, for defects that exist only if two sides
// run at the same time. Under seeds that reorder lanes, findings on barriers in divergent code are ignored. Several
// programs are compiled together: kernel `k` of the i-th file is called `k<i>`, and its lines are moved by a known
// offset.
//
// A program with a race and arrays in shared memory runs a second time, in one block, with the arrays in global memory
// (`moved`), and so does its twin: the verdicts must be the same.
//
// Second, the orderings that labs' kernels do not have and `make mutation` therefore does not test: fences, named
// barriers, and waits for asynchronous copies. Each of them is removed by itself. The rest must have a finding or wrong
// outputs, in some image under some seed. A line with "// spare" has an ordering whose removal shows no effect: the
// atomic or volatile read before it acquires, or it orders only volatile accesses (sequence_lock.cu), which are never a
// race although a device might reorder them.
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "compile/compile.h"
#include "sim/sim.h"

enum { PROGRAMS = 256, BATCH = 32, WORDS = 512, POISON = 0x7fc0dead, LINES = 4, SEEDS = 5, PLAIN = 3, MUTANTS = 512 };

struct program {
    const char *path;
    uint32_t offset; // lines before it in the joined source
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
static int may_move(const struct program *p, const char *source)
{
    static const char *const tied[] = {
        "extern __shared__", "__cvta_generic_to_shared", "mbarrier", "cp.async", "pipeline", "gridDim"};
    for (size_t i = 0; i < sizeof tied / sizeof *tied; ++i)
        if (strstr(source, tied[i])) return 0;
    return strstr(source, "__shared__") && !strcmp(p->verdict, "race");
}

static void parse_header(struct program *p, const char *source)
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

// Appends one program to the joined source, with its ORDER and its kernel's name. `moved`: with its shared arrays in
// global memory, if it may be moved.
static void join(struct text *all, struct program *p, int index, int order, int moved, uint32_t *lines)
{
    struct text source = {0};
    assert_int_equal(text_read_file(&source, p->path, 1 << 16), 0);
    if (!p->verdict[0]) parse_header(p, source.data);
    text_printf(all, "#undef ORDER\n#define k k%d\n", index);
    p->offset = *lines += 2;
    for (char *line = strtok(source.data, "\n"); line; line = strtok(NULL, "\n")) {
        const char *shared = moved && p->moves ? strstr(line, "__shared__") : NULL;
        text_printf(all, "%.*s%s%s\n", shared ? (int)(shared - line) : 0, line, shared ? "static" : "",
                    strncmp(line, "#define ORDER", 13) ? (shared ? shared + strlen("__shared__") : line)
                    : order                            ? "#define ORDER 1"
                                                       : "#define ORDER 0");
        ++*lines;
    }
    text_puts(all, "#undef k\n");
    ++*lines;
    text_free(&source);
}

static int find_programs(void **state)
{
    (void)state;
    assert_int_equal(glob("tests/sync/*.cu", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc && nprograms < PROGRAMS; ++i) programs[nprograms++].path = files.gl_pathv[i];
    return 0;
}

static int forget_programs(void **state)
{
    (void)state;
    globfree(&files);
    return 0;
}

static int matches(const struct program *p, const struct finding *f)
{
    const char *id = finding_info[f->kind].id;
    int same = !strcmp(p->verdict, "race") ? !strncmp(id, "race", 4) && f->kind != FINDING_race_same_value
                                           : !strcmp(id, p->verdict);
    for (uint32_t i = 0; same && i < p->nlines; ++i)
        if (f->at.line == p->offset + p->line[i]) return 1;
    return 0;
}

// What is wrong with the simulator's word on a program, or NULL.
static const char *judge(const struct program *p, int order, const struct observation *o, const uint32_t *out)
{
    static char text[256];
    const struct finding *first = NULL;
    for (uint32_t i = 0; i < o->nfindings; ++i) {
        const struct finding *f = &o->finding[i];
        if (finding_info[f->kind].severity != FINDING_DEFECT) continue;
        if (!order && matches(p, f)) return NULL;
        if (!first) first = f;
    }
    const char *id = first ? finding_info[first->kind].id : "nothing";
    uint32_t line = first ? first->at.line - p->offset : 0;
    if (!order) {
        snprintf(text, sizeof text, "twin: expected %s at line %u, got %s at line %u", p->verdict, p->line[0], id,
                 line);
        return text;
    }
    if (first || o->status != OBSERVED_OK) {
        snprintf(text, sizeof text, "%s at line %u, where there is no defect; %.100s", id, line, o->message);
        return text;
    }
    for (int i = 0; i < WORDS; ++i) {
        if (out[i] == 1 || out[i] == POISON) continue;
        snprintf(text, sizeof text, "out[%d] is %u", i, out[i]);
        return text;
    }
    return NULL;
}

static void run(struct engine *e, const struct program *p, int index, int moved, uint64_t seed, struct observation *o,
                uint32_t *out)
{
    static const uint32_t zeros[WORDS];
    struct engine_launch l = {.grid = {moved ? 1 : p->grid, 1, 1},
                              .block = {p->block, 1, 1},
                              .shared = p->shared,
                              .nargs = 2,
                              .checks = CHECK_ALL,
                              .schedule_seed = seed,
                              .jitter = seed >= PLAIN,
                              .budget = 1 << 20};
    snprintf(l.kernel, sizeof l.kernel, "k%d", index);
    sim_engine_ops.reset(e);
    for (int i = 0; i < WORDS; ++i) out[i] = POISON;
    for (int b = 0; b < 2; ++b) {
        int buffer = sim_engine_ops.alloc(e, WORDS * 4, 4);
        assert_int_equal(sim_engine_ops.write(e, buffer, 0, b ? zeros : out, WORDS * 4, 0), 0);
        l.arg[b] = (struct engine_arg){.kind = ARG_BUFFER, .bytes = 8, .buffer = buffer};
    }
    sim_engine_ops.launch(e, &l, o);
    assert_int_equal(sim_engine_ops.read(e, l.arg[0].buffer, 0, out, WORDS * 4), 0);
}

// Runs the programs of one image, those from `first` on; named[i] counts the seeds under which the twin of program i
// was named.
static int check_image(const struct text *ptx, int first, int order, int moved, const char *what, int named[PROGRAMS])
{
    static struct observation observation;
    static struct engine_image facts;
    char message[OBSERVATION_MESSAGE];
    uint32_t out[WORDS];
    int failures = 0;
    struct engine *e = sim_engine_ops.open(&(struct engine_options){0}, message);
    assert_non_null(e);
    if (sim_engine_ops.load(e, ptx->data, ptx->length, &facts, message)) fail_msg("%s: %s", what, message);
    for (int i = first; i < nprograms && i < first + BATCH; ++i) {
        for (uint64_t seed = 0; seed < SEEDS && (!moved || programs[i].moves); ++seed) {
            run(e, &programs[i], i, moved, seed, &observation, out);
            const char *wrong = judge(&programs[i], order, &observation, out);
            if (!order && seed >= PLAIN && !strcmp(programs[i].verdict, "barrier_divergent")) wrong = NULL;
            if (!wrong) ++named[i];
            if (!wrong || !order) continue;
            print_error("%s, %s, seed %u: %s\n", programs[i].path, what, (unsigned)seed, wrong);
            ++failures;
            break;
        }
    }
    sim_engine_ops.close(e);
    return failures;
}

// One batch of programs, or of their twins, in both images.
static int check_batch(const struct compiler *compiler, int first, int order, int moved)
{
    struct text all = {0};
    struct compile_result result = {0};
    uint32_t lines = 0;
    int failures = 0, named[IMAGES][PROGRAMS] = {{0}};
    for (int i = first; i < nprograms && i < first + BATCH; ++i) join(&all, &programs[i], i, order, moved, &lines);
    compile_source(compiler, all.data, all.length, "sync.cu", "grader/kit",
                   1u << IMAGE_OPTIMISED | 1u << IMAGE_UNOPTIMISED, &result);
    if (result.status != COMPILED) fail_msg("%s", result.messages.data);
    for (int image = IMAGE_OPTIMISED; image <= IMAGE_UNOPTIMISED; ++image) {
        char what[160];
        snprintf(what, sizeof what, "%s, %s%s", compiler->version, image ? "unoptimised" : "optimised",
                 moved ? ", moved to global memory" : "");
        failures += check_image(&result.image[image], first, order, moved, what, named[image]);
    }
    for (int i = first; !order && i < nprograms && i < first + BATCH; ++i) {
        if (moved && !programs[i].moves) continue;
        int seeds = programs[i].some ? 1 : SEEDS;
        int images = (named[IMAGE_OPTIMISED][i] >= seeds) + (named[IMAGE_UNOPTIMISED][i] >= seeds);
        if (images > programs[i].both) continue;
        print_error("%s, %s%s: the twin is not named: %s at line %u\n", programs[i].path, compiler->version,
                    moved ? ", moved to global memory" : "", programs[i].verdict, programs[i].line[0]);
        ++failures;
    }
    compile_result_free(&result);
    text_free(&all);
    return failures;
}

static void check(enum compile_kind kind, int moved)
{
    struct compiler compiler;
    struct text why = {0};
    int missing = compile_find(kind, &compiler, &why), failures = 0;
    text_free(&why);
    if (missing) skip();
    for (int first = 0; first < nprograms; first += BATCH)
        for (int order = 1; order >= 0; --order) failures += check_batch(&compiler, first, order, moved);
    int moves = 0;
    for (int i = 0; i < nprograms; ++i) moves += programs[i].moves;
    if (moved) print_message("%d of %d programs moved to global memory\n", moves, nprograms);
    assert_int_equal(failures, 0);
}

// ---------------------------------------------------------------- what a program is without one ordering
enum ordering { FENCE, NAMED_BARRIER, COPY_WAIT, ORDERINGS };
static const char *const ordering_name[ORDERINGS] = {"fence", "named barrier", "wait for copies"};

struct mutant {
    const struct program *program;
    enum ordering ordering;
    uint32_t line;
    struct text source;
    int seen; // in some image
};
static struct mutant mutants[MUTANTS];
static int nmutants, nspare[ORDERINGS];

// The program as it is with ORDER 1: lines that the preprocessor would drop are empty comments.
static void resolve(struct text *out, const char *path)
{
    struct text source = {0};
    int kept[8] = {1}, depth = 0;
    assert_int_equal(text_read_file(&source, path, 1 << 16), 0);
    for (char *line = strtok(source.data, "\n"); line; line = strtok(NULL, "\n")) {
        int is_if = !strncmp(line, "#if", 3), is_else = !strncmp(line, "#else", 5),
            is_end = !strncmp(line, "#endif", 6);
        if (is_if) {
            assert_true(depth < 7);
            kept[++depth] = strcmp(line, "#if ORDER") == 0;
        }
        if (is_else) kept[depth] = !kept[depth];
        if (is_end) --depth;
        int drop = is_if || is_else || is_end;
        for (int i = 0; i <= depth; ++i) drop |= !kept[i];
        text_printf(out, "%s\n", drop ? "//" : line);
    }
    text_free(&source);
}

// Behind the call that begins at `at`.
static const char *call_end(const char *at)
{
    int depth = 0, quoted = 0;
    for (; *at; ++at) {
        if (*at == '"') quoted = !quoted;
        if (quoted) continue;
        depth += *at == '(';
        if (*at == ')' && --depth == 0) return at + 1;
    }
    fail_msg("a call does not end");
    return at;
}

static void remove_orderings(const struct program *p, const char *source)
{
    static const struct {
        const char *begins;
        enum ordering ordering;
    } calls[] = {{"__threadfence", FENCE},
                 {"asm volatile(\"fence", FENCE},
                 {"asm volatile(\"bar", NAMED_BARRIER},
                 {"asm volatile(\"cp.async.wait", COPY_WAIT},
                 {"__pipeline_wait_prior", COPY_WAIT}};
    uint32_t line = 1;
    for (const char *at = source; *at; line += *at++ == '\n') {
        if (!strncmp(at, "//", 2)) at += strcspn(at, "\n");
        for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
            if (strncmp(at, calls[i].begins, strlen(calls[i].begins)) != 0) continue;
            const char *end = call_end(at), *spare = strstr(end, "// spare");
            if (spare && spare < end + strcspn(end, "\n")) {
                ++nspare[calls[i].ordering];
                continue;
            }
            assert_true(nmutants < MUTANTS);
            struct mutant *m = &mutants[nmutants++];
            *m = (struct mutant){.program = p, .ordering = calls[i].ordering, .line = line};
            text_add(&m->source, source, (size_t)(at - source));
            text_puts(&m->source, "(void)0");
            text_puts(&m->source, end);
        }
    }
}

static void see_mutants(const struct text *ptx, int first, const char *what)
{
    static struct observation observation;
    static struct engine_image facts;
    char message[OBSERVATION_MESSAGE];
    uint32_t out[WORDS];
    struct engine *e = sim_engine_ops.open(&(struct engine_options){0}, message);
    assert_non_null(e);
    if (sim_engine_ops.load(e, ptx->data, ptx->length, &facts, message)) fail_msg("%s: %s", what, message);
    for (int i = first; i < nmutants && i < first + BATCH; ++i)
        for (uint64_t seed = 0; seed < SEEDS && !mutants[i].seen; ++seed) {
            run(e, mutants[i].program, i, 0, seed, &observation, out);
            mutants[i].seen = judge(mutants[i].program, 1, &observation, out) != NULL;
        }
    sim_engine_ops.close(e);
}

static void compile_mutants(const struct compiler *compiler, int first)
{
    struct text all = {0};
    struct compile_result result = {0};
    for (int i = first; i < nmutants && i < first + BATCH; ++i) // headers stay outside of what tells namesakes apart
        for (const char *at = strstr(mutants[i].source.data, "#include"); at; at = strstr(at + 1, "#include"))
            text_printf(&all, "%.*s\n", (int)strcspn(at, "\n"), at);
    for (int i = first; i < nmutants && i < first + BATCH; ++i)
        text_printf(&all, "namespace m%d {\n#undef ORDER\n#define k k%d\n%s#undef k\n}\n", i, i,
                    mutants[i].source.data);
    compile_source(compiler, all.data, all.length, "sync.cu", "grader/kit",
                   1u << IMAGE_OPTIMISED | 1u << IMAGE_UNOPTIMISED, &result);
    if (result.status != COMPILED) fail_msg("%s", result.messages.data);
    for (int image = IMAGE_OPTIMISED; image <= IMAGE_UNOPTIMISED; ++image)
        see_mutants(&result.image[image], first, compiler->version);
    compile_result_free(&result);
    text_free(&all);
}

static void without_one_ordering(void **state)
{
    (void)state;
    struct compiler compiler;
    struct text why = {0};
    int seen[ORDERINGS] = {0}, all[ORDERINGS] = {0}, failures = 0;
    if (compile_find(COMPILE_AUTO, &compiler, &why)) fail_msg("%s", why.data);
    text_free(&why);
    for (int i = 0; i < nprograms; ++i) {
        struct text source = {0};
        resolve(&source, programs[i].path);
        if (!programs[i].verdict[0]) parse_header(&programs[i], source.data);
        remove_orderings(&programs[i], source.data);
        text_free(&source);
    }
    for (int first = 0; first < nmutants; first += BATCH) compile_mutants(&compiler, first);
    for (int i = 0; i < nmutants; ++i) {
        const struct mutant *m = &mutants[i];
        ++all[m->ordering];
        seen[m->ordering] += m->seen;
        failures += !m->seen;
        if (!m->seen)
            print_error("%s:%u: nobody needs this %s\n", m->program->path, (unsigned)m->line,
                        ordering_name[m->ordering]);
        text_free(&mutants[i].source);
    }
    for (int k = 0; k < ORDERINGS; ++k)
        print_message("%s removed: %d of %d seen, %d spare\n", ordering_name[k], seen[k], all[k], nspare[k]);
    assert_int_equal(failures, 0);
}

static void with_nvcc(void **state)
{
    (void)state;
    check(COMPILE_NVCC, 0);
}

static void with_nvcc_moved(void **state)
{
    (void)state;
    check(COMPILE_NVCC, 1);
}

static void with_clang(void **state)
{
    (void)state;
    check(COMPILE_CLANG, 0);
}

static void with_clang_moved(void **state)
{
    (void)state;
    check(COMPILE_CLANG, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(with_nvcc), cmocka_unit_test(with_nvcc_moved),
                                       cmocka_unit_test(with_clang), cmocka_unit_test(with_clang_moved),
                                       cmocka_unit_test(without_one_ordering)};
    return cmocka_run_group_tests(tests, find_programs, forget_programs);
}
