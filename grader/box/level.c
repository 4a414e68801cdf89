// Finds the strongest confinement level on this machine. Several things decide whether bubblewrap may make namespaces:
// kernel settings, a container's seccomp filter, security modules and the version of bubblewrap. Only a test run of
// bubblewrap shows whether namespaces can be made. To test whether bubblewrap can make namespaces, each grader process
// starts bubblewrap once with an empty program, which takes some milliseconds.
#define _GNU_SOURCE
#include "box/level.h"

#include <errno.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "box/group.h"

static const struct {
    const char *word, *name, *grouped;
} levels[] = {
    [BOX_LIMITS] = {"none", N_("resource limits only"), N_("resource limits only")},
    [BOX_FILTERED] = {"seccomp", N_("resource limits and seccomp"),
                      N_("resource limits and seccomp, in a control group")},
    [BOX_LANDLOCK] = {"landlock", N_("resource limits, seccomp and Landlock"),
                      N_("resource limits, seccomp and Landlock, in a control group")},
    [BOX_FULL] = {"full", N_("namespaces, resource limits and seccomp"),
                  N_("namespaces, resource limits and seccomp, in a control group")},
};
enum { LEVELS = sizeof levels / sizeof *levels, PATH = 512 };

static struct {
    pthread_once_t once;
    enum box_level level;
    char bwrap[PATH];
    char why[256]; // the reason why the level is not BOX_FULL
} here = {.once = PTHREAD_ONCE_INIT};

const char *box_level_name(enum box_level level)
{
    BUG_ON((unsigned)level >= LEVELS);
    return level > BOX_LIMITS && box_group_here() ? levels[level].grouped : levels[level].name;
}

// Returns the highest confinement level that the environment variable WARPWISE_SANDBOX permits.
static enum box_level most(void)
{
    const char *wish = getenv("WARPWISE_SANDBOX");
    if (!wish || !*wish) return BOX_FULL;
    for (unsigned i = 0; i < LEVELS; ++i)
        if (!strcmp(wish, levels[i].word)) return (enum box_level)i;
    die("WARPWISE_SANDBOX is '%s': it can be none, seccomp, landlock or full", wish);
}

// Finds bubblewrap on PATH, or in the folder bin/ beside the grader's program (tools/carry). Returns 0, or -1 if
// bubblewrap is missing.
static int find_bwrap(void)
{
    const char *path = getenv("PATH");
    for (const char *at = path ? path : "/usr/bin:/bin"; *at; at += strspn(at, ":")) {
        size_t length = strcspn(at, ":");
        int total = snprintf(here.bwrap, PATH, "%.*s/bwrap", (int)length, at);
        if (at[0] == '/' && total < PATH && !access(here.bwrap, X_OK)) return 0;
        at += length;
    }
    static const char beside[] = "/bin/bwrap";
    ssize_t length = readlink("/proc/self/exe", here.bwrap, PATH - sizeof beside);
    here.bwrap[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(here.bwrap, '/');
    if (slash) memcpy(slash, beside, sizeof beside);
    if (slash && !access(here.bwrap, X_OK)) return 0;
    here.bwrap[0] = '\0';
    return -1;
}

static int try_bwrap(void)
{
    struct box_spec spec = {.argv = (const char *const[]){"/bin/sh", "-c", ":", NULL},
                            .directory = "/tmp",
                            .scratch = 1 << 16,
                            .output = sizeof here.why,
                            .wall_s = 10};
    struct text why = {0};
    struct box box;
    if (box_start_at(&spec, BOX_FULL, &box, &why)) {
        snprintf(here.why, sizeof here.why, "%s", why.data);
        text_free(&why);
        return -1;
    }
    box_wait((struct box *const[]){&box}, 1);
    int works = box.end == BOX_EXITED && !box.code;
    const char *said = box.output.data ? box.output.data : _("bubblewrap was stopped");
    if (!works) snprintf(here.why, sizeof here.why, "%.*s", (int)strcspn(said, "\n"), said);
    box_free(&box);
    return works ? 0 : -1;
}

static void look(void)
{
    unsigned action = SECCOMP_RET_ERRNO;
    int filter = !syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action);
    int landlock = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) >= 1;
    here.level = filter && landlock ? BOX_LANDLOCK : filter ? BOX_FILTERED : BOX_LIMITS;
    if (!filter)
        message_print(here.why, sizeof here.why, "this kernel has no seccomp");
    else if (find_bwrap())
        message_print(here.why, sizeof here.why, "bubblewrap is not installed");
    else if (!try_bwrap())
        here.level = BOX_FULL;
}

const char *box_level_bwrap(void)
{
    return here.bwrap[0] ? here.bwrap : NULL;
}

enum box_level box_level_here(void)
{
    enum box_level least = most();
    if (least == BOX_LIMITS) return least;
    pthread_once(&here.once, look);
    return here.level < least ? here.level : least;
}

const char *box_level_why(void)
{
    return box_level_here() == BOX_FULL ? NULL : here.why[0] ? here.why : _("WARPWISE_SANDBOX or --no-sandbox says so");
}

int box_start(const struct box_spec *spec, struct box *box, struct text *why)
{
    return box_start_at(spec, spec->open ? BOX_LIMITS : box_level_here(), box, why);
}
