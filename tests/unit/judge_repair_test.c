// Tests what repairs are proposed for a finding, and what the changed source says.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "host/border/host_trace.h"
#include "judge/repair/repair.h"

static struct finding at_lines(enum finding_kind kind, uint32_t at, uint32_t other)
{
    return (struct finding){
        .kind = (uint16_t)kind, .second = other != 0, .epoch = 1, .at = {.line = at}, .other = {.line = other}};
}

// One of the proposals for the finding changes the source to `expected`.
static void proposes_to(const struct verdict_finding *v, const char *source, const char *expected)
{
    struct source s;
    static struct repair r[REPAIR_CANDIDATES];
    struct text all = {0};
    assert_int_equal(source_split(&s, source, strlen(source)), 0);
    uint32_t n = repair_propose(&s, v, r);
    int is_there = 0;
    for (uint32_t i = 0; i < n; ++i) {
        struct text changed = {0};
        repair_apply(&s, &r[i], &changed);
        is_there |= !strcmp(changed.data, expected);
        text_printf(&all, "%s\n%s\n", r[i].sentence, changed.data);
        text_free(&changed);
    }
    if (!is_there) fail_msg("not proposed:\n%s\nbut\n%s", expected, all.data ? all.data : "nothing");
    text_free(&all);
    source_free(&s);
}

// The finding is one of kernel k, or of a host program.
static void proposes_for(uint32_t defect, const char *source, struct finding f, const char *expected)
{
    proposes_to(&(struct verdict_finding){.finding = f, .defect = defect, .kernel = "k"}, source, expected);
}

static void proposes(const char *source, struct finding f, const char *expected)
{
    proposes_for(0, source, f, expected);
}

// None of the proposals for the finding of kernel k changes the source to one that has the text `part`.
static void proposes_not(const char *source, struct finding f, const char *part)
{
    struct source s;
    static struct repair r[REPAIR_CANDIDATES];
    assert_int_equal(source_split(&s, source, strlen(source)), 0);
    uint32_t n = repair_propose(&s, &(struct verdict_finding){.finding = f, .kernel = "k"}, r);
    for (uint32_t i = 0; i < n; ++i) {
        struct text changed = {0};
        repair_apply(&s, &r[i], &changed);
        if (strstr(changed.data, part)) fail_msg("proposed:\n%s", changed.data);
        text_free(&changed);
    }
    source_free(&s);
}

static void a_barrier_stands_outside_of_the_branch(void **state)
{
    (void)state;
    proposes("void k() {\nif (t < n) {\ns[t] = in[t];\n}\nx = s[u];\n}\n", at_lines(FINDING_race_raw, 5, 3),
             "void k() {\nif (t < n) {\ns[t] = in[t];\n} __syncthreads();\nx = s[u];\n}\n");
}

static void a_statement_that_reads_and_writes_is_split(void **state)
{
    (void)state;
    const char *source = "void k() {\nfor (;;) {\nif (t >= d) s[t] += s[t - d];\n}\n}\n";
    proposes(source, at_lines(FINDING_race_raw, 3, 3),
             "void k() {\nfor (;;) {\n{ if (t >= d) s[t] += s[t - d]; __syncthreads(); }\n}\n}\n");
    proposes(source, at_lines(FINDING_race_raw, 3, 3),
             "void k() {\nfor (;;) {\n{ decltype(s[t] + 0) ww_kept = 0; if (t >= d) ww_kept = s[t - d]; "
             "__syncthreads(); if (t >= d) s[t] += ww_kept; }\n}\n}\n");
}

static void a_lost_update_becomes_an_atomic(void **state)
{
    (void)state;
    struct finding f = at_lines(FINDING_race_raw, 2, 2);
    f.epoch = 0;
    proposes("void k() {\nif (v > 0) bins[b] += v;\n}\n", f, "void k() {\nif (v > 0) atomicAdd(&bins[b] , v);\n}\n");
}

