// Takes rights from the child process of a box (sandbox). The child of a box changes to another user (if the caller is
// root) and gets resource limits. Landlock limits the files that the child of a box can open, and seccomp limits its
// system calls. At the confinement level BOX_FULL, bubblewrap replaces Landlock.
//
// Resource limits, Landlock and seccomp do not need root. All processes that the child of a box starts inherit the
// child's limits. The parent makes the Landlock ruleset and the seccomp filter before fork, because making a ruleset or
// filter allocates memory and may fail. The child only enters the Landlock ruleset and the seccomp filter, with
// async-signal-safe calls, because the parent may have threads.
//
// Processes: a program with box_spec.own_proc may use its own folder /proc/self, but never the folder of another
// process in /proc. In the folder of another process of the same user, a program could write that process's memory,
// priority (autogroup) and oom_score_adj. At the confinement level BOX_LANDLOCK, the rule for /proc/self names the
// child's own folder. The child therefore adds the Landlock rule for /proc/self between fork and exec.
//
// Root: a box that root starts runs as another user. The ID of the box's user is computed from the grader's process
// number, in the range that systemd uses for dynamic users (DynamicUser=). The box's user cannot signal, trace or
// replace anything of other users. The limit for the number of processes counts only the processes of the box's user.
// If the box needs a file that the box's user cannot reach, such as a grader installed below /root, the box runs as
// root. For a box that runs as root, the resource limits, Landlock or bubblewrap, and seccomp still apply.
#define _GNU_SOURCE
#include "box/confine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/gcov.h"
#include "base/message.h"
#include "box/level.h"

// Defines the access rights of Landlock, with the ABI version that introduced each right
// (Documentation/userspace-api/landlock.rst). The Landlock rights are defined here, because older system headers lack
// the newer rights.
enum {
    FS_EXECUTE = 1 << 0,
    FS_WRITE_FILE = 1 << 1,
    FS_READ_FILE = 1 << 2,
    FS_READ_DIR = 1 << 3,
    FS_ALL_1 = (1 << 13) - 1,
    FS_REFER = 1 << 13,     // since Landlock ABI 2
    FS_TRUNCATE = 1 << 14,  // since Landlock ABI 3
    FS_IOCTL_DEV = 1 << 15, // since Landlock ABI 5
    FS_READ = FS_EXECUTE | FS_READ_FILE | FS_READ_DIR,
    FS_FILE = FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV, // rights of a rule for a file
};
struct ruleset_attribute { // same layout as struct landlock_ruleset_attr of ABI 6
    uint64_t fs, net, scoped;
};
enum { NET_TCP = 3, SCOPE_ABSTRACT_UNIX_AND_SIGNAL = 3 };

const char *const box_confine_processors = "/sys/devices/system/cpu";
const char *const box_confine_system[] = {
    "/usr",
    "/bin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/nvcc.profile",
    "/sys/devices/system/cpu",
    NULL,
};

// --------------------------------------------------------------------------------------------------- hidden folder
static char hidden[4096];

static int is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return !strncmp(path, folder, length) && path[length] == '/';
}

void box_hide(const char *folder)
{
    char real[PATH_MAX];
    hidden[0] = '\0';
    for (const char *const *of = box_confine_system; *of && realpath(folder, real); ++of)
        if (is_below(real, *of)) snprintf(hidden, sizeof hidden, "%s", real);
}

const char *box_confine_hidden(void)
{
    return hidden[0] ? hidden : NULL;
}

// ------------------------------------------------------------------------------------------------------- Landlock

static void allow(int ruleset, const char *path, uint64_t access)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return; // the file does not exist
    struct stat status;
    if (!fstat(fd, &status)) {
        if (!S_ISDIR(status.st_mode)) access &= FS_FILE;
        struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = fd};
        syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    close(fd);
}

// Allows access to `folder` and all files below `folder`, except the folder that box_hide() hides from boxes. A
// Landlock rule for a folder always holds for everything below the folder. If the hidden folder is inside `folder`,
// allow_system() therefore makes Landlock rules for the entries of `folder`, recursively, and none for the hidden
// folder.
static void allow_system(int ruleset, const char *folder, uint64_t access)
{
    char path[PATH_MAX];
    if (!hidden[0] || !is_below(hidden, folder)) {
        allow(ruleset, folder, access);
        return;
    }
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path) continue;
        if (strcmp(path, hidden) != 0) allow_system(ruleset, path, access);
    }
    if (dir) closedir(dir);
}

// Returns the version of Landlock that the kernel has, or a number below 1.
static long landlock_version(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

// Returns all access rights to files that a version of Landlock controls.
static uint64_t all_rights(long abi)
{
    return FS_ALL_1 | (abi >= 2 ? FS_REFER : 0) | (abi >= 3 ? FS_TRUNCATE : 0) | (abi >= 5 ? FS_IOCTL_DEV : 0);
}

int box_confine_ruleset(const struct box_spec *spec)
{
    long abi = landlock_version();
    if (abi < 1) return -1;
    uint64_t all = all_rights(abi);
    struct ruleset_attribute attribute = {.fs = all, .net = NET_TCP, .scoped = SCOPE_ABSTRACT_UNIX_AND_SIGNAL};
    size_t size = abi >= 6 ? sizeof attribute : abi >= 4 ? 16 : 8;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attribute, size, 0);
    if (ruleset < 0) return -1;
    for (unsigned i = 0; !spec->bare && box_confine_system[i]; ++i)
        allow_system(ruleset, box_confine_system[i], FS_READ & all);
    allow(ruleset, box_confine_processors, FS_READ & all);
    allow(ruleset, "/dev/null", (FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE) & all);
    allow(ruleset, spec->argv[0], FS_READ);
    for (unsigned i = 0; spec->readable && spec->readable[i]; ++i) allow(ruleset, spec->readable[i], FS_READ);
    for (unsigned i = 0; spec->writable && spec->writable[i]; ++i) allow(ruleset, spec->writable[i], all);
    if (spec->directory) allow(ruleset, spec->directory, all);
    if (GCOV_BUILD) allow(ruleset, GCOV_FOLDER, all);
    return ruleset;
}

