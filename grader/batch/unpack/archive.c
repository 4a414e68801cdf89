// Unpacks a student's or a class's archive with libarchive, in a sandbox (unpack.h). Both the archive and the files
// extracted from it are held in memory.
//
// An archive may be an attack. The path of a member may lead out of the archive, and a member may be a link or a
// device. A few bytes of archive may unpack to terabytes, and an archive may contain other archives. Because an archive
// may be an attack, no function in this file writes to a file system. Only regular files are extracted. Unpacking stops
// at the limits in tree.h for members, for bytes, and for the ratio of unpacked bytes to archive size. An archive
// inside a student's archive is copied to a record without being unpacked, and is later unpacked in a sandbox of its
// own. A third level of nesting is refused.
//
// An archive may also be incomplete, because a download was cut. Then an archive that a student packed must not be
// taken for the class's, and what is missing must be said. The format follows from the first bytes of the file, never
// from bytes further inside:
//
//   zip      Members are taken only from a directory that is proven to be this archive's own (zip.c). From an archive
//            without it, nothing is taken. Each member is given to libarchive by itself, so that libarchive only
//            decodes contents, and finds neither members nor names. Each member of the directory gets one record.
//   7z       The header is at the end of the file, and the first 32 bytes say where. libarchive finds the header by
//            these bytes alone, so nothing is taken from an archive that was cut.
//   tar      The members follow each other from the first byte on, so each of them is this archive's own. Those before
//            a cut are taken. An archive without the block of zeros at its end was cut.
//
// Names are passed on as bytes, and the importing process decodes them (filename.c). libarchive converts the names in
// 7z archives, which are UTF-16, to the encoding of the locale. The program in the sandbox therefore uses a UTF-8
// locale.
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/text.h"
#include "batch/unpack/tree.h"
#include "batch/unpack/unpack.h"
#include "batch/unpack/zip.h"
#include "compile/compile.h"

enum { WITHIN_MOST = 64 << 20, NAME_MOST = 4000 };

struct unpacking {
    const char *data; // the archive
    size_t size;
    uint64_t bytes, most;           // bytes unpacked so far; limit of `bytes`
    uint32_t entries, entries_most; // entries seen so far, with folders; limit of `entries`
    uint32_t members, read;         // members seen so far, without folders; those that were read
    int given, cut;                 // 1: libarchive has all bytes of a tar archive; 1: it asked for more
    int depth;
};
// Describes a member of an archive.
struct member {
    const char *name;
    size_t length; // of the name
    int dos;       // 1: packed by a program for DOS or Windows
    int64_t time;  // seconds since 1970; 0: unknown
    uint64_t size; // bytes; UINT64_MAX: unknown
};

static void refuse(const struct unpacking *u, const struct member *m, enum unpack_refusal why, const char *words)
{
    unpack_put(&(struct unpack_record){.kind = UNPACK_REFUSED,
                                       .path = (char *)(uintptr_t)(m ? m->name : ""),
                                       .length = m ? m->length : 0,
                                       .dos = m && m->dos,
                                       .data = words,
                                       .bytes = words ? strlen(words) : 0,
                                       .time = u->read,
                                       .number = why});
}

static void put_mark(struct unpacking *u, const struct member *m, enum unpack_kind kind)
{
    ++u->read;
    unpack_put(&(struct unpack_record){
        .kind = kind, .path = (char *)(uintptr_t)m->name, .length = m->length, .dos = (uint32_t)m->dos});
}

// Reads the contents of a member into `content`, or skips the contents if `keep` is 0. Returns 0, or 1 if `keep` is 1
// and the member is longer than `most` bytes. Returns -1 if the archive is damaged or unpacks to more bytes than the
// limit allows.
static int read_contents(struct unpacking *u, struct archive *a, const struct member *m, size_t most, int keep,
                         struct text *content)
{
    char buffer[1 << 16];
    int large = 0;
    uint64_t before = u->bytes;
    for (;;) {
        la_ssize_t n = archive_read_data(a, buffer, sizeof buffer);
        if (n < 0) return -1;
        if (!n) return large;
        u->bytes += (uint64_t)n;
        if (u->bytes > u->most || u->bytes - before > m->size) return -1;
        if (!keep) continue;
        if (content->length + (size_t)n > most) large = 1;
        if (!large) text_add(content, buffer, (size_t)n);
    }
}

static int is_7z(const struct unpacking *u)
{
    return u->size >= 6 && !memcmp(u->data, "7z\xbc\xaf\x27\x1c", 6);
}

