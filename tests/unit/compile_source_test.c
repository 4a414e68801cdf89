// Compiling with each installed compiler: images, messages with the student's line numbers, and hostile sources.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "box/box.h"
#include "compile/compile.h"

enum { ALL = 1 << IMAGE_OPTIMISED | 1 << IMAGE_UNOPTIMISED };
static const char *const kit = "grader/kit";
static struct compiler compiler[2];
static int compilers;

static struct compile_result compile(const struct compiler *c, const char *source, const char *shown)
{
    struct compile_result result;
    compile_source(c, source, strlen(source), shown, kit, ALL, &result);
    return result;
}

static void assert_has(const char *text, const char *part)
{
    if (!text || !strstr(text, part)) fail_msg("'%s' is not in: %s", part, text ? text : "");
}
static void assert_lacks(const char *text, const char *part)
{
    if (text && strstr(text, part)) fail_msg("'%s' is in: %s", part, text);
}

// No message may name our directory, our copy or the kit's folder.
static void assert_clean(const struct compile_result *result)
{
    char cwd[512];
    assert_non_null(getcwd(cwd, sizeof cwd));
    assert_lacks(result->messages.data, "warpwise-");
    assert_lacks(result->messages.data, "student.cu");
    assert_lacks(result->messages.data, cwd);
    for (int i = 0; i < IMAGES; ++i) {
        assert_lacks(result->image[i].data, "warpwise-");
        assert_lacks(result->image[i].data, cwd);
    }
}

#define FOR_EACH_COMPILER(c) for (const struct compiler *c = compiler; c < compiler + compilers; ++c)

// Refused as the student's, with `part` in the message.
static void refused(const char *source, const char *part)
{
    FOR_EACH_COMPILER(c)
    {
        struct compile_result result = compile(c, source, "lab/mine.cu");
        if (result.status != COMPILE_REJECTED) fail_msg("status %d: %s", result.status, result.messages.data);
        assert_has(result.messages.data, part);
        assert_clean(&result);
        assert_null(result.image[0].data);
        assert_null(result.image[1].data);
        compile_result_free(&result);
    }
}

static const char scale[] = "#include \"warpwise.h\"\n"
                            "extern \"C\" __global__ void scale(const float *in, float *out, int n)\n"
                            "{\n"
                            "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "    if (i < n) out[i] = 2 * in[i];\n"
                            "}\n"
                            "LAUNCH(scale, .block = {32, 8}, .shared = 7);\n";

// nvcc makes a cubin, an ELF file; clang PTX, which a driver compiles.
static void the_image_for_a_card(void **state)
{
    (void)state;
    FOR_EACH_COMPILER(c)
    {
        struct compiler card = *c;
        struct compile_result result;
        card.capability = 80;
        compile_source(&card, scale, strlen(scale), "a.cu", kit, 1u << IMAGE_CARD, &result);
        assert_int_equal(result.status, COMPILED);
        assert_int_equal(result.image[IMAGE_OPTIMISED].length, 0);
        const char *start = c->kind == COMPILE_NVCC ? "\x7f"
                                                      "ELF"
                                                    : "//";
        assert_memory_equal(result.image[IMAGE_CARD].data, start, strlen(start));
        compile_result_free(&result);
        // An older card takes no PTX but its own. (Of a cubin, nobody would see it before a card refuses it.)
        card.capability = 75;
        compile_source(&card, scale, strlen(scale), "a.cu", kit, 1u << IMAGE_CARD | 1u << IMAGE_OPTIMISED, &result);
        assert_int_equal(result.status, COMPILED);
        assert_non_null(strstr(result.image[IMAGE_OPTIMISED].data, ".target sm_80"));
        if (c->kind == COMPILE_CLANG) assert_non_null(strstr(result.image[IMAGE_CARD].data, ".target sm_75"));
        compile_result_free(&result);
    }
}

