// Reads zip archives' directories, by PKWARE's APPNOTE.TXT (section 4.3 and 4.4) and Info-ZIP's extra field 0x7075.
//
// Why not libarchive: if an archive has no directory, libarchive scans for local headers. In a class's archive that was
// cut, libarchive then finds the headers, or even the whole directory, of an archive that a student packed and that is
// stored inside. It reads this student's folders as if they were the class's, and the work goes to whomever the student
// named. Therefore zip.c takes members only from a directory that is proven to be the outer archive's own:
//
//   1. The record at the end of the directory, with its comment, ends where the archive ends.
//   2. The directory ends where this record begins, and begins where the record says.
//   3. The members tile the archive. The first local header is at offset 0, each member ends where the next one begins,
//      and the last one ends where the directory begins. Between two members there may be a data descriptor.
//
// An archive inside begins at an offset above 0, so its directory does not fulfil 2 and 3. An archive that is cut has
// no directory, so nothing is taken from it: a local header alone does not say whose it is, and a download that was cut
// can be made again. Rule 3 also excludes members that overlap (Fifield, "A better zip bomb", 2019) and bytes that no
// member covers.
//
// The member's name is that of the directory. The mark of UTF-8 needs no evaluation, because the importing process
// tries UTF-8 first (filename.c). The extra field 0x7075 has the name in UTF-8 if the hash in it is that of the other
// name.
#include "batch/unpack/zip.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/text.h"

enum {
    LOCAL = 30,
    ENTRY = 46,
    END = 22,
    END64 = 56,
    LOCATOR = 20,
    COMMENT = 65535,
    FLAG_LOCKED = 1,
    FLAG_DESCRIPTOR = 8,
    FLAG_STRONG = 0x40,
    FLAG_MASKED = 0x2000,
    EXTRA_LONG = 1,
    EXTRA_PATH = 0x7075,
    METHOD_AES = 99,
};

// Returns the little-endian number of `n` bytes at offset `at`.
static uint64_t number(const char *data, uint64_t at, int n)
{
    uint64_t value = 0;
    while (n-- > 0) value = value << 8 | (unsigned char)data[at + (uint64_t)n];
    return value;
}

static int is_at(const struct zip *z, uint64_t at, const char *signature)
{
    return at + 4 <= z->bytes && !memcmp(z->data + at, signature, 4);
}

int zip_is(const char *data, size_t bytes)
{
    return bytes >= 4 && (!memcmp(data, "PK\3\4", 4) || !memcmp(data, "PK\5\6", 4));
}

// ---------------------------------------------------------------------------------------------------- a member
// Replaces the sizes and the offset that need 64 bits by those in the extra field at `at`, which lists them in this
// order.
static void take_long(struct zip_member *m, const char *extra, uint64_t at, uint64_t end)
{
    uint64_t *const field[] = {&m->size, &m->packed, &m->at};
    for (int i = 0; i < 3; ++i) {
        if (*field[i] != UINT32_MAX || end - at < 8) continue;
        *field[i] = number(extra, at, 8);
        at += 8;
    }
}

static void take_extra(struct zip_member *m, const char *extra, uint64_t bytes)
{
    const char *plain = m->name;
    size_t length = m->length;
    for (uint64_t at = 0; at + 4 <= bytes;) {
        uint64_t kind = number(extra, at, 2), size = number(extra, at + 2, 2);
        at += 4;
        if (size > bytes - at) return;
        if (kind == EXTRA_LONG) take_long(m, extra, at, at + size);
        if (kind == EXTRA_PATH && size > 5 && extra[at] == 1 &&
            number(extra, at + 1, 4) == crc32_z(0, (const unsigned char *)plain, length)) {
            m->name = extra + at + 5;
            m->length = (size_t)size - 5;
        }
        at += size;
    }
}

static enum zip_kind kind_of(const struct zip_member *m, uint64_t host, uint64_t attributes)
{
    enum { UNIX = 3, MAC = 19, TYPES = 0170000, FOLDER = 0040000, REGULAR = 0100000, LINK = 0120000, DOS_FOLDER = 16 };
    uint64_t type = host == UNIX || host == MAC ? attributes >> 16 & TYPES : 0;
    char last = m->length ? m->name[m->length - 1] : '\0';
    if (!m->size && (type == FOLDER || last == '/' || (m->dos && (last == '\\' || attributes & DOS_FOLDER))))
        return ZIP_FOLDER;
    if (type == LINK) return ZIP_LINK;
    return (type && type != REGULAR) || last == '/' ? ZIP_SPECIAL : ZIP_FILE;
}