static void a_barrier_leaves_its_branch(void **state)
{
    (void)state;
    struct finding f = at_lines(FINDING_barrier_divergent, 3, 0);
    proposes("void k() {\nif (c) {\n__syncthreads();\nwork();\n}\n}\n", f,
             "void k() {\n __syncthreads(); if (c) {\n;\nwork();\n}\n}\n");
    proposes("void k() {\nif (c) { work();\n__syncthreads();\n}\n}\n", f,
             "void k() {\nif (c) { work();\n;\n} __syncthreads(); \n}\n");
    proposes("void k() {\nif (c) { a();\n__syncthreads();\nb(); }\n}\n", f,
             "void k() {\nif (c) { a();\n} __syncthreads(); if (c) {\nb(); }\n}\n");
}

static void threads_run_the_loop_of_a_barrier_equally_often(void **state)
{
    (void)state;
    struct finding f = at_lines(FINDING_barrier_divergent, 3, 0);
    proposes("void k() {\nfor (int d = 1; d <= t; d *= 2) {\n__syncthreads();\nwork();\n}\n}\n", f,
             "void k() {\nfor (int d = 1; d < blockDim.x; d *= 2) {\n__syncthreads();\nwork();\n}\n}\n");
    proposes("void k() {\nwhile (d < t) { work();\n__syncthreads();\n}\n}\n", f,
             "void k() {\nwhile (d < blockDim.x) { work();\n__syncthreads();\n}\n}\n");
    proposes("void k() {\nfor (;;) { if (t < d) break;\n__syncthreads();\n}\n}\n", f,
             "void k() {\nfor (;;) { \n__syncthreads();\n}\n}\n");
}

static void parts_of_shared_memory_do_not_overlap(void **state)
{
    (void)state;
    struct finding f = at_lines(FINDING_race_waw, 4, 3);
    f.space = SPACE_SHARED;
    strcpy(f.symbol, "s");
    proposes("void k() {\nfloat *a = s, *b = s + w;\na[t] = 1;\nb[t] = 1;\n}\n", f,
             "void k() {\nfloat *a = s, *b = s + w * w;\na[t] = 1;\nb[t] = 1;\n}\n");
    proposes("void k() {\nfloat *a = s, *b = &s[n + 1];\na[t] = 1;\nb[t] = 1;\n}\n", f,
             "void k() {\nfloat *a = s, *b = &s[2 * (n + 1)];\na[t] = 1;\nb[t] = 1;\n}\n");
}

static void warps_get_elements_of_their_own(void **state)
{
    (void)state;
    static const struct lab lab = {.without_block_barriers = 1};
    static const struct judge_job job = {.lab = &lab};
    static struct repair r[REPAIR_CANDIDATES];
    const char *source = "void k() {\n__shared__ float s[32], q[2];\ns[t] = 1;\nx = s[u];\n}\n";
    struct verdict_finding v = {.job = &job, .finding = at_lines(FINDING_race_raw, 4, 3), .kernel = "k"};
    struct source split;
    struct text changed = {0};
    v.finding.space = SPACE_SHARED;
    strcpy(v.finding.symbol, "k::s");
    assert_int_equal(source_split(&split, source, strlen(source)), 0);
    assert_int_equal(repair_propose(&split, &v, r), 1); // and no barrier of the block
    repair_apply(&split, &r[0], &changed);
    assert_string_equal(changed.data, "void k() {\n__shared__ float s[32][32], q[2];\ns[threadIdx.x / 32][t] = 1;\nx = "
                                      "s[threadIdx.x / 32][u];\n}\n");
    text_free(&changed);
    source_free(&split);
}

// The sentence about the suspected cause of a finding has the text `part`; NULL: there is no sentence.
static void suspects(const char *source, struct finding f, const char *part)
{
    struct source s;
    struct text said = {0};
    assert_int_equal(source_split(&s, source, strlen(source)), 0);
    repair_suspect(&s, &(struct verdict_finding){.finding = f, .array = "a", .kernel = "k"}, &said);
    if (!part)
        assert_int_equal(said.length, 0);
    else if (!said.data || !strstr(said.data, part))
        fail_msg("'%s' has no '%s'", said.data ? said.data : "", part);
    text_free(&said);
    source_free(&s);
}

