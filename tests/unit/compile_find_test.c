// Finding a compiler by kind, name or path, and the message if there is none.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "box/box.h"
#include "compile/compile.h"
#include "compile/invocation.h"

static char folder[BOX_PATH];

static void program(const char *name, const char *says)
{
    char path[BOX_PATH + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\necho '%s'\n", says);
    fclose(f);
    assert_int_equal(chmod(path, 0755), 0);
}

static int set_up(void **state)
{
    (void)state;
    struct text why = {0};
    unsetenv("WARPWISE_COMPILER");
    unsetenv("CUDA_HOME");
    if (box_directory_make(folder, &why)) return -1;
    setenv("PATH", folder, 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unsetenv("WARPWISE_COMPILER");
    box_directory_remove(folder);
    return 0;
}

static void expect(enum compile_kind wanted, enum compile_kind kind, const char *name, const char *version)
{
    struct compiler compiler;
    struct text why = {0};
    char path[BOX_PATH + 64];
    if (compile_find(wanted, &compiler, &why)) fail_msg("%s", why.data);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(compiler.kind, kind);
    assert_string_equal(compiler.path, path);
    assert_string_equal(compiler.version, version);
}

static void expect_none(enum compile_kind wanted, const char *says)
{
    struct compiler compiler;
    struct text why = {0};
    assert_int_equal(compile_find(wanted, &compiler, &why), -1);
    if (!strstr(why.data, says)) fail_msg("'%s' lacks '%s'", why.data, says);
    text_free(&why);
}

static void nvcc_comes_first(void **state)
{
    (void)state;
    program("clang", "clang version 14.0.6");
    program("nvcc", "Cuda compilation tools, release 12.4, V12.4.131");
    expect(COMPILE_AUTO, COMPILE_NVCC, "nvcc", "nvcc 12.4");
    expect(COMPILE_CLANG, COMPILE_CLANG, "clang", "clang 14.0.6");
}

static void clang_by_version(void **state)
{
    (void)state;
    program("clang-17", "Debian clang version 17.0.1 (x)");
    program("clang-19", "Debian clang version 19.1.0");
    expect(COMPILE_CLANG, COMPILE_CLANG, "clang-17", "clang 17.0.1");
    program("clang", "Ubuntu clang version 18.1.3 (1ubuntu1)");
    expect(COMPILE_CLANG, COMPILE_CLANG, "clang", "clang 18.1.3");
}

// As an environment module leaves it that sets CUDA_HOME alone.
static void nvcc_in_cuda_home(void **state)
{
    (void)state;
    char home[BOX_PATH + 16];
    snprintf(home, sizeof home, "%s/cuda", folder);
    assert_int_equal(mkdir(home, 0755), 0);
    setenv("CUDA_HOME", home, 1);
    expect_none(COMPILE_NVCC, "nvcc is not installed");
    snprintf(home, sizeof home, "%s/cuda/bin", folder);
    assert_int_equal(mkdir(home, 0755), 0);
    program("cuda/bin/nvcc", "release 11.8, V11.8.89");
    expect(COMPILE_AUTO, COMPILE_NVCC, "cuda/bin/nvcc", "nvcc 11.8");
    program("nvcc", "release 12.4, V12.4.131");
    expect(COMPILE_AUTO, COMPILE_NVCC, "nvcc", "nvcc 12.4"); // PATH comes first
    unsetenv("CUDA_HOME");
}

static void make_folder(const char *name)
{
    char path[BOX_PATH + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(mkdir(path, 0755), 0);
}

static void expect_home(const char *home, const char *name)
{
    char path[BOX_PATH + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_string_equal(home, name[0] ? path : "");
}

// nvcc and g++ of environment modules, each in a folder of its own.
static void homes_outside_usr(void **state)
{
    (void)state;
    struct compiler compiler = {.kind = COMPILE_NVCC};
    struct compile_homes homes;
    char path[BOX_PATH + 64];
    static const char *const folders[] = {"cuda", "cuda/bin", "gcc", "gcc/bin"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i) make_folder(folders[i]);
    program("cuda/bin/nvcc", "");
    program("gcc/bin/g++", "");
    assert_true(snprintf(compiler.path, sizeof compiler.path, "%s/cuda/bin/nvcc", folder) < COMPILE_PATH);
    snprintf(path, sizeof path, "%s/gcc/bin", folder);
    setenv("PATH", path, 1);
    compile_find_homes(&compiler, &homes);
    expect_home(homes.compiler, "cuda");
    expect_home(homes.host, ""); // a script in somebody's folder opens that folder to no sandbox
    make_folder("gcc/lib");
    make_folder("gcc/lib/gcc");
    compile_find_homes(&compiler, &homes);
    expect_home(homes.host, "gcc");
    snprintf(compiler.path, sizeof compiler.path, "/usr/bin/env");
    compile_find_homes(&compiler, &homes);
    expect_home(homes.compiler, "");
}

static void the_environment_decides(void **state)
{
    (void)state;
    char path[BOX_PATH + 64];
    program("nvcc", "release 12.4, V12.4.131");
    program("clang", "clang version 14.0.6");
    program("my-clang++", "clang version 20.0.0");
    setenv("WARPWISE_COMPILER", "clang", 1);
    expect(COMPILE_AUTO, COMPILE_CLANG, "clang", "clang 14.0.6");
    setenv("WARPWISE_COMPILER", "my-clang++", 1);
    expect(COMPILE_AUTO, COMPILE_CLANG, "my-clang++", "clang 20.0.0");
    snprintf(path, sizeof path, "%s/nvcc", folder);
    setenv("WARPWISE_COMPILER", path, 1);
    expect(COMPILE_AUTO, COMPILE_NVCC, "nvcc", "nvcc 12.4");
    setenv("WARPWISE_COMPILER", "gcc", 1);
    expect_none(COMPILE_AUTO, "WARPWISE_COMPILER is 'gcc'");
    setenv("WARPWISE_COMPILER", "/nonexistent/nvcc", 1);
    expect_none(COMPILE_AUTO, "WARPWISE_COMPILER is '/nonexistent/nvcc'");
    expect(COMPILE_CLANG, COMPILE_CLANG, "clang", "clang 14.0.6"); // asked for by kind
}

static void none(void **state)
{
    (void)state;
    expect_none(COMPILE_CLANG, "clang is not installed");
    if (access("/usr/local/cuda/bin/nvcc", X_OK)) {
        expect_none(COMPILE_NVCC, "nvcc is not installed");
        expect_none(COMPILE_AUTO, "neither nvcc nor clang");
    }
}

static void what_is_no_program(void **state)
{
    (void)state;
    char path[BOX_PATH + 64];
    program("clang", "hello");
    expect_none(COMPILE_CLANG, "does not say its version");
    snprintf(path, sizeof path, "%s/clang", folder);
    chmod(path, 0644); // not executable: not found
    expect_none(COMPILE_CLANG, "clang is not installed");
    unlink(path);
    mkdir(path, 0755);
    expect_none(COMPILE_CLANG, "clang is not installed");
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(nvcc_comes_first),   CASE(clang_by_version),        CASE(nvcc_in_cuda_home),
        CASE(homes_outside_usr),  CASE(the_environment_decides), CASE(none),
        CASE(what_is_no_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
