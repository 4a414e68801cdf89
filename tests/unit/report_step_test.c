// Recorded blocks of real kernels: the twin of each program of tests/sync (sync_programs.h) is recorded in the blocks
// of its finding. The finding must have its step, a race its element and the step of its other access, and these
// accesses must be to this element. `exception` lists the twins for which this cannot be, with the reason.
//
// Each is written as a page. If WALKS names a folder, the pages are left there, for tests/web/walk, which opens them in
// a browser. Arguments are names of programs, without ".cu": then no other is recorded.
#define _GNU_SOURCE
#include "base/text.h"
#include "compile/compile.h"
#include "engine/recording.h"
#include "judge/verdict/step.h"
#include "report/page/page_step.h"
#include "sync_programs.h"

enum { BATCH = 40 };

static char **wanted; // names of programs; NULL: all

// Twins whose recording lacks something, and why it cannot be otherwise.
static const struct {
    const char *name, *wrong, *reason;
} exception[] = {
    {"shuffle_brings_nothing", "the access is not to the element",
     "the finding names the thread that used the value, which shuffles brought from the thread that read it"},
    {"shuffle_of_partial", "the access is not to the element",
     "the finding names the thread that used the value, which a shuffle brought from the thread that read it"},
};

static const char *name_of(const struct program *p, char out[64])
{
    snprintf(out, 64, "%s", p->path + strlen("tests/sync/"));
    out[strcspn(out, ".")] = 0;
    return out;
}

static const char *expected_of(const char *name, const char **reason)
{
    for (size_t i = 0; i < sizeof exception / sizeof *exception; ++i) {
        if (strcmp(exception[i].name, name) != 0) continue;
        *reason = exception[i].reason;
        return exception[i].wrong;
    }
    return NULL;
}

static int is_wanted(const struct program *p)
{
    char name[64];
    name_of(p, name);
    for (char **w = wanted; w && *w; ++w)
        if (!strcmp(*w, name)) return 1;
    return !wanted;
}

static const struct finding *finding_of(const struct program *p, const struct observation *o)
{
    for (uint32_t i = 0; i < o->nfindings; ++i)
        if (finding_info[o->finding[i].kind].severity == FINDING_DEFECT && matches(p, &o->finding[i]))
            return &o->finding[i];
    return NULL;
}

// Sets the blocks that are recorded: that of the finding's example, and that of the other access.
static void choose_blocks(struct engine_launch *l, const struct finding *f)
{
    l->record = 1;
    memcpy(l->record_block[0], f->at.block, sizeof l->record_block[0]);
    if (!f->second || !memcmp(f->at.block, f->other.block, sizeof f->at.block)) return;
    l->record = 2;
    memcpy(l->record_block[1], f->other.block, sizeof l->record_block[1]);
}

// What a program's twin is recorded in.
struct walk {
    const struct program *program;
    struct engine_launch launch;
    struct judge_job job;
    struct lab lab;
    struct text source;
    char which[64];
};

// Makes of the launch's observation and recording what the judge makes of them.
static void take(struct engine *e, struct walk *w, const struct observation *o, struct verdict_step *s)
{
    static char bytes[RECORDING_MOST];
    int64_t n = sim_engine_ops.recording(e, bytes, sizeof bytes);
    assert_true(n > 0);
    *s = (struct verdict_step){.job = &w->job, .which = w->which, .kernel = "k"};
    text_add(&s->bytes, bytes, (size_t)n);
    assert_int_equal(recording_open(&s->recording, s->bytes.data, s->bytes.length), 0);
    memcpy(s->grid, w->launch.grid, sizeof s->grid);
    memcpy(s->threads, w->launch.block, sizeof s->threads);
    for (uint32_t i = 0; i < o->nfindings; ++i) {
        struct verdict_finding v = {.finding = o->finding[i], .job = &w->job, .cases = 1, .element = 4};
        v.unoptimised = v.finding.unoptimised = 1;
        v.finding.at.path = v.finding.other.path = 0;
        strcpy(v.kernel, "k");
        if (v.finding.buffer >= 0) strcpy(v.array, v.finding.buffer ? "work" : "out");
        verdict_findings_add(&s->findings, &v);
    }
    verdict_findings_sort(&s->findings);
    verdict_findings_trace(&s->findings);
    verdict_step_show(s);
}

static void write_page(const char *name, const struct verdict_step *s)
{
    const char *folder = getenv("WALKS");
    struct text page = {0};
    char path[512];
    page_step(s, &page);
    assert_non_null(strstr(page.data, "\"recording\":1"));
    if (folder) {
        snprintf(path, sizeof path, "%s/%s.html", folder, name);
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fwrite(page.data, 1, page.length, f);
        assert_int_equal(fclose(f), 0);
    }
    text_free(&page);
}

