// Reads the PTX out of fat binaries; base/fatbin.h defines their format.
//
// A program's start-up code passes a wrapper { magic, version, fat binary, … } to libcudart. A program of relocatable
// device code passes a wrapper of version 2, with a NULL-terminated array of the fat binaries of its source files. The
// PTX in a fat binary is plain text, or compressed with LZ4 or Zstandard.
#define _GNU_SOURCE
#include "host/runtime/fat_binary.h"

#include <lz4.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/alloc.h"
#include "base/fatbin.h"
#include "base/text.h"

enum {
    WRAPPER_MAGIC = 0x466243b1,
    ONE_FILE = 1,
    LINKED_FILES = 2,   // versions of the wrapper
    PTX_MOST = 1 << 30, // maximum bytes of a PTX text
};

struct wrapper {
    uint32_t magic, version;
    const unsigned char *data;
    const void *files; // version 2: an array of const unsigned char *
};
// Appends the PTX of a fat binary's entry to *out. Returns 0, or -1 if the entry is invalid.
static int unpack(const struct fatbin_entry *entry, const unsigned char *payload, struct text *out)
{
    size_t bytes = entry->payload;
    int zstd = (entry->flags & FATBIN_ZSTD) != 0, lz4 = (entry->flags & FATBIN_LZ4) != 0;
    if (zstd || lz4) {
        size_t plain = entry->plain;
        if (plain > PTX_MOST || entry->compressed > entry->payload) return -1;
        char *text = alloc_bytes(plain + 1);
        size_t got = zstd
                         ? ZSTD_decompress(text, plain, payload, entry->compressed)
                         : (size_t)LZ4_decompress_safe((const char *)payload, text, (int)entry->compressed, (int)plain);
        int good = got == plain;
        if (good) text_add(out, text, strnlen(text, plain));
        free(text);
        return good ? 0 : -1;
    }
    if (bytes > PTX_MOST) return -1;
    text_add(out, (const char *)payload, strnlen((const char *)payload, bytes));
    return 0;
}

static enum cudart_fatbin_result add_unit(struct cudart_fatbin *f, const struct fatbin_entry *entry,
                                          const unsigned char *payload, struct text *why)
{
    f->unit = alloc_resize(f->unit, f->units + 1, sizeof *f->unit);
    f->unit[f->units] = (struct text){0};
    if (!unpack(entry, payload, &f->unit[f->units++])) return FATBIN_READ;
    text_puts(why, "the PTX in the program's fat binary cannot be unpacked");
    return FATBIN_MALFORMED;
}

// Reads the fat binary of one source file. Adds to *f all relocatable PTX texts of the fat binary. Of the fat binary's
// other PTX texts, adds the newest that a device of compute capability `capability` can run.
static enum cudart_fatbin_result read_file(const unsigned char *data, unsigned capability, struct cudart_fatbin *f,
                                           struct text *why)
{
    struct fatbin_header header;
    struct fatbin_entry entry, best = {0};
    const unsigned char *best_payload = NULL;
    unsigned other = 0, newer = 0;
    memcpy(&header, data, sizeof header);
    if (header.magic != FATBIN_MAGIC || header.bytes < sizeof header) {
        text_puts(why, "the program's device code is no fat binary");
        return FATBIN_MALFORMED;
    }
    const unsigned char *at = data + header.bytes, *end = at + header.payload;
    for (; at + sizeof entry <= end; at += entry.bytes + entry.payload) {
        memset(&entry, 0, sizeof entry);
        memcpy(&entry, at, sizeof entry);
        if (entry.bytes < sizeof entry - 8 || entry.bytes > (size_t)(end - at) ||
            entry.payload > (size_t)(end - at) - entry.bytes) {
            text_puts(why, "the program's fat binary is cut off");
            return FATBIN_MALFORMED;
        }
        if (entry.flags & FATBIN_RELOCATABLE) {
            if (!f->relocatable) f->file = entry.name;
            f->relocatable = 1;
            if (add_unit(f, &entry, at + entry.bytes, why)) return FATBIN_MALFORMED;
        } else if (entry.kind != FATBIN_PTX) {
            other = entry.capability;
        } else if (entry.capability > capability) {
            newer = entry.capability;
        } else if (!best_payload || entry.capability > best.capability) {
            best = entry;
            best_payload = at + entry.bytes;
        }
    }
    if (!best_payload && newer) {
        text_printf(why, "the program's PTX is for compute_%u, and the device is older (%u)", newer, capability);
        return FATBIN_TOO_NEW;
    }
    if (!best_payload && !other) return FATBIN_READ; // empty: a source file without device code
    if (!best_payload) {
        text_printf(why,
                    "the program holds machine code for sm_%u alone, and the simulator runs PTX: build it with "
                    "-gencode arch=compute_80,code=compute_80 (or with -arch=sm_80, which adds PTX)",
                    other);
        return FATBIN_NO_PTX;
    }
    return add_unit(f, &best, best_payload, why);
}

enum cudart_fatbin_result cudart_fatbin_read(const void *at, unsigned capability, struct cudart_fatbin *f,
                                             struct text *why)
{
    struct wrapper wrapper;
    *f = (struct cudart_fatbin){0};
    memcpy(&wrapper, at, sizeof wrapper);
    if (wrapper.magic != WRAPPER_MAGIC || (wrapper.version != ONE_FILE && wrapper.version != LINKED_FILES)) {
        text_puts(why, "the program's device code is of an unknown form");
        return FATBIN_MALFORMED;
    }
    if (wrapper.version == ONE_FILE) return read_file(wrapper.data, capability, f, why);
    // Every program with relocatable device code contains NVIDIA's library for launches from kernels, as machine code
    // only. Source files without PTX are omitted. Device code that calls functions of a source file without PTX fails
    // to link.
    enum cudart_fatbin_result worst = FATBIN_READ;
    for (const unsigned char *const *file = wrapper.files; *file; ++file) {
        enum cudart_fatbin_result result = read_file(*file, capability, f, why);
        if (result == FATBIN_MALFORMED) return result;
        worst = result > worst ? result : worst;
    }
    return f->units ? FATBIN_READ : worst;
}

void cudart_fatbin_free(struct cudart_fatbin *f)
{
    for (unsigned i = 0; i < f->units; ++i) text_free(&f->unit[i]);
    free(f->unit);
    *f = (struct cudart_fatbin){0};
}
