// Hashing: 64-bit FNV-1a with a final mix (for tables and seeds, not for security), and a map from strings to ints.
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

// Returns a hash of `bytes` bytes; another `seed` gives an independent hash.
uint64_t hash_bytes(const void *data, size_t bytes, uint64_t seed);

// A map from strings to ints. A zero-initialised map is empty. The map does not copy keys: they must outlive it. Free
// it with hash_map_free().
struct hash_map {
    struct hash_entry {
        const char *key; // `length` bytes without a NUL; NULL: this entry is free
        size_t length;
        int value;
    } * entry;
    size_t capacity, count;
};

// Returns the value stored for the key, or -1.
int hash_map_get(const struct hash_map *m, const char *key, size_t length);
// Stores the value, which is at least 0, for the key, and replaces the key's earlier value.
void hash_map_put(struct hash_map *m, const char *key, size_t length, int value);
void hash_map_free(struct hash_map *m);

#endif
