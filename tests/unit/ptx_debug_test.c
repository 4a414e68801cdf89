// The debug data of unoptimised images: the layout of a function's stack frame, and the variables of the source. What
// invalid debug data say is unknown. Both compilers made the images *_frame.ptx of the corpus from this source:
//   unsigned row[4], column[2][3]; struct { short x[2]; int y; } both;
// and *_variables.ptx from this one, which begins in line 1:
//   __device__ short seen[4];
//   extern "C" __global__ void k(int *out, unsigned n)
//   {
//       __shared__ float tile[2][3];
//       struct point { float x; short tag[2]; } at = {1, {2, 3}};
//       double sum = n;
//       for (int i = 0; i < 3; ++i) {
//           bool odd = i & 1;
//           sum += odd ? at.x : tile[odd][i];
//       }
//       out[0] = (int)sum + at.tag[n & 1] + seen[n];
//   }
#include "ptx_fixture.h"

#include "base/text.h"
#include "ptx/source.h"

#define NVCC_VARIABLES "tests/fuzz/ptx/nvcc_variables.ptx"
#define CLANG_VARIABLES "tests/fuzz/ptx/clang_variables.ptx"

static struct ptx_module *load_file(const char *path)
{
    struct text text = {0};
    struct ptx_error error;
    assert_int_equal(text_read_file(&text, path, 1 << 20), 0);
    struct ptx_module *m = ptx_load(text.data, text.length, &error);
    if (!m) fail_msg("%s:%u: %s", path, (unsigned)error.line, error.message);
    text_free(&text);
    return m;
}

static void expect_part(const struct ptx_module *m, const char *name, uint64_t bytes)
{
    const struct ptx_var *v = &m->var[ptx_find_var(m, "__local_depot0")];
    for (uint32_t i = 0; i < v->nparts; ++i) {
        if (strcmp(v->part[i].name, name) != 0) continue;
        assert_int_equal(v->part[i].to - v->part[i].from, bytes);
        assert_true(v->part[i].to <= v->bytes && (!i || v->part[i].from >= v->part[i - 1].to));
        return;
    }
    fail_msg("nothing is known of '%s'", name);
}

static void arrays_have_their_bytes(void **state)
{
    (void)state;
    static const char *const path[] = {"tests/fuzz/ptx/nvcc_frame.ptx", "tests/fuzz/ptx/clang_frame.ptx"};
    for (int i = 0; i < 2; ++i) {
        struct ptx_module *m = load_file(path[i]);
        expect_part(m, "row", 16);
        expect_part(m, "column", 24);
        expect_part(m, "both", 8);
        ptx_free(m);
    }
}

// Two abbreviations: a unit with children; a variable with a location and a type. What a typedef would be is filled in.
static uint32_t parts_of(const char *size, const char *type, const char *location)
{
    static char text[4096];
    snprintf(text, sizeof text,
             HEAD ".entry k()\n{\n.local .align 4 .b8 frame[32];\nret;\n}\n"
                  ".section .debug_abbrev { .b8 1,17,1,0,0 .b8 2,52,0,2,10,73,19,0,0 .b8 3,36,0,11,11,0,0\n"
                  ".b8 4,22,0,73,19,0,0 .b8 5,1,1,73,19,0,0 .b8 6,33,0,55,15,0,0 .b8 0 }\n"
                  ".section .debug_info { .b32 %s .b8 2,0 .b32 .debug_abbrev .b8 8\n"
                  ".b8 1 .b8 3,4 .b8 4 .b32 14 .b8 5 .b32 12 .b8 6,3 .b8 0 .b8 2 %s .b32 %s .b8 0 }\n",
             size, location, type);
    struct ptx_module *m = load(text);
    const struct ptx_var *v = &m->var[ptx_find_var(m, "frame")];
    uint32_t bytes = v->nparts ? (uint32_t)(v->part[0].to - v->part[0].from) : 0;
    ptx_free(m);
    return bytes;
}

