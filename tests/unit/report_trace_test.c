// Reports of a host program's run, from made-up host traces: every defect has its sentence, lines are quoted,
// allocations are named after their variables, the timeline shows the right slices, and JSON matches its schema.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "report/page/html.h"
#include "report/trace.h"
#include "report_schema.h"

static struct host_trace trace;
static struct compile_place place[HOST_TRACE_FINDINGS][REPORT_TRACE_PLACES], span_place[HOST_TRACE_SPANS];
static const char *kernel[HOST_TRACE_KERNELS], *file[HOST_TRACE_SOURCES];
static const char text[] = "int main()\n{\n\tcudaMalloc((void **)&d_in[1], n);\n    check(cudaMallocHost(&h, n));\n"
                           "    k<<<1, 1>>>(h);\n    float *x = mine();\n";
static const struct report_trace_source source = {"a.cu", text, sizeof text - 1};
static struct report_trace r;
static struct text out;

static int prepare(void **state)
{
    (void)state;
    memset(&trace, 0, sizeof trace);
    memset(place, 0, sizeof place);
    memset(span_place, 0, sizeof span_place);
    trace.build = HOST_TRACE_BUILD;
    trace.devices = trace.nkernels = trace.nsources = 1;
    strcpy(trace.device, "h200");
    strcpy(trace.kernel[0].name, "_Z1kPi");
    kernel[0] = "k";
    file[0] = "a.cu";
    r = (struct report_trace){.trace = &trace,
                              .program = "a.cu",
                              .kernel = kernel,
                              .file = file,
                              .finding = place,
                              .span = span_place,
                              .source = &source,
                              .sources = 1};
    return 0;
}

static int clean(void **state)
{
    (void)state;
    text_free(&out);
    return 0;
}

static void has(const char *part)
{
    if (!out.data || !strstr(out.data, part)) fail_msg("'%s' is not in: %s", part, out.data ? out.data : "");
}

// The same of a sentence, wherever its lines are broken.
static void says(const char *sentence)
{
    struct text flat = {0};
    for (const char *c = out.data; c && *c; ++c)
        if (!strchr(" \n", *c) || !flat.length || flat.data[flat.length - 1] != ' ')
            text_add(&flat, *c == '\n' ? " " : c, 1);
    int found = flat.data && strstr(flat.data, sentence);
    text_free(&flat);
    if (!found) fail_msg("'%s' is not in: %s", sentence, out.data ? out.data : "");
}

static struct host_trace_finding *add(uint32_t defect, uint32_t line)
{
    struct host_trace_finding *f = &trace.finding[trace.nfindings];
    *f = (struct host_trace_finding){.defect = defect, .kernel = HOST_TRACE_KERNELS, .count = 1};
    f->place = (struct host_place){.object = HOST_OBJECT_PROGRAM, .offset = 0x1234};
    struct compile_place *p = place[trace.nfindings++];
    if (line) strcpy(p[PLACE_CALL].file, "a.cu");
    p[PLACE_CALL].line = line;
    return f;
}

static void origin(uint32_t line)
{
    struct compile_place *p = place[trace.nfindings - 1];
    struct host_trace_finding *f = &trace.finding[trace.nfindings - 1];
    f->allocated = 1;
    f->origin.object = HOST_OBJECT_PROGRAM;
    strcpy(p[PLACE_ORIGIN].file, "a.cu");
    p[PLACE_ORIGIN].line = line;
}

static void write_findings(void)
{
    text_free(&out);
    report_trace_findings(&r, &(struct report_options){.utf8 = 1}, &out);
}

static void every_defect_has_its_words(void **state)
{
    (void)state;
    for (uint32_t h = DEFECT_NONE + 1; h < HOST_TRACE_DEFECTS; ++h) {
        trace.nfindings = 0;
        add(h, 5);
        write_findings();
        has("a.cu:5:5: ");
        has(host_trace_defect_info[h].word);
        has("    5 |     k<<<1, 1>>>(h);\n");
        has("    hint: ");
    }
}

static void what_has_no_line_says_so(void **state)
{
    (void)state;
    add(DEFECT_UNCHECKED, 0);
    strcpy(trace.finding[0].text, "cudaMalloc: cudaErrorMemoryAllocation");
    write_findings();
    has("a.cu+0x1234: error: unchecked error: ");
    says("cudaMalloc: cudaErrorMemoryAllocation");
    trace.nfindings = 0;
    add(DEFECT_UNCHECKED, 0)->place.object = HOST_OBJECT_LIBRARY;
    write_findings();
    has("a library: error: unchecked error: ");
}