// Returns 1 if the shown finding is the one that the twin must have. Of a race, the lines may stand in either order.
static int is_shown(const struct program *p, const struct verdict_shown *w)
{
    struct finding f = w->finding->finding;
    if (matches(p, &f)) return 1;
    f.at = f.other;
    return f.second && matches(p, &f);
}

// Returns 1 if the thread at the place accessed the element that the finding is about in this step.
static int accessed(const struct verdict_step *s, const struct verdict_shown *w, const struct finding_place *p,
                    uint32_t step)
{
    struct recording_reader reader;
    uint32_t thread = verdict_step_thread(s, p->thread), slot = 0;
    while (slot + 1 < s->recording.nblocks && memcmp(s->recording.block[slot], p->block, sizeof p->block) != 0) ++slot;
    recording_begin(&reader, &s->recording);
    while (recording_next(&reader) && reader.step <= step) {
        const struct recording_event *e = &reader.event;
        int access = e->tag == RECORDING_READ || e->tag == RECORDING_WRITE || e->tag == RECORDING_ATOMIC;
        if (reader.step != step || !access || e->index != w->array || e->line != p->line) continue;
        if (e->warp != slot * s->recording.warps + thread / RECORDING_LANES) continue;
        if (e->mask >> thread % RECORDING_LANES & 1 && e->element[thread % RECORDING_LANES] == w->element) return 1;
    }
    return 0;
}

// Returns what is wrong with the recording of a twin, or NULL.
static const char *judge(const struct program *p, const struct verdict_step *s)
{
    const struct verdict_shown *w = NULL;
    for (uint32_t i = 0; i < s->nshown && !w; ++i)
        if (is_shown(p, &s->shown[i])) w = &s->shown[i];
    if (!w) return "the finding has no step";
    int race = verdict_is_race(&w->finding->finding);
    if (race && !w->other_step) return "the race's other access has no step";
    if (race && !w->has_cell) return "the race has no element";
    if (w->has_cell && !accessed(s, w, &w->at, w->step)) return "the access is not to the element";
    if (race && !accessed(s, w, &w->other, w->other_step)) return "the other access is not to the element";
    return NULL;
}

// Finds the order of threads that shows the twin's finding, ascending first. Returns 1 if there is one.
static int find_order(struct engine *e, struct walk *w, int index, struct observation *o)
{
    uint32_t out[WORDS];
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        w->launch = launch_of(w->program, index, 0, seed);
        launch(e, &w->launch, o, out);
        const struct finding *f = finding_of(w->program, o);
        if (!f) continue;
        choose_blocks(&w->launch, f);
        snprintf(w->which, sizeof w->which, "order %u", (unsigned)seed);
        launch(e, &w->launch, o, out);
        return 1;
    }
    return 0;
}

// Records the twin of a program. Returns 1 if an image and an order shows its finding.
static int record(struct engine *e, struct program *p, int index, uint32_t *failures)
{
    static struct observation observation;
    static struct verdict_step s;
    char name[64];
    struct walk w = {.program = p, .lab = {.name = "sync", .title = "A twin of tests/sync"}};
    if (!find_order(e, &w, index, &observation)) return 0;
    add_program(&w.source, p, 0, 0);
    w.job = (struct judge_job){.lab = &w.lab, .source = w.source.data, .bytes = w.source.length, .shown = p->path};
    take(e, &w, &observation, &s);
    const char *reason = "", *expected = expected_of(name_of(p, name), &reason), *wrong = judge(p, &s);
    int same = !strcmp(wrong ? wrong : "", expected ? expected : "");
    if (same && wrong) print_message("%s: %s: %s\n", p->path, wrong, reason);
    if (!same) print_error("%s: %s, expected: %s\n", p->path, wrong ? wrong : "right", expected ? expected : "right");
    *failures += !same;
    write_page(name, &s);
    verdict_step_free(&s);
    text_free(&w.source);
    return 1;
}

// Records the programs of a batch that are not `done` yet in one image.
static void record_image(const struct text *ptx, int first, char *done, uint32_t *failures)
{
    static struct engine_image facts;
    char message[OBSERVATION_MESSAGE];
    struct engine *e = sim_engine_ops.open(&(struct engine_options){0}, message);
    assert_non_null(e);
    if (sim_engine_ops.load(e, ptx->data, ptx->length, &facts, message)) fail_msg("%s", message);
    for (int i = first; i < nprograms && i < first + BATCH; ++i)
        if (!done[i] && is_wanted(&programs[i])) done[i] = (char)record(e, &programs[i], i, failures);
    sim_engine_ops.close(e);
}

