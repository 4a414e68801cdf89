// The layout of a function's stack frame, from the debug data of unoptimised images. Invalid debug data must give no
// layout. Both compilers made the images of the corpus from this source:
//   unsigned row[4], column[2][3]; struct { short x[2]; int y; } both;
#include "ptx_fixture.h"

#include "base/text.h"

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

// Whatever a byte of the data becomes, nothing worse comes of it than that less is known.
static void any_byte_may_be_wrong(void **state)
{
    (void)state;
    static const char *const path[] = {"tests/fuzz/ptx/nvcc_frame.ptx", "tests/fuzz/ptx/clang_frame.ptx"};
    for (int i = 0; i < 2; ++i) {
        struct text text = {0};
        assert_int_equal(text_read_file(&text, path[i], 1 << 20), 0);
        for (char *at = strstr(text.data, ".debug_abbrev"); at && *at; ++at) {
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
        cmocka_unit_test(any_byte_may_be_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