static void memory_is_called_after_its_variable(void **state)
{
    (void)state;
    struct host_trace_finding *f = add(DEFECT_EARLY_READ, 5);
    f->bytes = 64, f->offset = 12;
    origin(4);
    write_findings();
    says("byte 12 of the 64 of 'h'");
    trace.nfindings = 0;
    add(DEFECT_LEAKED_MEMORY, 3)->bytes = 1;
    write_findings();
    says(": 1 byte of 'd_in[1]' ");
    trace.nfindings = 0;
    f = add(DEFECT_UNORDERED, 5);
    f->stream = 3;
    origin(6); // no name there
    write_findings();
    says("stream 3 and the default stream ");
}

static void a_kernels_finding_leads_to_the_host(void **state)
{
    (void)state;
    struct host_trace_finding *f = add(DEFECT_NONE, 5);
    f->kernel = 0;
    f->bytes = 64;
    f->finding = (struct finding){.kind = FINDING_out_of_bounds,
                                  .space = SPACE_GLOBAL,
                                  .size = 4,
                                  .extent = 64,
                                  .offset = 64,
                                  .at = {.access = ACCESS_WRITE, .line = 1, .column = 5}};
    origin(4);
    write_findings();
    says("a.cu:1:5: error: out of bounds: thread (0,0,0) of block (0,0,0) writes h[16]: 'h' has 16 elements");
    has("    1 | int main()\n      |     ^\n");
    has("a.cu:4:5: note: 'h' is allocated here: 64 bytes\n");
    has("a.cu:5:5: note: launched here: k\n");
}

static void many_are_counted(void **state)
{
    (void)state;
    for (int i = 0; i < 25; ++i) add(DEFECT_LEAKED_EVENT, 5);
    trace.findings_dropped = 2;
    write_findings();
    has("and 7 more findings (--json has all)\n");
}

// ------------------------------------------------------------------------------------------------------------- profile
static void span(uint32_t kind, uint32_t stream, uint64_t start, uint64_t end)
{
    trace.span[trace.nspans++] =
        (struct host_trace_span){.kind = kind, .stream = stream, .start_ps = start, .end_ps = end};
    trace.spans_total++;
}

static void the_timeline_stands_where_time_was(void **state)
{
    (void)state;
    uint64_t from, to;
    report_trace_window(&trace, &from, &to);
    report_trace_timeline(&trace, from, to, &out);
    assert_null(out.data);
    span(SPAN_H2D, 9, 1000, 4600);
    span(SPAN_KERNEL, 9, 4600, 6400);
    span(SPAN_KERNEL, 4, 6400, 8200);
    span(SPAN_FILL, 0, 2800, 4600);
    report_trace_window(&trace, &from, &to);
    assert_int_equal(from, 1000);
    assert_int_equal(to, 8200);
    report_trace_timeline(&trace, from, to, &out);
    has("timeline: 7.20 ns, a column is 100 ps;");
    has("to device   |111111111111111111111111111111111111....................................| 1\n");
    has("kernels     |..................------------------111111111111111111222222222222222222| 3\n");
    text_free(&out);
    report_trace_timeline(&trace, 6400, 8200, &out); // a window: streams are numbered anew
    has("kernels     |111111111111111111111111111111111111111111111111111111111111111111111111| 1\n");
    assert_null(strstr(out.data, "to device"));
}

static void kernels_stand_by_time(void **state)
{
    (void)state;
    trace.nkernels = 2;
    kernel[1] = "step<float>";
    trace.kernel[0] =
        (struct host_trace_kernel){.launches = 1, .time_ps = 1000000, .grid = {1, 1, 1}, .block = {32, 1, 1}};
    trace.kernel[1] = (struct host_trace_kernel){.launches = 3,
                                                 .time_ps = 3000000,
                                                 .grid = {70000, 700, 2},
                                                 .block = {256, 1, 1},
                                                 .occupancy_permille = 500,
                                                 .bound = RESOURCE_DRAM,
                                                 .counters = {.global_ld_requests = 2, .global_ld_sectors = 8}};
    report_trace_kernels(&r, &out);
    has(" 75 %  3.00 µs      3  1.00 µs  98000000 × 256    0  50 %   4.0     -     -  ");
    assert_true(strstr(out.data, "step<float>") < strstr(out.data, " 25 %"));
}