// What is judged on the simulator is what runs on a card: no source can tell the two apart while it is compiled.
static void a_card_gets_the_same_program(void **state)
{
    (void)state;
    FOR_EACH_COMPILER(c)
    {
        struct compiler card = *c;
        struct compile_result result;
        const char *source = "#if defined __CUDA_ARCH__ && __CUDA_ARCH__ != 800\n#error another one\n#endif\n";
        card.capability = 90;
        compile_source(&card, source, strlen(source), "a.cu", kit, 1u << IMAGE_CARD | ALL, &result);
        if (result.status != COMPILED) fail_msg("%s", result.messages.data);
        compile_result_free(&result);
    }
}

static void both_images(void **state)
{
    (void)state;
    FOR_EACH_COMPILER(c)
    {
        struct compile_result result = compile(c, scale, "mine.cu");
        if (result.status != COMPILED) fail_msg("%s", result.messages.data);
        assert_int_equal(result.messages.length, 0);
        assert_clean(&result);
        for (int i = 0; i < IMAGE_CARD; ++i) {
            const char *image = result.image[i].data;
            assert_has(image, ".target sm_80");
            assert_has(image, ".visible .entry scale(");
            assert_has(image, "scale_launch[88] = {32, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0");
            assert_has(image, "\"student.cu\"");
            assert_has(image, ".loc\t");
            assert_has(image, " 5 "); // the line of the store
        }
        assert_lacks(result.image[IMAGE_OPTIMISED].data, "\t.debug_info");
        assert_has(result.image[IMAGE_UNOPTIMISED].data, "\t.debug_info"); // where local arrays lie
        compile_result_free(&result);
    }
}

// ptxas knows; where there is none the image says nothing of it.
static void registers_of_machine_code(void **state)
{
    (void)state;
    FOR_EACH_COMPILER(c)
    {
        struct compile_result result = compile(c, scale, "mine.cu");
        const char *image = result.image[IMAGE_OPTIMISED].data;
        int count = 0;
        if (c->kind == COMPILE_NVCC)
            assert_true(sscanf(image, "// registers %d scale\n", &count) == 1 && count >= 8 && count <= 16);
        else
            assert_lacks(image, "// registers");
        assert_lacks(result.image[IMAGE_UNOPTIMISED].data, "// registers");
        compile_result_free(&result);
    }
}

static void the_same_twice(void **state)
{
    (void)state;
    FOR_EACH_COMPILER(c)
    {
        struct compile_result a = compile(c, scale, "a.cu"), b = compile(c, scale, "other/b.cu");
        for (int i = 0; i < IMAGE_CARD; ++i) assert_string_equal(a.image[i].data, b.image[i].data);
        compile_result_free(&a);
        compile_result_free(&b);
    }
}

static void one_image(void **state)
{
    (void)state;
    FOR_EACH_COMPILER(c)
    {
        struct compile_result result;
        compile_source(c, scale, strlen(scale), "a.cu", kit, 1 << IMAGE_UNOPTIMISED, &result);
        assert_int_equal(result.status, COMPILED);
        assert_null(result.image[IMAGE_OPTIMISED].data);
        assert_has(result.image[IMAGE_UNOPTIMISED].data, ".entry scale(");
        compile_result_free(&result);
    }
}

static void errors_point_to_the_students_line(void **state)
{
    (void)state;
    refused("extern \"C\" __global__ void k(int *p)\n{\n    p[0] = nobody_knows;\n}\n", "lab/mine.cu:3:");
    refused("extern \"C\" __global__ void k(int *p)\n{\n    p[0] = nobody_knows;\n}\n", "nobody_knows");
    refused("extern \"C\" __global__ void k(int *p)\n{\n    p[0] = 1\n}\n", "^");
    refused("#include \"no_such_header.h\"\n", "lab/mine.cu:1:");
    refused("#include \"no_such_header.h\"\n", "must lie beside the lab's file");
    refused("#include \"warpwise.h\"\nextern \"C\" __global__ void k(int *p) { *p = 1; }\nLAUNCH(k, .blocks = {3});\n",
            "lab/mine.cu:3:");
    refused("int helper(int x) { return x; }\nextern \"C\" __global__ void k(int *p)\n{\n    *p = helper(1);\n}\n",
            "lab/mine.cu:4:");
}

