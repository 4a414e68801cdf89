// Writes zip archives by PKWARE's APPNOTE.TXT (section 4.3), with the CRC-32 of zlib. Members are stored without
// compression, so that the bytes do not follow from the version of a library. The mark of UTF-8 (bit 11) is set.
#include "batch/export/zip_writer.h"

#include <string.h>
#include <zlib.h>

#include "base/text.h"
#include "batch/unpack/zip.h"

enum { VERSION = 20, UTF8 = 1 << 11, FIRST_DAY = 1 << 5 | 1 };

static void put(struct text *t, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i) text_add(t, &(char){(char)(value >> 8 * i)}, 1);
}

// Appends the fields that a member's local header and its entry in the directory have in common.
static void put_member(struct text *t, const char *name, const struct text *contents)
{
    put(t, VERSION, 2);
    put(t, UTF8, 2);
    put(t, 0, 2); // stored
    put(t, 0, 2); // midnight
    put(t, FIRST_DAY, 2);
    put(t, crc32_z(0, (const unsigned char *)(contents->data ? contents->data : ""), contents->length), 4);
    put(t, contents->length, 4);
    put(t, contents->length, 4);
    put(t, strlen(name), 2);
    put(t, 0, 2); // bytes of extra fields
}

void zip_writer_add(struct zip_writer *w, const char *name, const struct text *contents)
{
    size_t at = w->members.length;
    text_add(&w->members, "PK\3\4", 4);
    put_member(&w->members, name, contents);
    text_puts(&w->members, name);
    text_add(&w->members, contents->data ? contents->data : "", contents->length);
    text_add(&w->directory, "PK\1\2", 4);
    put(&w->directory, VERSION, 2);
    put_member(&w->directory, name, contents);
    put(&w->directory, 0, 2); // bytes of the comment
    put(&w->directory, 0, 2); // number of the disk
    put(&w->directory, 0, 2); // internal attributes
    put(&w->directory, 0, 4); // external attributes
    put(&w->directory, at, 4);
    text_puts(&w->directory, name);
    ++w->count;
}

void zip_writer_end(struct zip_writer *w)
{
    size_t at = w->members.length;
    if (!w->count) return;
    text_add(&w->members, w->directory.data, w->directory.length);
    text_add(&w->members, "PK\5\6", 4);
    put(&w->members, 0, 4); // numbers of disks
    put(&w->members, w->count, 2);
    put(&w->members, w->count, 2);
    put(&w->members, w->directory.length, 4);
    put(&w->members, at, 4);
    put(&w->members, 0, 2); // bytes of the comment
}