// Reads a regular file and writes its record. Returns 0, or -1 if the file cannot be read.
static int take_file(struct unpacking *u, struct archive *a, const struct member *m)
{
    char *name = alloc_zeroed(m->length + 1, 1);
    memcpy(name, m->name, m->length);
    int within = tree_is_archive(name), keep = within || tree_keeps(name);
    struct text content = {0};
    int answer = read_contents(u, a, m, within ? WITHIN_MOST : COMPILE_MOST, keep, &content);
    struct unpack_record r = {.kind = within ? UNPACK_ARCHIVE
                                      : keep ? UNPACK_FILE
                                             : UNPACK_OTHER,
                              .path = name,
                              .length = m->length,
                              .dos = (uint32_t)m->dos,
                              .data = answer ? NULL : content.data,
                              .bytes = content.length,
                              .number = answer ? COMPILE_MOST + 1 : content.length,
                              .time = m->time};
    if (answer < 0) {
        int unknown = archive_errno(a) == EILSEQ; // such as a method of compression that libarchive does not know
        enum unpack_refusal why = u->bytes > u->most ? UNPACK_RATIO
                                  : u->cut           ? UNPACK_CUT_HERE
                                  : unknown          ? UNPACK_BROKEN
                                                     : UNPACK_DAMAGED;
        refuse(u, m, why, why == UNPACK_BROKEN ? archive_error_string(a) : NULL);
    } else if (within && (answer || u->depth)) {
        refuse(u, m, answer ? UNPACK_LARGE : UNPACK_NESTED, NULL);
    } else {
        ++u->read;
        unpack_put(&r);
    }
    text_free(&content);
    free(name);
    return answer < 0 ? -1 : 0;
}

// ---------------------------------------------------------------------------------------------------------------- zip
// Holds the local header and the contents of a member, which libarchive reads one after the other.
struct blocks {
    struct text header;
    const char *data;
    size_t bytes;
    int given;
};

static la_ssize_t next_block(struct archive *a, void *data, const void **block)
{
    struct blocks *b = data;
    (void)a;
    *block = b->given ? b->data : b->header.data;
    return b->given++ > 1 ? 0 : b->given == 2 ? (la_ssize_t)b->bytes : (la_ssize_t)b->header.length;
}

static void take_zipped(struct unpacking *u, const struct zip *z, const struct zip_member *of)
{
    struct member m = {of->name, of->length, of->dos, 0, of->size};
    struct blocks b = {.data = z->data + of->begin, .bytes = (size_t)of->packed};
    struct archive_entry *e;
    struct archive *a = alloc_checked(archive_read_new());
    zip_header(z, of, &b.header);
    archive_read_support_format_zip_streamable(a);
    int answer = archive_read_open(a, &b, NULL, next_block, NULL);
    if (answer == ARCHIVE_OK) answer = archive_read_next_header(a, &e);
    if (answer == ARCHIVE_OK || answer == ARCHIVE_WARN) {
        m.time = archive_entry_mtime_is_set(e) ? (int64_t)archive_entry_mtime(e) : 0;
        take_file(u, a, &m);
    } else {
        refuse(u, &m, UNPACK_DAMAGED, NULL);
    }
    archive_read_free(a);
    text_free(&b.header);
}

static void unpack_zip(struct unpacking *u)
{
    struct zip z;
    enum zip_state state = zip_read(&z, u->data, u->size);
    if (state != ZIP_WHOLE) refuse(u, NULL, state == ZIP_NO_DIRECTORY ? UNPACK_NO_DIRECTORY : UNPACK_FOREIGN, NULL);
    if (z.count > u->entries_most) refuse(u, NULL, UNPACK_ENTRIES, NULL);
    for (; u->entries < z.count && z.count <= u->entries_most; ++u->entries) {
        const struct zip_member *of = &z.member[u->entries];
        struct member m = {of->name, of->length, of->dos, 0, of->size};
        if (of->kind == ZIP_FOLDER) continue;
        ++u->members;
        if (of->length > NAME_MOST)
            refuse(u, &m, UNPACK_NAMELESS, NULL);
        else if (of->two_names)
            refuse(u, &m, UNPACK_NAMES, NULL);
        else if (of->kind != ZIP_FILE)
            put_mark(u, &m, of->kind == ZIP_LINK ? UNPACK_LINK : UNPACK_STRANGE);
        else if (of->locked)
            refuse(u, &m, UNPACK_LOCKED, NULL);
        else if (u->bytes > u->most || of->size > u->most - u->bytes)
            refuse(u, &m, UNPACK_RATIO, NULL);
        else
            take_zipped(u, &z, of);
    }
    if (u->read < u->members)
        unpack_put(&(struct unpack_record){.kind = UNPACK_COUNT, .number = u->members, .time = u->read});
    zip_free(&z);
}

// ---------------------------------------------------------------------------------------------------------- tar and 7z
// Returns 1 if the header of a 7z archive lies beyond the end of the file.
static int is_cut_7z(const struct unpacking *u)
{
    uint64_t place[2] = {0, 0}; // offset of the header behind the first 32 bytes, and its size
    if (!is_7z(u)) return 0;
    if (u->size < 32) return 1;
    for (int i = 16; i-- > 0;) place[i / 8] = place[i / 8] << 8 | (unsigned char)u->data[12 + i];
    return place[0] > u->size - 32 || place[1] > u->size - 32 - place[0];
}

