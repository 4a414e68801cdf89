// Correct but difficult synchronisation: the programs of tests/sync/*.cu. A program must have no finding, and its
// outputs must be right. Its twin (ORDER 0) lacks one ordering and must have the finding, with the line, that line 2 of
// the file states. One of the two images suffices, because an optimiser may delete the defect; "twin in both images"
// requires both. Every seed must find it; "twin under some seed" requires one, for defects that exist only if two sides
// run at the same time. Under seeds that reorder lanes, findings on barriers in divergent code are ignored. Several
// programs are compiled together (sync_programs.h).
//
// A program with a race and arrays in shared memory runs a second time, in one block, with the arrays in global memory
// (`moved`), and so does its twin: the verdicts must be the same.
//
// Second, the orderings that labs' kernels do not have and `make mutation` therefore does not test: fences, named
// barriers, and waits for asynchronous copies. Each of them is removed by itself. The rest must have a finding or wrong
// outputs, in some image under some seed. A line with "// spare" has an ordering whose removal shows no effect: the
// atomic or volatile read before it acquires, or it orders only volatile accesses (sequence_lock.cu), which are never a
// race although a device might reorder them.
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
#include "sync_programs.h"

enum { BATCH = 32, MUTANTS = 512 };

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
    uint32_t line = first ? first->at.line : 0;
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
    struct engine_launch l = launch_of(p, index, moved, seed);
    launch(e, &l, o, out);
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
    int failures = 0, named[IMAGES][PROGRAMS] = {{0}};
    for (int i = first; i < nprograms && i < first + BATCH; ++i) join(&all, &programs[i], i, order, moved);
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
