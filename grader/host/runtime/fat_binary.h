// This file defines fat binaries as libcudart stores them. A compiler puts a fat binary with device code into a
// program. The program's start-up code registers the fat binary.
#ifndef HOST_RUNTIME_FAT_BINARY_H
#define HOST_RUNTIME_FAT_BINARY_H

#include <stddef.h>
#include <stdint.h>

struct text;

// Holds the PTX of one source file, or of all source files of a program with relocatable device code.
struct cudart_fatbin {
    struct text *unit; // PTX texts, without NUL; owned
    unsigned units;
    int relocatable; // 1: `unit` holds the whole program; other fat binaries of the program hold the same texts
                     // (base/fatbin.h)
    uint32_t file;   // relocatable: number of the source file that this fat binary belongs to
};

enum cudart_fatbin_result {
    FATBIN_READ,
    FATBIN_NO_PTX,    // the fat binary contains only machine code; `why` says for which devices
    FATBIN_TOO_NEW,   // the fat binary contains only PTX for newer devices
    FATBIN_MALFORMED, // the fat binary is invalid; `why` gives the reason
};
// Reads the fat binary of `wrapper`, the argument of __cudaRegisterFatBinary. If one source file has several PTX texts,
// cudart_fatbin_read() takes the newest text that a device of compute capability `capability` (10 * major + minor) can
// run. On failure cudart_fatbin_read() adds a sentence to `why`. The caller must call cudart_fatbin_free() even after a
// failure.
enum cudart_fatbin_result cudart_fatbin_read(const void *wrapper, unsigned capability, struct cudart_fatbin *,
                                             struct text *why);
void cudart_fatbin_free(struct cudart_fatbin *);

#endif