// --------------------------------------------------------------------------------------------------------- limits
static void limit_both(int what, uint64_t soft, uint64_t hard)
{
    struct rlimit now, wanted;
    if (getrlimit(what, &now)) return;
    wanted.rlim_max = now.rlim_max < hard ? now.rlim_max : hard;
    wanted.rlim_cur = wanted.rlim_max < soft ? wanted.rlim_max : soft;
    setrlimit(what, &wanted);
}

static void limit(int what, uint64_t value)
{
    limit_both(what, value, value);
}

void box_confine_limit(const struct box_spec *spec, unsigned long processes)
{
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, spec->files ? spec->files : 256);
    if (spec->address_space) limit(RLIMIT_AS, spec->address_space);
    if (spec->file_size) limit(RLIMIT_FSIZE, spec->file_size);
    if (spec->cpu_s) limit_both(RLIMIT_CPU, spec->cpu_s, spec->cpu_s + 1);
    if (processes) limit(RLIMIT_NPROC, processes);
}

enum box_level box_confine_enter(const struct box_spec *spec, int ruleset, struct box_filter *filter)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return BOX_LIMITS;
    // The driver of a card names its threads: it opens /proc/self/task/TID/comm with O_WRONLY, O_CREAT and O_TRUNC, and
    // gives up with CUDA_ERROR_OPERATING_SYSTEM if it may not.
    if (spec->own_proc && ruleset >= 0) allow(ruleset, "/proc/self", all_rights(landlock_version()));
    int landlock = ruleset >= 0 && !syscall(SYS_landlock_restrict_self, ruleset, 0);
    int filtered = !box_filter_enter(filter);
    return landlock && filtered ? BOX_LANDLOCK : filtered ? BOX_FILTERED : BOX_LIMITS;
}

// ----------------------------------------------------------------------------------------------------------- user
enum { FIRST_USER = 61184, USERS = 4336 };

static int is_ours(uid_t user)
{
    return user >= FIRST_USER && user < FIRST_USER + USERS;
}

// Returns 1 if `user` has the rights `wanted` (4 read, 2 write, 1 execute or enter) to the file, or if the file does
// not exist. `user` must not be in the file's group. Access control lists of the file are ignored; permits() checks
// only the file mode.
static int permits(const char *path, uid_t user, mode_t wanted)
{
    struct stat status;
    if (stat(path, &status)) return errno == ENOENT || errno == ENOTDIR;
    mode_t mode = status.st_uid == user ? status.st_mode >> 6 : status.st_mode;
    if (S_ISDIR(status.st_mode)) wanted |= 1;
    return (mode & wanted) == wanted;
}

static int reaches(const char *path, uid_t user, mode_t wanted)
{
    char folder[4096];
    for (size_t i = 1; path[i] && i < sizeof folder; ++i) {
        if (path[i] != '/') continue;
        memcpy(folder, path, i);
        folder[i] = '\0';
        if (!permits(folder, user, 1)) return 0;
    }
    return permits(path, user, wanted);
}

static int reaches_all(const struct box_spec *spec, uid_t user)
{
    const char *bwrap = box_level_bwrap(); // bubblewrap may be part of the kit
    int all = reaches(spec->argv[0], user, 5) && (!bwrap || reaches(bwrap, user, 5));
    if (spec->directory) all &= reaches(spec->directory, user, 6);
    for (unsigned i = 0; spec->readable && spec->readable[i]; ++i) all &= reaches(spec->readable[i], user, 4);
    for (unsigned i = 0; spec->writable && spec->writable[i]; ++i) all &= reaches(spec->writable[i], user, 6);
    return all;
}

// Changes the owner of a file or directory from root to a box's user, or back to root. The caller must have made the
// file or directory, and no other process may use the file or directory.
static void give(const char *path, uid_t user)
{
    struct stat status;
    if (lstat(path, &status) || S_ISLNK(status.st_mode)) return;
    int private = !(status.st_mode & (S_IRWXG | S_IRWXO)) && S_ISDIR(status.st_mode);
    if (status.st_uid != user && (user ? !status.st_uid && private : is_ours(status.st_uid)))
        if (lchown(path, user, user))
            message_warn("cannot give '%s' to user %u: %s", path, (unsigned)user, strerror(errno));
}

uid_t box_confine_user(const struct box_spec *spec)
{
    if (geteuid()) return BOX_SAME_USER;
    uid_t user = (uid_t)(FIRST_USER + getpid() % USERS);
    if (spec->directory && !spec->own_stdio) give(spec->directory, user);
    if (!GCOV_BUILD && !spec->own_stdio && reaches_all(spec, user)) return user;
    if (spec->directory) give(spec->directory, 0);
    for (unsigned i = 0; spec->readable && spec->readable[i]; ++i) give(spec->readable[i], 0);
    return BOX_SAME_USER;
}

void box_confine_become(uid_t user)
{
    if (user == BOX_SAME_USER) return;
    if (setgroups(0, NULL) || setresgid(user, user, user) || setresuid(user, user, user)) _exit(127);
}
