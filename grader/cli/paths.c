// Finds the autograder's files from the path of the executable, so ./grade works from any directory. The root folder of
// the autograder's repository is the nearest folder above the executable that contains labs/ and grader/kit.
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/message.h"
#include "box/box.h"
#include "cli/cli.h"

static void join(char out[CLI_PATH], const char *folder, const char *name)
{
    if (snprintf(out, CLI_PATH, "%s/%s", folder, name) >= CLI_PATH) die("the path '%.60s…' is too long", folder);
}

static int exists(const char *folder, const char *name)
{
    char path[CLI_PATH];
    join(path, folder, name);
    return !access(path, F_OK);
}

static int up(char *path)
{
    char *slash = strrchr(path, '/');
    if (!slash || slash == path) return -1;
    *slash = '\0';
    return 0;
}

// Writes the path of the executable's folder to `folder`. Returns 0, or -1 if /proc/self/exe cannot be read.
static int own_folder(char folder[CLI_PATH])
{
    ssize_t n = readlink("/proc/self/exe", folder, CLI_PATH - 1);
    if (n <= 0) return -1;
    folder[n] = '\0';
    return up(folder);
}

void cli_paths_language(void)
{
    char folder[CLI_PATH], catalogues[CLI_PATH];
    if (own_folder(folder) || up(folder)) return;
    join(catalogues, folder, "locale");
    message_open(catalogues);
}

void cli_paths_find(struct cli_paths *p)
{
    char folder[CLI_PATH];
    if (own_folder(folder)) die("cannot tell where the grader lies: /proc is not mounted");
    join(p->runner, folder, "runner-sim");
    join(p->cudart, folder, "cudart");
    join(p->card, folder, "runner-gpu");
    if (access(p->card, X_OK)) p->card[0] = '\0';
    snprintf(p->root, sizeof p->root, "%s", folder);
    while (!exists(p->root, "labs") || !exists(p->root, "grader/kit"))
        if (up(p->root)) die("the grader in '%s' does not find its labs: it must stay in build/ of the kit", folder);
    join(p->kit, p->root, "grader/kit");
    join(p->cache, p->root, "build/cache");
    if (access(p->runner, X_OK)) die("the runner '%s' is missing: run 'make'", p->runner);
    box_hide(p->root);
    const char *given = getenv("SUBMISSION");
    if (given && *given)
        snprintf(p->student, sizeof p->student, "%s", given);
    else
        join(p->student, p->root, "student");
}

void cli_paths_need_card(const struct cli_paths *p)
{
    if (p->card[0]) return;
    die("the runner for cards is missing beside '%s': run 'make'", p->runner);
}

int cli_reference_path(const struct cli_paths *p, const struct lab *lab, char *path, size_t capacity)
{
    snprintf(path, capacity, "%s/reference/%s.cu", p->root, lab->slug);
    return !access(path, R_OK);
}

const char *cli_paths_shown(const char *path)
{
    char here[CLI_PATH];
    if (!getcwd(here, sizeof here)) return path;
    size_t length = strlen(here);
    if (strncmp(path, here, length) != 0 || path[length] != '/') return path;
    return path + length + 1;
}
