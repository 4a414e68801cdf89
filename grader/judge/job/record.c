// See record.h. The reader accepts exactly what the writer prints: each line has a fixed place, so a line that is
// missing, doubled, unknown or cut off damages the file. A damaged record is not used, and never ends a grading.
#include "judge/job/record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/hash.h"
#include "base/message.h"
#include "base/text.h"
#include "device/profile.h"
#include "judge/job/cache.h"
#include "judge/job/model.h"

enum { VALUE = 96, NAME = 64 }; // most characters of a line's value and of its first word, with the NUL

const char *const judge_record_why[] = {
    [RECORD_MISSING] = N_("there is no record of it for this device"),
    [RECORD_DAMAGED] = N_("its record is damaged"),
    [RECORD_SOURCE] = N_("its source was changed after its record was made"),
    [RECORD_CASE] = N_("its speed case was changed after its record was made"),
    [RECORD_PROFILE] = N_("the device's profile was changed after its record was made"),
    [RECORD_MODEL] = N_("the simulator was changed after its record was made"),
};

// -------------------------------------------------------------------------------------------------------------- hashes
static uint64_t hash_string(const char *string, uint64_t h)
{
    return string ? hash_bytes(string, strlen(string) + 1, h) : hash_bytes("", 0, h);
}

static void print_hash(uint64_t h, char out[RECORD_HASH])
{
    snprintf(out, RECORD_HASH, "%016" PRIx64, h);
}

// Hashes the baseline's source with the headers that it includes. Leaves the hash empty if the source is not there.
static void hash_source(const struct judge_job *job, char out[RECORD_HASH])
{
    struct cache_recipe r = {.job = job};
    uint64_t h = 0;
    out[0] = '\0';
    int error = cache_add_file(&r, job->baseline);
    if (error && error != ENOENT) die("cannot read the baseline '%s': %s", job->baseline, strerror(error));
    if (job->lab->host) cache_add_file(&r, job->main);
    cache_add_kit(&r, job->lab->host ? job->lab->name : "warpwise");
    for (unsigned i = 0; i < r.parts; ++i)
        h = hash_bytes(r.part[i].data ? r.part[i].data : "", r.part[i].length, h + r.part[i].length);
    if (!error) print_hash(h, out);
    cache_recipe_free(&r);
}

static void hash_case(const struct lab *lab, char out[RECORD_HASH])
{
    const struct lab_case *c = lab_speed_case(lab);
    uint64_t h = hash_string(c->name, 0);
    h = hash_bytes(c->dim, sizeof c->dim, hash_string(c->values, h));
    for (uint32_t k = 0; k < LAB_KERNELS && lab->kernel[k]; ++k) h = hash_string(lab->kernel[k], h);
    if (lab->host) {
        h = hash_bytes(&lab->host->devices, sizeof lab->host->devices, h);
        h = hash_bytes(&lab->host->host_ps, sizeof lab->host->host_ps, h);
    }
    print_hash(h, out);
}

static void hash_profile(const struct device_profile *p, char out[RECORD_HASH])
{
    uint64_t h = hash_string(p->name, 0);
    for (size_t i = 0; i < device_profile_fields; ++i)
        h = hash_bytes((const char *)p + device_profile_field[i].offset, sizeof(int64_t), h);
    h = hash_bytes(p->carveout_kb, p->carveouts * sizeof *p->carveout_kb, h);
    print_hash(h, out);
}

int judge_record_key(const struct judge_job *job, struct judge_record_key *key)
{
    const struct device_profile *profile = device_profile_find(job->device);
    if (!profile) return -1;
    *key = (struct judge_record_key){.source = ""};
    hash_source(job, key->source);
    hash_case(job->lab, key->speed_case);
    hash_profile(profile, key->profile);
    snprintf(key->model, sizeof key->model, "%s", job->lab->host ? MODEL_HOST_LABS : MODEL_KERNEL_LABS);
    return 0;
}

