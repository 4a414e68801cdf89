// Hashing: 64-bit FNV-1a with a final mix (for tables and seeds, not for security), and a map from strings to ints.
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const void *data, size_t bytes, uint64_t seed);

// Open addressing; keys are not copied and must outlive the map. Zero-initialised it is empty. Freed by hash_map_free.
struct hash_map {
    struct hash_entry {
        const char *key; // not NUL-terminated; NULL: empty
        size_t length;
        int value;
    } * entry;
    size_t capacity, count;
};

// The value stored under key, or -1.
int hash_map_get(const struct hash_map *m, const char *key, size_t length);
// Stores or replaces; value >= 0.
void hash_map_put(struct hash_map *m, const char *key, size_t length, int value);
void hash_map_free(struct hash_map *m);

#endif