static void times_have_three_digits(void **state)
{
    (void)state;
    static const struct {
        uint64_t ps;
        const char *said;
    } cases[] = {{0, "0 ps"},
                 {999, "999 ps"},
                 {1000, "1.00 ns"},
                 {9994, "9.99 ns"},
                 {9996, "10.0 ns"},
                 {99960, "100 ns"},
                 {999499, "999 ns"},
                 {999500, "1.00 µs"},
                 {4840000000, "4.84 ms"},
                 {12000000000000, "12.0 s"}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
        text_free(&out);
        report_trace_time(cases[i].ps, &out);
        assert_string_equal(out.data, cases[i].said);
    }
}

static void json_keeps_its_schema(void **state)
{
    (void)state;
    json_error_t error;
    json_t *schema = json_load_file("grader/report/run.schema.json", 0, &error);
    assert_non_null(schema);
    for (int full = 0; full < 2; ++full) {
        for (uint32_t h = DEFECT_NONE; full && h < HOST_TRACE_DEFECTS; ++h) add(h, h % 2 ? 5 : 0);
        for (uint32_t k = 0; full && k < SPAN_KINDS; ++k) span(k, 1, 10, 20);
        text_free(&out);
        report_trace_json(&r, &out);
        json_t *root = json_loads(out.data, 0, &error);
        assert_non_null(root);
        assert_int_equal(schema_check(root, schema, "the run"), 0);
        assert_int_equal(json_array_size(json_object_get(root, "findings")), full ? HOST_TRACE_DEFECTS : 0);
        json_decref(root);
    }
    json_decref(schema);
}

static void a_page_stays_small_whatever_the_program(void **state)
{
    (void)state;
    static char name[HOST_TRACE_KERNELS][HOST_TRACE_NAME];
    trace.nkernels = HOST_TRACE_KERNELS;
    trace.sms = 132;
    trace.nspans = HOST_TRACE_SPANS;
    trace.spans_total = 2 * HOST_TRACE_SPANS;
    trace.nlines = HOST_TRACE_LINES;
    for (uint32_t i = 0; i < HOST_TRACE_KERNELS; ++i) {
        struct host_trace_kernel *k = &trace.kernel[i];
        memset(name[i], '<', 200);
        snprintf(name[i] + 200, 20, "%u", i);
        kernel[i] = name[i];
        k->launches = 2;
        k->time_ps = 1000000 + i;
        k->counters = (struct counters){.flop = 1000 + i, .dram_ld_bytes = 1000, .warp_cycles = 64, .fp32_inst = 1};
        k->longest = (struct host_trace_launch){
            .time_ps = 1, .model_ps = 1000000, .grid = {1, 1, 1}, .block = {1, 1, 1}, .bound = RESOURCE_DRAM};
        for (int x = 0; x < RESOURCES; ++x) k->longest.resource_ps[x] = 1000 * (uint64_t)x;
    }
    for (uint32_t i = 0; i < HOST_TRACE_SPANS; ++i)
        trace.span[i] = (struct host_trace_span){.kind = SPAN_KERNEL,
                                                 .kernel = i % HOST_TRACE_KERNELS,
                                                 .start_ps = 10 * (uint64_t)i,
                                                 .end_ps = 10 * (uint64_t)i + 9};
    for (uint32_t i = 0; i < HOST_TRACE_LINES; ++i)
        trace.line[i] =
            (struct host_trace_line){.kernel = i % 256, .line = i, .counters = {.warp_cycles = 4, .ptx_inst = 1}};
    for (uint32_t h = DEFECT_NONE; h < HOST_TRACE_DEFECTS; ++h) add(h, 5);
    report_html_trace(&r, &out);
    assert_in_range(out.length, 100000, 600000);
    has("206 more kernels");
    has("<html lang=\"en\">");
    assert_null(strstr(out.data, "<<"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_defect_has_its_words, prepare, clean),
        cmocka_unit_test_setup_teardown(what_has_no_line_says_so, prepare, clean),
        cmocka_unit_test_setup_teardown(memory_is_called_after_its_variable, prepare, clean),
        cmocka_unit_test_setup_teardown(a_kernels_finding_leads_to_the_host, prepare, clean),
        cmocka_unit_test_setup_teardown(many_are_counted, prepare, clean),
        cmocka_unit_test_setup_teardown(the_timeline_stands_where_time_was, prepare, clean),
        cmocka_unit_test_setup_teardown(kernels_stand_by_time, prepare, clean),
        cmocka_unit_test_setup_teardown(times_have_three_digits, prepare, clean),
        cmocka_unit_test_setup_teardown(json_keeps_its_schema, prepare, clean),
        cmocka_unit_test_setup_teardown(a_page_stays_small_whatever_the_program, prepare, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