// ------------------------------------------------------------------------------------------------------------- reading
// The lines of a record that are left to read. Each line has a name, a space and a value, or only a name.
struct lines {
    const char *at;
    char name[NAME], value[VALUE]; // of the present line; the name is empty at the end of the text
    int damaged;
};

static void next_line(struct lines *l)
{
    l->name[0] = l->value[0] = '\0';
    while (*l->at == '#' || *l->at == '\n') {
        l->at += strcspn(l->at, "\n");
        l->at += *l->at == '\n';
    }
    if (!*l->at) return;
    size_t length = strcspn(l->at, "\n"), name = strcspn(l->at, " \n");
    size_t value = length > name ? length - name - 1 : 0;
    if (!name || name >= NAME || value >= VALUE || l->at[length] != '\n') {
        l->damaged = 1;
        l->at = "";
        return;
    }
    snprintf(l->name, NAME, "%.*s", (int)name, l->at);
    snprintf(l->value, VALUE, "%.*s", (int)value, value ? l->at + name + 1 : "");
    l->at += length + 1;
}

// Copies the value of the present line, which must have the name `name`, and goes on to the next line.
static void take_word(struct lines *l, const char *name, char *out, size_t capacity)
{
    if (strcmp(l->name, name) != 0 || !l->value[0] || strlen(l->value) >= capacity)
        l->damaged = 1;
    else if (out)
        snprintf(out, capacity, "%s", l->value);
    next_line(l);
}

static void take_hash(struct lines *l, const char *name, char out[RECORD_HASH])
{
    if (strlen(l->value) != RECORD_HASH - 1 || strspn(l->value, "0123456789abcdef") != RECORD_HASH - 1) l->damaged = 1;
    take_word(l, name, out, RECORD_HASH);
}

static uint64_t take_number(struct lines *l, const char *name, uint64_t most)
{
    enum { DIGITS = 18 }; // so that no number overflows
    size_t digits = strspn(l->value, "0123456789");
    uint64_t number = 0;
    if (!digits || digits > DIGITS || l->value[digits])
        l->damaged = 1;
    else
        number = strtoull(l->value, NULL, 10);
    l->damaged |= number > most;
    take_word(l, name, NULL, VALUE);
    return number;
}

static void take_kernel(struct lines *l, const char *name, struct judge_record_kernel *k)
{
    l->damaged |= strcmp(l->value, name) != 0;
    take_word(l, "kernel", NULL, VALUE);
    k->time_ps = take_number(l, "time_ps", INT64_MAX);
    for (int i = 0; i < counter_count; ++i) {
        if (strcmp(l->name, counter_info[i].name) != 0) continue;
        uint64_t value = take_number(l, counter_info[i].name, INT64_MAX);
        memcpy((char *)&k->counters + counter_info[i].offset, &value, sizeof value);
    }
}

static void take_block(struct lines *l, const struct lab *lab, char device[VALUE], struct judge_record *r,
                       struct judge_record_key *key)
{
    *r = (struct judge_record){.time_ps = 0};
    take_word(l, "baseline", device, VALUE);
    take_hash(l, "source", key->source);
    take_hash(l, "case", key->speed_case);
    take_hash(l, "profile", key->profile);
    take_hash(l, "model", key->model);
    take_word(l, "compiler", NULL, VALUE);
    r->sampled = (int)take_number(l, "sampled", 1);
    r->time_ps = take_number(l, "time_ps", INT64_MAX);
    l->damaged |= !r->time_ps;
    for (uint32_t k = 0; k < LAB_KERNELS && lab->kernel[k]; ++k) take_kernel(l, lab->kernel[k], &r->kernel[k]);
    l->damaged |= strcmp(l->name, "end") != 0 || l->value[0];
    next_line(l);
}