static void the_place_to_look_at_is_named(void **state)
{
    (void)state;
    struct finding f = at_lines(FINDING_out_of_bounds, 2, 0);
    suspects("void k(float *a) {\nif (r < R) a[r * C + c] = 1;\n}\n", f,
             "line 2: is a[r * C + c] the element that you mean? Its rows have C elements, so c < C must hold");
    suspects("void k(float *a) {\nif (r < R && c < C) a[r * C + c] = 1;\n}\n", f, "is the row less than");
    suspects("void k(float *a) {\na[(r + y) * C + m + c] = 1;\n}\n", f, "rows have C elements, so m + c < C must hold");
    suspects("void k(float *a) {\na[2 * t] = b[r * C + c];\n}\n", f, "is a[2 * t] the element that you mean? Compare");
    f = at_lines(FINDING_barrier_divergent, 4, 0);
    suspects("void k() {\nint t = threadIdx.x, u = t / 2;\nfor (int d = 1; d < u; ++d) {\n__syncthreads();\n}\n}\n", f,
             "line 3: 'd < u' depends on the thread");
    suspects("void k() {\nint t = threadIdx.x;\nfor (;;) { if (t < d) break;\n__syncthreads();\n}\n}\n", f,
             "line 3: 't < d' depends on the thread");
    suspects("void k() {\nint t = blockIdx.x;\nfor (int d = 1; d < t; ++d) {\n__syncthreads();\n}\n}\n", f, NULL);
    f = at_lines(FINDING_race_waw, 3, 2);
    f.space = SPACE_SHARED;
    suspects("void k() {\na[t] = 1;\nb[t] = 1;\n}\n", f, "do 'a' and 'b' overlap");
    suspects("void k() {\na[t] = 1;\na[u] = 1;\n}\n", f, NULL);
}

static void accesses_of_a_loop_need_two_barriers(void **state)
{
    (void)state;
    proposes("void k() {\nfor (;;) {\ns[t] = in[t];\nx += s[u];\n}\n}\n", at_lines(FINDING_race_raw, 4, 3),
             "void k() {\nfor (;;) {\ns[t] = in[t]; __syncthreads();\nx += s[u]; __syncthreads();\n}\n}\n");
    proposes(
        "void k() {\ns[t] = x;\nfor (;;)\nif (t < d) s[t] += s[t + d];\n}\n", at_lines(FINDING_race_raw, 4, 4),
        "void k() {\ns[t] = x;\n__syncthreads(); for (;;)\n{ if (t < d) s[t] += s[t + d]; __syncthreads(); }\n}\n");
}

static void an_access_is_guarded(void **state)
{
    (void)state;
    struct finding f = at_lines(FINDING_out_of_bounds, 2, 0);
    proposes("void k(float *a, int n) {\na[i] = 1;\n}\n", f, "void k(float *a, int n) {\nif (i < n) a[i] = 1;\n}\n");
    proposes("void k(float *a, int n) {\nif (i <= n) a[i] = 1;\n}\n", f,
             "void k(float *a, int n) {\nif (i < n) a[i] = 1;\n}\n");
    proposes("void k(float *a, int n) {\nfloat x = a[i + 1];\n}\n", f,
             "void k(float *a, int n) {\nfloat x = (i + 1 < n ? a[i + 1] : 0);\n}\n");
    proposes("void k(float *a, int R, int C) {\nx += a[r * C + c];\n}\n", f,
             "void k(float *a, int R, int C) {\nx += (r < R ? a[r * C + c] : 0);\n}\n");
    proposes(
        "void k(float *a, int R, int C) {\nfor (int r = 0; r < R; r++) x += a[r * C + c];\n}\n", f,
        "void k(float *a, int R, int C) {\nif (c >= C) return; for (int r = 0; r < R; r++) x += a[r * C + c];\n}\n");
    proposes_not("void k(float *a, int n) {\na[i] = 1; __syncthreads();\n}\n", f, "return");
    f.at.line = 3;
    proposes("void k(float *a, int n) {\nif (i > n) return;\na[i] = 1;\n}\n", f,
             "void k(float *a, int n) {\nif (i >= n) return;\na[i] = 1;\n}\n");
    proposes("void k(float *a, int n) {\nint row = blockIdx.x;\nfor (;;) x += p[c];\n}\n", f,
             "void k(float *a, int n) {\nint row = blockIdx.x;\nif (row < n) for (;;) x += p[c];\n}\n");
}

