// The cache folder: keeps images, programs and figures of baselines between gradings.
#ifndef JUDGE_JOB_CACHE_H
#define JUDGE_JOB_CACHE_H

#include "judge/job/job.h"

enum { CACHE_PATH = 4096, CACHE_FILE_MOST = 32 << 20, CACHE_PARTS = 4 };

// What a file is made from: one compiler and some texts.
struct cache_recipe {
    const struct judge_job *job;
    const struct compiler *compiler;
    const char *suffix; // of the file: "ptx", "card_90"
    struct text part[CACHE_PARTS];
    unsigned parts;
};
void cache_recipe_free(struct cache_recipe *);
// Returns the next part, empty, for the caller to fill.
struct text *cache_part(struct cache_recipe *);
// Adds the text of a file as a part; a file that cannot be read counts as empty. Returns 0 or an errno value.
int cache_add_file(struct cache_recipe *, const char *path);
// Adds a header of the kit, by its name without ".h".
void cache_add_kit(struct cache_recipe *, const char *name);
// Computes 128 bits that change with the parts, the compiler's path and its version.
void cache_hash(const struct cache_recipe *, uint64_t hash[2]);
// Returns 0 with the path of the file that the recipe makes; or -1: the job has no cache, or the path is too long.
int cache_path(const struct cache_recipe *, char path[CACHE_PATH]);
// Writes a file of the cache, whole or not at all. Returns 0 or an errno value.
int cache_write(const struct judge_job *, const char *path, const struct text *data, unsigned mode);

#endif
