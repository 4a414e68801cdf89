// Fat binaries, the form in which device code stands in a program: a header, and entries one after the other, each with
// a header of its own and a payload for one architecture. NVIDIA documents none of it; the layout is what `cuobjdump`
// shows and what readers of it agree on (cricket's fatbin decompressor, for one). Little-endian, without padding.
#ifndef BASE_FATBIN_H
#define BASE_FATBIN_H

#include <stdint.h>
#include <string.h>

#define FATBIN_MAGIC 0xba55ed50u
#define FATBIN_PTX 1        // enum of entry.kind: a text; 2 is machine code
#define FATBIN_64BIT 0x1u   // flags of an entry
#define FATBIN_LINUX 0x10u  //
#define FATBIN_LZ4 0x2000u  // the payload is compressed: before CUDA 12.4 …
#define FATBIN_ZSTD 0x8000u // … and since
// ours: the texts are those of a program's several files, to be linked; each file has all of them, its own first, and
// `name` of the entry is the file's number. NVIDIA's tools leave it clear
#define FATBIN_RELOCATABLE (1ull << 62)

struct fatbin_header {
    uint32_t magic;
    uint16_t version, bytes; // 1; of this header
    uint64_t payload;        // bytes of all entries
};
struct fatbin_entry {
    uint16_t kind, version;       // version: 0x101
    uint32_t bytes;               // of this header
    uint64_t payload;             // behind it
    uint32_t compressed, options; // bytes of the payload that are compressed data
    uint16_t minor, major;
    uint32_t capability; // 10 * major + minor of the architecture
    uint32_t name, name_bytes;
    uint64_t flags, reserved, plain; // plain: bytes when uncompressed
};

// Of the texts with that mark: names that a file keeps for itself (static, or in an unnamed namespace), which another
// file may have too, get FATBIN_LOCAL and the file's number behind them.
#define FATBIN_LOCAL "$f"
static inline int fatbin_is_local(const char *name, size_t length)
{
    static const char space[] = "12_GLOBAL__N_1";
    if (length > 3 && !memcmp(name, "_ZL", 3)) return 1;
    for (size_t i = 2; length > sizeof space && i + sizeof space - 1 <= length && !memcmp(name, "_Z", 2); ++i)
        if (!memcmp(name + i, space, sizeof space - 1)) return 1;
    return 0;
}

#endif
