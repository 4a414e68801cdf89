// Computes hashes (64-bit FNV-1a with a final mix) and provides a map from strings to ints. The hash is for tables and
// seeds, not for security.
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

// Returns a hash of the `bytes` bytes at `data`. Different values of `seed` give independent hashes.
uint64_t hash_bytes(const void *data, size_t bytes, uint64_t seed);

// A map from strings to ints. A zero-initialised map is empty. The map does not copy keys, so the keys must outlive the
// map. Free the map with hash_map_free().
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
// Stores `value`, which must be at least 0, for the key. An earlier value of the key is replaced.
void hash_map_put(struct hash_map *m, const char *key, size_t length, int value);
void hash_map_free(struct hash_map *m);

#endif
