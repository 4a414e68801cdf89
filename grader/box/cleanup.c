// See cleanup.h. die() may end the grader in one thread while others run compilers, whose processes and directories
// would stay. So this list holds all boxes and directories, and a handler of exit() kills and removes them. The handler
// keeps the lock: a thread that is about to start a box then waits for the end of the process.
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
    pid_t group;            // process group; 0: the row is a directory
    unsigned control_group; // number of the control group; 0: none
    char path[BOX_PATH];
};
static struct {
    pthread_mutex_t lock;
    pid_t owner; // the process that made the list; a forked child has no rows
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

// Makes room for a row before the box starts, because afterwards nothing may fail. Unlocks before it ends the program,
// because the handler of exit() takes the lock.
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
        if (!list.owner) atexit(clean_up); // a forked child inherits the handler
        list.owner = getpid();
        list.count = 0;
    }
    struct row *row = &list.row[list.count++];
    *row = (struct row){0};
    return row;
}

void box_cleanup_add_process(pid_t group, unsigned control_group)
{
    struct row *row = add_row(); // the caller holds the lock
    row->group = group;
    row->control_group = control_group;
}

void box_cleanup_add_directory(const char *path)
{
    box_cleanup_lock();
    memcpy(add_row()->path, path, strlen(path) + 1);
    box_cleanup_unlock();
}

static void drop(pid_t group, const char *path)
{
    for (unsigned i = 0; i < list.count; ++i) {
        if (group ? list.row[i].group != group : list.row[i].group || strcmp(list.row[i].path, path) != 0) continue;
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
    if (!list.count) return; // the list is empty, or clean_up() runs and holds the lock
    pthread_mutex_lock(&list.lock);
    drop(0, path);
    box_cleanup_unlock();
}