static void confused_extents_and_indices_change_places(void **state)
{
    (void)state;
    struct finding f = at_lines(FINDING_out_of_bounds, 2, 0);
    proposes("void k(float *a, int R, int C) {\nif (x < C && y < R) a[y] = 1;\n}\n", f,
             "void k(float *a, int R, int C) {\nif (x < R && y < C) a[y] = 1;\n}\n");
    proposes("void k(float *a, int R, int C) {\na[y * C + x] = 1;\n}\n", f,
             "void k(float *a, int R, int C) {\na[y * R + x] = 1;\n}\n");
    proposes("void k(float *a, int R, int C) {\nb = t[y + 1][x];\n}\n", f,
             "void k(float *a, int R, int C) {\nb = t[x][y + 1];\n}\n");
}

static void shared_memory_is_long_enough(void **state)
{
    (void)state;
    struct finding f = at_lines(FINDING_out_of_bounds, 2, 0);
    f.space = SPACE_SHARED;
    proposes(
        "void k(int n) {\nextern __shared__ float s[]; s[t] = 1;\n}\nLAUNCH(k, .shared = 2 * 16);\n", f,
        "void k(int n) {\nextern __shared__ float s[]; s[t] = 1;\n}\nLAUNCH(k, .shared = 2 * 16 * sizeof(float));\n");
    const char *kernel =
        "void k(int n) {\nextern __shared__ float s[]; s[y * (X + P) + x] = 1; q = s[y * 33 + x];\n}\n";
    struct text source = {0}, expected = {0};
    text_printf(&source, "%sLAUNCH(k, .shared = X * X * sizeof(float));\n", kernel);
    text_printf(&expected, "%sLAUNCH(k, .shared = (X + P) * X * sizeof(float));\n", kernel);
    proposes(source.data, f, expected.data);
    proposes_not(source.data, f, "sizeof(float) * sizeof(float)");
    text_free(&source), text_free(&expected);
    text_printf(&source, "%sLAUNCH(k, .shared = 4 * 32 * 32);\n", kernel);
    text_printf(&expected, "%sLAUNCH(k, .shared = 4 * 33 * 32);\n", kernel);
    proposes(source.data, f, expected.data);
    text_free(&source), text_free(&expected);
    f.size = 4;
    f.extent = 1024;
    proposes("void k(int n) {\nc[t] = 0;\n__syncthreads();\nfor (;;) if (n) atomicAdd(&a[t], c[t]);\n}\n", f,
             "void k(int n) {\nif (t < 256) c[t] = 0;\n__syncthreads();\nfor (;;) if (t < 256) if (n) atomicAdd(&a[t], "
             "c[t]);\n}\n");
    proposes("void k(int n) {\ns[in[i]] += 1;\n}\n", f, "void k(int n) {\ns[(in[i]) % 256] += 1;\n}\n");
}

static void a_value_is_written_first(void **state)
{
    (void)state;
    struct finding f = at_lines(FINDING_never_written, 3, 0);
    proposes("void k() {\nfloat sum, other;\nsum += a[i];\n}\n", f,
             "void k() {\nfloat sum = 0, other;\nsum += a[i];\n}\n");
    proposes("void k() {\nif (i < n) s[t] = in[i];\nx = s[u];\n}\n", f,
             "void k() {\ns[t] = i < n ? in[i] : 0;\nx = s[u];\n}\n");
    proposes("void k() {\n__shared__ int c[8];\nc[t] += 1;\n}\n", f,
             "void k() {\n__shared__ int c[8]; for (unsigned ww_i = threadIdx.x + blockDim.x * threadIdx.y; ww_i < "
             "sizeof c / sizeof(int); ww_i += blockDim.x * blockDim.y) ((int *)c)[ww_i] = 0; __syncthreads();\n"
             "c[t] += 1;\n}\n");
    f.at.line = 2;
    proposes("void k() {\nout[i] += sum;\n}\n", f, "void k() {\nout[i] = sum;\n}\n");
}

