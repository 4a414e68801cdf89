// See hash.h. The hash function is FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/), followed by the final mix of
// MurmurHash3. A hash_map uses open addressing with linear probing. At most three quarters of a hash_map's entries are
// in use.
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

uint64_t hash_bytes(const void *data, size_t bytes, uint64_t seed)
{
    const unsigned char *p = data;
    uint64_t h = 0xcbf29ce484222325u ^ seed;
    for (size_t i = 0; i < bytes; ++i) h = (h ^ p[i]) * 0x100000001b3u;
    h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
    h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
    return h ^ (h >> 33);
}

static struct hash_entry *find(const struct hash_map *m, const char *key, size_t length)
{
    size_t i = hash_bytes(key, length, 0) & (m->capacity - 1);
    while (m->entry[i].key && (m->entry[i].length != length || memcmp(m->entry[i].key, key, length)))
        i = (i + 1) & (m->capacity - 1);
    return &m->entry[i];
}

int hash_map_get(const struct hash_map *m, const char *key, size_t length)
{
    if (!m->capacity) return -1;
    const struct hash_entry *e = find(m, key, length);
    return e->key ? e->value : -1;
}

static void grow(struct hash_map *m)
{
    struct hash_map bigger = {.capacity = m->capacity ? m->capacity * 2 : 64};
    bigger.entry = alloc_zeroed(bigger.capacity, sizeof *bigger.entry);
    for (size_t i = 0; i < m->capacity; ++i)
        if (m->entry[i].key) *find(&bigger, m->entry[i].key, m->entry[i].length) = m->entry[i];
    bigger.count = m->count;
    free(m->entry);
    *m = bigger;
}

void hash_map_put(struct hash_map *m, const char *key, size_t length, int value)
{
    if (4 * (m->count + 1) > 3 * m->capacity) grow(m);
    struct hash_entry *e = find(m, key, length);
    if (!e->key) ++m->count;
    *e = (struct hash_entry){key, length, value};
}

void hash_map_free(struct hash_map *m)
{
    free(m->entry);
    *m = (struct hash_map){0};
}
