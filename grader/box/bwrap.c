// Builds the command line of bubblewrap, a program that runs another program in a sandbox (box). Bubblewrap gives a box
// new namespaces for users, processes, network, IPC, host name and cgroups. The root directory in a box contains only
// what mount_all() mounts.
//
// Bubblewrap mounts folders in the order of the length of their paths, so that a mounted folder never hides another
// mount inside the folder. If a folder below /usr is hidden (box_hide), an empty folder is mounted over the hidden
// folder. The root directory in a box is a tmpfs that becomes read-only after all mounts. The program in a box may
// write only its private directory and the paths in box_spec.writable. The private directory of a box is a folder on
// the disk, or a tmpfs of box_spec.scratch bytes. A program that uses the caller's stdin and stdout also gets private
// shared memory (shm_open), which LLVM's OpenMP needs.
//
// The program in a box runs as process 1 of its process namespace (--as-pid-1). With --as-pid-1, the part of bubblewrap
// outside the namespace waits only for the program in the box. The grader therefore learns the processor time and
// memory of the program in the box. Linux drops signals that process 1 sends to itself. A program that sends itself
// signals (box_spec.signals) therefore runs as process 2, and bubblewrap stays as process 1. Bubblewrap and the program
// run as the same user, so the program could read and write bubblewrap's memory through /proc/1/mem. To protect
// bubblewrap's memory, an empty folder is mounted over /proc/1 (confine.c states the rule for /proc).
#define _GNU_SOURCE
#include "box/bwrap.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/gcov.h"
#include "box/confine.h"

enum { MOUNTS = 3 * BOX_FOLDERS + 19 };
// HIDING is the size of the empty tmpfs that is mounted over a hidden folder, in bytes. SHARED is the size of the tmpfs
// for shared memory, in bytes.
static const uint64_t HIDING = 1 << 16, SHARED = 64 << 20;
static const char PROC[] = "/proc", FIRST[] = "/proc/1"; // FIRST: process 1 of the namespace

struct mount {
    const char *option, *from, *to; // `from` is NULL if the option takes no source path
    uint64_t size;                  // bytes of a tmpfs; 0: the mount is not a tmpfs
};
struct plan {
    struct arena *arena;
    const char **word;
    unsigned words;
    struct mount mount[MOUNTS];
    unsigned mounts;
};

static void add(struct plan *p, const char *word)
{
    p->word[p->words++] = word;
}

// Inserts a mount after all mounts of the list whose paths have equal or smaller length. Bubblewrap mounts folders in
// the order of the list plan.mount, and a later mount covers earlier mounts below its path.
static void mount_sized(struct plan *p, const char *option, const char *from, const char *to, uint64_t size)
{
    BUG_ON(p->mounts == MOUNTS);
    unsigned at = p->mounts++;
    for (; at && strlen(p->mount[at - 1].to) > strlen(to); --at) p->mount[at] = p->mount[at - 1];
    p->mount[at] = (struct mount){option, from, to, size};
}

static void mount(struct plan *p, const char *option, const char *from, const char *to)
{
    mount_sized(p, option, from, to, 0);
}

static void mount_tmpfs(struct plan *p, const char *to, uint64_t size)
{
    mount_sized(p, "--tmpfs", NULL, to, size);
}

static void mount_system(struct plan *p)
{
    for (const char *const *folder = box_confine_system; *folder; ++folder) {
        char target[256];
        ssize_t length = readlink(*folder, target, sizeof target);
        if (length > 0 && length < (ssize_t)sizeof target)
            mount(p, "--symlink", arena_strndup(p->arena, target, (size_t)length), *folder);
        else
            mount(p, "--ro-bind-try", *folder, *folder);
    }
}

static int is_of_system(const char *path)
{
    for (const char *const *folder = box_confine_system; *folder; ++folder) {
        size_t length = strlen(*folder);
        if (!strncmp(path, *folder, length) && path[length] == '/') return 1;
    }
    return 0;
}

// Returns 1 if process 1 of the namespace is bubblewrap and the program could find bubblewrap in /proc.
static int hides_first(const struct box_spec *spec)
{
    return spec->own_proc && box_bwrap_self(spec) != 1;
}