static void lanes_and_threads_come(void **state)
{
    (void)state;
    struct finding f = at_lines(FINDING_bad_mask, 3, 0);
    proposes("void k() {\n\nx += __shfl_down_sync(0xffff, x, 1);\n}\n", f,
             "void k() {\n\nx += __shfl_down_sync(0xffffffff, x, 1);\n}\n");
    proposes("void k() {\nif (t < n)\nx += __shfl_down_sync(M, x, 1);\n}\n", f,
             "void k() {\n\nx += __shfl_down_sync(M, x, 1);\n}\n");
    proposes("void k() {\nfor (;;) { x += in[i];\nx += __shfl_down_sync(M, x, 1); }\n}\n", f,
             "void k() {\nfor (;;) { x += in[i];\n; } x += __shfl_down_sync(M, x, 1);\n}\n");
    proposes("void k(const float *in) {\nif (i >= n) return; x = in[i];\nx += __shfl_down_sync(M, x, 1);\n}\n", f,
             "void k(const float *in) {\n x = (i < n ? in[i] : 0);\nx += __shfl_down_sync(M, x, 1);\n}\n");
    proposes("void k(float *a) {\nfor (;;) { if (i >= n) break; x = a[i];\nx = __shfl_sync(M, x, 1); } a[0] = x;\n}\n",
             f, "void k(float *a) {\nfor (;;) {  x = (i < n ? a[i] : 0);\nx = __shfl_sync(M, x, 1); } a[0] = x;\n}\n");
    f = at_lines(FINDING_output_missing, 0, 0);
    proposes("void k(float *a) {\nif (p && q) return;\n__syncthreads();\na[i] = s[t];\n}\n", f,
             "void k(float *a) {\n\n__syncthreads();\nif (!(p && q)) a[i] = s[t];\n}\n");
}

static void blocks_cover_the_output(void **state)
{
    (void)state;
    struct finding f = at_lines(FINDING_output_missing, 0, 0);
    proposes("LAUNCH(k, .block = {32}, .tile = {64, 8});\n", f, "LAUNCH(k, .block = {32}, .tile = {32, 8});\n");
    proposes("LAUNCH(k, .tile = {WARPS * 2});\n", f, "LAUNCH(k, .tile = {WARPS});\n");
    proposes("void k() {\nint x = blockIdx.x, y = blockIdx.y;\n}\n", f,
             "void k() {\nint x = blockIdx.y, y = blockIdx.x;\n}\n");
    proposes("void k() {\nfor (int i = blockIdx.x; i < n; i += blockDim.x) a();\n}\n", at_lines(FINDING_too_long, 2, 0),
             "void k() {\nfor (int i = blockIdx.x; i < n; i += gridDim.x * blockDim.x) a();\n}\n");
    proposes("void k() {\nfor (int i = blockIdx.x; i < n; i += gridDim.x) a();\n}\n", at_lines(FINDING_too_long, 2, 0),
             "void k() {\nfor (int i = blockIdx.x; i < n; i += gridDim.x * blockDim.x) a();\n}\n");
    proposes("void k() {\nfor (int b = 0; b < 256; ++b) a(b);\n}\n", at_lines(FINDING_too_long, 2, 0),
             "void k() {\nfor (int b = threadIdx.x; b < 256; b += blockDim.x) a(b);\n}\n");
}

static void a_tile_covers_as_much_as_a_block(void **state)
{
    (void)state;
    static struct repair r[REPAIR_CANDIDATES];
    static const char *const changed[] = {"LAUNCH(k, .tile = {2 * (T / 2), 32});\nvoid k() { work(); }\n",
                                          "LAUNCH(k, .tile = {T / 2, 32});\nvoid k() { work(); }\n",
                                          "LAUNCH(k, .tile = {2 * (T / 2), 16});\nvoid k() { work(); }\n"};
    const char *source = "LAUNCH(k, .tile = {T / 2, 16});\nvoid k() { work(); }\n";
    struct source s;
    assert_int_equal(source_split(&s, source, strlen(source)), 0);
    assert_int_equal(repair_propose_tiles(&s, 2, r), 3);
    for (int i = 0; i < 3; ++i) {
        struct text text = {0};
        repair_apply(&s, &r[i], &text);
        assert_string_equal(text.data, changed[i]);
        text_free(&text);
    }
    source_free(&s);
    const char *whole = "LAUNCH(k, .block = {32, 8}, .shared = 4);\nvoid k() { work(); }\n"; // the tile is the block
    assert_int_equal(source_split(&s, whole, strlen(whole)), 0);
    assert_int_equal(repair_propose_tiles(&s, 4, r), 3);
    struct text text = {0};
    repair_apply(&s, &r[1], &text);
    assert_string_equal(text.data,
                        "LAUNCH(k, .block = {32, 8}, .tile = {32, 32}, .shared = 4);\nvoid k() { work(); }\n");
    assert_string_equal(r[1].kernel, "k");
    assert_int_equal(r[1].axes, 2);
    text_free(&text);
    source_free(&s);
    const char *any = "LAUNCH(k, .tile = {T / 2, 16});\nvoid k() { for (;; i += gridDim.x) work(); }\n";
    assert_int_equal(source_split(&s, any, strlen(any)), 0);
    assert_int_equal(repair_propose_tiles(&s, 2, r), 0); // right with every tile
    source_free(&s);
}

