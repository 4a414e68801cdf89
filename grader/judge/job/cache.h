// Provides the cache folder, which stores images, programs and simulated speeds of baselines (the labs' own slow
// kernels) for later gradings.
#ifndef JUDGE_JOB_CACHE_H
#define JUDGE_JOB_CACHE_H

#include "judge/job/job.h"

enum { CACHE_PATH = 4096, CACHE_FILE_MOST = 32 << 20, CACHE_PARTS = 4 };

// Describes from what a cached file is made: one compiler and up to CACHE_PARTS texts, such as source files.
struct cache_recipe {
    const struct judge_job *job;
    const struct compiler *compiler;
    const char *suffix; // suffix of the cached file, for example "ptx" or "card_90"
    struct text part[CACHE_PARTS];
    unsigned parts;
};
// Frees the texts that a struct cache_recipe owns.
void cache_recipe_free(struct cache_recipe *);
// Adds an empty text to a struct cache_recipe and returns this text. The caller writes a part of the data to be hashed
// into the text. The struct cache_recipe owns the text.
struct text *cache_part(struct cache_recipe *);
// Adds a text with the content of the file at `path` to a struct cache_recipe. Returns 0. If the file cannot be read,
// adds an empty text to the struct cache_recipe and returns an errno value.
int cache_add_file(struct cache_recipe *, const char *path);
// Adds a text with the content of a header of grader/kit, which submissions include, to a struct cache_recipe. `name`
// is the name of the header without ".h".
void cache_add_kit(struct cache_recipe *, const char *name);
// Computes a 128-bit hash of the texts in a struct cache_recipe and of the compiler's path and version.
void cache_hash(const struct cache_recipe *, uint64_t hash[2]);
// Writes the path of the cached file that a struct cache_recipe describes to `path`. Returns 0, or -1 if the job has no
// cache folder or the path is too long.
int cache_path(const struct cache_recipe *, char path[CACHE_PATH]);
// Writes a file to the cache folder, under a temporary name that is renamed when the file is complete. Returns 0 or an
// errno value.
int cache_write(const struct judge_job *, const char *path, const struct text *data, unsigned mode);

#endif