// Writes the record of the member that libarchive found. Returns 0, or -1 if the caller must stop reading this archive.
static int take_entry(struct unpacking *u, struct archive *a, struct archive_entry *e)
{
    const char *path = archive_entry_pathname(e);
    if (archive_entry_filetype(e) == AE_IFDIR) return 0;
    ++u->members;
    while (path && !strncmp(path, "./", 2)) path += 2;
    struct member m = {.name = path ? path : "",
                       .length = path ? strlen(path) : 0,
                       .time = archive_entry_mtime_is_set(e) ? (int64_t)archive_entry_mtime(e) : 0,
                       .size = UINT64_MAX};
    if (!path || m.length > NAME_MOST)
        refuse(u, &m, UNPACK_NAMELESS, NULL);
    else if (archive_entry_symlink(e) || archive_entry_hardlink(e))
        put_mark(u, &m, UNPACK_LINK);
    else if (archive_entry_filetype(e) != AE_IFREG)
        put_mark(u, &m, UNPACK_STRANGE);
    else if (archive_entry_is_encrypted(e))
        refuse(u, &m, UNPACK_LOCKED, NULL);
    else
        return take_file(u, a, &m);
    return 0;
}

// Writes a record that says why libarchive did not reach the end of the archive. `answer` is its last answer.
static void say_end(const struct unpacking *u, struct archive *a, int answer)
{
    int failed = answer != ARCHIVE_OK && answer != ARCHIVE_WARN && answer != ARCHIVE_EOF;
    if (failed && archive_format(a) && archive_read_has_encrypted_entries(a) > 0) // crashes without a format
        refuse(u, NULL, UNPACK_LOCKED, NULL);
    else if (is_cut_7z(u))
        refuse(u, NULL, UNPACK_NO_DIRECTORY, NULL);
    else if (answer == ARCHIVE_EOF ||
             (u->cut && (archive_format(a) || archive_errno(a) != EILSEQ))) // EILSEQ: no known format
        refuse(u, NULL, UNPACK_CUT, NULL);
    else
        refuse(u, NULL, failed ? UNPACK_BROKEN : UNPACK_STOPPED, failed ? archive_error_string(a) : NULL);
}

static la_ssize_t next_bytes(struct archive *a, void *data, const void **bytes)
{
    struct unpacking *u = data;
    (void)a;
    u->cut = u->given;
    u->given = 1;
    *bytes = u->data;
    return u->cut ? 0 : (la_ssize_t)u->size;
}

// Reads a tar archive with any usual compression, or a 7z archive. The option makes libarchive read all of a file that
// holds several tar archives, as "cat" joins them.
static void unpack_others(struct unpacking *u)
{
    struct archive_entry *e;
    struct archive *a = alloc_checked(archive_read_new());
    int (*const filter[])(struct archive *) = {archive_read_support_filter_gzip,    archive_read_support_filter_bzip2,
                                               archive_read_support_filter_xz,      archive_read_support_filter_lzma,
                                               archive_read_support_filter_zstd,    archive_read_support_filter_lz4,
                                               archive_read_support_filter_compress};
    if (is_7z(u)) archive_read_support_format_7zip(a);
    for (size_t i = 0; !is_7z(u) && i < sizeof filter / sizeof *filter; ++i) filter[i](a);
    if (!is_7z(u)) archive_read_support_format_tar(a);
    archive_read_set_format_option(a, "tar", "read_concatenated_archives", "1");
    int answer =
        is_7z(u) ? archive_read_open_memory(a, u->data, u->size) : archive_read_open(a, u, NULL, next_bytes, NULL);
    while (answer == ARCHIVE_OK || answer == ARCHIVE_WARN) {
        answer = archive_read_next_header(a, &e);
        if ((answer != ARCHIVE_OK && answer != ARCHIVE_WARN) || u->entries++ >= u->entries_most || take_entry(u, a, e))
            break;
    }
    // Behind the last member, a tar archive has a block of zeros.
    int ended = answer == ARCHIVE_EOF && (is_7z(u) || archive_filter_bytes(a, 0) > archive_read_header_position(a));
    if (u->entries > u->entries_most)
        refuse(u, NULL, UNPACK_ENTRIES, NULL);
    else if (!ended)
        say_end(u, a, answer);
    archive_read_free(a);
}

void unpack_archive(const char *data, size_t bytes, int depth)
{
    struct unpacking u = {.data = data,
                          .size = bytes,
                          .most = (uint64_t)bytes * TREE_RATIO + TREE_SLACK,
                          .entries_most = depth ? TREE_WITHIN_ENTRIES : TREE_ENTRIES,
                          .depth = depth};
    if (u.most > TREE_BYTES) u.most = TREE_BYTES;
    if (depth && u.most > TREE_WITHIN_BYTES) u.most = TREE_WITHIN_BYTES;
    if (!setlocale(LC_CTYPE, "C.UTF-8")) setlocale(LC_CTYPE, "en_US.UTF-8");
    if (zip_is(data, bytes))
        unpack_zip(&u);
    else
        unpack_others(&u);
    unpack_put(&(struct unpack_record){.kind = UNPACK_END, .time = (int64_t)u.bytes, .number = u.entries});
}
