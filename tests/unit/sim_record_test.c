// The recording of a block's steps: what it says of lanes that wait, what it keeps of a launch that is too long for it,
// and that it depends on the launch alone. Its values are compared in sim_record_values_test.c.
#include "recorded.h"

#include "compile/compile.h"
#include "sim/record/state.h"

static struct compiler compiler;
static const char kinds[] = "extern \"C\" __global__ void waits(unsigned *out, unsigned *work)\n" // line 1
                            "{\n"
                            "    __shared__ volatile unsigned flag, word[96];\n"
                            "    unsigned t = threadIdx.x;\n"
                            "    if (t == 0) flag = 0;\n"
                            "    __syncthreads();\n"
                            "    if (t >= 70) return;\n"
                            "    if (t < 5) word[t] = t;\n"
                            "    __syncwarp();\n"
                            "    if (t == 64) {\n" // line 10
                            "        for (unsigned i = 0; i < 5000; ++i) word[70] = i;\n"
                            "        __threadfence_block();\n"
                            "        flag = 1;\n"
                            "    }\n"
                            "    if (t < 32) while (!flag) {}\n"
                            "    out[t] = __shfl_xor_sync(__activemask(), t, 1);\n"
                            "    asm volatile(\"bar.sync 3;\");\n"
                            "}\n"
                            "extern \"C\" __global__ void turns(unsigned *out, unsigned *work)\n"
                            "{\n" // line 20
                            "    unsigned sum = 0;\n"
                            "    for (unsigned i = 0; i < 100000; ++i) {\n"
                            "        sum += i ^ threadIdx.x;\n"
                            "    }\n"
                            "    out[threadIdx.x] = sum;\n"
                            "}\n"
                            "extern \"C\" __global__ void early(unsigned *out, unsigned *work)\n"
                            "{\n"
                            "    __shared__ unsigned s[64];\n"
                            "    s[threadIdx.x] = threadIdx.x;\n" // line 30
                            "    unsigned sum = s[63 - threadIdx.x];\n"
                            "    for (unsigned i = 0; i < 100000; ++i) {\n"
                            "        sum += i ^ threadIdx.x;\n"
                            "    }\n"
                            "    out[threadIdx.x] = sum;\n"
                            "}\n"
                            "extern \"C\" __global__ void across(unsigned *out, unsigned *work)\n"
                            "{\n"
                            "    work[threadIdx.x] = blockIdx.x;\n"
                            "}\n" // line 40
                            "#line 1 \"given.h\"\n"
                            "static __device__ unsigned given(volatile unsigned *work)\n"
                            "{\n"
                            "    unsigned sum = 0;\n"
                            "    for (unsigned i = 0; i < 300000; ++i) sum += work[i * 7 % 64];\n"
                            "    return sum;\n"
                            "}\n"
                            "#line 48 \"student.cu\"\n"
                            "extern \"C\" __global__ void calls(unsigned *out, unsigned *work)\n"
                            "{\n"
                            "    out[threadIdx.x] = given(work + threadIdx.x);\n" // line 50
                            "}\n";
static struct text kinds_image;
static struct observation observed;

// Launches a kernel above, with `blocks` blocks, which are recorded, of `threads` threads.
static void record_with(uint32_t host_threads, const char *kernel, uint32_t blocks, uint32_t threads,
                        struct text *bytes, struct recording *r)
{
    struct engine *e = recorded_engine(&kinds_image, host_threads);
    recorded_launch(e, kernel, &(struct recorded_shape){.grid = blocks, .block = threads}, blocks, &observed);
    recorded_open(e, bytes, r);
    sim_engine_ops.close(e);
}

