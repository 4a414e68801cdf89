// Reads a student's archive with libarchive and adds its files to a tree (tree.h). Both the archive and the files
// extracted from it are held in memory.
//
// A student's archive may be an attack. The path of an archive entry may lead out of the archive, and an entry may be a
// link or a device. A few bytes of archive may unpack to terabytes, and an archive may contain other archives. Because
// an archive may be an attack, no function in this file writes to a file system. Only regular files are extracted, and
// only if their path is relative and contains no "..". Unpacking stops at the limits in tree.h for entries, for bytes,
// and for the ratio of unpacked bytes to archive size. An archive inside an archive is opened, but a third level of
// nesting is refused.
#include <archive.h>
#include <archive_entry.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/message.h"
#include "batch/tree.h"
#include "compile/compile.h"

enum { PATH = 4096, WITHIN_MOST = 64 << 20 };

struct unpacking {
    struct tree *tree;
    struct archive *archive;
    const char *prefix;
    int64_t time;         // time of the student's archive; 0: this archive contains the submissions of students
    uint64_t bytes, most; // bytes unpacked so far; limit of `bytes`
    uint32_t entries, entries_most;
};

// Returns 1 if the path is relative and no part of the path is "..".
static int stays_inside(const char *path)
{
    if (!*path || *path == '/' || strchr(path, '\\')) return 0;
    for (const char *at = path; at; at = strchr(at, '/')) {
        if (*at == '/') ++at;
        if (!strncmp(at, "..", 2) && (at[2] == '/' || !at[2])) return 0;
    }
    return 1;
}

// Reads the contents of an archive entry into `content`, or skips the contents if `keep` is 0. Returns 0, or 1 if
// `keep` is 1 and the entry is longer than `most` bytes. Returns -1 if the archive is damaged or unpacks to more bytes
// than a limit allows.
static int read_entry(struct unpacking *u, size_t most, int keep, struct text *content)
{
    char buffer[1 << 16];
    int large = 0;
    for (;;) {
        la_ssize_t n = archive_read_data(u->archive, buffer, sizeof buffer);
        if (n < 0) return -1;
        if (!n) return large;
        u->bytes += (uint64_t)n;
        u->tree->bytes += (uint64_t)n;
        if (u->bytes > u->most || u->tree->bytes > TREE_BYTES) return -1;
        if (!keep) continue;
        if (content->length + (size_t)n > most) large = 1;
        if (!large) text_add(content, buffer, (size_t)n);
    }
}

// Adds one archive entry to the tree of files that were read. Returns 0, or -1 if the caller must stop reading this
// archive.
static int take_entry(struct unpacking *u, struct archive_entry *e, int depth)
{
    struct tree *t = u->tree;
    int64_t time = archive_entry_mtime_is_set(e) ? (int64_t)archive_entry_mtime(e) : 0;
    const char *name = archive_entry_pathname_utf8(e), *path = name ? name : archive_entry_pathname(e);
    char full[PATH];
    if (!path || archive_entry_filetype(e) == AE_IFDIR) return 0;
    while (!strncmp(path, "./", 2)) path += 2;
    if (archive_entry_symlink(e) || archive_entry_hardlink(e)) return ++t->links, 0;
    if (archive_entry_filetype(e) != AE_IFREG || !stays_inside(path) ||
        snprintf(full, sizeof full, "%s%s%s", u->prefix, *u->prefix ? "/" : "", path) >= (int)sizeof full)
        return ++t->strange, 0;
    int within = tree_is_archive(path), keep = within || tree_wants(path);
    struct text content = {0};
    int answer = read_entry(u, within ? WITHIN_MOST : COMPILE_MOST, keep, &content);
    const char *data = content.data ? content.data : "";
    if (answer < 0)
        tree_refuse(t, full, "%s",
                    u->bytes > u->most      ? _("it unpacks to far more than it is")
                    : t->bytes > TREE_BYTES ? _("too much is unpacked already")
                                            : _("the archive is damaged here"));
    else if (within && (answer || depth))
        tree_refuse(t, full, "%s", answer ? _("too large") : _("an archive within an archive within"));
    else if (within)
        tree_add_archive(t, full, data, content.length, depth + 1, u->time ? u->time : time);
    else if (keep)
        tree_add(t, full, answer ? NULL : data, answer ? COMPILE_MOST + 1 : content.length, u->time ? u->time : time,
                 u->time ? time : 0);
    else
        tree_add_other(t, full);
    text_free(&content);
    return answer < 0 ? -1 : 0;
}

void tree_add_archive(struct tree *t, const char *prefix, const char *data, size_t bytes, int depth, int64_t time)
{
    struct archive_entry *e;
    struct unpacking u = {.tree = t,
                          .archive = alloc_checked(archive_read_new()),
                          .prefix = prefix,
                          .time = time,
                          .most = (uint64_t)bytes * TREE_RATIO + TREE_SLACK,
                          .entries_most = TREE_ENTRIES};
    if (depth) u.entries_most = TREE_WITHIN_ENTRIES;
    if (depth && u.most > TREE_WITHIN_BYTES) u.most = TREE_WITHIN_BYTES;
    archive_read_support_filter_all(u.archive);
    archive_read_support_format_tar(u.archive);
    archive_read_support_format_zip(u.archive);
    archive_read_support_format_7zip(u.archive);
    int answer = archive_read_open_memory(u.archive, data, bytes);
    while (answer == ARCHIVE_OK || answer == ARCHIVE_WARN) {
        answer = archive_read_next_header(u.archive, &e);
        if (answer != ARCHIVE_OK && answer != ARCHIVE_WARN) break;
        if (++u.entries > u.entries_most || ++t->entries > TREE_ENTRIES) {
            tree_refuse(t, *prefix ? prefix : _("the archive"), "it has too many entries");
            break;
        }
        if (take_entry(&u, e, depth)) break;
    }
    if (answer == ARCHIVE_FATAL || answer == ARCHIVE_FAILED)
        tree_refuse(t, *prefix ? prefix : _("the archive"), "it cannot be read: %s", archive_error_string(u.archive));
    archive_read_free(u.archive);
}
