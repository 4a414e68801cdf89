// Reads and writes the files of the spool, the folder that a batch shares with its cluster tasks. A reader of the spool
// never sees an incomplete file. Each file is written under a temporary name and renamed with rename(2). Only the file
// `key` gets its final name by link(2), which fails if another task has already written the file `key`. The system
// calls rename(2) and link(2) are atomic on NFS. A result file is flushed to disk before the file gets its final name.
// The spool's files need no locks, because each submission belongs to one task at a time. If two tasks do judge the
// same submission, either result is valid.
//
// A result file comes from another machine, so the task that writes the file appends a seal. The seal is a keyed hash
// (base/secret.h) of the file's name, of the job's file `key` and of all bytes of the result. The key of the keyed hash
// is the class's secret key. If somebody forged, edited or renamed a result file, or copied it from a job of another
// program version, device or seed, the batch refuses the file with a warning that names it, and the submission is
// judged again.
#define _GNU_SOURCE
#include "batch/grading/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "batch/grading/command.h"

enum { PATH = 4096, SMALL = 64 << 20 };
static const char *const folders[] = {"source", "begun", "result", "log", NULL};

static void path_of(const struct spool *s, const char *folder, const char *name, char path[PATH])
{
    int n = snprintf(path, PATH, "%s/%s%s%s", s->path, folder, *folder ? "/" : "", name);
    if (n >= PATH) die("the path '%.60s…' is too long", s->path);
}

static void name_of(const struct spool *s, const char *folder, const struct gradebook_work *w, char path[PATH])
{
    char name[BATCH_HASH + sizeof w->lab];
    snprintf(name, sizeof name, "%s.%s", w->source, w->lab);
    path_of(s, folder, name, path);
}

// Parses the name of a result file, SHA256.lab, into a source and a lab. Returns 0, or -1 if `name` is not the name of
// a result file.
static int parse_name(const char *name, struct gradebook_work *w)
{
    size_t digits = strspn(name, "0123456789abcdef");
    if (digits != BATCH_HASH - 1 || name[digits] != '.' || strlen(name + digits + 1) >= sizeof w->lab) return -1;
    snprintf(w->source, sizeof w->source, "%.64s", name);
    snprintf(w->lab, sizeof w->lab, "%s", name + digits + 1);
    return 0;
}

static _Noreturn void cannot_read(const char *path)
{
    die("cannot read '%s': %s", path, strerror(errno));
}

static _Noreturn void cannot_write(const char *path)
{
    die("cannot write '%s': %s", path, strerror(errno));
}

static void remove_all(const struct spool *s, const char *folder)
{
    char path[PATH];
    path_of(s, folder, "", path);
    DIR *dir = opendir(path);
    if (!dir) cannot_read(path);
    for (struct dirent *e; (e = readdir(dir)) != NULL;)
        // a name that begins with ".n" (".new…") is an incomplete file
        if (e->d_name[0] != '.' || e->d_name[1] == 'n') unlinkat(dirfd(dir), e->d_name, 0);
    closedir(dir);
}

void spool_open(struct spool *s, const char *path)
{
    char folder[PATH];
    s->secret = (struct secret){{0}};
    if ((mkdir(path, 0700) && errno != EEXIST) || !realpath(path, folder))
        die("cannot make the folder '%s': %s", path, strerror(errno));
    if (strlen(folder) >= sizeof s->path) die("the path '%.60s…' is too long", folder);
    memcpy(s->path, folder, strlen(folder) + 1);
    for (int i = 0; folders[i]; ++i) {
        path_of(s, "", folders[i], folder);
        if (mkdir(folder, 0700) && errno != EEXIST) die("cannot make the folder '%s': %s", folder, strerror(errno));
    }
}

void spool_empty(struct spool *s)
{
    static const char *const file[] = {"key", "job", "list"};
    char path[PATH];
    for (size_t i = 0; i < sizeof file / sizeof *file; ++i) {
        path_of(s, "", file[i], path);
        unlink(path);
    }
    for (int i = 0; folders[i]; ++i)
        if (strcmp(folders[i], "log") != 0) remove_all(s, folders[i]);
}

// ------------------------------------------------------------------------------------------------------- whole files
// Creates a file with a unique temporary name in the folder of `path`, and writes the file's name to `new`. Returns the
// file descriptor.
static int open_new(const char *path, char new[PATH])
{
    const char *slash = strrchr(path, '/');
    int n = snprintf(new, PATH, "%.*s/.new-XXXXXX", (int)(slash - path), path);
    int fd = n < PATH ? mkostemp(new, O_CLOEXEC) : -1;
    if (fd < 0) cannot_write(path);
    return fd;
}