static void warnings_are_kept(void **state)
{
    (void)state;
    FOR_EACH_COMPILER(c)
    {
        struct compile_result result =
            compile(c, "extern \"C\" __global__ void k(int *p)\n{\n    int v;\n    p[0] = v;\n}\n", "mine.cu");
        assert_int_equal(result.status, COMPILED);
        assert_has(result.messages.data, "mine.cu:4:");
        assert_has(result.messages.data, "warning");
        assert_lacks(result.messages.data, "Remark");
        compile_result_free(&result);
    }
}

static void sources_that_are_none(void **state)
{
    (void)state;
    static char large[COMPILE_MOST + 2];
    struct compile_result result;
    refused("", "the file is empty");
    refused(" \n\t\n", "the file is empty");
    memset(large, ' ', sizeof large - 1);
    compile_source(&compiler[0], large, COMPILE_MOST + 1, "a.cu", kit, ALL, &result);
    assert_int_equal(result.status, COMPILE_REJECTED);
    assert_string_equal(result.messages.data,
                        "a.cu:1:1: error: the file has 262145 bytes, and 262144 are the most that is accepted\n");
    compile_result_free(&result);
    compile_source(&compiler[0], "int a;\0int b;", 13, "a.cu", kit, ALL, &result);
    assert_int_equal(result.status, COMPILE_REJECTED);
    assert_string_equal(result.messages.data, "a.cu:1:1: error: the file has NUL bytes: this is not a source file\n");
    compile_result_free(&result);
    // A Korean comment in EUC-KR: the place of the byte, not a compiler's page about it.
    refused("int a;\n// \xc7\xd1\xb1\xdb\n", "lab/mine.cu:2:4: error: the byte 0xc7 here is not UTF-8");
}

// A student's own main() may stay in the file. Words in comments, strings, macros and #if groups are no host code.
static void host_code_is_left_alone(void **state)
{
    (void)state;
    static const char source[] = "#include <vector>\n#include <cstdio>\n#define main2(x) cudaFree(x) // main()\n"
                                 "extern \"C\" __global__ void k(int *p) { *p = sizeof \"main( <<<\"; }\n"
                                 "#ifdef OWN_MAIN\nint main() { nothing(); }\n#endif\n"
                                 "int main()\n{\n    std::vector<int> v(3);\n    int *p;\n    cudaMalloc(&p, 4);\n"
                                 "    k<<<1, 1>>>(p);\n    main2(p);\n    printf(\"%zu\\n\", v.size());\n}\n";
    FOR_EACH_COMPILER(c)
    {
        struct compile_result result = compile(c, source, "a.cu");
        assert_int_equal(result.status, COMPILED);
        compile_result_free(&result);
    }
}

// One order of LAUNCH's fields holds for both compilers.
static void fields_of_launch_have_an_order(void **state)
{
    (void)state;
    FOR_EACH_COMPILER(c)
    {
        struct compile_result result = compile(c,
                                               "#include \"warpwise.h\"\nLAUNCH(k, .shared = 4, .block = {32});\n"
                                               "extern \"C\" __global__ void k(int *p) { *p = 1; }\n",
                                               "a.cu");
        assert_int_equal(result.status, COMPILE_REJECTED);
        assert_has(result.messages.data,
                   "LAUNCH takes its fields in this order: .block, .tile, .grid, .shared, .per_sm");
        compile_result_free(&result);
    }
}

