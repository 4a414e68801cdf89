// Gives each box a control group (cgroup), which limits the memory and the number of processes of the whole box.
// Resource limits (setrlimit) limit the memory of single processes only, not of a whole box. Writing to the file
// cgroup.kill of a box's control group kills every process of the box.
//
// Control groups need cgroup version 2 with delegation (Documentation/admin-guide/cgroup-v2.rst, "Delegation"). The
// user must be allowed to write to the control group of the grader's process. The control group of the grader's process
// must have the controllers for memory and processes. The command "systemd-run --user --scope -p Delegate=yes ./grade
// ..." runs the grader in a control group with delegation. Some containers also provide a control group with
// delegation. A control group that contains processes cannot limit its child groups. The grader therefore moves itself
// from the delegated control group into the child group warpwise-grader, so that the delegated group can limit the
// control groups of boxes.
//
//   delegated ─┬─ warpwise-grader     this process, and the processes that it forks
//              ├─ warpwise-PID-1      a box, with memory.max and pids.max; its child enters before it gives up rights
//              └─ warpwise-PID-2      the next box
//
// The grader does not move other processes, such as a shell, out of the delegated control group. If the delegated
// control group contains other processes, the kernel refuses the limits, and boxes get no control groups. In the root
// control group, the grader does not move into a child group, because the root group may contain processes and limit
// child groups.
#define _GNU_SOURCE
#include "box/group.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"

enum { NAME = 64, PROCESSES = 256, BURY_MS = 2000 };
static const uint64_t MEMORY_BESIDE = UINT64_C(64) << 20; // added for bubblewrap and kernel memory, in bytes
static const char leaf[] = "/warpwise-grader";

static struct {
    pthread_once_t once;
    int found;
    char folder[PATH_MAX]; // folder in which the groups of boxes are made
} here = {.once = PTHREAD_ONCE_INIT};
static atomic_uint last;

// ---------------------------------------------------------------------------------------------------- small files
static int put(const char *folder, const char *name, const char *value)
{
    char path[PATH_MAX + NAME];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    ssize_t n = write(fd, value, strlen(value));
    int error = errno;
    close(fd);
    errno = error;
    return n < 0 ? -1 : 0;
}

// Returns 1 if the file `name` in `folder` lists both cgroup controllers, memory and pids.
static int has_words(const char *folder, const char *name)
{
    char path[PATH_MAX + NAME], line[512] = "";
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "re");
    int memory = 0, pids = 0;
    if (file && fgets(line, sizeof line, file))
        for (char *rest = NULL, *word = strtok_r(line, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
            memory |= !strcmp(word, "memory");
            pids |= !strcmp(word, "pids");
        }
    if (file) fclose(file);
    return memory && pids;
}

// ------------------------------------------------------------------------------------------ where groups can be made
// Finds the folder where the cgroup2 file system is mounted, and the control group that appears as the root of this
// mount. Returns 0, or -1 on failure.
static int find_mount(char place[PATH_MAX], char root[PATH_MAX])
{
    FILE *file = fopen("/proc/self/mountinfo", "re");
    char *line = NULL;
    size_t capacity = 0;
    int found = 0;
    while (file && !found && getline(&line, &capacity, file) > 0)
        found = strstr(line, " - cgroup2 ") && sscanf(line, "%*s %*s %*s %4095s %4095s", root, place) == 2;
    free(line);
    if (file) fclose(file);
    return found ? 0 : -1;
}

// Finds the folder of the control group that contains the grader's process. Returns 0, or -1 on failure.
static int find_own(char own[PATH_MAX])
{
    char place[PATH_MAX], root[PATH_MAX], *line = NULL;
    size_t capacity = 0;
    int found = 0;
    if (find_mount(place, root)) return -1;
    FILE *file = fopen("/proc/self/cgroup", "re");
    while (file && !found && getline(&line, &capacity, file) > 0) {
        if (strncmp(line, "0::/", 4) != 0) continue;
        line[strcspn(line, "\n")] = '\0';
        size_t length = strcmp(root, "/") ? strlen(root) : 0;
        const char *below = strncmp(line + 3, root, length) ? NULL : line + 3 + length;
        if (below && !strcmp(below, "/")) below = "";
        found = below && !strstr(below, "/..") && snprintf(own, PATH_MAX, "%s%s", place, below) < PATH_MAX - NAME;
    }
    free(line);
    if (file) fclose(file);
    return found ? 0 : -1;
}