static void finish(int fd, const char *new)
{
    if (fsync(fd) || close(fd)) { // fsync() or close() may be the first to report a full disk
        int error = errno;
        unlink(new);
        errno = error;
        cannot_write(new);
    }
}

static void write_file(const char *path, const char *data, size_t bytes)
{
    char new[PATH];
    int fd = open_new(path, new);
    for (size_t at = 0; at < bytes;) {
        ssize_t n = write(fd, data + at, bytes - at);
        if (n < 0 && errno != EINTR) {
            int error = errno;
            unlink(new);
            errno = error;
            cannot_write(path);
        }
        if (n > 0) at += (size_t)n;
    }
    finish(fd, new);
    if (rename(new, path)) cannot_write(path);
}

static int read_file(const char *path, struct text *t)
{
    int error = text_read_file(t, path, SMALL);
    if (error && error != ENOENT) {
        errno = error;
        cannot_read(path);
    }
    if (!t->data) text_puts(t, "");
    return !error;
}

// ---------------------------------------------------------------------------------------------------- the small files
int spool_get_key(const struct spool *s, struct gradebook_key *key)
{
    char path[PATH];
    struct text t = {0};
    path_of(s, "", "key", path);
    int there = read_file(path, &t) &&
                sscanf(t.data, "%159[^\n]\n%159[^\n]\n%" SCNd64, key->tool, key->profile, &key->seed) == 3;
    text_free(&t);
    return there;
}

void spool_agree_key(const struct spool *s, struct gradebook_key *key)
{
    char path[PATH], new[PATH];
    struct text t = {0};
    path_of(s, "", "key", path);
    if (spool_get_key(s, key)) return;
    text_printf(&t, "%s\n%s\n%" PRId64 "\n", key->tool, key->profile, key->seed);
    int fd = open_new(path, new);
    if (write(fd, t.data, t.length) != (ssize_t)t.length) cannot_write(new);
    finish(fd, new);
    if (link(new, path) && errno != EEXIST) cannot_write(path);
    unlink(new);
    text_free(&t);
    if (!spool_get_key(s, key)) die("'%s' is damaged", path);
}

int64_t spool_get_job(const struct spool *s)
{
    char path[PATH];
    struct text t = {0};
    path_of(s, "", "job", path);
    int64_t job = read_file(path, &t) ? strtoll(t.data, NULL, 10) : 0;
    text_free(&t);
    return job;
}

void spool_set_job(const struct spool *s, int64_t job)
{
    char path[PATH], text[32];
    path_of(s, "", "job", path);
    snprintf(text, sizeof text, "%" PRId64 "\n", job);
    write_file(path, text, strlen(text));
}

uint32_t spool_get_list(const struct spool *s, struct spool_item **items)
{
    char path[PATH], name[BATCH_HASH + 32];
    struct text t = {0};
    uint32_t count = 0, lines = 0;
    path_of(s, "", "list", path);
    read_file(path, &t);
    for (const char *at = t.data; *at; ++at) lines += *at == '\n';
    *items = alloc_zeroed(lines + 1, sizeof **items);
    for (const char *at = t.data; count < lines; at = strchr(at, '\n') + 1) {
        struct spool_item *i = &(*items)[count++];
        if (sscanf(at, "%96s %zu", name, &i->bytes) != 2 || parse_name(name, &i->work)) die("'%s' is damaged", path);
    }
    text_free(&t);
    return count;
}

void spool_set_list(const struct spool *s, const struct spool_item *items, uint32_t count)
{
    char path[PATH];
    struct text t = {0};
    path_of(s, "", "list", path);
    for (uint32_t i = 0; i < count; ++i)
        text_printf(&t, "%s.%s %zu\n", items[i].work.source, items[i].work.lab, items[i].bytes);
    write_file(path, t.data, t.length);
    text_free(&t);
}

// -------------------------------------------------------------------------------------------------------- submissions
void spool_put_source(const struct spool *s, const struct gradebook_work *w, const struct text *source)
{
    char path[PATH];
    path_of(s, "source", w->source, path);
    if (access(path, F_OK)) write_file(path, source->data ? source->data : "", source->length);
}

void spool_get_source(const struct spool *s, const struct gradebook_work *w, struct text *source)
{
    char path[PATH];
    path_of(s, "source", w->source, path);
    if (!read_file(path, source)) cannot_read(path);
}

void spool_begin(const struct spool *s, const struct gradebook_work *w)
{
    char path[PATH];
    name_of(s, "begun", w, path);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, "x", 1) != 1 || close(fd)) cannot_write(path);
}

uint32_t spool_begun(const struct spool *s, const struct gradebook_work *w)
{
    char path[PATH];
    struct stat file;
    name_of(s, "begun", w, path);
    return stat(path, &file) ? 0 : (uint32_t)file.st_size;
}

struct seal {
    uint64_t word[2];
};

