// Finds a compiler. The functions of find.c search PATH and the usual folders without a shell. The only program that
// the functions of find.c run is the compiler itself, with the option --version.
#define _GNU_SOURCE
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "base/text.h"
#include "box/box.h"
#include "compile/invocation.h"

static int is_program(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode) && !access(path, X_OK);
}

int compile_find_tool(const char *name, char path[COMPILE_PATH])
{
    const char *at = getenv("PATH");
    for (; at && *at; at += strspn(at, ":")) {
        size_t length = strcspn(at, ":");
        int total = snprintf(path, COMPILE_PATH, "%.*s/%s", (int)length, at, name);
        if (total < COMPILE_PATH && path[0] == '/' && is_program(path)) return 1;
        at += length;
    }
    return 0;
}

// Stores the folder above the folder of a program, or "" for a program below /usr.
static void find_home(const char *program, char home[PATH_MAX])
{
    home[0] = '\0';
    if (!realpath(program, home) || !strncmp(home, "/usr/", strlen("/usr/"))) home[0] = '\0';
    for (int up = 0; up < 2 && home[0]; ++up)
        if (strrchr(home, '/') != home) *strrchr(home, '/') = '\0';
}

void compile_find_homes(const struct compiler *compiler, struct compile_homes *homes)
{
    char path[COMPILE_PATH], gcc[PATH_MAX + sizeof "/lib/gcc"];
    find_home(compiler->path, homes->compiler);
    homes->host[0] = '\0';
    if (compiler->kind != COMPILE_NVCC || !compile_find_tool("g++", path)) return;
    find_home(path, homes->host);
    snprintf(gcc, sizeof gcc, "%s/lib/gcc", homes->host);
    if (access(gcc, X_OK)) homes->host[0] = '\0';
}

static int take(struct compiler *compiler, const char *path)
{
    if (strlen(path) >= sizeof compiler->path || path[0] != '/' || !is_program(path)) return 0;
    memcpy(compiler->path, path, strlen(path) + 1);
    return 1;
}

static int on_path(struct compiler *compiler, const char *name)
{
    char path[COMPILE_PATH];
    return compile_find_tool(name, path) && take(compiler, path);
}

// Looks in the folder that CUDA_HOME names, or else in the folders in which NVIDIA's installer puts CUDA.
static int in_cuda_folders(struct compiler *compiler)
{
    const char *home = getenv("CUDA_HOME");
    if (home && *home) {
        char path[COMPILE_PATH];
        return snprintf(path, sizeof path, "%s/bin/nvcc", home) < COMPILE_PATH && take(compiler, path);
    }
    if (take(compiler, "/usr/local/cuda/bin/nvcc")) return 1;
    glob_t found;
    int taken = 0;
    if (!glob("/usr/local/cuda-*/bin/nvcc", 0, NULL, &found)) {
        for (size_t i = found.gl_pathc; i-- && !taken;) taken = take(compiler, found.gl_pathv[i]); // newest first
        globfree(&found);
    }
    return taken;
}

static int find_nvcc(struct compiler *compiler)
{
    compiler->kind = COMPILE_NVCC;
    return on_path(compiler, "nvcc") || in_cuda_folders(compiler);
}

static int find_clang(struct compiler *compiler)
{
    compiler->kind = COMPILE_CLANG;
    if (on_path(compiler, "clang")) return 1;
    for (int version = 14; version < 50; ++version) {
        char name[16];
        snprintf(name, sizeof name, "clang-%d", version);
        if (on_path(compiler, name)) return 1;
    }
    return 0;
}

static int find_named(struct compiler *compiler, const char *name)
{
    if (!strcmp(name, "nvcc")) return find_nvcc(compiler);
    if (!strcmp(name, "clang")) return find_clang(compiler);
    const char *file = strrchr(name, '/');
    file = file ? file + 1 : name;
    compiler->kind = strstr(file, "nvcc") ? COMPILE_NVCC : strstr(file, "clang") ? COMPILE_CLANG : COMPILE_AUTO;
    if (compiler->kind == COMPILE_AUTO) return 0;
    return strchr(name, '/') ? take(compiler, name) : on_path(compiler, name);
}

// Asks the compiler for its version and stores the version, such as "nvcc 13.0" or "clang 14.0.6". The version is the
// word after "release " or "version " in the compiler's output. Returns 0, or -1 and a sentence in *why.
static int ask_version(struct compiler *compiler, struct text *why)
{
    const char *const argv[] = {compiler->path, "--version", NULL};
    struct box_spec spec = {.argv = argv, .output = 4096, .wall_s = 10, .cpu_s = 10, .open = 1};
    struct box box;
    if (box_run(&spec, &box, why)) return -1;
    int nvcc = compiler->kind == COMPILE_NVCC;
    const char *key = nvcc ? "release " : "version ";
    const char *found = box.output.data ? strstr(box.output.data, key) : NULL;
    if (found && box.end == BOX_EXITED && box.code == 0) {
        found += strlen(key);
        snprintf(compiler->version, sizeof compiler->version, "%s %.*s", nvcc ? "nvcc" : "clang",
                 (int)strcspn(found, ", \n"), found);
    } else {
        text_say(why, "'%s' does not say its version: is it %s?", compiler->path, nvcc ? "nvcc" : "clang");
        found = NULL;
    }
    box_free(&box);
    return found ? 0 : -1;
}

int compile_find(enum compile_kind wanted, struct compiler *compiler, struct text *why)
{
    *compiler = (struct compiler){.kind = COMPILE_AUTO, .capability = COMPILE_CAPABILITY};
    const char *named = getenv("WARPWISE_COMPILER");
    int found;
    if (wanted == COMPILE_AUTO && named && *named) {
        found = find_named(compiler, named);
        if (!found) text_say(why, "WARPWISE_COMPILER is '%s', and there is no such nvcc or clang", named);
    } else if (wanted == COMPILE_AUTO) {
        found = find_nvcc(compiler) || find_clang(compiler);
        if (!found) text_puts(why, _("no compiler: neither nvcc nor clang is installed ('make setup' installs clang)"));
    } else {
        found = wanted == COMPILE_NVCC ? find_nvcc(compiler) : find_clang(compiler);
        if (!found && wanted == COMPILE_NVCC)
            text_puts(why, _("nvcc is not installed: it comes with NVIDIA's CUDA toolkit, and clang does without"));
        else if (!found)
            text_puts(why, _("clang is not installed ('make setup' installs it)"));
    }
    return found ? ask_version(compiler, why) : -1;
}