#define AT_4 ".b8 11,3 .b64 frame .b8 35,4"
static void what_makes_no_sense_tells_nothing(void **state)
{
    (void)state;
    assert_int_equal(parts_of("100", "12", AT_4), 4);                             // an int
    assert_int_equal(parts_of("100", "19", AT_4), 12);                            // three of them
    assert_int_equal(parts_of("4294967295", "19", AT_4), 12);                     // longer than there is
    assert_int_equal(parts_of("100", "14", AT_4), 0);                             // of its own type
    assert_int_equal(parts_of("100", "4000000000", AT_4), 0);                     // beyond the end
    assert_int_equal(parts_of("100", "11", AT_4), 0);                             // the unit
    assert_int_equal(parts_of("100", "12", ".b8 11,3 .b64 frame .b8 35,29"), 0);  // the frame ends before
    assert_int_equal(parts_of("100", "12", ".b8 11,3 .b64 frame .b8 35,255"), 0); // a number that does not end
    assert_int_equal(parts_of("100", "12", ".b8 11,3 .b64 nothing .b8 35,4"), 0); // no such variable
    assert_int_equal(parts_of("100", "12", ".b8 5,144,177,228,149,1"), 0);        // a register
    assert_int_equal(parts_of("100", "12", ".b8 255,3 .b64 frame .b8 35,4"), 0);  // longer than the data
    assert_int_equal(parts_of("100", "12", ".b24 11,3 .b64 frame .b8 35,4"), 0);  // no width
    assert_int_equal(parts_of("0", "12", AT_4), 0);                               // no unit
}

// ---------------------------------------------------------------- variables of the source

static const struct ptx_source_variable *find(const struct ptx_module *m, const char *name)
{
    const struct ptx_source_variable *found = NULL;
    for (uint32_t i = 0; i < m->nsources; ++i) {
        if (strcmp(m->source[i].name, name) != 0) continue;
        assert_null(found);
        found = &m->source[i];
    }
    if (!found) fail_msg("nothing is known of '%s'", name);
    return found;
}

static void expect_type(const struct ptx_source_type *t, const char *name, uint8_t kind, uint64_t bytes, uint64_t count)
{
    assert_string_equal(t->name, name);
    assert_int_equal(t->kind, kind);
    assert_int_equal(t->bytes, bytes);
    assert_int_equal(t->count, count);
}

static void variables_have_types(void **state)
{
    (void)state;
    static const char *const path[] = {NVCC_VARIABLES, CLANG_VARIABLES};
    for (int i = 0; i < 2; ++i) {
        struct ptx_module *m = load_file(path[i]);
        assert_int_equal(m->nsources, 8);
        expect_type(find(m, "n")->type, "unsigned int", SOURCE_UNSIGNED, 4, 0);
        expect_type(find(m, "sum")->type, "double", SOURCE_FLOAT, 8, 0);
        expect_type(find(m, "i")->type, "int", SOURCE_SIGNED, 4, 0);
        expect_type(find(m, "odd")->type, "bool", SOURCE_BOOL, 1, 0);
        expect_type(find(m, "out")->type, "int *", SOURCE_POINTER, 8, 0);
        expect_type(find(m, "out")->type->of, "int", SOURCE_SIGNED, 4, 0);
        expect_type(find(m, "seen")->type, "short", SOURCE_ARRAY, 8, 4);
        expect_type(find(m, "seen")->type->of, "short", SOURCE_SIGNED, 2, 0);
        expect_type(find(m, "tile")->type, "float", SOURCE_ARRAY, 24, 2);
        expect_type(find(m, "tile")->type->of, "float", SOURCE_ARRAY, 12, 3);
        expect_type(find(m, "tile")->type->of->of, "float", SOURCE_FLOAT, 4, 0);
        const struct ptx_source_type *point = find(m, "at")->type;
        expect_type(point, "point", SOURCE_STRUCT, 8, 0);
        assert_int_equal(point->nmembers, 2);
        assert_string_equal(point->member[0].name, "x");
        assert_int_equal(point->member[0].offset, 0);
        expect_type(point->member[0].type, "float", SOURCE_FLOAT, 4, 0);
        assert_string_equal(point->member[1].name, "tag");
        assert_int_equal(point->member[1].offset, 4);
        expect_type(point->member[1].type, "short", SOURCE_ARRAY, 4, 2);
        ptx_free(m);
    }
}