static void a_host_program_waits(void **state)
{
    (void)state;
    const char *source = "void f() {\nwork<<<1, 2, 0, s[0]>>>(a);\ncopy(b, s[1]);\nfor (;;)\nx += b[i];\n}\n";
    struct finding f = at_lines(FINDING_barrier_divergent, 5, 3);
    proposes_for(DEFECT_EARLY_READ, source, f,
                 "void f() {\nwork<<<1, 2, 0, s[0]>>>(a);\ncopy(b, s[1]);\ncudaStreamSynchronize(s[1]); for (;;)\nx += "
                 "b[i];\n}\n");
    proposes_for(DEFECT_EARLY_READ, source, at_lines(FINDING_barrier_divergent, 3, 0),
                 "void f() {\nwork<<<1, 2, 0, s[0]>>>(a);\ncopy(b, s[1]);\nfor (;;)\nx += "
                 "b[i];\ncudaDeviceSynchronize(); }\n");
    proposes_for(DEFECT_UNORDERED, source, at_lines(FINDING_barrier_divergent, 3, 2),
                 "void f() {\nwork<<<1, 2, 0, s[0]>>>(a); cudaEvent_t ww_e; cudaEventCreate(&ww_e); "
                 "cudaEventRecord(ww_e, s[0]);\ncudaStreamWaitEvent(s[1], ww_e, 0); copy(b, s[1]);\nfor (;;)\nx += "
                 "b[i];\n}\n");
}

// A call in line `line` failed for the reason.
static void proposes_because(enum host_reason reason, uint64_t a, uint32_t line, const char *source,
                             const char *expected)
{
    struct verdict_finding v = {.defect = DEFECT_UNCHECKED, .reason = reason, .a = a, .finding.at.line = line};
    proposes_to(&v, source, expected);
}

static void a_failed_call_gets_another_argument(void **state)
{
    (void)state;
    proposes_because(HOST_REASON_KIND, HOST_D2H, 2, "void f() {\ncudaMemcpy(a, b, n, cudaMemcpyDeviceToDevice);\n}\n",
                     "void f() {\ncudaMemcpy(a, b, n, cudaMemcpyDeviceToHost);\n}\n");
    proposes_because(HOST_REASON_GRID, 0, 2, "void f() {\nwork<<<(n + 255) / 256, 256>>>(a);\n}\n",
                     "void f() {\nif (n > 0) work<<<(n + 255) / 256, 256>>>(a);\n}\n");
    proposes_because(HOST_REASON_GRID, 0, 2, "void f() {\nwork<<<n / B, B>>>(a);\n}\n",
                     "void f() {\nwork<<<(n + B - 1) / B, B>>>(a);\n}\n");
    proposes_because(HOST_REASON_GRID, 0, 3, "void f() {\nint g = part / 128;\nwork<<<g, 128, 0, s>>>(a);\n}\n",
                     "void f() {\nint g = (part + 128 - 1) / 128;\nwork<<<g, 128, 0, s>>>(a);\n}\n");
    proposes_because(HOST_REASON_GRID, 0, 2, "void f() {\nwork<<<dim3(n / 64), dim3(64)>>>(a);\n}\n",
                     "void f() {\nwork<<<dim3((n + 64 - 1) / 64), dim3(64)>>>(a);\n}\n");
    proposes_because(HOST_REASON_DEVICE, 2, 2, "void f() {\ncudaSetDevice(g + 1);\n}\n",
                     "void f() {\ncudaSetDevice(g);\n}\n");
}

