// See cleanup.h. The function die() may end the grader in one thread while other threads run compilers. Without a
// cleanup on exit, the compilers' processes and temporary directories would remain. For the cleanup, a list holds the
// process groups of all boxes (sandboxes) and all private directories. An exit() handler kills all process groups of
// boxes and removes all private directories that are in this list. The exit() handler locks and never unlocks the list
// of processes and directories, so a thread that tries to start a box during exit() waits until the grader ends.
#include "box/cleanup.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "box/box.h"
#include "box/group.h"

struct row {
    pid_t group;            // process group of a box; 0: the row is a directory
    unsigned control_group; // number of the box's control group; 0: none
    int lock;               // descriptor that locks the directory; -1: none
    char path[BOX_PATH];
};
static struct {
    pthread_mutex_t lock;
    pid_t owner; // process number of the process that made the list; the list is empty for a forked child
    struct row *row;
    unsigned count, capacity;
} list = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void clean_up(void)
{
    pthread_mutex_lock(&list.lock);
    if (list.owner != getpid()) return;
    for (unsigned i = 0; i < list.count; ++i) {
        if (list.row[i].group) kill(-list.row[i].group, SIGKILL);
        box_group_kill(list.row[i].control_group);
    }
    unsigned count = list.count;
    list.count = 0;
    for (unsigned i = 0; i < count; ++i) {
        if (!list.row[i].group) box_directory_remove(list.row[i].path);
        box_group_remove(list.row[i].control_group);
    }
}

// Locks the list of processes and directories, and makes room in the list for one more entry. The list of processes and
// directories grows before a box starts, because adding a started box to the list must not fail. If memory runs out,
// box_cleanup_lock() unlocks the list of processes and directories before ending the grader, because clean_up(), the
// exit() handler, locks that list again.
void box_cleanup_lock(void)
{
    pthread_mutex_lock(&list.lock);
    if (list.count < list.capacity) return;
    unsigned capacity = list.capacity ? 2 * list.capacity : 16;
    struct row *grown = realloc(list.row, capacity * sizeof *grown);
    if (!grown) {
        box_cleanup_unlock();
        alloc_failed(capacity * sizeof *grown);
    }
    list.row = grown;
    list.capacity = capacity;
}

void box_cleanup_unlock(void)
{
    pthread_mutex_unlock(&list.lock);
}

static struct row *add_row(void)
{
    if (list.owner != getpid()) {
        if (!list.owner) atexit(clean_up); // a forked child inherits the exit() handler and needs no second one
        list.owner = getpid();
        list.count = 0;
    }
    struct row *row = &list.row[list.count++];
    *row = (struct row){0};
    return row;
}

void box_cleanup_add_process(pid_t group, unsigned control_group)
{
    struct row *row = add_row(); // box_cleanup_lock() has locked the list and made room for the row
    row->group = group;
    row->control_group = control_group;
}

void box_cleanup_add_directory(const char *path, int lock)
{
    box_cleanup_lock();
    struct row *row = add_row();
    memcpy(row->path, path, strlen(path) + 1);
    row->lock = lock;
    box_cleanup_unlock();
}

static void drop(pid_t group, const char *path)
{
    for (unsigned i = 0; i < list.count; ++i) {
        if (group ? list.row[i].group != group : list.row[i].group || strcmp(list.row[i].path, path) != 0) continue;
        if (!group && list.row[i].lock >= 0) close(list.row[i].lock);
        list.row[i] = list.row[--list.count];
        return;
    }
}

void box_cleanup_drop_process(pid_t group)
{
    pthread_mutex_lock(&list.lock);
    drop(group, NULL);
    box_cleanup_unlock();
}

void box_cleanup_drop_directory(const char *path)
{
    if (!list.count) return; // the list is empty, or clean_up() runs and will remove the directory
    pthread_mutex_lock(&list.lock);
    drop(0, path);
    box_cleanup_unlock();
}