// A scope is that of the innermost block: `odd` is alive in lines 8 to 10, and `i` from line 7 up to the loop's end.
static void variables_have_scopes(void **state)
{
    (void)state;
    static const char *const path[] = {NVCC_VARIABLES, CLANG_VARIABLES};
    static const struct {
        const char *name;
        uint32_t line;
        int parameter;
    } row[] = {{"out", 2, 1}, {"n", 2, 1}, {"tile", 4, 0}, {"at", 5, 0}, {"sum", 6, 0}, {"i", 7, 0}, {"odd", 8, 0}};
    for (int p = 0; p < 2; ++p) {
        struct ptx_module *m = load_file(path[p]);
        const struct ptx_func *f = &m->func[0];
        const struct ptx_source_variable *i = find(m, "i"), *odd = find(m, "odd"), *seen = find(m, "seen");
        for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
            const struct ptx_source_variable *v = find(m, row[k].name);
            assert_int_equal(v->line, row[k].line);
            assert_int_equal(v->parameter, row[k].parameter);
            assert_int_equal(v->func, 0);
            assert_string_equal(m->file[v->file], "student.cu");
            assert_true(v->from < v->to && v->to <= f->ninsts);
            if (v != i && v != odd) assert_int_equal(v->to, f->ninsts);
        }
        assert_int_equal(seen->func, PTX_NO_REG);
        assert_int_equal(seen->line, 1);
        assert_true(i->from < odd->from && odd->to < i->to);
        assert_int_equal(m->loc[f->inst[i->from].loc].line, 7);
        assert_int_equal(m->loc[f->inst[i->to].loc].line, 11);
        for (uint32_t k = odd->from; k < odd->to; ++k) {
            uint32_t line = m->loc[f->inst[k].loc].line;
            assert_in_range(line, 8, 10);
        }
        ptx_free(m);
    }
}

// The place of a variable that has one place, for the whole of its scope.
static void expect_place(const struct ptx_module *m, const char *name, const char *var, uint64_t offset)
{
    const struct ptx_source_variable *v = find(m, name);
    assert_int_equal(v->nplaces, 1);
    assert_int_equal(v->place->storage, SOURCE_VARIABLE);
    assert_string_equal(m->var[v->place->index].name, var);
    assert_int_equal(v->place->offset, offset);
    if (v->func == PTX_NO_REG) return;
    assert_int_equal(v->place->from, v->from);
    assert_int_equal(v->place->to, v->to);
}

// The registers of a variable that moves from one to the next.
static void expect_registers(const struct ptx_module *m, const char *name, const char *const *reg, uint32_t regs)
{
    const struct ptx_source_variable *v = find(m, name);
    assert_int_equal(v->nplaces, regs);
    for (uint32_t i = 0; i < regs; ++i) {
        assert_int_equal(v->place[i].storage, SOURCE_REGISTER);
        assert_string_equal(m->func[0].reg[v->place[i].index].name, reg[i]);
        assert_true(v->place[i].from < v->place[i].to);
        if (i) assert_int_equal(v->place[i].from, v->place[i - 1].to);
    }
}

static void nvcc_keeps_variables_in_registers(void **state)
{
    (void)state;
    static const char *const sum[] = {"%fd1", "%fd5", "%fd2", "%fd3", "%fd5"}, *const odd[] = {"%rs6"};
    static const char *const i[] = {"%r1", "%r14", "%r2", "%r3", "%r14"};
    struct ptx_module *m = load_file(NVCC_VARIABLES);
    expect_place(m, "out", "k_param_0", 0);
    expect_place(m, "n", "k_param_1", 0);
    expect_place(m, "at", "__local_depot0", 0);
    expect_place(m, "tile", "_ZZ1kE4tile", 0);
    expect_place(m, "seen", "seen", 0);
    expect_registers(m, "sum", sum, 5);
    expect_registers(m, "i", i, 5);
    expect_registers(m, "odd", odd, 1);
    // A place begins behind the instruction that writes its register.
    const struct ptx_inst *before = &m->func[0].inst[find(m, "sum")->place[0].from - 1];
    assert_int_equal(before->operand[0].index, find(m, "sum")->place[0].index);
    ptx_free(m);
}

