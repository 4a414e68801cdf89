// Tells whether all threads of a box sleep, and for how long they wanted the processor.
//
// A time limit in seconds of the wall clock would stop an honest program on a busy machine. A program that waits for
// something that never comes uses no processor time, so a limit of processor time does not stop it. Only a thread's
// state tells the two apart: on a busy machine a thread is runnable (state R) or waits for a disk (D), and in a program
// that waits without end all threads sleep (S). A stopped thread (T, t) waits for a signal, and nobody but the program
// stops it, because no other process may send it signals. The states are read from /proc (proc(5)):
// /proc/PID/task/TID/stat holds a thread's state, and /proc/PID/task/TID/children the processes that the thread
// started. In a box with bubblewrap the student's program is a grandchild of the box's first process.
//
// The states are read one after the other. Of two threads that wake each other in turn, each may be found asleep, above
// all on a busy machine, where this takes long. /proc/PID/task/TID/schedstat therefore says for how long a thread has
// run, and waited to run (sched-stats, in ns): who worked between two looks has not slept. Where a system has no such
// file, the states alone count.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>

#include "box/box.h"

enum { DEPTH_MOST = 8, FILE_MOST = 4096 };

static int is_tree_asleep(long pid, int depth, uint64_t *wanted_ns);

// Reads the file `name` of a thread into `text`. Returns 0, or -1 if the file cannot be read.
static int read_task(long pid, long tid, const char *name, char text[FILE_MOST])
{
    snprintf(text, FILE_MOST, "/proc/%ld/task/%ld/%s", pid, tid, name);
    FILE *f = fopen(text, "re");
    if (!f) return -1;
    size_t n = fread(text, 1, FILE_MOST - 1, f);
    int failed = ferror(f);
    fclose(f);
    text[n] = '\0';
    return failed ? -1 : 0;
}

// Returns 1 if the thread and all processes that it started sleep, are stopped or have ended, else 0. Adds to
// *wanted_ns the time in which they ran or waited to run.
static int is_thread_asleep(long pid, long tid, int depth, uint64_t *wanted_ns)
{
    char text[FILE_MOST];
    uint64_t ran = 0, waited = 0;
    if (!read_task(pid, tid, "schedstat", text) && sscanf(text, "%" SCNu64 " %" SCNu64, &ran, &waited) == 2)
        *wanted_ns += ran + waited;
    if (read_task(pid, tid, "stat", text)) return 0;
    const char *end = strrchr(text, ')'); // the name of a program may contain spaces and brackets
    int asleep = end && end[1] == ' ' && strchr("STtZX", end[2]);
    if (read_task(pid, tid, "children", text)) return 0;
    char *at = text, *next;
    for (long child; (child = strtol(at, &next, 10)) > 0; at = next)
        asleep &= is_tree_asleep(child, depth + 1, wanted_ns);
    return asleep;
}

static int is_tree_asleep(long pid, int depth, uint64_t *wanted_ns)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/task", pid);
    DIR *tasks = depth < DEPTH_MOST ? opendir(path) : NULL;
    if (!tasks) return 0;
    int asleep = 1;
    for (const struct dirent *e; (e = readdir(tasks));)
        if (e->d_name[0] != '.') asleep &= is_thread_asleep(pid, strtol(e->d_name, NULL, 10), depth, wanted_ns);
    closedir(tasks);
    return asleep;
}

int box_is_asleep(const struct box *box, uint64_t *wanted_ns)
{
    return !box->pid || is_tree_asleep(box->pid, 0, wanted_ns);
}