// Both compilers take constexpr functions of the host's library in device code. nvcc alone does not, and says so.
static void what_plain_nvcc_refuses_is_a_warning(void **state)
{
    (void)state;
    static const char source[] = "#include <algorithm>\n"
                                 "__device__ float two(float a) { return std::max(a, 2.0f); }\n"
                                 "extern \"C\" __global__ void k(float *p) { *p = std::min(two(*p), 3.0f); }\n";
    FOR_EACH_COMPILER(c)
    {
        struct compile_result result = compile(c, source, "dir/a.cu");
        assert_int_equal(result.status, COMPILED);
        if (c->kind == COMPILE_NVCC) {
            assert_has(result.messages.data, "dir/a.cu:2:53: warning: nvcc alone refuses 'max' in device code");
            assert_has(result.messages.data, "dir/a.cu:3:60: warning: nvcc alone refuses 'min' in device code");
        } else {
            assert_null(result.messages.data);
        }
        compile_result_free(&result);
    }
    const char both[] = "#include <algorithm>\n"
                        "extern \"C\" __global__ void k(float *p) { *p = std::min(*p, nothing); }\n";
    FOR_EACH_COMPILER(c)
    {
        struct compile_result result = compile(c, both, "a.cu");
        assert_int_equal(result.status, COMPILE_REJECTED);
        assert_has(result.messages.data, "nothing");
        assert_null(strstr(result.messages.data, "refuses"));
        compile_result_free(&result);
    }
}

static void a_file_name_is_no_command(void **state)
{
    (void)state;
    FOR_EACH_COMPILER(c)
    {
        struct compile_result result = compile(c, "extern \"C\" __global__ void k(int *p) { *p = bad; }\n",
                                               "$(touch pwned)`touch pwned`;touch pwned.cu");
        assert_int_equal(result.status, COMPILE_REJECTED);
        assert_has(result.messages.data, "$(touch pwned)`touch pwned`;touch pwned.cu:1:");
        assert_int_equal(access("pwned", F_OK), -1);
        compile_result_free(&result);
    }
}

