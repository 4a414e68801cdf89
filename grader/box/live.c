// die() ends the grader from whatever thread found the fault, while others may be compiling: what they started and made
// would be left behind. So all boxes and directories are noted here, and exit() cleans up. The lock is never given back
// then: a thread that is about to start a box waits for the end instead.
#include "box/live.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "box/box.h"
#include "box/group.h"

struct row {
    pid_t group;            // 0: a directory
    unsigned control_group; // 0: none
    char path[BOX_PATH];
};
static struct {
    pthread_mutex_t lock;
    pid_t owner; // who noted the rows; a child that was forked has none
    struct row *row;
    unsigned count, capacity;
} live = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void clean_up(void)
{
    pthread_mutex_lock(&live.lock);
    if (live.owner != getpid()) return;
    for (unsigned i = 0; i < live.count; ++i) {
        if (live.row[i].group) kill(-live.row[i].group, SIGKILL);
        box_group_kill(live.row[i].control_group);
    }
    unsigned count = live.count;
    live.count = 0;
    for (unsigned i = 0; i < count; ++i) {
        if (!live.row[i].group) box_directory_remove(live.row[i].path);
        box_group_remove(live.row[i].control_group);
    }
}

// With room for a row: there is no way back from a box that was started, and exit() wants the lock.
void box_live_lock(void)
{
    pthread_mutex_lock(&live.lock);
    if (live.count < live.capacity) return;
    unsigned capacity = live.capacity ? 2 * live.capacity : 16;
    struct row *grown = realloc(live.row, capacity * sizeof *grown);
    if (!grown) {
        box_live_unlock();
        alloc_failed(capacity * sizeof *grown);
    }
    live.row = grown;
    live.capacity = capacity;
}

void box_live_unlock(void)
{
    pthread_mutex_unlock(&live.lock);
}

static struct row *add_row(void)
{
    if (live.owner != getpid()) {
        if (!live.owner) atexit(clean_up); // a child inherits it
        live.owner = getpid();
        live.count = 0;
    }
    struct row *row = &live.row[live.count++];
    *row = (struct row){0};
    return row;
}

void box_live_process(pid_t group, unsigned control_group)
{
    struct row *row = add_row(); // under box_live_lock
    row->group = group;
    row->control_group = control_group;
}

void box_live_directory(const char *path)
{
    box_live_lock();
    memcpy(add_row()->path, path, strlen(path) + 1);
    box_live_unlock();
}

static void drop(pid_t group, const char *path)
{
    for (unsigned i = 0; i < live.count; ++i) {
        if (group ? live.row[i].group != group : live.row[i].group || strcmp(live.row[i].path, path) != 0) continue;
        live.row[i] = live.row[--live.count];
        return;
    }
}

void box_live_ended(pid_t group)
{
    pthread_mutex_lock(&live.lock);
    drop(group, NULL);
    box_live_unlock();
}

void box_live_removed(const char *path)
{
    if (!live.count) return; // none is noted, or the grader is about to exit and holds the lock
    pthread_mutex_lock(&live.lock);
    drop(0, path);
    box_live_unlock();
}
