// Creates and removes private temporary directories.
//
// The content of a private directory is untrusted when the directory is removed. Each removal uses an open descriptor
// and a name without slashes, so that box_directory_remove() follows no symbolic link. The function
// box_directory_remove() does not recurse, so a tree of a million levels needs no stack and few descriptors. Instead of
// recursing, box_directory_remove() moves the entries of a subdirectory up to the top directory, under new names, and
// removes the subdirectory. The function box_directory_remove() moves the entries of one subdirectory after another to
// the top directory, until the top directory is empty.
//
// A program that is killed cannot remove its directories. Each directory is locked with flock() as long as its program
// lives, because the kernel unlocks it when the program ends in whatever way. A later run removes directories that
// nobody has locked (box_directory_sweep()). A directory may be swept in the moment between its making and its locking,
// so the maker looks whether it is still there, and otherwise makes another one.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "base/text.h"
#include "box/box.h"
#include "box/cleanup.h"

#define PREFIX "warpwise-box-"

static const char *parent_directory(void)
{
    const char *parent = getenv("TMPDIR");
    return parent && parent[0] == '/' ? parent : "/tmp";
}

// Opens and locks the directory `name` in the directory `at`. Returns its descriptor, or -1 with errno set: ENOENT if
// it is not there any more, EWOULDBLOCK if another program has locked it.
static int lock_directory(int at, const char *name, int how)
{
    struct stat status, now;
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return -1;
    int error = flock(fd, how | LOCK_NB) ? errno : ENOENT;
    if (error == ENOENT && !fstat(fd, &status) && !fstatat(at, name, &now, AT_SYMLINK_NOFOLLOW) &&
        status.st_ino == now.st_ino && status.st_dev == now.st_dev)
        return fd;
    close(fd);
    errno = error;
    return -1;
}

int box_directory_make(char path[BOX_PATH], struct text *why)
{
    int lock;
    do {
        int length = snprintf(path, BOX_PATH, "%s/" PREFIX "XXXXXX", parent_directory());
        if (length >= BOX_PATH) {
            text_say(why, "the path in TMPDIR is longer than %d bytes", BOX_PATH - (int)sizeof PREFIX - 10);
            return -1;
        }
        if (!mkdtemp(path)) {
            text_say(why, "cannot make a temporary directory in '%s': %s", parent_directory(), strerror(errno));
            return -1;
        }
        lock = lock_directory(AT_FDCWD, path, LOCK_SH);
    } while (lock < 0 && (errno == ENOENT || errno == EWOULDBLOCK)); // another program sweeps it
    box_cleanup_add_directory(path, lock);
    return 0;
}

void box_directory_sweep(void)
{
    DIR *parent = opendir(parent_directory());
    for (struct dirent *entry; parent && (entry = readdir(parent));) {
        char path[BOX_PATH];
        struct stat status;
        if (strncmp(entry->d_name, PREFIX, sizeof PREFIX - 1) != 0) continue;
        if (snprintf(path, sizeof path, "%s/%s", parent_directory(), entry->d_name) >= BOX_PATH) continue;
        int lock = lock_directory(dirfd(parent), entry->d_name, LOCK_EX);
        // root gave the directory to the user of a box
        int own = lock >= 0 && !fstat(lock, &status) && (status.st_uid == geteuid() || !geteuid());
        if (own) box_directory_remove(path);
        if (lock >= 0) close(lock);
    }
    if (parent) closedir(parent);
}

static int is_dots(const char *name)
{
    return !strcmp(name, ".") || !strcmp(name, "..");
}

// Removes the directory `name` in the directory `top`, after moving the entries of `name` that unlink() cannot remove
// to `top`. Returns 0 if the directory `name` was removed, otherwise -1.
static int flatten(int top, const char *name, unsigned long *serial)
{
    if (!unlinkat(top, name, AT_REMOVEDIR)) return 0;
    // The program in the box may have removed all rights from its directory.
    if (fchmodat(top, name, 0700, 0) && errno == ENOENT) return -1;
    int fd = openat(top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return -1;
    DIR *folder = fdopendir(fd);
    if (!folder) {
        close(fd);
        return -1;
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (is_dots(entry->d_name) || !unlinkat(fd, entry->d_name, 0)) continue;
        char moved[32];
        do snprintf(moved, sizeof moved, ".%lx", (*serial)++);
        while (renameat2(fd, entry->d_name, top, moved, RENAME_NOREPLACE) && errno == EEXIST);
    }
    closedir(folder);
    return unlinkat(top, name, AT_REMOVEDIR);
}

void box_directory_remove(const char *path)
{
    int top = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (top < 0) return;
    unsigned long serial = 0;
    for (int found = 1, stuck = 0; found && stuck < 3;) {
        found = 0;
        int failed = 0;
        DIR *folder = fdopendir(fcntl(top, F_DUPFD_CLOEXEC, 0));
        if (!folder) break;
        rewinddir(folder);
        for (struct dirent *entry; (entry = readdir(folder));) {
            if (is_dots(entry->d_name)) continue;
            found = 1;
            if (unlinkat(top, entry->d_name, 0)) failed |= flatten(top, entry->d_name, &serial);
        }
        closedir(folder);
        stuck = failed ? stuck + 1 : 0; // the loop gives up after three failures in a row
    }
    close(top);
    if (!rmdir(path)) box_cleanup_drop_directory(path);
}