// Reads the directory's entry at offset `at`. Returns the offset behind the entry, or 0 if the entry is damaged.
static uint64_t take_entry(const struct zip *z, uint64_t at, uint64_t end, struct zip_member *m)
{
    const char *d = z->data;
    if (end - at < ENTRY || !is_at(z, at, "PK\1\2")) return 0;
    uint64_t name = number(d, at + 28, 2), extra = number(d, at + 30, 2), comment = number(d, at + 32, 2);
    uint64_t host = number(d, at + 5, 1), method = number(d, at + 10, 2), next = at + ENTRY + name + extra + comment;
    if (next > end || number(d, at + 34, 2)) return 0;
    *m = (struct zip_member){.name = d + at + ENTRY,
                             .length = (size_t)name,
                             .flags = (uint16_t)number(d, at + 8, 2),
                             .crc = (uint32_t)number(d, at + 16, 4),
                             .packed = number(d, at + 20, 4),
                             .size = number(d, at + 24, 4),
                             .at = number(d, at + 42, 4),
                             .dos = host == 0 || host == 10 || host == 11 || host == 14};
    take_extra(m, d + at + ENTRY + name, extra);
    m->locked = m->flags & (FLAG_LOCKED | FLAG_STRONG | FLAG_MASKED) || method == METHOD_AES;
    if (end < LOCAL || m->at > end - LOCAL || !is_at(z, m->at, "PK\3\4")) return 0;
    uint64_t own = number(d, m->at + 26, 2);
    m->extra = (uint16_t)number(d, m->at + 28, 2);
    m->begin = m->at + LOCAL + own + m->extra;
    m->flags |= (uint16_t)(number(d, m->at + 6, 2) & FLAG_DESCRIPTOR);
    if (m->begin > end || m->packed > end - m->begin) return 0;
    m->two_names = own != name || memcmp(d + m->at + LOCAL, d + at + ENTRY, (size_t)name) != 0;
    m->kind = kind_of(m, host, number(d, at + 38, 4));
    return next;
}

// ------------------------------------------------------------------------------------------------- the directory
struct directory {
    uint64_t begin, bytes, count;
    int many; // 1: `count` has 16 bits, and the archive may have more members
};

// Finds the directory that the end record at offset `at` describes. Returns 0, or -1 if there is none that ends where
// the records behind it begin.
static int find_directory(const struct zip *z, uint64_t at, struct directory *found)
{
    const char *d = z->data;
    if (number(d, at + 4, 2) || number(d, at + 6, 2)) return -1; // a part of an archive in several files
    *found = (struct directory){number(d, at + 16, 4), number(d, at + 12, 4), number(d, at + 10, 2), 1};
    uint64_t end = at;
    if (at >= LOCATOR + END64 && is_at(z, at - LOCATOR, "PK\6\7")) {
        uint64_t record = number(d, at - LOCATOR + 8, 8);
        if (record > at - LOCATOR - END64 || !is_at(z, record, "PK\6\6") ||
            number(d, record + 4, 8) != at - LOCATOR - record - 12)
            return -1;
        *found = (struct directory){number(d, record + 48, 8), number(d, record + 40, 8), number(d, record + 32, 8), 0};
        end = record;
    }
    return found->begin <= end && found->bytes == end - found->begin ? 0 : -1;
}

static int by_place(const void *a, const void *b)
{
    const struct zip_member *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

// Returns 1 if the members cover all bytes before the directory, and no byte twice.
static int tiles(const struct zip *z, uint64_t directory)
{
    uint64_t at = 0;
    for (uint32_t i = 0; i <= z->count; ++i) {
        uint64_t next = i < z->count ? z->member[i].at : directory, gap = next - at;
        int descriptor = i && z->member[i - 1].flags & FLAG_DESCRIPTOR;
        if (next < at || (gap && !(descriptor && gap >= 12 && gap <= 24 && gap % 4 == 0))) return 0;
        if (i < z->count) at = z->member[i].begin + z->member[i].packed;
    }
    return 1;
}

static int take_directory(struct zip *z, const struct directory *d)
{
    uint64_t end = d->begin + d->bytes;
    uint32_t room = 0;
    z->count = 0;
    for (uint64_t at = d->begin; at < end; ++z->count) {
        ALLOC_GROW(z->member, room, z->count + 1);
        at = take_entry(z, at, end, &z->member[z->count]);
        if (!at) return -1;
        if (z->member[z->count].begin > d->begin) return -1;
    }
    if (d->many ? (z->count & 0xffff) != d->count : z->count != d->count) return -1;
    if (z->count) qsort(z->member, z->count, sizeof *z->member, by_place);
    return tiles(z, d->begin) ? 0 : -1;
}

enum zip_state zip_read(struct zip *z, const char *data, size_t bytes)
{
    struct directory d;
    enum zip_state state = ZIP_NO_DIRECTORY;
    *z = (struct zip){.data = data, .bytes = bytes};
    for (uint64_t comment = 0; comment <= COMMENT && comment + END <= bytes; ++comment) {
        uint64_t at = bytes - END - comment;
        if (!is_at(z, at, "PK\5\6") || number(data, at + 20, 2) != comment) continue;
        state = ZIP_FOREIGN_DIRECTORY;
        if (!find_directory(z, at, &d) && !take_directory(z, &d)) return ZIP_WHOLE;
        zip_free(z);
        *z = (struct zip){.data = data, .bytes = bytes};
    }
    return state;
}

void zip_free(struct zip *z)
{
    free(z->member);
    *z = (struct zip){0};
}

// The header has the sizes and the hash of the directory, since a member with a data descriptor has none in its own
// header. The name is replaced, and the extra fields, which may contain the time in UTC, are kept.
void zip_header(const struct zip *z, const struct zip_member *m, struct text *out)
{
    char header[LOCAL];
    memcpy(header, z->data + m->at, LOCAL);
    const struct {
        int at, bytes;
        uint64_t value;
    } field[] = {{6, 2, m->flags & 6}, {14, 4, m->crc}, {18, 4, m->packed}, {22, 4, m->size}, {26, 2, 1}};
    for (size_t i = 0; i < sizeof field / sizeof *field; ++i)
        for (int k = 0; k < field[i].bytes; ++k) header[field[i].at + k] = (char)(field[i].value >> 8 * k);
    text_add(out, header, sizeof header);
    text_puts(out, "m");
    text_add(out, z->data + m->begin - m->extra, m->extra);
}
