// See text.h. The capacity of a struct text doubles when the data no longer fits.
#define _GNU_SOURCE
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"

static void reserve(struct text *t, size_t more)
{
    if (t->length + more < t->capacity) return;
    size_t capacity = t->capacity ? t->capacity * 2 : 256;
    while (capacity <= t->length + more) capacity *= 2;
    t->data = alloc_resize(t->data, capacity, 1);
    t->capacity = capacity;
}

void text_add(struct text *t, const char *bytes, size_t length)
{
    reserve(t, length);
    memcpy(t->data + t->length, bytes, length);
    t->length += length;
    t->data[t->length] = '\0';
}

void text_puts(struct text *t, const char *string)
{
    text_add(t, string, strlen(string));
}

void text_vprintf(struct text *t, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    reserve(t, (size_t)length);
    vsnprintf(t->data + t->length, (size_t)length + 1, format, args);
    t->length += (size_t)length;
}

void text_printf(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_vprintf(t, format, args);
    va_end(args);
}

void text_free(struct text *t)
{
    free(t->data);
    *t = (struct text){0};
}

static int read_all(struct text *t, int fd, size_t limit)
{
    char buffer[16384];
    for (;;) {
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        if (n == 0) return 0;
        if (t->length + (size_t)n > limit) return EFBIG;
        text_add(t, buffer, (size_t)n);
    }
}

// Appends the content of a regular file that has at most `names` hard links, and closes `fd`. Returns 0, or an
// errno value on failure.
static int read_regular(struct text *t, int fd, size_t limit, nlink_t names)
{
    struct stat status;
    int error = fstat(fd, &status) ? errno : S_ISDIR(status.st_mode) ? EISDIR : S_ISREG(status.st_mode) ? 0 : EINVAL;
    if (!error && status.st_nlink > names) error = EMLINK;
    if (!error && (size_t)status.st_size > limit) error = EFBIG;
    if (!error) error = read_all(t, fd, limit);
    close(fd);
    return error;
}

enum { READ = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK }; // O_NONBLOCK: opening a named pipe must not wait

int text_read_file(struct text *t, const char *path, size_t limit)
{
    int fd = open(path, READ);
    return fd < 0 ? errno : read_regular(t, fd, limit, (nlink_t)-1);
}

// Writes the whole text to `fd` and closes `fd`. Returns 0, or an errno value on failure.
static int write_all(const struct text *t, int fd)
{
    int error = 0;
    for (size_t at = 0; at < t->length && !error;) {
        ssize_t n = write(fd, t->data + at, t->length - at);
        if (n >= 0)
            at += (size_t)n;
        else if (errno != EINTR)
            error = errno;
    }
    if (close(fd) && !error) error = errno; // some file systems report a full disk only on close
    return error;
}

int text_write_file(const struct text *t, const char *path, unsigned mode)
{
    char aside[PATH_MAX];
    if (snprintf(aside, sizeof aside, "%s.%d", path, (int)getpid()) >= (int)sizeof aside) return ENAMETOOLONG;
    unlink(aside); // an earlier process with the same process number may have left this file behind
    int fd = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0) return errno;
    int error = write_all(t, fd);
    if (!error && rename(aside, path)) error = errno;
    if (error) unlink(aside);
    return error;
}

// Opens `path` one component at a time below `folder`. The function open_beneath() replaces openat2() if a seccomp
// filter forbids openat2(), and in kernels before Linux 5.6.
static int open_beneath(int folder, const char *path)
{
    int at = dup(folder), error = 0;
    while (at >= 0) {
        char name[NAME_MAX + 1];
        size_t length = strcspn(path, "/");
        int last = !path[length];
        if (!length || length > NAME_MAX || (length == 2 && !memcmp(path, "..", 2)))
            error = length > NAME_MAX ? ENAMETOOLONG : EXDEV;
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        int next = error ? -1 : openat(at, name, last ? READ : READ | O_DIRECTORY);
        if (next < 0 && !error) error = errno;
        struct stat status;
        if (error == ENOTDIR && !fstatat(at, name, &status, AT_SYMLINK_NOFOLLOW) && S_ISLNK(status.st_mode))
            error = ELOOP;
        close(at);
        at = next;
        if (last) break;
        path += length + 1;
    }
    errno = error;
    return at;
}

int text_read_beneath(struct text *t, int folder, const char *path, size_t limit)
{
    struct open_how how = {.flags = READ, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    int fd = (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
    if (fd < 0 && (errno == ENOSYS || errno == EPERM)) fd = open_beneath(folder, path);
    return fd < 0 ? errno : read_regular(t, fd, limit, 1);
}
