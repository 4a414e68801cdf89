// Theory of operation: strangers write the archives, git objects, YAML files and class lists of submissions, and may
// design a file to attack its parser. The parsers are libraries (libarchive, libgit2, libyaml) and csv.c. A file that
// attacks its parser may make the parser use any amount of time and memory, or execute the attacker's code. Therefore
// no parser runs in the process that has opened the gradebook:
//
//   importing process ──box_start()──▶ this program again, in a box: parses one submission
//     descriptor 3: the input, read only        (archives, YAML, CSV; a private copy of .git for libgit2)
//     descriptor 4: a memory file for records   (written by the box, limited by RLIMIT_FSIZE)
//
// The importing process reads the records only if the program in the sandbox has exited with 0. The importing process
// checks every length in the records, and puts the submission's path before each path in the records. The program in
// the sandbox therefore cannot choose to whom a file belongs. If a crash, or a limit of time, memory or output, ends
// the program in the sandbox, the import takes no file of the submission. The import then lists the submission as one
// that could not be read, and continues with the next submission.
//
// A zip archive stores times without a time zone. The program in the sandbox reads these times in the course's time
// zone (timestamp.h), never in the zone of the machine that grades.
#define _GNU_SOURCE
#include "batch/unpack/unpack.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "batch/unpack/timestamp.h"
#include "box/box.h"

enum { INPUT = 3, OUTPUT = 4, PATH = 4096, ARGUMENTS = 80, FAILED = 3 };
static const uint64_t MEMORY = UINT64_C(1) << 30; // bytes of a parser, besides its input
static const double WALL_S = 40, PROCESSOR_S = 10, BYTES_PER_S = 4 << 20;

// Describes the header of a record in the memory file. The record's path and contents follow the header.
struct head {
    uint32_t kind, path, dos, zero;
    uint64_t bytes, number;
    int64_t time;
};

// -------------------------------------------------------------------------------------------- the importing process
int unpack_input(const char *data, size_t bytes)
{
    int fd = memfd_create("input", MFD_CLOEXEC);
    for (size_t at = 0; fd >= 0 && at < bytes;) {
        ssize_t n = write(fd, data + at, bytes - at);
        if (n < 0 && errno != EINTR) break;
        if (n > 0) at += (size_t)n;
        if (at < bytes) continue;
        return fd;
    }
    if (fd < 0 || bytes) die("cannot make a memory file: %s", strerror(errno));
    return fd;
}

// Reads the record at offset *at and advances *at to the next record. Returns 1, or 0 if the record is incomplete or of
// an unknown kind.
static int next_record(const char *data, size_t bytes, size_t *at, struct unpack_record *r)
{
    struct head h;
    if (bytes - *at < sizeof h) return 0;
    memcpy(&h, data + *at, sizeof h);
    size_t left = bytes - *at - sizeof h;
    if (h.kind > UNPACK_END || h.path >= PATH || h.path > left || h.bytes > left - h.path) return 0;
    const char *path = data + *at + sizeof h;
    memcpy(r->path, path, h.path);
    r->path[h.path] = '\0';
    r->length = h.path;
    r->dos = h.dos != 0;
    r->kind = (enum unpack_kind)h.kind;
    r->data = path + h.path;
    r->bytes = (size_t)h.bytes;
    r->time = h.time;
    r->number = h.number;
    *at += sizeof h + h.path + (size_t)h.bytes;
    return 1;
}

// Calls `take` for each record in the memory file with the descriptor `fd`. Checks all records before the first call,
// so that nothing is taken from a damaged file. Returns 0, or -1 if the file is damaged or cannot be read.
static int take_records(int fd, void (*take)(void *, const struct unpack_record *), void *data)
{
    struct stat file;
    char path[PATH];
    struct unpack_record r = {.path = path};
    if (fstat(fd, &file) || !file.st_size) return -1;
    size_t bytes = (size_t)file.st_size;
    char *map = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    if (map == MAP_FAILED) return -1;
    int whole = 0;
    for (int pass = 0; pass < 2 && (!pass || whole); ++pass)
        for (size_t at = 0; at < bytes && next_record(map, bytes, &at, &r);) {
            if (pass && r.kind != UNPACK_END) take(data, &r);
            whole = r.kind == UNPACK_END && at == bytes;
            if (pass && r.kind == UNPACK_END) take(data, &r);
        }
    munmap(map, bytes);
    return whole ? 0 : -1;
}

