// Reads the directory of a zip archive, which lists all members, and proves that it is this archive's own. Runs in the
// sandbox (unpack.h).
#ifndef BATCH_UNPACK_ZIP_H
#define BATCH_UNPACK_ZIP_H

#include <stddef.h>
#include <stdint.h>

struct text;

enum zip_kind { ZIP_FILE, ZIP_FOLDER, ZIP_LINK, ZIP_SPECIAL };
// Describes a member of a zip archive. The sizes are in bytes.
struct zip_member {
    const char *name; // not NUL-terminated; points into the archive. UTF-8 if the archive has such a name of the member
    size_t length;    // of the name
    uint64_t at;      // offset of the member's local header
    uint64_t begin;   // offset of the packed contents
    uint64_t packed, size;
    uint32_t crc;
    uint16_t flags;
    uint16_t extra; // bytes of extra fields in the local header, which end at `begin`
    enum zip_kind kind;
    int dos;       // 1: packed by a program for DOS or Windows
    int locked;    // 1: encrypted
    int two_names; // 1: the local header has another name than the directory
};
struct zip {
    const char *data;
    uint64_t bytes;
    struct zip_member *member; // in the order of their contents; owned
    uint32_t count;
};
enum zip_state {
    ZIP_WHOLE,
    ZIP_NO_DIRECTORY,      // the archive does not end with a directory
    ZIP_FOREIGN_DIRECTORY, // the archive ends with a directory that is not proven to be its own
};
// Returns 1 if the bytes begin as a zip archive does.
int zip_is(const char *data, size_t bytes);
// Reads the directory of the archive at `data`. If the result is not ZIP_WHOLE, the archive has no members. The caller
// frees the zip with zip_free(), and keeps `data` until then.
enum zip_state zip_read(struct zip *, const char *data, size_t bytes);
void zip_free(struct zip *);
// Appends a local header for the member to `out`. Behind this header, the member's packed contents are an archive with
// one file.
void zip_header(const struct zip *, const struct zip_member *, struct text *out);

#endif