static void a_device_is_set_before_its_stream_is_used(void **state)
{
    (void)state;
    proposes_because(HOST_REASON_STREAM, 0, 4,
                     "void f() {\nfor (;;) {\ncopy(p, st[g]);\nwork<<<1, 2, 0, st[g]>>>(a);\n}\n}\n",
                     "void f() {\nfor (;;) {\ncudaSetDevice(g); copy(p, st[g]);\nwork<<<1, 2, 0, st[g]>>>(a);\n}\n}\n");
    proposes_because(HOST_REASON_STREAM, 1, 2, "void f() {\nwork<<<1, 2, 0, second>>>(a);\n}\n",
                     "void f() {\ncudaSetDevice(1); work<<<1, 2, 0, second>>>(a);\n}\n");
}

static void an_event_is_recorded_behind_its_copy(void **state)
{
    (void)state;
    proposes_for(DEFECT_UNORDERED,
                 "void f() {\nOK(cudaEventRecord(e, up));\nOK(cudaMemcpyAsync(a, b, n, k, up));\n"
                 "cudaStreamWaitEvent(run, e);\nwork<<<1, 2, 0, run>>>(a);\n}\n",
                 at_lines(FINDING_barrier_divergent, 5, 3),
                 "void f() {\n\nOK(cudaMemcpyAsync(a, b, n, k, up)); OK(cudaEventRecord(e, up));\n"
                 "cudaStreamWaitEvent(run, e);\nwork<<<1, 2, 0, run>>>(a);\n}\n");
}

static void an_operation_works_in_the_stream_of_its_copies(void **state)
{
    (void)state;
    proposes_for(DEFECT_UNORDERED, "void f() {\ncudaMemcpyAsync(a, b, n, k, s[i]);\nwork<<<(n + 1) / 2, 2>>>(a);\n}\n",
                 at_lines(FINDING_barrier_divergent, 3, 2),
                 "void f() {\ncudaMemcpyAsync(a, b, n, k, s[i]);\nwork<<<(n + 1) / 2, 2, 0, s[i]>>>(a);\n}\n");
    proposes_for(DEFECT_UNORDERED, "void f() {\ncudaMemcpyAsync(a, b, n, k);\nwork<<<1, 2, 0, s>>>(a);\n}\n",
                 at_lines(FINDING_barrier_divergent, 3, 2),
                 "void f() {\ncudaMemcpyAsync(a, b, n, k, s);\nwork<<<1, 2, 0, s>>>(a);\n}\n");
}

static void each_stream_gets_its_own_buffer(void **state)
{
    (void)state;
    proposes_for(DEFECT_UNORDERED,
                 "void f() {\ncopy(d[x], s[x]);\ncopy(d[x], s[y]);\nwork<<<1, 2, 0, s[y]>>>(d[x]);\n}\n",
                 at_lines(FINDING_barrier_divergent, 2, 3),
                 "void f() {\ncopy(d[x], s[x]);\ncopy(d[y], s[y]);\nwork<<<1, 2, 0, s[y]>>>(d[y]);\n}\n");
}

// In a host lab, the kernel is given: the repair is one of the launch or of the copies before it.
static void a_launch_of_the_given_kernel_is_mended(void **state)
{
    (void)state;
    struct lab_host host = {.devices = 1};
    struct lab lab = {.host = &host};
    struct judge_job job = {.lab = &lab};
    struct verdict_finding v = {.job = &job, .finding = at_lines(FINDING_never_written, 3, 0)};
    proposes_to(&v, "void f() {\ncudaMemcpy(a, b, n, k);\nwork<<<1, 2>>>(a);\ncudaMemcpy(c, d, n - m, k);\n}\n",
                "void f() {\ncudaMemcpy(a, b, n * sizeof(unsigned), k);\nwork<<<1, 2>>>(a);\n"
                "cudaMemcpy(c, d, (n - m) * sizeof(unsigned), k);\n}\n");
    proposes_to(&v, "void f() {\nsize_t bytes = m; cudaMemcpyAsync(a, b, bytes, k, s);\nwork<<<1, 2>>>(a);\n}\n",
                "void f() {\nsize_t bytes = m * sizeof(unsigned); cudaMemcpyAsync(a, b, bytes, k, s);\n"
                "work<<<1, 2>>>(a);\n}\n");
    v.finding = at_lines(FINDING_out_of_bounds, 4, 0);
    proposes_to(
        &v, "void f() {\nfor (int i = 0; i < all; i += STEP) {\nconst int c = STEP;\nwork<<<1, 2>>>(a + i, c);\n}\n}\n",
        "void f() {\nfor (int i = 0; i < all; i += STEP) {\nconst int c = all - i < STEP ? all - i : STEP;\n"
        "work<<<1, 2>>>(a + i, c);\n}\n}\n");
}