// In a folder of our own, as a reference solution might lie beside the kit: not to be read, not even to be seen.
static void other_files_are_out_of_reach(void **state)
{
    (void)state;
    if (box_level_here() < BOX_LANDLOCK) {
        print_message("skipped: this kernel has no Landlock\n");
        skip();
    }
    char folder[BOX_PATH], path[BOX_PATH + 16], source[2 * BOX_PATH];
    struct text why = {0};
    assert_int_equal(box_directory_make(folder, &why), 0);
    snprintf(path, sizeof path, "%s/secret.h", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("#define SECRET 424242\n", f);
    fclose(f);
    snprintf(source, sizeof source,
             "#include \"%s\"\nextern \"C\" __global__ void k(int *p) { *p = SECRET; }\n#error stop SECRET\n", path);
    FOR_EACH_COMPILER(c)
    {
        struct compile_result result = compile(c, source, "mine.cu");
        assert_int_equal(result.status, COMPILE_REJECTED);
        assert_lacks(result.messages.data, "424242");
        compile_result_free(&result);
        result = compile(c, "#include \"/etc/passwd\"\n", "mine.cu");
        assert_int_equal(result.status, COMPILE_REJECTED);
        assert_lacks(result.messages.data, "root:");
        compile_result_free(&result);
        result = compile(c, "%:include \"/etc/pass\\\nwd\"\n", "mine.cu");
        assert_int_equal(result.status, COMPILE_REJECTED);
        assert_lacks(result.messages.data, "root:");
        compile_result_free(&result);
    }
    box_directory_remove(folder);
}

static void harm_ends_soon(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "#include \"/dev/zero\"\n",
        "#include \"/dev/random\"\n",
        "#include \"/dev/stdin\"\nextern \"C\" __global__ void k(int *p) { *p = nothing; }\n",
        "#include \"student.cu\"\n",
        "#include __FILE__\n#include __FILE__\n",
        "template <int N> struct s { s<N + 1> next; };\ns<0> endless;\n",
        "constexpr int f(int n) { return n ? f(n - 1) + f(n - 1) : 1; }\nstatic_assert(f(40) == 0, \"\");\n",
        "__device__ char big[1ull << 50] = {1};\n__device__ int n = sizeof big + nothing;\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) FOR_EACH_COMPILER(c)
        {
            struct timespec start, end;
            clock_gettime(CLOCK_MONOTONIC, &start);
            struct compile_result result = compile(c, bad[i], "mine.cu");
            clock_gettime(CLOCK_MONOTONIC, &end);
            if (result.status != COMPILE_REJECTED)
                fail_msg("%s: %s gives status %d: %s", c->version, bad[i], result.status,
                         result.messages.data ? result.messages.data : "");
            assert_true(result.messages.length > 0);
            assert_true(result.messages.length <= 64 << 10);
            assert_true(end.tv_sec - start.tv_sec <= 45);
            assert_clean(&result);
            compile_result_free(&result);
        }
}

static int entries_here(const char *image, char names[128][64])
{
    int count = 0;
    for (const char *at = image; (at = strstr(at, ".visible .entry ")) && count < 128;) {
        at += 16;
        snprintf(names[count++], 64, "%.*s", (int)strcspn(at, "("), at);
    }
    return count;
}

// Sources without an #include, written by others.
static void kernels_of_the_corpus(void **state)
{
    (void)state;
    static const char *const path[] = {"tests/truth/kernels.cu", "tests/truth/mutants.cu"};
    static char names[128][64];
    for (int p = 0; p < 2; ++p) {
        struct text source = {0};
        int expected = -1;
        assert_int_equal(text_read_file(&source, path[p], 1 << 20), 0);
        FOR_EACH_COMPILER(c)
        {
            struct compile_result result = compile(c, source.data, path[p]);
            if (result.status != COMPILED) fail_msg("%s: %s", c->version, result.messages.data);
            for (int i = 0; i < IMAGE_CARD; ++i) {
                int count = entries_here(result.image[i].data, names);
                assert_true(count >= 10);
                if (expected < 0) expected = count;
                assert_int_equal(count, expected);
                assert_lacks(result.image[i].data, ".extern .func");
            }
            compile_result_free(&result);
        }
        text_free(&source);
    }
}

// ------------------------------------------------------------------------- compilers that fail, as scripts do
static char broken_folder[BOX_PATH];

static struct compile_result broken(const char *script, const char *source)
{
    struct compiler c = {.kind = COMPILE_CLANG, .version = "clang 99"};
    struct text why = {0};
    char path[BOX_PATH + 16];
    assert_int_equal(box_directory_make(broken_folder, &why), 0);
    snprintf(path, sizeof path, "%s/bin", broken_folder);
    assert_int_equal(mkdir(path, 0755), 0);
    snprintf(c.path, sizeof c.path, "%.480s/bin/clang", broken_folder);
    FILE *f = fopen(c.path, "w");
    assert_non_null(f);
    // The output's name is the argument behind -o, the source's the last.
    fprintf(f, "#!/bin/sh\nwhile [ $# -gt 1 ]; do [ \"$1\" = -o ] && out=$2; shift; done\nbad=$(grep -c BOOM $1)\n%s\n",
            script);
    fclose(f);
    assert_int_equal(chmod(c.path, 0755), 0);
    struct compile_result result = compile(&c, source, "mine.cu");
    box_directory_remove(broken_folder);
    return result;
}

static void a_broken_compiler_is_the_machines_fault(void **state)
{
    (void)state;
    static const char *const script[] = {
        "echo 'fatal error: cannot execute cc1' >&2; exit 1",
        "kill -SEGV $$",
        "exit 0", // and no image
        "ln -s /etc/passwd $out; exit 0",
    };
    for (size_t i = 0; i < sizeof script / sizeof *script; ++i) {
        struct compile_result result = broken(script[i], "int x;\n");
        assert_int_equal(result.status, COMPILE_FAILED);
        assert_has(result.messages.data, "clang 99");
        assert_has(result.messages.data, "does not work here: ");
        assert_lacks(result.messages.data, "root:");
        if (i == 0) assert_has(result.messages.data, "cannot execute cc1");
        compile_result_free(&result);
    }
}

static void a_compiler_broken_by_the_source_is_the_students(void **state)
{
    (void)state;
    static const struct {
        const char *script, *says;
    } bad[] = {
        {"[ $bad = 0 ] && echo ok >$out && exit 0; kill -SEGV $$", "the compiler gave up on this source"},
        {"[ $bad = 0 ] && echo ok >$out && exit 0; yes", "the compiler printed more than 64 KiB"},
        {"[ $bad = 0 ] && echo ok >$out && exit 0; head -c 100000000 /usr/bin/* >$out; exit 0", "gave up"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        struct compile_result result = broken(bad[i].script, "BOOM\n");
        assert_int_equal(result.status, COMPILE_REJECTED);
        assert_has(result.messages.data, bad[i].says);
        assert_true(result.messages.length < 70000);
        compile_result_free(&result);
    }
}

static void what_happens_once_is_not_held_against_the_source(void **state)
{
    (void)state;
    struct compile_result result =
        broken("[ -e $out.tried ] || { : >$out.tried; kill -SEGV $$; }; echo ok >$out", "BOOM\n");
    assert_int_equal(result.status, COMPILED);
    compile_result_free(&result);
}

static void what_the_machine_lacks(void **state)
{
    (void)state;
    struct compiler missing = {.kind = COMPILE_CLANG, .path = "/nonexistent/clang", .version = "clang 14"};
    struct compile_result result = compile(&missing, scale, "a.cu");
    assert_int_equal(result.status, COMPILE_FAILED);
    assert_has(result.messages.data, "cannot start '/nonexistent/clang'");
    compile_result_free(&result);
    compile_source(&compiler[0], scale, strlen(scale), "a.cu", "/nonexistent/kit", ALL, &result);
    assert_int_equal(result.status, COMPILE_FAILED);
    assert_has(result.messages.data, "/nonexistent/kit");
    compile_result_free(&result);
    setenv("TMPDIR", "/nonexistent", 1);
    result = compile(&compiler[0], scale, "a.cu");
    unsetenv("TMPDIR");
    assert_int_equal(result.status, COMPILE_FAILED);
    assert_has(result.messages.data, "temporary directory");
    compile_result_free(&result);
}

static void nothing_is_left(void **state)
{
    (void)state;
    char folder[BOX_PATH];
    struct text why = {0};
    assert_int_equal(box_directory_make(folder, &why), 0);
    setenv("TMPDIR", folder, 1);
    struct compile_result result = compile(&compiler[0], scale, "a.cu");
    compile_result_free(&result);
    result = compile(&compiler[0], "broken", "a.cu");
    compile_result_free(&result);
    unsetenv("TMPDIR");
    DIR *d = opendir(folder);
    int entries = 0;
    while (readdir(d)) ++entries;
    closedir(d);
    assert_int_equal(entries, 2); // . and ..
    box_directory_remove(folder);
}

int main(void)
{
    struct text why = {0};
    for (int kind = COMPILE_NVCC; kind <= COMPILE_CLANG; ++kind) {
        if (!compile_find((enum compile_kind)kind, &compiler[compilers], &why)) ++compilers;
        if (why.length) printf("# without: %s\n", why.data);
        text_free(&why);
    }
    if (!compilers) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_images),
        cmocka_unit_test(the_image_for_a_card),
        cmocka_unit_test(a_card_gets_the_same_program),
        cmocka_unit_test(registers_of_machine_code),
        cmocka_unit_test(the_same_twice),
        cmocka_unit_test(one_image),
        cmocka_unit_test(errors_point_to_the_students_line),
        cmocka_unit_test(warnings_are_kept),
        cmocka_unit_test(sources_that_are_none),
        cmocka_unit_test(host_code_is_left_alone),
        cmocka_unit_test(fields_of_launch_have_an_order),
        cmocka_unit_test(a_file_name_is_no_command),
        cmocka_unit_test(other_files_are_out_of_reach),
        cmocka_unit_test(harm_ends_soon),
        cmocka_unit_test(kernels_of_the_corpus),
        cmocka_unit_test(a_broken_compiler_is_the_machines_fault),
        cmocka_unit_test(a_compiler_broken_by_the_source_is_the_students),
        cmocka_unit_test(what_happens_once_is_not_held_against_the_source),
        cmocka_unit_test(what_plain_nvcc_refuses_is_a_warning),
        cmocka_unit_test(what_the_machine_lacks),
        cmocka_unit_test(nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