enum judge_record_match judge_record_parse(const char *text, const struct lab *lab, const char *device,
                                           struct judge_record *record, struct judge_record_key *key)
{
    struct lines l = {.at = text};
    struct judge_record read;
    struct judge_record_key read_key;
    char name[VALUE] = "";
    int found = 0;
    next_line(&l);
    while (l.name[0] && !l.damaged) {
        take_block(&l, lab, name, &read, &read_key);
        if (l.damaged || strcmp(name, device) != 0) continue;
        l.damaged = found; // a device has one block
        found = 1;
        *record = read;
        *key = read_key;
    }
    return l.damaged ? RECORD_DAMAGED : found ? RECORD_MATCHES : RECORD_MISSING;
}

// --------------------------------------------------------------------------------------------------- finding, printing
static void record_path(const struct judge_job *job, char path[CACHE_PATH])
{
    const char *dot = strrchr(job->baseline, '.');
    int length = dot ? (int)(dot - job->baseline) : (int)strlen(job->baseline);
    if (snprintf(path, CACHE_PATH, "%.*s.record", length, job->baseline) >= CACHE_PATH)
        die("the path '%.60s…' is too long", path);
}

static enum judge_record_match compare(const struct judge_record_key *now, const struct judge_record_key *then)
{
    if (now->source[0] && strcmp(now->source, then->source) != 0) return RECORD_SOURCE;
    if (strcmp(now->speed_case, then->speed_case) != 0) return RECORD_CASE;
    if (strcmp(now->profile, then->profile) != 0) return RECORD_PROFILE;
    return strcmp(now->model, then->model) != 0 ? RECORD_MODEL : RECORD_MATCHES;
}

enum judge_record_match judge_record_find(const struct judge_job *job, struct judge_record *record)
{
    struct judge_record_key now, then;
    struct text file = {0};
    char path[CACHE_PATH];
    enum judge_record_match match = RECORD_MISSING;
    if (!job->baseline || judge_record_key(job, &now)) return RECORD_MISSING;
    record_path(job, path);
    if (!text_read_file(&file, path, CACHE_FILE_MOST) && file.length) {
        match = strlen(file.data) == file.length ? RECORD_MATCHES : RECORD_DAMAGED; // no NUL in the text
        if (match == RECORD_MATCHES)
            match = judge_record_parse(file.data, job->lab, device_profile_find(job->device)->name, record, &then);
        if (match == RECORD_MATCHES) match = compare(&now, &then);
    }
    text_free(&file);
    return match;
}

static void print_kernel(const char *name, const struct judge_record_kernel *k, struct text *t)
{
    text_printf(t, "kernel %s\ntime_ps %" PRIu64 "\n", name, k->time_ps);
    for (int i = 0; i < counter_count; ++i) {
        uint64_t value;
        memcpy(&value, (const char *)&k->counters + counter_info[i].offset, sizeof value);
        if (value) text_printf(t, "%s %" PRIu64 "\n", counter_info[i].name, value);
    }
}

void judge_record_print(const struct judge_job *job, const struct judge_record *r, struct text *t)
{
    struct judge_record_key key;
    if (judge_record_key(job, &key)) die("there is no device '%s'", job->device);
    if (!key.source[0]) die("cannot read the baseline '%s': %s", job->baseline, strerror(ENOENT));
    text_printf(t, "baseline %s\nsource %s\ncase %s\nprofile %s\nmodel %s\ncompiler %s\n",
                device_profile_find(job->device)->name, key.source, key.speed_case, key.profile, key.model,
                job->compiler->version);
    text_printf(t, "sampled %d\ntime_ps %" PRIu64 "\n", r->sampled, r->time_ps);
    for (uint32_t k = 0; k < LAB_KERNELS && job->lab->kernel[k]; ++k)
        print_kernel(job->lab->kernel[k], &r->kernel[k], t);
    text_puts(t, "end\n");
}

struct counters judge_record_sum(const struct judge_record *r)
{
    struct counters sum = {0};
    for (int k = 0; k < LAB_KERNELS; ++k) counters_add(&sum, &r->kernel[k].counters);
    return sum;
}
