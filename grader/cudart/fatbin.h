// Fat binaries: the device code that a compiler put into a program, as the program's start-up code registers it.
#ifndef CUDART_FATBIN_H
#define CUDART_FATBIN_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

// The PTX of one program or, of a program of relocatable device code, of all its files.
struct cudart_fatbin {
    struct text *unit; // PTX texts, without NUL; owned
    unsigned units;
    int relocatable; // 1: these texts are the whole program, which other fat binaries hold too (FATBIN_RELOCATABLE)
    uint32_t file;   // then: the number of the file whose fat binary this is
};

enum cudart_fatbin_result {
    FATBIN_READ,
    FATBIN_NO_PTX,    // machine code alone; `why` says for what
    FATBIN_TOO_NEW,   // PTX for newer devices alone
    FATBIN_MALFORMED, // `why` says what
};
// Reads what `wrapper` (the argument of __cudaRegisterFatBinary) leads to, and of several PTX texts for one source
// takes the newest that a device of `capability` (10 * major + minor) runs. Free with cudart_fatbin_free, whatever the
// result. `why` gets a sentence.
enum cudart_fatbin_result cudart_fatbin_read(const void *wrapper, unsigned capability, struct cudart_fatbin *,
                                             struct text *why);
void cudart_fatbin_free(struct cudart_fatbin *);

#endif