static void lanes_wait_and_go_on(void **state)
{
    (void)state;
    struct text bytes = {0};
    struct recording r;
    record_with(0, "waits", 1, 96, &bytes, &r);
    assert_int_equal(observed.status, OBSERVED_OK);
    recorded_check_lanes(&r, 96);
    uint32_t seen[RECORDING_TAGS] = {0};
    struct recording_reader reader;
    recording_begin(&reader, &r);
    while (recording_next(&reader)) {
        const struct recording_event *e = &reader.event;
        seen[e->tag]++;
        // A barrier is complete in the step of the last warp that comes to it, not when another goes on.
        if (e->tag == RECORDING_PASS && e->index == 0) assert_int_equal(e->line, 6);
        // That of a warp is complete in line 9, or where the lanes end for which others waited there.
        if (e->tag == RECORDING_MEET) assert_true(e->line == 9 || e->line == 18);
    }
    for (uint32_t tag = RECORDING_WAIT; tag < RECORDING_TAGS; tag++)
        if (!seen[tag]) fail_msg("no event of kind %u", tag);
    recording_close(&r);
    text_free(&bytes);
}

static void a_launch_has_one_recording(void **state)
{
    (void)state;
    static const char *const kernels[] = {"waits", "early", "across"};
    static const uint32_t host_threads[] = {1, 1, 4};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        struct text first = {0};
        for (int run = 0; run < 3; run++) {
            struct text bytes = {0};
            struct recording r;
            record_with(host_threads[run], kernels[k], 2, 64, &bytes, &r);
            if (!run) text_add(&first, bytes.data, bytes.length);
            assert_int_equal(bytes.length, first.length);
            assert_memory_equal(bytes.data, first.data, first.length);
            recording_close(&r);
            text_free(&bytes);
        }
        text_free(&first);
    }
}

// Checks that the events from the first step on take the bytes that they may: a chunk of the recorder ends with the
// step that fills it.
static void check_size(const struct recording *r)
{
    struct recording_reader reader;
    const uint8_t *begin = NULL, *step = r->events, *last;
    size_t most = 0;
    recording_begin(&reader, r);
    do {
        last = reader.at;
        int more = recording_next(&reader);
        if (more && reader.event.tag != RECORDING_STEP) continue;
        if (reader.step && !begin) begin = last;
        if ((size_t)(last - step) > most) most = (size_t)(last - step);
        step = last;
    } while (reader.event.tag != RECORDING_END);
    assert_non_null(begin);
    assert_true((size_t)(r->end - begin) <= RECORDING_BYTES + CHUNKS * most);
    assert_true((size_t)(r->end - begin) > RECORDING_BYTES / 2);
    assert_true(most < CHUNK_BYTES + 4096);
}

static void a_long_launch_keeps_its_end(void **state)
{
    (void)state;
    struct text bytes = {0};
    struct recording r;
    record_with(0, "turns", 1, 32, &bytes, &r);
    assert_int_equal(observed.status, OBSERVED_OK);
    assert_true(r.first > 1 && r.steps > 200000 && r.complete);
    check_size(&r);
    recorded_check_lanes(&r, 32);
    struct recorded_values v = recorded_values_new(&r);
    struct recording_reader reader;
    uint32_t line = 0;
    recording_begin(&reader, &r);
    while (recording_next(&reader)) {
        if (reader.event.tag == RECORDING_VALUE) recorded_take(&v, &reader.event);
        line = reader.event.line;
    }
    assert_int_equal(line, 26);
    uint32_t sums = 0;
    for (uint32_t part = 0; part < r.nparts; part++) {
        const struct recording_variable *variable = recorded_variable(&r, part);
        if (strcmp(variable->name, "sum") || strcmp(r.function[variable->function], "turns")) continue;
        for (uint32_t l = 0; l < LANES; l++) {
            uint32_t sum = 0;
            for (uint32_t i = 0; i < 100000; i++) sum += i ^ l;
            assert_true(v.known[part] >> l & 1);
            assert_int_equal(v.value[part][l], sum);
        }
        sums++;
    }
    assert_int_equal(sums, 1);
    recorded_values_free(&v);
    recording_close(&r);
    text_free(&bytes);
}

// What a function outside of the student's file does belongs to the line that calls it, however long it takes.
static void a_call_of_given_code_may_be_long(void **state)
{
    (void)state;
    struct text bytes = {0};
    struct recording r;
    record_with(0, "calls", 1, 32, &bytes, &r);
    assert_int_equal(observed.status, OBSERVED_OK);
    assert_true(r.first > 1 && r.complete);
    check_size(&r);
    recording_close(&r);
    text_free(&bytes);
}

