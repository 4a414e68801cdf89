// Unpacks a student's archive with libarchive, in a sandbox (unpack.h). Both the archive and the files extracted from
// it are held in memory.
//
// A student's archive may be an attack. The path of an archive entry may lead out of the archive, and an entry may be a
// link or a device. A few bytes of archive may unpack to terabytes, and an archive may contain other archives. Because
// an archive may be an attack, no function in this file writes to a file system. Only regular files are extracted, and
// only if their path is relative and contains no "..". Unpacking stops at the limits in tree.h for entries, for bytes,
// and for the ratio of unpacked bytes to archive size. An archive inside a student's archive is copied to a record
// without being unpacked, and is later unpacked in a sandbox of its own. A third level of nesting is refused.
#include <archive.h>
#include <archive_entry.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "batch/tree.h"
#include "batch/unpack.h"
#include "compile/compile.h"

enum { WITHIN_MOST = 64 << 20 };

struct unpacking {
    struct archive *archive;
    uint64_t bytes, most; // bytes unpacked so far; limit of `bytes`
    uint32_t entries, entries_most;
    int depth;
};

static void refuse(const char *path, enum unpack_refusal why, const char *words)
{
    unpack_put(&(struct unpack_record){.kind = UNPACK_REFUSED,
                                       .path = (char *)(uintptr_t)path,
                                       .data = words,
                                       .bytes = words ? strlen(words) : 0,
                                       .number = why});
}

static int put_mark(enum unpack_kind kind, const char *path)
{
    unpack_put(&(struct unpack_record){.kind = kind, .path = (char *)(uintptr_t)path});
    return 0;
}

// Reads the contents of an archive entry into `content`, or skips the contents if `keep` is 0. Returns 0, or 1 if
// `keep` is 1 and the entry is longer than `most` bytes. Returns -1 if the archive is damaged or unpacks to more bytes
// than the limit allows.
static int read_entry(struct unpacking *u, size_t most, int keep, struct text *content)
{
    char buffer[1 << 16];
    int large = 0;
    for (;;) {
        la_ssize_t n = archive_read_data(u->archive, buffer, sizeof buffer);
        if (n < 0) return -1;
        if (!n) return large;
        u->bytes += (uint64_t)n;
        if (u->bytes > u->most) return -1;
        if (!keep) continue;
        if (content->length + (size_t)n > most) large = 1;
        if (!large) text_add(content, buffer, (size_t)n);
    }
}

// Writes the record of one archive entry. Returns 0, or -1 if the caller must stop reading this archive.
static int take_entry(struct unpacking *u, struct archive_entry *e)
{
    const char *name = archive_entry_pathname_utf8(e), *path = name ? name : archive_entry_pathname(e);
    if (!path || archive_entry_filetype(e) == AE_IFDIR) return 0;
    while (!strncmp(path, "./", 2)) path += 2;
    if (archive_entry_symlink(e) || archive_entry_hardlink(e)) return put_mark(UNPACK_LINK, path);
    if (archive_entry_filetype(e) != AE_IFREG || !tree_stays_inside(path)) return put_mark(UNPACK_STRANGE, path);
    int within = tree_is_archive(path), keep = within || tree_keeps(path);
    struct text content = {0};
    int answer = read_entry(u, within ? WITHIN_MOST : COMPILE_MOST, keep, &content);
    struct unpack_record r = {.kind = within ? UNPACK_ARCHIVE
                                      : keep ? UNPACK_FILE
                                             : UNPACK_OTHER,
                              .path = (char *)(uintptr_t)path,
                              .data = answer ? NULL : content.data,
                              .bytes = content.length,
                              .number = answer ? COMPILE_MOST + 1 : content.length,
                              .time = archive_entry_mtime_is_set(e) ? (int64_t)archive_entry_mtime(e) : 0};
    if (answer < 0)
        refuse(path, u->bytes > u->most ? UNPACK_RATIO : UNPACK_DAMAGED, NULL);
    else if (within && (answer || u->depth))
        refuse(path, answer ? UNPACK_LARGE : UNPACK_NESTED, NULL);
    else
        unpack_put(&r);
    text_free(&content);
    return answer < 0 ? -1 : 0;
}

void unpack_archive(const char *data, size_t bytes, int depth)
{
    struct archive_entry *e;
    struct unpacking u = {.archive = alloc_checked(archive_read_new()),
                          .most = (uint64_t)bytes * TREE_RATIO + TREE_SLACK,
                          .entries_most = depth ? TREE_WITHIN_ENTRIES : TREE_ENTRIES,
                          .depth = depth};
    if (u.most > TREE_BYTES) u.most = TREE_BYTES;
    if (depth && u.most > TREE_WITHIN_BYTES) u.most = TREE_WITHIN_BYTES;
    archive_read_support_filter_all(u.archive);
    archive_read_support_format_tar(u.archive);
    archive_read_support_format_zip(u.archive);
    archive_read_support_format_7zip(u.archive);
    int answer = archive_read_open_memory(u.archive, data, bytes);
    while (answer == ARCHIVE_OK || answer == ARCHIVE_WARN) {
        answer = archive_read_next_header(u.archive, &e);
        if (answer != ARCHIVE_OK && answer != ARCHIVE_WARN) break;
        if (++u.entries > u.entries_most) {
            refuse("", UNPACK_ENTRIES, NULL);
            break;
        }
        if (take_entry(&u, e)) break;
    }
    if (answer == ARCHIVE_FATAL || answer == ARCHIVE_FAILED) refuse("", UNPACK_BROKEN, archive_error_string(u.archive));
    archive_read_free(u.archive);
    unpack_put(&(struct unpack_record){.kind = UNPACK_END, .time = (int64_t)u.bytes, .number = u.entries});
}