static void arrays_and_vectors_end_where_the_indices_do(void **state)
{
    (void)state;
    struct finding f = at_lines(FINDING_out_of_bounds, 3, 0);
    f.space = SPACE_SHARED;
    strcpy(f.symbol, "s");
    proposes("void k() {\n__shared__ int s[4][T - 1];\ns[w][t] = 1;\n}\n", f,
             "void k() {\n__shared__ int s[4][T];\ns[w][t] = 1;\n}\n");
    proposes("void k() {\n__shared__ int s[31];\ns[t] = 1;\n}\n", f,
             "void k() {\n__shared__ int s[32];\ns[t] = 1;\n}\n");
    f.space = SPACE_GLOBAL;
    proposes("void k(int *a, int n) {\nif (i < n)\nq = *(const uint4 *)(a + i);\n}\n", f,
             "void k(int *a, int n) {\nif (i + 3 < n)\nq = *(const uint4 *)(a + i);\n}\n");
    proposes("void k(int *a, int n) {\nfor (; i < (n + 3) / 4; ++i)\nuint4 q = a4[i];\n}\n", f,
             "void k(int *a, int n) {\nfor (; i < n / 4; ++i)\nuint4 q = a4[i];\n}\n");
}

static void a_source_that_does_not_match_is_left_alone(void **state)
{
    (void)state;
    struct source s;
    static const char *const broken[] = {"void k() {", "}", "((", "\"never closed", "/* never closed"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; ++i) {
        source_split(&s, broken[i], strlen(broken[i]));
        for (uint32_t t = 0; t < s.count; ++t) assert_true(s.token[t].end <= strlen(broken[i]));
        source_free(&s);
    }
    assert_int_equal(source_split(&s, "}", 1), -1);
    source_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_barrier_stands_outside_of_the_branch),
        cmocka_unit_test(a_statement_that_reads_and_writes_is_split),
        cmocka_unit_test(a_lost_update_becomes_an_atomic),
        cmocka_unit_test(a_barrier_leaves_its_branch),
        cmocka_unit_test(threads_run_the_loop_of_a_barrier_equally_often),
        cmocka_unit_test(warps_get_elements_of_their_own),
        cmocka_unit_test(the_place_to_look_at_is_named),
        cmocka_unit_test(parts_of_shared_memory_do_not_overlap),
        cmocka_unit_test(accesses_of_a_loop_need_two_barriers),
        cmocka_unit_test(an_access_is_guarded),
        cmocka_unit_test(confused_extents_and_indices_change_places),
        cmocka_unit_test(shared_memory_is_long_enough),
        cmocka_unit_test(a_value_is_written_first),
        cmocka_unit_test(lanes_and_threads_come),
        cmocka_unit_test(blocks_cover_the_output),
        cmocka_unit_test(a_tile_covers_as_much_as_a_block),
        cmocka_unit_test(a_host_program_waits),
        cmocka_unit_test(a_failed_call_gets_another_argument),
        cmocka_unit_test(a_device_is_set_before_its_stream_is_used),
        cmocka_unit_test(an_event_is_recorded_behind_its_copy),
        cmocka_unit_test(an_operation_works_in_the_stream_of_its_copies),
        cmocka_unit_test(each_stream_gets_its_own_buffer),
        cmocka_unit_test(a_launch_of_the_given_kernel_is_mended),
        cmocka_unit_test(arrays_and_vectors_end_where_the_indices_do),
        cmocka_unit_test(a_source_that_does_not_match_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