// The unoptimised image is the one that `./grade step` records. Some defects are in the optimised image alone.
static void record_batch(const struct compiler *compiler, int first, char *done, uint32_t *failures)
{
    struct text all = {0};
    struct compile_result result = {0};
    for (int i = first; i < nprograms && i < first + BATCH; ++i)
        if (is_wanted(&programs[i])) join(&all, &programs[i], i, 0, 0);
    if (!all.length) return;
    compile_source(compiler, all.data, all.length, "sync.cu", "grader/kit",
                   1u << IMAGE_OPTIMISED | 1u << IMAGE_UNOPTIMISED, &result);
    if (result.status != COMPILED) fail_msg("%s", result.messages.data);
    record_image(&result.image[IMAGE_UNOPTIMISED], first, done, failures);
    record_image(&result.image[IMAGE_OPTIMISED], first, done, failures);
    compile_result_free(&result);
    text_free(&all);
}

static void twins_have_their_steps(void **state)
{
    (void)state;
    static char done[PROGRAMS];
    struct compiler compiler;
    struct text why = {0};
    uint32_t failures = 0;
    int recorded = 0;
    if (compile_find(COMPILE_AUTO, &compiler, &why)) fail_msg("%s", why.data);
    text_free(&why);
    for (int first = 0; first < nprograms; first += BATCH) record_batch(&compiler, first, done, &failures);
    for (int i = 0; i < nprograms; ++i) {
        recorded += done[i];
        if (done[i] || !is_wanted(&programs[i])) continue;
        print_error("%s: the finding shows in no image and order\n", programs[i].path);
        ++failures;
    }
    print_message("%d twins recorded\n", recorded);
    assert_int_equal(failures, 0);
}

// ---------------------------------------------------------------- hostile text
#define HOSTILE "</script><script>document.title='owned'</script><!--<script>\xe2\x80\xa8\"]}\\&lt;"

static uint32_t count(const struct text *page, const char *what)
{
    uint32_t n = 0;
    for (const char *at = page->data; (at = strstr(at, what)); at += strlen(what)) ++n;
    return n;
}

// Appends a recording of one step, in which a lane writes an array, with hostile names.
static void record_names(struct text *bytes)
{
    static struct recording_array array = {.name = HOSTILE,
                                           .type = HOSTILE,
                                           .kind = RECORDING_SIGNED,
                                           .bytes = 4,
                                           .buffer = 0,
                                           .ndims = 1,
                                           .dim = {8},
                                           .count = 8,
                                           .base = 4096};
    static struct recording_variable variable = {.name = HOSTILE, .type = HOSTILE, .line = 1, .parts = 1};
    static struct recording_part part = {.path = HOSTILE, .kind = RECORDING_SIGNED, .bytes = 4};
    static char function[1][RECORDING_NAME] = {HOSTILE};
    const struct recording head = {.nblocks = 1,
                                   .warps = 1,
                                   .first = 1,
                                   .steps = 1,
                                   .complete = 1,
                                   .narrays = 1,
                                   .nfunctions = 1,
                                   .nvariables = 1,
                                   .nparts = 1,
                                   .array = &array,
                                   .function = function,
                                   .variable = &variable,
                                   .part = &part};
    struct recording_event e = {.tag = RECORDING_STEP, .line = 1, .mask = 1};
    recording_put_head(bytes, &head);
    recording_put(bytes, &e);
    e.tag = RECORDING_VALUE;
    recording_put(bytes, &e);
    e.tag = RECORDING_WRITE;
    recording_put(bytes, &e);
    e.tag = RECORDING_END;
    recording_put(bytes, &e);
}

static void names_are_no_markup(void **state)
{
    (void)state;
    static const struct lab lab = {.name = "labx", .title = HOSTILE};
    static const char source[] = HOSTILE "\n" HOSTILE;
    static struct verdict_step s;
    const struct judge_job job = {.lab = &lab, .source = source, .bytes = sizeof source - 1, .shown = HOSTILE};
    struct text page = {0};
    s = (struct verdict_step){
        .job = &job, .which = HOSTILE, .kernel = HOSTILE, .grid = {1, 1, 1}, .threads = {8, 1, 1}};
    record_names(&s.bytes);
    assert_int_equal(recording_open(&s.recording, s.bytes.data, s.bytes.length), 0);
    page_step(&s, &page);
    assert_int_equal(count(&page, "<script"), 2); // the recording, and the script
    assert_int_equal(count(&page, "</script"), 2);
    assert_int_equal(count(&page, "<!--"), 0);
    text_free(&page);
    write_page("hostile", &s);
    verdict_step_free(&s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(twins_have_their_steps), cmocka_unit_test(names_are_no_markup)};
    wanted = argc > 1 ? argv + 1 : NULL;
    return cmocka_run_group_tests(tests, find_programs, forget_programs);
}
