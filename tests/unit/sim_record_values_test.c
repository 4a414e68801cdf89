// The values of a recording, compared with what the kernel itself prints. Of each program, a block is recorded, and
// some of its steps are drawn. In front of the line of each, a printf is inserted that prints the variables in scope in
// the lanes of the step's warp. When a lane prints for the n-th time at a line, the variables must have the values that
// the recording has for this lane before the n-th step with which the lane begins the line.
//
// The programs are those of tests/sync that do the same under any schedule, because a printf changes the schedule, and
// some with other types. Several programs are compiled together, as in sync_programs_test.c.
#include "recorded.h"

#include "compile/compile.h"
#include "ptx/ptx.h"
#include "ptx/source.h"
#include "sim/core/launch.h"
#include "sim/hazard/demangle.h"

enum { LINES = 2048, BATCH = 22, DRAWN = 10, SHOWN = 24, FRAMES = 16 };
enum { LINE = 256, OF_VARIABLE = 6, NONE = -1 };

static const char *const synced[] = {
    "atomic_of_ones_own", "bitonic_sort",        "block_barrier",     "broadcast_by_shuffle", "bytes_of_a_word",
    "components",         "dynamic_shared",      "double_buffer",     "early_return",         "even_waits_for_even",
    "float_sum_in_turns", "function_pointers",   "half_warp_mask",    "handle_by_value",      "histogram_bytes",
    "histogram_of_warps", "jacobi_residual",     "local_array",       "one_warp_loads",       "ping_pong",
    "rolling_rows",       "scan_in_place",       "scan_two_buffers",  "scan_up_and_down",     "short_pairs",
    "sub_tiles",          "shuffle_of_partial",  "sort_in_registers", "struct_in_part",       "tile_loop",
    "two_names_dynamic",  "two_warp_syncs",      "uniform_step",      "warp_slices",          "warp_tree",
    "whole_warps_leave",  "barrier_in_function", "guarded_rest",      "state_and_back",       "global_within_block",
};
enum { SYNCED = sizeof synced / sizeof *synced };

// Numbers of all sizes, and functions that call each other.
static const char numbers[] = "// launch grid 2 block 48\n"
                              "static __device__ float mean(float a, float b)\n"
                              "{\n"
                              "    float sum = a + b;\n"
                              "    return sum / 2;\n"
                              "}\n"
                              "static __device__ double blend(double a, float b, int turns)\n"
                              "{\n"
                              "    double value = a;\n"
                              "    for (int turn = 0; turn < turns; ++turn) {\n"
                              "        float near = mean((float)value, b);\n"
                              "        value = value * 0.75 + near;\n"
                              "        if (near > 4.0f) {\n"
                              "            value -= 1.5;\n"
                              "        }\n"
                              "    }\n"
                              "    value += 0.125;\n"
                              "    return value;\n"
                              "}\n"
                              "extern \"C\" __global__ void k(unsigned *out, unsigned *work)\n"
                              "{\n"
                              "    int t = (int)threadIdx.x - 9;\n"
                              "    signed char small = (signed char)(t * 11);\n"
                              "    unsigned char byte = (unsigned char)(t * 13);\n"
                              "    short middle = (short)(t * 3001);\n"
                              "    long long wide = (long long)t * 3000000019;\n"
                              "    bool odd = t & 1;\n"
                              "    unsigned *mine = out + threadIdx.x;\n"
                              "    float x = t * 0.37f;\n"
                              "    double y = -1.0 / (t + 0.5);\n"
                              "    if (odd) {\n"
                              "        x = -x;\n"
                              "        y = blend(y, x, 3);\n"
                              "    }\n"
                              "    wide += small;\n"
                              "    middle ^= byte;\n"
                              "    y += blend(x, 2.5f, 1 + (t & 3));\n"
                              "    while (wide > 7) {\n"
                              "        wide /= 17;\n"
                              "        x += (float)wide;\n"
                              "    }\n"
                              "    if (blockIdx.x == 0) *mine = 1 + 0 * (unsigned)(x + y + middle);\n"
                              "}\n";

