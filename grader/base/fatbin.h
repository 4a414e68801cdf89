// The format of fat binaries, in which a program contains its device code. A fat binary is a header and a sequence of
// entries. Each entry is a header and a payload for one architecture. All numbers are little-endian, without padding.
// NVIDIA does not document the format. Source: output of `cuobjdump`, and other readers such as cricket's decompressor.
#ifndef BASE_FATBIN_H
#define BASE_FATBIN_H

#include <stdint.h>
#include <string.h>

#define FATBIN_MAGIC 0xba55ed50u
#define FATBIN_PTX 1        // entry.kind: 1 is PTX, 2 is machine code
#define FATBIN_64BIT 0x1u   // entry.flags: 64-bit addresses
#define FATBIN_LINUX 0x10u  // entry.flags: made for Linux
#define FATBIN_LZ4 0x2000u  // entry.flags: payload compressed with LZ4, before CUDA 12.4
#define FATBIN_ZSTD 0x8000u // entry.flags: payload compressed with zstd, since CUDA 12.4
// A flag of ours, which NVIDIA's tools never set: the program has several source files, whose texts must be linked.
// Each file's fat binary holds the texts of all files, its own first; `name` of an entry is the number of the file.
#define FATBIN_RELOCATABLE (1ull << 62)

struct fatbin_header {
    uint32_t magic;
    uint16_t version, bytes; // version: 1; bytes: size of this header
    uint64_t payload;        // bytes of all entries together
};
struct fatbin_entry {
    uint16_t kind, version;       // version: 0x101
    uint32_t bytes;               // size of this header
    uint64_t payload;             // bytes that follow this header
    uint32_t compressed, options; // compressed: bytes of the payload that are compressed data
    uint16_t minor, major;
    uint32_t capability; // 10 * major + minor of the architecture
    uint32_t name, name_bytes;
    uint64_t flags, reserved, plain; // plain: bytes of the uncompressed text
};

// In texts with FATBIN_RELOCATABLE, FATBIN_LOCAL and the file's number are appended to each name that is local to its
// file, because another file may use the same name.
#define FATBIN_LOCAL "$f"
// Returns 1 if the mangled name is local to its source file: static, or in an unnamed namespace.
static inline int fatbin_is_local(const char *name, size_t length)
{
    static const char space[] = "12_GLOBAL__N_1";
    if (length > 3 && !memcmp(name, "_ZL", 3)) return 1;
    for (size_t i = 2; length > sizeof space && i + sizeof space - 1 <= length && !memcmp(name, "_Z", 2); ++i)
        if (!memcmp(name + i, space, sizeof space - 1)) return 1;
    return 0;
}

#endif
