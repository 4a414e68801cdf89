// Computes hashes (64-bit FNV-1a with a final mix) and provides a map from strings to ints. The hash is meant for hash
// tables and random seeds, not for security.
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

// Returns a hash of the `bytes` bytes at `data`. Different values of `seed` give independent hashes.
uint64_t hash_bytes(const void *data, size_t bytes, uint64_t seed);

// A struct hash_map maps strings to ints. A zero-initialised hash_map is empty. A hash_map does not copy keys, so the
// keys must outlive the map. The caller frees a hash_map with hash_map_free().
struct hash_map {
    struct hash_entry {
        const char *key; // key of `length` bytes without a NUL; NULL: this entry is free
        size_t length;
        int value;
    } * entry;
    size_t capacity, count;
};

// Returns the value stored for the key, or -1 if the map does not contain the key.
int hash_map_get(const struct hash_map *m, const char *key, size_t length);
// Stores `value`, which must be at least 0, for the key. If the key already has a value, hash_map_put() replaces the
// value.
void hash_map_put(struct hash_map *m, const char *key, size_t length, int value);
void hash_map_free(struct hash_map *m);

#endif