// Structures and arrays in local memory, loops in loops, and lanes that part.
static const char places[] = "// launch grid 1 block 40\n"
                             "struct spot {\n"
                             "    float x;\n"
                             "    short tag[2];\n"
                             "    double weight;\n"
                             "};\n"
                             "static __device__ int count_down(const int *row, int from)\n"
                             "{\n"
                             "    int sum = 0;\n"
                             "    do {\n"
                             "        int value = row[from & 3];\n"
                             "        sum += value;\n"
                             "        --from;\n"
                             "    } while (from > 0);\n"
                             "    return sum;\n"
                             "}\n"
                             "extern \"C\" __global__ void k(unsigned *out, unsigned *work)\n"
                             "{\n"
                             "    unsigned t = threadIdx.x;\n"
                             "    int row[4] = {(int)t, 2, -3, (int)t * 4};\n"
                             "    spot at = {t * 0.5f, {1, (short)t}, 2.0 * t};\n"
                             "    spot other = at;\n"
                             "    int total = 0;\n"
                             "    for (int i = 0; i < 4; ++i) {\n"
                             "        for (unsigned j = 0; j < t % 3; ++j) {\n"
                             "            row[(i + j) & 3] += i;\n"
                             "            other.x += at.x * j;\n"
                             "        }\n"
                             "        total += row[i];\n"
                             "        at.tag[i & 1] = (short)total;\n"
                             "    }\n"
                             "    if (t % 4 == 1) {\n"
                             "        total -= count_down(row, (int)t);\n"
                             "        other.weight = total;\n"
                             "    } else {\n"
                             "        at = other;\n"
                             "        row[0] = total;\n"
                             "    }\n"
                             "    total += count_down(row, 2) + at.tag[0];\n"
                             "    work[t] = (unsigned)total + (unsigned)other.weight;\n"
                             "    out[t] = 1;\n"
                             "}\n";
static const char *const own[] = {numbers, places};
enum { PROGRAMS = SYNCED + sizeof own / sizeof *own };

// A printf: it is in front of the line `line` of `function` (both as in the recording), and prints the values of parts.
struct probe {
    uint32_t line, function, warp;
    uint32_t shown, part[SHOWN];
    int next[LANES]; // for each lane: the next print that is to be compared, or NONE
};
struct program {
    char name[64];
    uint32_t first, lines; // its lines in the joined source, from line 1
    struct recorded_shape shape;
    struct text bytes;
    struct recording recording;
    struct probe probe[DRAWN];
    uint32_t probes;
};
// A line that a lane printed: its values, and the lane's next print of the same probe.
struct print {
    const char *values;
    int next;
};

static struct compiler compiler;
static struct program programs[PROGRAMS];
static struct {
    uint32_t kernels, lines, printed, compared, wrong;
} total;

// ---------------------------------------------------------------- sources

// The joined source of a batch, as lines. line[0] is line 1.
struct source {
    char line[LINES][LINE];
    uint32_t lines;
};

static void add_line(struct source *s, const char *line)
{
    assert_true(s->lines < LINES);
    snprintf(s->line[s->lines++], LINE, "%s", line);
}

// Appends a program with ORDER 1: lines that the preprocessor would drop are empty. Its kernel is called k<index>.
static void join(struct source *s, struct program *p, const char *text, int index)
{
    char define[32];
    int dropped = 0;
    const char *launch = strstr(text, "// launch grid ");
    assert_non_null(launch);
    assert_true(
        sscanf(launch, "// launch grid %u block %u shared %u", &p->shape.grid, &p->shape.block, &p->shape.shared) >= 2);
    snprintf(define, sizeof define, "#define k k%d", index);
    add_line(s, define);
    p->first = s->lines + 1;
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        char line[LINE];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        int is_if = !strncmp(line, "#if", 3), is_else = !strncmp(line, "#else", 5), is_end = !strncmp(line, "#end", 4);
        if (is_if) dropped = strcmp(line, "#if ORDER") != 0;
        if (is_else) dropped = !dropped;
        if (is_end) dropped = 0;
        add_line(s, dropped || is_if || is_else || is_end ? "" : line);
    }
    p->lines = s->lines + 1 - p->first;
    add_line(s, "#undef k");
}

