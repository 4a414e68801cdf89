// Embeds a file in the program's read-only data, such as a style sheet or an SQL script. The Makefile names each object
// that embeds a file, and make rebuilds the object when the file changes.
#ifndef BASE_EMBED_H
#define BASE_EMBED_H

// Defines the string `name`: the bytes of the file `path` (from the repository's root) and a NUL. Hidden visibility
// makes the compiler address the string directly. Code for arm64 would otherwise read the address from a table, and the
// assembler puts the start of the section into this table.
#define EMBED(name, path)                                                                                              \
    __asm__(".section .rodata\n" #name ": .incbin \"" path "\"\n.byte 0\n.previous\n");                                \
    extern const char name[] __attribute__((visibility("hidden")))

#endif