static void clang_keeps_variables_in_memory(void **state)
{
    (void)state;
    struct ptx_module *m = load_file(CLANG_VARIABLES);
    expect_place(m, "out", "__local_depot0", 0);
    expect_place(m, "n", "__local_depot0", 8);
    expect_place(m, "at", "__local_depot0", 16);
    expect_place(m, "sum", "__local_depot0", 24);
    expect_place(m, "i", "__local_depot0", 32);
    expect_place(m, "odd", "__local_depot0", 36);
    expect_place(m, "tile", "_ZZ1kE4tile", 0);
    expect_place(m, "seen", "seen", 0);
    ptx_free(m);
}

// Returns how many places `sum` has after `from`, in the list of places, has become `to`, which is as long.
static uint32_t places_with(const char *from, const char *to)
{
    struct text text = {0};
    struct ptx_error error;
    uint32_t places = 0;
    assert_int_equal(text_read_file(&text, NVCC_VARIABLES, 1 << 20), 0);
    char *at = strstr(strstr(text.data, ".debug_loc"), from);
    assert_non_null(at);
    memcpy(at, to, strlen(to));
    struct ptx_module *m = ptx_load(text.data, text.length, &error);
    assert_non_null(m);
    for (uint32_t i = 0; i < m->nsources; ++i)
        if (!strcmp(m->source[i].name, "sum")) places = m->source[i].nplaces;
    ptx_free(m);
    text_free(&text);
    return places;
}

static void a_list_ends_where_it_makes_no_sense(void **state)
{
    (void)state;
    assert_int_equal(places_with("$L__tmp1", "$L__tmp1"), 5);
    assert_int_equal(places_with("$L__tmp1", "$L__tmp9"), 4);            // it ends before it begins
    assert_int_equal(places_with("$L__tmp5", "$L__tmX5"), 1);            // no such label
    assert_int_equal(places_with(".b8 144", ".b8 145"), 4);              // not in a register
    assert_int_equal(places_with(".b8 177", ".b8 190"), 4);              // in no such register
    assert_int_equal(places_with(".b8 6", ".b8 9"), 0);                  // longer than its expression
    assert_int_equal(places_with(".b64 $L__tmp1", ".b64         0"), 0); // the end of the list
}

// ---------------------------------------------------------------- wrong bytes

// Whatever a byte of the data becomes, nothing worse comes of it than that less is known.
static void any_byte_may_be_wrong(void **state)
{
    (void)state;
    static const char *const path[] = {"tests/fuzz/ptx/nvcc_frame.ptx", "tests/fuzz/ptx/clang_frame.ptx",
                                       NVCC_VARIABLES, CLANG_VARIABLES};
    for (size_t i = 0; i < sizeof path / sizeof *path; ++i) {
        struct text text = {0};
        assert_int_equal(text_read_file(&text, path[i], 1 << 20), 0);
        for (char *at = strstr(text.data, ".section"); at && *at; ++at) {
            char was = *at;
            struct ptx_error error;
            if (was < '0' || was > '9') continue;
            *at = was == '9' ? '0' : '9';
            ptx_free(ptx_load(text.data, text.length, &error));
            *at = was;
        }
        text_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_have_their_bytes),
        cmocka_unit_test(what_makes_no_sense_tells_nothing),
        cmocka_unit_test(variables_have_types),
        cmocka_unit_test(variables_have_scopes),
        cmocka_unit_test(nvcc_keeps_variables_in_registers),
        cmocka_unit_test(clang_keeps_variables_in_memory),
        cmocka_unit_test(a_list_ends_where_it_makes_no_sense),
        cmocka_unit_test(any_byte_may_be_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