static const struct finding *race(void)
{
    for (uint32_t i = 0; i < observed.nfindings; i++)
        if (!strncmp(finding_info[observed.finding[i].kind].id, "race", 4)) return &observed.finding[i];
    fail_msg("no race was found");
    return NULL;
}

// Returns the last step up to `until` in which the thread at the place read or wrote an element of an array at the line
// of the place, or 0. Stores the element.
static uint32_t last_access(const struct recording *r, uint32_t slot, const struct finding_place *p, uint32_t until,
                            int64_t *element)
{
    uint32_t warp = slot * r->warps + p->thread[0] / LANES, lane = p->thread[0] % LANES, step = 0;
    struct recording_reader reader;
    recording_begin(&reader, r);
    while (recording_next(&reader) && reader.step <= until) {
        const struct recording_event *e = &reader.event;
        int access = e->tag == RECORDING_READ || e->tag == RECORDING_WRITE;
        if (!access || e->warp != warp || !(e->mask >> lane & 1) || e->line != p->line) continue;
        assert_true(e->index != RECORDING_NO_ARRAY);
        step = reader.step;
        *element = e->element[lane];
    }
    return step;
}

static void an_early_race_is_kept(void **state)
{
    (void)state;
    struct text bytes = {0};
    struct recording r;
    int64_t element[2] = {-1, -2};
    record_with(0, "early", 1, 64, &bytes, &r);
    const struct finding *f = race();
    assert_int_equal(r.first, 1);
    assert_int_equal(r.complete, 0);
    assert_in_range(f->step, 1, r.steps);
    check_size(&r);
    uint32_t a = last_access(&r, 0, &f->at, f->step, &element[0]);
    uint32_t b = last_access(&r, 0, &f->other, f->step, &element[1]);
    assert_true(a == f->step || b == f->step);
    assert_true(a && b && a != b);
    assert_int_equal(element[0], element[1]);
    recording_close(&r);
    text_free(&bytes);
}

static void two_blocks_may_race(void **state)
{
    (void)state;
    struct text bytes = {0};
    struct recording r;
    int64_t element[2] = {-1, -2};
    record_with(0, "across", 2, 32, &bytes, &r);
    const struct finding *f = race();
    assert_int_equal(r.nblocks, 2);
    assert_int_equal(r.block[1][0], 1);
    assert_true(r.complete);
    recorded_check_lanes(&r, 32);
    assert_true(f->at.block[0] != f->other.block[0]);
    uint32_t a = last_access(&r, f->at.block[0], &f->at, f->step, &element[0]);
    uint32_t b = last_access(&r, f->other.block[0], &f->other, f->step, &element[1]);
    assert_true(f->step && (a == f->step || b == f->step));
    assert_true(a && b && a != b);
    assert_int_equal(element[0], element[1]);
    recording_close(&r);
    text_free(&bytes);
}

static int prepare(void **state)
{
    (void)state;
    struct text why = {0};
    if (compile_find(COMPILE_AUTO, &compiler, &why)) fail_msg("%s", why.data);
    text_free(&why);
    struct compile_result result = {0};
    compile_source(&compiler, kinds, strlen(kinds), "kinds.cu", "grader/kit", 1u << IMAGE_UNOPTIMISED, &result);
    if (result.status != COMPILED) fail_msg("%s", result.messages.data);
    text_add(&kinds_image, result.image[IMAGE_UNOPTIMISED].data, result.image[IMAGE_UNOPTIMISED].length);
    compile_result_free(&result);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    text_free(&kinds_image);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_wait_and_go_on),        cmocka_unit_test(a_launch_has_one_recording),
        cmocka_unit_test(a_long_launch_keeps_its_end), cmocka_unit_test(a_call_of_given_code_may_be_long),
        cmocka_unit_test(an_early_race_is_kept),       cmocka_unit_test(two_blocks_may_race),
    };
    return cmocka_run_group_tests(tests, prepare, finish);
}