// Compiles the source, unoptimised, with what `inserted` has for a line in front of it.
static struct compile_result compile(const struct source *s, const struct text *inserted)
{
    struct compile_result result = {0};
    struct text all = {0};
    for (uint32_t i = 0; i < s->lines; i++)
        text_printf(&all, "%s%s\n", inserted && inserted[i].length ? inserted[i].data : "", s->line[i]);
    compile_source(&compiler, all.data, all.length, "record.cu", "grader/kit", 1u << IMAGE_UNOPTIMISED, &result);
    if (result.status != COMPILED) fail_msg("%s", result.messages.data);
    text_free(&all);
    return result;
}

// ---------------------------------------------------------------- where a printf can stand

// Copies a line without comment and without the blanks around it.
static void trim(char out[LINE], const char *line)
{
    const char *comment = strstr(line, "//");
    line += strspn(line, " ");
    size_t length = comment && comment >= line ? (size_t)(comment - line) : strlen(line);
    while (length && line[length - 1] == ' ') length--;
    snprintf(out, LINE, "%.*s", (int)length, line);
}

static int count(const char *text, char c)
{
    int n = 0;
    for (; *text; text++) n += *text == c;
    return n;
}

// Returns 1 if a statement begins with the line, inside of a function, and the lane that begins it executes all of it
// before it begins it again.
static int begins_statement(const struct source *s, const struct program *p, uint32_t number)
{
    static const char *const other[] = {"else",    "for (",      "while (",    "do {",       "case ",
                                        "default", "__device__", "__global__", "__shared__", "goto"};
    char line[LINE], before[LINE] = "", earlier[LINE];
    int depth = 0;
    for (uint32_t n = p->first; n < number; n++) {
        trim(earlier, s->line[n - 1]);
        depth += count(earlier, '{') - count(earlier, '}');
        if (earlier[0] && earlier[0] != '#') memcpy(before, earlier, sizeof before);
    }
    trim(line, s->line[number - 1]);
    if (!line[0] || !before[0] || depth < 1 || strchr("{}#", line[0])) return 0;
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (strstr(line, other[i])) return 0;
    char last = line[strlen(line) - 1];
    int whole = count(line, '(') == count(line, ')') && (strchr(";{}", last) || !strncmp(line, "if (", 4));
    return whole && strchr(";{}", before[strlen(before) - 1]);
}

// ---------------------------------------------------------------- what a printf shows

// Returns the line of the student's source to which an instruction belongs, or 0.
static uint32_t line_of(const struct ptx_module *m, const struct ptx_inst *inst)
{
    for (uint32_t at = inst->loc; at; at = m->loc[at].inlined_at) {
        const char *file = m->loc[at].file < m->nfiles ? m->file[m->loc[at].file] : NULL;
        if (file && strstr(file, COMPILE_SOURCE)) return m->loc[at].line;
    }
    return 0;
}

// Returns 1 if all instructions of the line, and there are some, are in the variable's scope.
static int covers(const struct ptx_module *m, const struct ptx_source_variable *v, uint32_t line)
{
    const struct ptx_func *f = &m->func[v->func];
    uint32_t inside = 0;
    for (uint32_t i = 0; i < f->ninsts; i++) {
        if (line_of(m, &f->inst[i]) != line) continue;
        if (i < v->from || i >= v->to) return 0;
        inside++;
    }
    return inside > 0;
}

// Returns 1 if the variable of the recording is in scope at the line.
static int in_scope(const struct ptx_module *m, const struct recording *r, const struct recording_variable *v,
                    uint32_t line)
{
    char function[FINDING_SYMBOL];
    for (uint32_t i = 0; i < m->nsources; i++) {
        const struct ptx_source_variable *s = &m->source[i];
        if (s->func == PTX_NO_REG || s->line != v->line || strcmp(s->name, v->name) != 0) continue;
        demangle(function, m->func[s->func].name);
        if (!strcmp(function, r->function[v->function]) && covers(m, s, line)) return 1;
    }
    return 0;
}