// Moves the grader's process into the control group warpwise-grader below the control group `folder` and enables the
// memory and pids controllers of `folder`. Returns 0, or undoes all changes and returns -1.
static int move_aside(const char *folder)
{
    char path[PATH_MAX + NAME], self[16];
    snprintf(path, sizeof path, "%s%s", folder, leaf);
    snprintf(self, sizeof self, "%d", (int)getpid());
    if (mkdir(path, 0755) && errno != EEXIST) return -1;
    if (!put(path, "cgroup.procs", self)) {
        if (!put(folder, "cgroup.subtree_control", "+memory +pids")) return 0;
        put(folder, "cgroup.procs", self);
    }
    rmdir(path);
    return -1;
}

// Removes the empty control groups that killed graders left in `folder`.
static void sweep(const char *folder)
{
    DIR *dir = opendir(folder);
    char path[2 * PATH_MAX];
    int owner;
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (sscanf(entry->d_name, "warpwise-%d-", &owner) != 1 || owner <= 0 || !kill(owner, 0) || errno != ESRCH)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        rmdir(path);
    }
    if (dir) closedir(dir);
}

static void look(void)
{
    char *folder = here.folder, path[PATH_MAX + NAME];
    if (find_own(folder)) return;
    size_t length = strlen(folder), tail = sizeof leaf - 1;
    // `aside` is 1 if the grader's process is already in a control group warpwise-grader, because another grader
    // started it.
    int aside = length > tail && !strcmp(folder + length - tail, leaf);
    if (aside) folder[length - tail] = '\0';
    snprintf(path, sizeof path, "%s/cgroup.procs", folder);
    if (access(folder, W_OK) || access(path, W_OK) || !has_words(folder, "cgroup.controllers")) return;
    here.found = has_words(folder, "cgroup.subtree_control") ||
                 !put(folder, "cgroup.subtree_control", "+memory +pids") || (!aside && !move_aside(folder));
    if (here.found) sweep(folder);
}

int box_group_here(void)
{
    pthread_once(&here.once, look);
    return here.found;
}

// --------------------------------------------------------------------------------------------------------- one group
static void name_of(unsigned number, char path[PATH_MAX + NAME])
{
    snprintf(path, PATH_MAX + NAME, "%s/warpwise-%d-%u", here.folder, (int)getpid(), number);
}

static int fill(const struct box_spec *spec, const char *path)
{
    char value[32];
    // When the memory of a box runs out, the kernel must kill all processes of the box (memory.oom.group); a first
    // process without its children could wait for ever.
    put(path, "memory.oom.group", "1");
    put(path, "memory.swap.max", "0");
    snprintf(value, sizeof value, "%d", PROCESSES + get_nprocs());
    if (put(path, "pids.max", value)) return -1;
    if (!spec->address_space) return 0;
    uint64_t memory = spec->address_space + spec->scratch + MEMORY_BESIDE;
    snprintf(value, sizeof value, "%llu", (unsigned long long)memory);
    return put(path, "memory.max", value);
}

int box_group_make(const struct box_spec *spec, unsigned *number)
{
    char path[PATH_MAX + NAME], procs[PATH_MAX + 2 * NAME];
    *number = atomic_fetch_add(&last, 1) + 1;
    name_of(*number, path);
    snprintf(procs, sizeof procs, "%s/cgroup.procs", path);
    if (mkdir(path, 0755)) return -1;
    int fd = fill(spec, path) ? -1 : open(procs, O_WRONLY | O_CLOEXEC), error = errno;
    if (fd < 0) rmdir(path);
    errno = error;
    return fd;
}

int box_group_enter(int descriptor)
{
    return write(descriptor, "0", 1) == 1 ? 0 : -1;
}

void box_group_kill(unsigned number)
{
    char path[PATH_MAX + NAME];
    if (!number) return;
    name_of(number, path);
    // Linux has cgroup.kill since version 5.14. On older kernels, only the process group and the namespace are killed.
    put(path, "cgroup.kill", "1");
}

void box_group_remove(unsigned number)
{
    char path[PATH_MAX + NAME];
    if (!number) return;
    name_of(number, path);
    for (int i = 0; rmdir(path) && errno == EBUSY && i < BURY_MS; ++i)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}