// Computes the seal of the first `bytes` bytes of a result file. Returns 0, or -1 if the file's bytes cannot be read.
static int seal_of(const struct spool *s, int fd, off_t bytes, const struct gradebook_work *w, struct seal *seal)
{
    struct text t = {0};
    char buffer[1 << 16];
    struct gradebook_key key;
    text_printf(&t, "%s.%s\n", w->source, w->lab);
    if (spool_get_key(s, &key)) text_printf(&t, "%s\n%s\n%" PRId64 "\n", key.tool, key.profile, key.seed);
    for (off_t at = 0; at < bytes;) {
        size_t most = bytes - at < (off_t)sizeof buffer ? (size_t)(bytes - at) : sizeof buffer;
        ssize_t n = pread(fd, buffer, most, at);
        if (n <= 0) break;
        text_add(&t, buffer, (size_t)n);
        at += n;
        if (at < bytes) continue;
        secret_seal(&s->secret, "result of a node", t.data, t.length, seal->word);
        text_free(&t);
        return 0;
    }
    text_free(&t);
    return -1;
}

static int write_seal(const struct spool *s, int fd, const struct gradebook_work *w)
{
    struct seal seal;
    off_t bytes = lseek(fd, 0, SEEK_END);
    if (bytes <= 0 || seal_of(s, fd, bytes, w, &seal)) return -1;
    return write(fd, &seal, sizeof seal) == sizeof seal ? 0 : -1;
}

static int is_sealed(const struct spool *s, int fd, const struct gradebook_work *w, const char *path)
{
    struct stat file;
    struct seal right, there;
    off_t bytes = fstat(fd, &file) ? 0 : file.st_size - (off_t)sizeof there;
    if (bytes > 0 && !seal_of(s, fd, bytes, w, &right) &&
        pread(fd, &there, sizeof there, bytes) == (ssize_t)sizeof there && !memcmp(&right, &there, sizeof right))
        return 1;
    message_warn("the result '%s' does not bear the class's seal: it is refused", path);
    spool_forget(s, w);
    return 0;
}

void spool_put_result(const struct spool *s, const struct gradebook_work *w, const struct worker_result *r)
{
    char path[PATH], new[PATH];
    name_of(s, "result", w, path);
    int fd = open_new(path, new);
    if (worker_result_write(fd, r) || write_seal(s, fd, w)) {
        int error = errno;
        unlink(new);
        errno = error;
        cannot_write(path);
    }
    finish(fd, new);
    if (rename(new, path)) cannot_write(path);
}

int spool_has_result(const struct spool *s, const struct gradebook_work *w)
{
    char path[PATH];
    name_of(s, "result", w, path);
    return !access(path, F_OK);
}

int spool_get_result(const struct spool *s, const struct gradebook_work *w, struct worker_result *r)
{
    char path[PATH];
    name_of(s, "result", w, path);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), there = fd >= 0 && is_sealed(s, fd, w, path);
    if (there) there = !worker_result_read(fd, sizeof(struct seal), r);
    if (fd >= 0) close(fd);
    return there;
}

void spool_forget(const struct spool *s, const struct gradebook_work *w)
{
    char path[PATH];
    name_of(s, "result", w, path);
    unlink(path);
    name_of(s, "begun", w, path);
    unlink(path);
}

void spool_results(const struct spool *s, void (*each)(void *, const struct gradebook_work *), void *data)
{
    char path[PATH], new[PATH];
    struct gradebook_work w;
    path_of(s, "result", "x", path);
    // Making a new file changes the folder, so that the client of a network file system reads the list of names again.
    close(open_new(path, new));
    unlink(new);
    path_of(s, "result", "", path);
    DIR *dir = opendir(path);
    if (!dir) cannot_read(path);
    for (struct dirent *e; (e = readdir(dir)) != NULL;)
        if (!parse_name(e->d_name, &w)) each(data, &w);
    closedir(dir);
}

// --------------------------------------------------------------------------------------------------------------- logs
void spool_last_message(const struct spool *s, int64_t job, struct text *words)
{
    char path[PATH], prefix[32];
    struct stat file, last = {0};
    path_of(s, "log", "", path);
    snprintf(prefix, sizeof prefix, "%" PRId64 "_", job);
    DIR *dir = opendir(path);
    if (!dir) return;
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        struct text t = {0};
        path_of(s, "log", e->d_name, path);
        if (strncmp(e->d_name, prefix, strlen(prefix)) || stat(path, &file) || !file.st_size ||
            file.st_mtime < last.st_mtime || text_read_file(&t, path, SMALL))
            continue;
        last = file;
        text_free(words);
        command_last_line(t.data, words);
        text_free(&t);
    }
    closedir(dir);
}

void spool_clear_logs(const struct spool *s)
{
    remove_all(s, "log");
}