// Writes the expression whose value, as a number without sign, is that of the part.
static void express(struct text *out, const struct recording_variable *v, const struct recording_part *p)
{
    const char *as = p->kind != RECORDING_FLOAT ? "" : p->bytes == 4 ? "__float_as_uint" : "__double_as_longlong";
    int reference = p->kind == RECORDING_POINTER && strchr(v->type, '&');
    text_printf(out, ", (unsigned long long)%s(%s%s%s)", as, reference ? "&" : "", v->name, p->path);
}

// Sets what the probe shows, and writes the printf.
static void show(const struct program *p, const struct ptx_module *m, struct probe *probe, uint32_t index,
                 struct text *inserted)
{
    const struct recording *r = &p->recording;
    struct text values = {0};
    for (uint32_t i = 0; i < r->nvariables; i++) {
        const struct recording_variable *v = &r->variable[i];
        int hidden = v->function != probe->function || v->line >= probe->line || !in_scope(m, r, v, probe->line);
        for (uint32_t k = i + 1; k < r->nvariables && !hidden; k++)
            hidden = r->variable[k].function == v->function && !strcmp(r->variable[k].name, v->name) &&
                     r->variable[k].line < probe->line;
        for (uint32_t k = 0; k < v->parts && k < OF_VARIABLE && !hidden && probe->shown < SHOWN; k++) {
            const struct recording_part *part = &r->part[v->first + k];
            if (part->kind == RECORDING_FLOAT && part->bytes < 4) continue;
            express(&values, v, part);
            probe->part[probe->shown++] = v->first + k;
        }
    }
    text_printf(inserted, "if (blockIdx.x == 0 && threadIdx.x / 32 == %u) printf(\"@%u %%u", probe->warp, index);
    for (uint32_t k = 0; k < probe->shown; k++) text_puts(inserted, " %llx");
    text_printf(inserted, "\\n\", threadIdx.x %% 32%s); ", values.length ? values.data : "");
    text_free(&values);
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

// Draws steps of the recording. A line has one probe.
static void draw(struct program *p, const struct source *s, const struct ptx_module *m, uint64_t *random,
                 struct text *inserted)
{
    struct recording_reader reader;
    struct recording_event *step = calloc(p->recording.steps + 1, sizeof *step);
    uint32_t steps = 0;
    assert_non_null(step);
    recording_begin(&reader, &p->recording);
    while (recording_next(&reader)) {
        uint32_t line = reader.event.line;
        int own_line = line >= p->first && line < p->first + p->lines;
        if (reader.event.tag == RECORDING_STEP && own_line && begins_statement(s, p, line))
            step[steps++] = reader.event;
    }
    for (int i = 0; i < DRAWN && steps; i++) {
        const struct recording_event *e = &step[next_random(random) % steps];
        uint32_t k = 0;
        while (k < p->probes && p->probe[k].line != e->line) k++;
        if (k < p->probes) continue;
        p->probe[p->probes] = (struct probe){.line = e->line, .function = e->function, .warp = e->warp};
        show(p, m, &p->probe[p->probes], p->probes, &inserted[e->line - 1]);
        p->probes++;
    }
    total.lines += p->probes;
    free(step);
}

// ---------------------------------------------------------------- comparing

// The calls in which a lane is: for each, its function and the line where it is.
struct lane_calls {
    uint32_t depth;
    struct {
        uint32_t function, line;
    } frame[FRAMES];
};

// Moves a lane to a step. Returns 1 if the lane begins the line: the latest line in this call was another.
static int begins_line(struct lane_calls *c, const struct recording_event *e)
{
    uint32_t depth = c->depth;
    while (depth && c->frame[depth - 1].function != e->function) depth--;
    if (!depth) {
        assert_true(c->depth < FRAMES);
        depth = c->depth + 1;
        c->frame[depth - 1].function = e->function;
        c->frame[depth - 1].line = 0;
    }
    c->depth = depth;
    int begins = c->frame[depth - 1].line != e->line;
    c->frame[depth - 1].line = e->line;
    return begins;
}

// Compares what a lane printed with the recorded values.
static void compare(const struct program *p, const struct probe *probe, const struct recorded_values *v, uint32_t lane,
                    const char *printed, uint32_t step)
{
    for (uint32_t k = 0; k < probe->shown; k++) {
        char *end;
        uint32_t part = probe->part[k], bytes = p->recording.part[part].bytes;
        size_t at = (size_t)part * p->recording.warps + probe->warp;
        uint64_t value = strtoull(printed, &end, 16);
        assert_true(end > printed);
        printed = end;
        // Where a variable is in local memory depends on the frame, which the arguments of printf enlarge.
        if (p->recording.part[part].kind == RECORDING_POINTER && value - SIM_LOCAL_WINDOW < SIM_WINDOW_BYTES) continue;
        total.printed++;
        if (!(v->known[at] >> lane & 1)) continue;
        total.compared++;
        if (bytes < 8) value &= (1ull << 8 * bytes) - 1;
        if (v->value[at][lane] == value) continue;
        if (total.wrong++ < 40)
            print_error("%s:%u: before step %u, lane %u of warp %u has %s%s = %llx, recorded: %llx\n", p->name,
                        probe->line + 1 - p->first, step, lane, probe->warp,
                        recorded_variable(&p->recording, part)->name, p->recording.part[part].path,
                        (unsigned long long)value, (unsigned long long)v->value[at][lane]);
    }
}

// Lists what was printed. Returns the prints, which point into the observation.
static struct print *list_prints(struct program *p, struct observation *o)
{
    struct print *print = calloc(o->print_bytes + 1, sizeof *print);
    int *last[DRAWN][LANES], n = 0;
    assert_non_null(print);
    for (uint32_t k = 0; k < p->probes; k++)
        for (uint32_t l = 0; l < LANES; l++) *(last[k][l] = &p->probe[k].next[l]) = NONE;
    char *at = o->print, *end = o->print + o->print_bytes, *newline;
    for (; at < end && (newline = memchr(at, '\n', (size_t)(end - at))); at = newline + 1) {
        unsigned k, lane;
        int length;
        *newline = 0;
        assert_int_equal(sscanf(at, "@%u %u%n", &k, &lane, &length), 2);
        assert_true(k < p->probes && lane < LANES);
        print[n] = (struct print){at + length, NONE};
        *last[k][lane] = n;
        last[k][lane] = &print[n++].next;
    }
    return print;
}

// Compares each print of a kernel with the recording.
static void check_prints(struct program *p, struct observation *o)
{
    struct print *print = list_prints(p, o);
    struct recorded_values v = recorded_values_new(&p->recording);
    struct lane_calls *calls = calloc((size_t)p->recording.warps * LANES, sizeof *calls);
    struct recording_reader reader;
    assert_non_null(calls);
    recording_begin(&reader, &p->recording);
    while (recording_next(&reader)) {
        const struct recording_event *e = &reader.event;
        if (e->tag == RECORDING_VALUE) recorded_take(&v, e);
        for (uint32_t l = 0; l < LANES && e->tag == RECORDING_STEP; l++) {
            if (!(e->mask >> l & 1) || !e->line || !begins_line(&calls[e->warp * LANES + l], e)) continue;
            for (struct probe *probe = p->probe; probe < p->probe + p->probes; probe++) {
                if (probe->line != e->line || probe->function != e->function || probe->warp != e->warp) continue;
                if (probe->next[l] == NONE && o->print_dropped) continue;
                if (probe->next[l] == NONE) {
                    if (total.wrong++ < 40)
                        print_error("%s:%u: step %u: lane %u printed nothing\n", p->name, e->line + 1 - p->first,
                                    reader.step, l);
                    continue;
                }
                const struct print *now = &print[probe->next[l]];
                compare(p, probe, &v, l, now->values, reader.step);
                probe->next[l] = now->next;
            }
        }
    }
    for (uint32_t k = 0; k < p->probes; k++)
        for (uint32_t l = 0; l < LANES; l++)
            if (p->probe[k].next[l] != NONE && total.wrong++ < 40)
                print_error("%s:%u: lane %u printed, but has no step\n", p->name, p->probe[k].line + 1 - p->first, l);
    recorded_values_free(&v);
    free(calls);
    free(print);
}

// ---------------------------------------------------------------- batches

static void check_batch(int first, int end)
{
    static struct observation o;
    static struct text inserted[LINES];
    static struct source s;
    char kernel[16];
    uint64_t random = 1;
    s.lines = 0;
    for (int i = first; i < end; i++) {
        struct text text = {0};
        char path[128];
        snprintf(programs[i].name, sizeof programs[i].name, "%s", i < SYNCED ? synced[i] : "a program of this test");
        snprintf(path, sizeof path, "tests/sync/%s.cu", programs[i].name);
        if (i < SYNCED) assert_int_equal(text_read_file(&text, path, 1 << 16), 0);
        join(&s, &programs[i], i < SYNCED ? text.data : own[i - SYNCED], i);
        text_free(&text);
    }
    struct compile_result plain = compile(&s, NULL);
    struct ptx_error error;
    struct ptx_module *m = ptx_load(plain.image[IMAGE_UNOPTIMISED].data, plain.image[IMAGE_UNOPTIMISED].length, &error);
    struct engine *e = recorded_engine(&plain.image[IMAGE_UNOPTIMISED], 0);
    assert_non_null(m);
    for (int i = first; i < end; i++) {
        struct program *p = &programs[i];
        snprintf(kernel, sizeof kernel, "k%d", i);
        recorded_launch(e, kernel, &p->shape, 1, &o);
        assert_int_equal(o.status, OBSERVED_OK);
        recorded_open(e, &p->bytes, &p->recording);
        assert_true(p->recording.first == 1 && p->recording.complete);
        assert_true(p->recording.nvariables < RECORDING_VARIABLES && p->recording.nparts < RECORDING_PARTS);
        recorded_check_lanes(&p->recording, p->shape.block);
        draw(p, &s, m, &random, inserted);
    }
    sim_engine_ops.close(e);
    struct compile_result printing = compile(&s, inserted);
    e = recorded_engine(&printing.image[IMAGE_UNOPTIMISED], 0);
    for (int i = first; i < end; i++) {
        snprintf(kernel, sizeof kernel, "k%d", i);
        recorded_launch(e, kernel, &programs[i].shape, 0, &o);
        assert_int_equal(o.status, OBSERVED_OK);
        check_prints(&programs[i], &o);
        recording_close(&programs[i].recording);
        text_free(&programs[i].bytes);
        total.kernels++;
    }
    sim_engine_ops.close(e);
    ptx_free(m);
    for (uint32_t i = 0; i < s.lines; i++) text_free(&inserted[i]);
    compile_result_free(&plain);
    compile_result_free(&printing);
}

static void values_are_those_that_the_kernel_prints(void **state)
{
    (void)state;
    for (int first = 0; first < PROGRAMS; first += BATCH)
        check_batch(first, first + BATCH < PROGRAMS ? first + BATCH : PROGRAMS);
    print_message("%s: %u kernels, %u lines, %u values printed, %u compared, %u wrong\n", compiler.version,
                  total.kernels, total.lines, total.printed, total.compared, total.wrong);
    assert_int_equal(total.wrong, 0);
    assert_true(total.lines > 100); // with printfs
    assert_true(total.compared * 10ull >= total.printed * 9ull);
}

static int find_compiler(void **state)
{
    (void)state;
    struct text why = {0};
    if (compile_find(COMPILE_AUTO, &compiler, &why)) fail_msg("%s", why.data);
    text_free(&why);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_are_those_that_the_kernel_prints)};
    return cmocka_run_group_tests(tests, find_compiler, NULL);
}