static void mount_all(struct plan *p, const struct box_spec *spec)
{
    if (spec->bare)
        mount(p, "--ro-bind-try", box_confine_processors, box_confine_processors);
    else
        mount_system(p);
    if (!spec->bare && box_confine_hidden()) mount_tmpfs(p, box_confine_hidden(), HIDING);
    mount(p, "--dev-bind", "/dev/null", "/dev/null");
    if (spec->own_stdio || spec->shared_memory) mount_tmpfs(p, "/dev/shm", SHARED);
    if (spec->directory && spec->scratch)
        mount_tmpfs(p, spec->directory, spec->scratch);
    else if (spec->directory)
        mount(p, "--bind", spec->directory, spec->directory);
    for (unsigned i = 0; spec->readable && spec->readable[i]; ++i)
        if (!spec->own_proc || strcmp(spec->readable[i], PROC) != 0) // the namespace's own /proc replaces the machine's
            mount(p, "--ro-bind-try", spec->readable[i], spec->readable[i]);
    if (spec->bare || !is_of_system(spec->argv[0])) mount(p, "--ro-bind", spec->argv[0], spec->argv[0]);
    for (unsigned i = 0; spec->writable && spec->writable[i]; ++i) {
        const char *path = spec->writable[i];
        mount(p, strncmp(path, "/dev/", 5) ? "--bind-try" : "--dev-bind-try", path, path);
    }
    if (spec->own_proc) mount(p, "--proc", NULL, PROC);
    if (hides_first(spec)) mount_tmpfs(p, FIRST, HIDING);
    if (GCOV_BUILD) mount(p, "--bind-try", GCOV_FOLDER, GCOV_FOLDER);
}

static void make_read_only(struct plan *p, const char *path)
{
    add(p, "--remount-ro");
    add(p, path);
}

static void add_mounts(struct plan *p, const struct box_spec *spec)
{
    for (unsigned i = 0; i < p->mounts; ++i) {
        const struct mount *m = &p->mount[i];
        if (m->size) {
            add(p, "--size");
            add(p, arena_printf(p->arena, "%" PRIu64, m->size));
        }
        add(p, m->option);
        if (m->from) add(p, m->from);
        add(p, m->to);
    }
    if (!spec->bare && box_confine_hidden()) make_read_only(p, box_confine_hidden());
    if (hides_first(spec)) make_read_only(p, FIRST);
    if (!spec->directory || strcmp(spec->directory, "/") != 0) make_read_only(p, "/");
}

pid_t box_bwrap_self(const struct box_spec *spec)
{
    return spec->signals ? 2 : 1;
}

const char **box_bwrap_argv(const struct box_spec *spec, const char *bwrap, int filter, struct arena *arena)
{
    static const char *const always[] = {
        "--unshare-user",
        "--disable-userns",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
        "--hostname",
        "warpwise",
        "--unshare-cgroup-try",
        "--die-with-parent",
        "--uid",
        "65534",
        "--gid",
        "65534",
        "--cap-drop",
        "ALL",
    };
    enum { ALWAYS = sizeof always / sizeof *always, OTHERS = 20 };
    unsigned count = 0;
    while (spec->argv[count]) ++count;
    struct plan *p = arena_alloc(arena, sizeof *p);
    p->arena = arena;
    p->word = arena_alloc(arena, (ALWAYS + OTHERS + 5 * MOUNTS + count) * sizeof *p->word);
    add(p, bwrap);
    for (unsigned i = 0; i < ALWAYS; ++i) add(p, always[i]);
    if (!spec->signals) add(p, "--as-pid-1");
    mount_all(p, spec);
    add_mounts(p, spec);
    add(p, "--chdir");
    add(p, spec->directory ? spec->directory : "/");
    add(p, "--seccomp");
    add(p, arena_printf(arena, "%d", filter));
    add(p, "--");
    for (unsigned i = 0; i < count; ++i) add(p, spec->argv[i]);
    add(p, NULL);
    return p->word;
}
