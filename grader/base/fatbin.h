// Defines the format of fat binaries. A fat binary is the part of a program that contains the device code. A fat binary
// is a header followed by a sequence of entries. Each entry of a fat binary is a header and a payload for one
// architecture. All numbers in a fat binary are little-endian, without padding between them. NVIDIA does not document
// the format of fat binaries. The format is known from the output of `cuobjdump` and from other programs that read fat
// binaries, such as cricket's decompressor.
#ifndef BASE_FATBIN_H
#define BASE_FATBIN_H

#include <stdint.h>
#include <string.h>

#define FATBIN_MAGIC 0xba55ed50u
#define FATBIN_PTX 1        // value of entry.kind for PTX; 2 is machine code
#define FATBIN_64BIT 0x1u   // flag of an entry: addresses have 64 bits
#define FATBIN_LINUX 0x10u  // flag of an entry: made for Linux
#define FATBIN_LZ4 0x2000u  // flag of an entry: payload compressed with LZ4, before CUDA 12.4
#define FATBIN_ZSTD 0x8000u // flag of an entry: payload compressed with zstd, since CUDA 12.4
// FATBIN_RELOCATABLE is a flag of this project that NVIDIA's tools never set. The flag FATBIN_RELOCATABLE says that the
// program has several source files, whose PTX texts must be linked. With FATBIN_RELOCATABLE, the fat binary of each
// source file holds the PTX texts of all source files, beginning with its own PTX text. With FATBIN_RELOCATABLE, the
// field `name` of a fat binary's entry is the number of the source file.
#define FATBIN_RELOCATABLE (1ull << 62)

struct fatbin_header {
    uint32_t magic;
    uint16_t version, bytes; // version is 1; bytes: size of this header
    uint64_t payload;        // size of all entries together, in bytes
};
struct fatbin_entry {
    uint16_t kind, version;       // version is 0x101
    uint32_t bytes;               // size of this header, in bytes
    uint64_t payload;             // size of the payload after this header, in bytes
    uint32_t compressed, options; // compressed: size of the compressed data in the payload, in bytes
    uint16_t minor, major;
    uint32_t capability; // 10 * major + minor of the architecture
    uint32_t name, name_bytes;
    uint64_t flags, reserved, plain; // plain: size of the uncompressed text, in bytes
};

// In PTX texts with the flag FATBIN_RELOCATABLE, each name that is local to its source file ends with FATBIN_LOCAL and
// the file's number. The suffix FATBIN_LOCAL is needed because two source files may use the same local name.
#define FATBIN_LOCAL "$f"
// Returns 1 if the mangled name is local to its source file, that is, declared static or in an unnamed namespace.
static inline int fatbin_is_local(const char *name, size_t length)
{
    static const char space[] = "12_GLOBAL__N_1";
    if (length > 3 && !memcmp(name, "_ZL", 3)) return 1;
    for (size_t i = 2; length > sizeof space && i + sizeof space - 1 <= length && !memcmp(name, "_Z", 2); ++i)
        if (!memcmp(name + i, space, sizeof space - 1)) return 1;
    return 0;
}

#endif
