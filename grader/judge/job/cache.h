// The cache folder stores images, programs and speeds of baselines, so that later gradings can reuse these files.
#ifndef JUDGE_JOB_CACHE_H
#define JUDGE_JOB_CACHE_H

#include "judge/job/job.h"

enum { CACHE_PATH = 4096, CACHE_FILE_MOST = 32 << 20, CACHE_PARTS = 4 };

// Describes the inputs from which a cached file is made. The inputs are one compiler and up to CACHE_PARTS texts.
struct cache_recipe {
    const struct judge_job *job;
    const struct compiler *compiler;
    const char *suffix; // suffix of the cached file, for example "ptx" or "card_90"
    struct text part[CACHE_PARTS];
    unsigned parts;
};
// Frees the texts of the recipe.
void cache_recipe_free(struct cache_recipe *);
// Returns the next unused part of the recipe. The part is empty, and the caller fills the part. The recipe owns the
// part.
struct text *cache_part(struct cache_recipe *);
// Adds the text of a file as a part of the recipe. Returns 0. If the file cannot be read, adds an empty part and
// returns an errno value.
int cache_add_file(struct cache_recipe *, const char *path);
// Adds a header of the kit as a part of the recipe. `name` is the header's name without ".h".
void cache_add_kit(struct cache_recipe *, const char *name);
// Computes a 128-bit hash of the recipe's parts and of the compiler's path and version.
void cache_hash(const struct cache_recipe *, uint64_t hash[2]);
// Writes the path of the recipe's cached file to `path`. Returns 0, or -1 if the job has no cache folder or the path is
// too long.
int cache_path(const struct cache_recipe *, char path[CACHE_PATH]);
// Writes a file of the cache by renaming a complete temporary file. Returns 0 or an errno value.
int cache_write(const struct judge_job *, const char *path, const struct text *data, unsigned mode);

#endif