static void say_end(const struct box *box, struct text *why)
{
    if (box->end == BOX_TIMEOUT || (box->end == BOX_SIGNALLED && box->code == SIGXCPU))
        text_puts(why, _("it could not be read: it takes too long"));
    else if (box->end == BOX_SIGNALLED && box->code == SIGXFSZ)
        text_puts(why, _("it could not be read: it holds too much"));
    else
        text_puts(why, _("it could not be read: it takes too much memory, or it is damaged"));
}

int unpack_run(const struct unpack_request *r, void (*take)(void *, const struct unpack_record *), void *data,
               struct text *why)
{
    char self[PATH], libraries[PATH + 16];
    struct box box;
    const char *argv[ARGUMENTS] = {self, UNPACK_WORD, r->kind};
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) die("cannot tell where the grader lies: /proc is not mounted");
    self[n] = '\0';
    // "make carry" puts shared libraries beside the program.
    snprintf(libraries, sizeof libraries, "%.*s/bin/lib", (int)(strrchr(self, '/') - self), self);
    for (int i = 0; r->arguments && r->arguments[i] && i < ARGUMENTS - 4; ++i) argv[3 + i] = r->arguments[i];
    int null = r->input < 0 ? unpack_input("", 0) : -1, out = memfd_create("records", MFD_CLOEXEC);
    if (out < 0) die("cannot make a memory file: %s", strerror(errno));
    struct box_spec spec = {.argv = argv,
                            .env = (const char *const[]){timestamp_zone_variable(), NULL},
                            .directory = r->directory,
                            .readable = (const char *const[]){self, access(libraries, R_OK) ? NULL : libraries, NULL},
                            .fds = (int[]){r->input < 0 ? null : r->input, out},
                            .nfds = 2,
                            .wall_s = WALL_S + (double)r->input_bytes / BYTES_PER_S,
                            .cpu_s = (unsigned)(PROCESSOR_S + (double)r->input_bytes / BYTES_PER_S),
                            .address_space = MEMORY + r->input_bytes,
                            .file_size = r->output,
                            .single = 1};
#ifdef __SANITIZE_ADDRESS__
    spec.address_space = 0; // AddressSanitizer reserves terabytes of addresses
#endif
    if (box_run(&spec, &box, why)) die("%s", why->data);
    int answer = box.end == BOX_EXITED && !box.code ? take_records(out, take, data) : -1;
    if (answer) say_end(&box, why);
    box_free(&box);
    close(out);
    if (null >= 0) close(null);
    return answer;
}

// ------------------------------------------------------------------------------------------------------- in the box
static FILE *records;

void unpack_put(const struct unpack_record *r)
{
    size_t path = r->length ? r->length : r->path ? strlen(r->path) : 0;
    struct head h = {.kind = r->kind,
                     .path = path < PATH ? (uint32_t)path : PATH - 1,
                     .dos = r->dos,
                     .bytes = r->data ? r->bytes : 0,
                     .number = r->number,
                     .time = r->time};
    if (fwrite(&h, sizeof h, 1, records) != 1 || (h.path && fwrite(r->path, h.path, 1, records) != 1) ||
        (h.bytes && fwrite(r->data, h.bytes, 1, records) != 1))
        _exit(FAILED);
}

void unpack_serve(int argc, char **argv)
{
    struct stat file;
    if (argc < 3 || strcmp(argv[1], UNPACK_WORD) != 0) return;
    records = fdopen(OUTPUT, "w");
    if (!records || fstat(INPUT, &file)) _exit(FAILED);
    size_t bytes = (size_t)file.st_size;
    const char *data = bytes ? mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, INPUT, 0) : "";
    if (data == MAP_FAILED) _exit(FAILED);
    if (!strcmp(argv[2], "archive") && argc > 3)
        unpack_archive(data, bytes, !strcmp(argv[3], "1"));
    else if (!strcmp(argv[2], "clone"))
        unpack_clone(argv + 3);
    else if (!strcmp(argv[2], "list"))
        unpack_list(data, bytes);
    else if (!strcmp(argv[2], "table"))
        unpack_table(data, bytes);
    else
        _exit(FAILED);
    if (fclose(records)) _exit(FAILED);
    _exit(0);
}
