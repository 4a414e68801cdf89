// Fat binaries: the device code that a compiler puts into a program, and that the program's start-up code registers.
#ifndef CUDART_FATBIN_H
#define CUDART_FATBIN_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

// The PTX of one source file, or of all files of a program that was compiled to relocatable device code.
struct cudart_fatbin {
    struct text *unit; // PTX texts, without NUL; owned
    unsigned units;
    int relocatable; // 1: the texts are the whole program, and other fat binaries of it hold them too (base/fatbin.h)
    uint32_t file;   // relocatable: the number of the file that this fat binary belongs to
};

enum cudart_fatbin_result {
    FATBIN_READ,
    FATBIN_NO_PTX,    // it contains only machine code; `why` says for which devices
    FATBIN_TOO_NEW,   // it contains only PTX for newer devices
    FATBIN_MALFORMED, // `why` says what is wrong
};
// Reads the fat binary of `wrapper`, the argument of __cudaRegisterFatBinary. Of several PTX texts for one source file
// it takes the newest that a device of `capability` (10 * major + minor) can run. Adds a sentence to `why` if that
// fails. The caller calls cudart_fatbin_free whatever the result.
enum cudart_fatbin_result cudart_fatbin_read(const void *wrapper, unsigned capability, struct cudart_fatbin *,
                                             struct text *why);
void cudart_fatbin_free(struct cudart_fatbin *);

#endif
