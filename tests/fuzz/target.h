// A target of fuzzing: a promise of ours that holds whatever the bytes are, and the words that its inputs are made of.
// One file each; the folder of the same name holds its corpus (the simulator's is that of the loader).
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

struct fuzz_target {
    const char *name;
    void (*run)(const uint8_t *, size_t);
    const char *const *word; // NULL-terminated
};
extern const struct fuzz_target fuzz_ptx, fuzz_sim, fuzz_wire, fuzz_host;

// A promise was broken: says which, leaves the input in fuzz_failed, and aborts.
_Noreturn void fuzz_failed(const char *what, const uint8_t *data, size_t size);

#endif
